//! Sections about the shared scenario, whichever question is open: sensitivity, and uncertainty from ranges. Computed on request
//! only, since every row is a plan of its own.

use super::sensitivity::{Figures, base, better_by, foot, standing, subject, value_after, values};
use super::{ranges as drawn, sensitivity as said};
use crate::presenting::{AggregateResult, AnswerPresenter, PartialProgress, solved};
use document::{
    Block, Choice, DeferredSlot, Name, Patch, RichCell, RichRow, RichTable, RowAction, Section,
    Trigger,
};
use engine::problem::Invalid;
use engine::scenario::levers::LeverChange;
use planner::cold_start_spread::DRAWS;
use planner::ranges::{self, sum_up};
use planner::sensitivity::{
    self, SensitivityEffect, SensitivityReport, SensitivityRow, changed, prepared,
};
use protocol::request_kinds::{WorldQuery, WorldTask};
use protocol::{AnswerView, SubtaskResult, difference, packed, read, unpacked, written};
use std::rc::Rc;

/// Rows that are there before the user asks for all.
const FIRST_ROWS: usize = 6;

/// The slot of each in its section.
const HELPS: Name = "gains-found";
const RANGES: Name = "spread-found";

fn subtasks(asked: &WorldTask) -> Result<Vec<String>, Invalid> {
    Ok(match asked.wants {
        WorldQuery::Helps { by_pct } => {
            let found = helps_of(asked, by_pct)?;
            found.requests().iter().map(written).collect()
        }
        WorldQuery::Ranges { seed } => {
            let all = draws(asked, seed)?;
            all.iter().map(written).collect()
        }
    })
}

fn helps_of(asked: &WorldTask, by_pct: f64) -> Result<Rc<SensitivityReport>, Invalid> {
    solved(asked, || prepared(&asked.world, by_pct))
}

fn draws(asked: &WorldTask, seed: u32) -> Result<Vec<ranges::RangesRequest>, Invalid> {
    let view = asked.world.view(asked.world.question)?;
    let inputs = ranges::inputs(&asked.world, &view);
    Ok(ranges::range_requests(inputs.len(), DRAWS, seed))
}

impl AnswerPresenter for WorldTask {
    fn present(&self, _: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        let (id, title, place) = match self.wants {
            WorldQuery::Helps { .. } => ("gains", "What would help most", HELPS),
            WorldQuery::Ranges { .. } => ("spread", "Ranges", RANGES),
        };
        let later = DeferredSlot {
            id: place,
            button: None,
            blocks: Vec::new(),
        };
        let section = Section::new(id, title)
            .with(Block::Deferred(later))
            .with_split_query(Trigger::Now(place), id.to_owned(), subtasks(self)?, "");
        Ok(AnswerView {
            sections: vec![section],
            ..AnswerView::default()
        })
    }

    fn run_subtask(
        &self,
        piece: &str,
        _: &[u8],
        _: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, Invalid> {
        match self.wants {
            WorldQuery::Helps { .. } => {
                let measured = sensitivity::measure_change(&self.world, read(piece)?);
                Ok(packed(&measured.map_err(|fault| fault.message)))
            }
            WorldQuery::Ranges { .. } => {
                ranges::measure_range(&self.world, read(piece)?).map(|measured| packed(&measured))
            }
        }
    }

    fn aggregate(
        &self,
        _: &str,
        _: &[u8],
        pieces: &[Option<SubtaskResult>],
    ) -> Result<AggregateResult, Invalid> {
        let (id, blocks) = match self.wants {
            WorldQuery::Helps { by_pct } => {
                let mut found = (*helps_of(self, by_pct)?).clone();
                for (ask, measured) in found.requests().into_iter().zip(pieces) {
                    if let Some(measured) = measured {
                        found.record(ask, unpacked(measured)?);
                    }
                }
                (HELPS, help_blocks(self, &found))
            }
            WorldQuery::Ranges { seed } => {
                let measured = pieces.iter().map(|measured| {
                    let measured = measured.as_ref().map(|measured| unpacked(measured));
                    measured.transpose()
                });
                let measured = measured.collect::<Result<Vec<_>, _>>()?;
                let found = sum_up(&self.world, seed, &draws(self, seed)?, &measured)?;
                let blocks = vec![
                    drawn::summary(&found).into(),
                    drawn::basis(&found).into(),
                    drawn::table(&found).into(),
                ];
                (RANGES, blocks)
            }
        };
        Ok(AggregateResult::Fills(vec![Patch::Place { id, blocks }]))
    }

    fn file(&self, name: &str) -> Result<String, Invalid> {
        Err(Invalid::range("file", name, "none"))
    }
}

/// Returns the changes that help, the most useful first, and notes on the others.
fn help_blocks(asked: &WorldTask, found: &SensitivityReport) -> Vec<Block> {
    let is_gain = |gain: &&SensitivityRow| {
        !matches!(gain.change.kind, LeverChange::Without(_)) && found.is_help(gain)
    };
    let helping: Vec<&SensitivityRow> = found.in_order().into_iter().filter(is_gain).collect();
    let figures = Figures::of(found);
    let exact = |then: f64| format!("{then} {}", found.headline.unit.symbol());
    let line = |(at, gain): (usize, &&SensitivityRow)| {
        let world = changed(&asked.world, gain.at, found.by_pct).ok()?.world;
        let wants = asked.wants;
        let (name, values) = (subject(found, gain), values(gain));
        let what = [Some(&name), values.as_ref()].into_iter().flatten();
        let label = format!("Try: {}", what.cloned().collect::<Vec<_>>().join(" "));
        let then = match value_after(gain) {
            Some(then) => RichCell::exact(figures.with_unit(then), exact(then)),
            None => RichCell::of("\u{2013}"),
        };
        let standing = Some(standing(found, gain)).filter(|words| *words == "best found");
        let better = better_by(found, gain, figures);
        let cells = vec![
            RichCell::head(name).with(values),
            then,
            RichCell::of(better).with(standing.map(str::to_owned)),
        ];
        let act = RowAction::Change {
            choice: Choice {
                id: "",
                words: "Try".to_owned(),
                edit: difference(asked, &WorldTask { world, wants }),
            },
            label,
            is_first: false,
            is_done: false,
        };
        Some(RichRow {
            is_kept_back: at >= FIRST_ROWS,
            ..RichRow::of(cells).acting(Some(act))
        })
    };
    let heads = [
        ("If you had", ""),
        (found.headline.name, "n"),
        ("Better by", "n"),
        ("Try", "sr"),
    ];
    let rows: Vec<RichRow> = helping.iter().enumerate().filter_map(line).collect();
    let listing = RichTable {
        all: format!("All {} that help", helping.len()),
        ..RichTable::new(("gains-list", "help"), "What would help most", &heads, rows)
    };
    let mut blocks = vec![Block::Listing(
        listing.with_table(said::table(found)).with_export("gains"),
    )];
    let mut effects = found.gains.iter().map(|gain| found.effect(gain));
    let is_open = effects.any(|effect| effect == SensitivityEffect::Pending);
    if helping.is_empty() && !is_open {
        blocks.push(
            "No change of this size makes the answer better."
                .to_owned()
                .into(),
        );
    }
    let sentences: Vec<String> = base(found).into_iter().chain(foot(found)).collect();
    let foot = format!(
        "Each row is a full new plan with one change. {}",
        sentences.join(" ")
    );
    blocks.push(foot.into());
    blocks
}
