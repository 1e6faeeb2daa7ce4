//! The device-or-server question among the others.

use super::answer::QUESTION;
use super::{Dispatch, DispatchState};
use crate::ui::desk::{Steps, document};
use crate::ui::questions::Topic;
use engine::scenario::dispatch;
use job::dispatch::request;
use leptos::prelude::*;
use report::Told;
use report::dispatch::told;
use story::Words;

document!(Dispatch, dispatch, |a, b| a.server.name == b.server.name);

impl Topic for DispatchState {
    fn desk(&self) -> &dyn Steps {
        &**self
    }

    fn name(&self) -> &'static str {
        "Device or server"
    }

    fn asks(&self) -> &'static str {
        QUESTION
    }

    fn helps(&self) -> &'static str {
        "For an app with a model on the device and a paid server behind it."
    }

    fn words(&self) -> Option<Words> {
        let now = self.scenario.get();
        let shown = self.shown.get().filter(|shown| shown.scenario == now)?;
        Some(shown.words.clone())
    }

    fn told(&self) -> Option<Told> {
        let now = self.scenario.get();
        let shown = self.shown.get().filter(|shown| shown.scenario == now)?;
        let (scenario, planned) = (&*shown.scenario, &shown.planned);
        let request = request(scenario, planned, self.looked_at(), self.luck.get()).ok();
        let besides = self.with_besides(|_, besides| besides.clone());
        let besides = besides.unwrap_or_default();
        Some(Told {
            about: told::about(scenario),
            sections: told::sections(&told::Known {
                scenario,
                planned,
                request: request.as_ref(),
                sweep: besides.sweep.as_deref(),
                runs: &besides.runs,
                predicted: besides.predicted.as_ref(),
            }),
        })
    }

    fn instead(&self) -> &'static str {
        "LLaMA-3.1-70b and a Xiaomi 14 are shown instead."
    }

    fn view(&self) -> AnyView {
        view! { <Dispatch/> }.into_any()
    }

    fn end_asked(&self) {
        self.end_asks();
    }
}
