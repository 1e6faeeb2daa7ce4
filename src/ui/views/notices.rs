//! The banner above the answer, and the toast that goes away by itself.

use super::icons::{Glyph, Icon};
use crate::ui::download;
use crate::ui::questions::Questions;
use crate::ui::shell::Shell;
use crate::ui::update_notice::UpdateNotice;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use std::cell::Cell;

/// How long a toast stays [ms].
const TOAST_MS: u32 = 8000;

/// Banner with messages; the error of a field is shown here as well while the field is out of sight.
#[component]
pub fn BannerView() -> impl IntoView {
    let state = expect_context::<Shell>();
    let faulty = Memo::new(move |_| {
        state.faults.with(|faults| {
            faults
                .iter()
                .next()
                .map(|(key, text)| (key.clone(), text.clone(), faults.len()))
        })
    });
    let is_offline = offline();
    view! {
        <div id="banner">
            <UpdateNotice/>
            {move || is_offline.get().then(|| view! {
                <div class="banner info" role="status">
                    <Icon glyph=Glyph::Check/>
                    <p><b>"You are offline."</b>" Everything here keeps working; nothing ever leaves this page."</p>
                    <Dismiss on_press=move || is_offline.set(false)/>
                </div>
            })}
            {move || {
                state.banner.get().map(|banner| {
                    let details = banner.details.clone();
                    view! {
                        <div class="banner warn" role=if banner.alert { "alert" } else { "status" }>
                            <Icon glyph=Glyph::Warn/>
                            <p><b>{banner.title}</b>" "{banner.text}</p>
                            {details.map(|details| view! {
                                <button class="btn small" on:click=move |_| download::copy(&details, |_| ())>
                                    "Copy details"
                                </button>
                            })}
                            <Dismiss on_press=move || state.banner.set(None)/>
                        </div>
                    }
                })
            }}
            {move || {
                faulty.get().map(|(key, text, count)| {
                    let title = match count {
                        1 => "One number needs correcting.".to_owned(),
                        many => format!("{many} numbers need correcting."),
                    };
                    view! {
                        <div class="banner info" role="status">
                            <Icon glyph=Glyph::Edit/>
                            <p><b>{title}</b>" "{text}" Below is the answer for the last complete scenario."</p>
                            <button class="btn small" on:click=move |_| go_to_field(state, &key)>"Go to the field"</button>
                        </div>
                    }
                })
            }}
        </div>
    }
}

/// The offer of a newer version of the page, while there is one.
#[component]
pub fn UpdateNotice() -> impl IntoView {
    let news = expect_context::<UpdateNotice>();
    let notice = move || {
        view! {
            <div class="banner info" id="news" role="status">
                <Icon glyph=Glyph::Check/>
                <p><b>"A new version is ready."</b>" Your scenario stays as it is."</p>
                <button class="btn small" on:click=move |_| news.reload()>"Reload"</button>
                <Dismiss on_press=move || news.dismiss()/>
            </div>
        }
    };
    move || news.is_waiting().then(notice)
}

/// The button that takes a notice away.
#[component]
fn Dismiss(on_press: impl Fn() + 'static) -> impl IntoView {
    view! {
        <button class="btn quiet small icon" aria-label="Dismiss" on:click=move |_| on_press()>
            <Icon glyph=Glyph::Close/>
        </button>
    }
}

thread_local! {
    /// True once the loss of the network was said: it is shown once a visit.
    static IS_SAID: Cell<bool> = const { Cell::new(false) };
}

/// Returns true after the network was lost: shown once a visit, and gone when it returns. The banner is built for each question, so the
/// listeners go with it.
fn offline() -> RwSignal<bool> {
    let now = RwSignal::new(false);
    let lost = window_event_listener_untyped("offline", move |_| now.set(!IS_SAID.replace(true)));
    let back = window_event_listener_untyped("online", move |_| now.set(false));
    on_cleanup(move || {
        lost.remove();
        back.remove();
    });
    now
}

fn go_to_field(state: Shell, key: &str) {
    state.open_sheet();
    let id = super::field::element_id(key);
    // The sheet must be on screen before something in it can take the focus.
    Timeout::new(30, move || {
        if let Some(element) = document().get_element_by_id(&id) {
            let _ = wasm_bindgen::JsCast::unchecked_into::<web_sys::HtmlElement>(element).focus();
        }
    })
    .forget();
}

/// A short notice; it stays while the pointer is over it.
#[component]
pub fn ToastView() -> impl IntoView {
    let questions = expect_context::<Questions>();
    let state = questions.shell;
    let timer = StoredValue::new_local(None::<Timeout>);
    let start =
        move || timer.set_value(Some(Timeout::new(TOAST_MS, move || state.toast.set(None))));
    Effect::new(move |_| {
        if state.toast.with(Option::is_some) {
            start();
        }
    });
    view! {
        <div
            id="toast"
            role="status"
            on:pointerenter=move |_| timer.set_value(None)
            on:pointerleave=move |_| start()
        >
            {move || {
                state.toast.get().map(|toast| view! {
                    <div class="toast">
                        <span>{toast.text}</span>
                        {toast.undo.then(|| view! {
                            <button
                                class="btn small"
                                on:click=move |_| {
                                    questions.step_back();
                                    state.toast.set(None);
                                }
                            >
                                "Undo"
                            </button>
                        })}
                    </div>
                })
            }}
        </div>
    }
}
