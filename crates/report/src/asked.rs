//! What is told of the scenario of all questions, whichever of them is open: what would help most, and ranges in the place of
//! points. It is not there before somebody asks for it, because every row of it is a plan of its own.

use super::helps::{Figures, base, better_by, foot, standing, subject, value_after, values};
use super::tell::{
    Gathered, Heard, Piece, Telling, Tells, difference, packed, read, solved, unpacked, written,
};
use super::{helps as said, ranges as drawn};
use engine::problem::Invalid;
use engine::scenario::levers::What;
use engine::scenario::world::{Filed, World};
use job::cold_start_spread::DRAWS;
use job::helps::{self, Effect, Gain, Helps, changed, prepared};
use job::ranges::{self, sum_up};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use std::rc::Rc;
use story::{Act, Block, Choice, Fill, Later, Line, Listing, Name, Section, Shown, When};

/// Rows that stand there before somebody asks for all.
const FIRST_ROWS: usize = 6;

/// A scenario of all questions, and what is asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The scenario.
    pub world: World,
    /// What is asked.
    pub wants: Wants,
}

/// What is asked of a scenario of all questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Wants {
    /// What would help most.
    Helps {
        /// By how much numbers are improved [%].
        by_pct: f64,
    },
    /// What comes of its ranges.
    Ranges {
        /// Seed of the draws.
        seed: u32,
    },
}

impl Filed for Asked {
    fn of_file(text: &str) -> Result<Self, Invalid> {
        let refused = || Invalid::range("asked", "", "a scenario and what is asked of it");
        let whole: Value = serde_json::from_str(text).map_err(|_| refused())?;
        let wants = serde_json::from_value(whole["wants"].clone()).map_err(|_| refused())?;
        let world = World::read(&whole["world"].to_string())?;
        Ok(Self { world, wants })
    }

    fn to_file(&self) -> String {
        let world: Value = serde_json::from_str(&self.world.to_json()).unwrap_or_default();
        json!({ "world": world, "wants": self.wants }).to_string()
    }
}

impl<'de> Deserialize<'de> for Asked {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let whole = Value::deserialize(from)?;
        Self::of_file(&whole.to_string()).map_err(serde::de::Error::custom)
    }
}

/// The place in its section where each is told.
const HELPS: Name = "gains-found";
const RANGES: Name = "spread-found";

impl Asked {
    fn asks(&self) -> Result<Vec<String>, Invalid> {
        Ok(match self.wants {
            Wants::Helps { by_pct } => {
                let found = self.helps(by_pct)?;
                found.asks().iter().map(written).collect()
            }
            Wants::Ranges { seed } => {
                let all = self.draws(seed)?;
                all.iter().map(written).collect()
            }
        })
    }

    fn helps(&self, by_pct: f64) -> Result<Rc<Helps>, Invalid> {
        solved(self, || prepared(&self.world, by_pct))
    }

    fn draws(&self, seed: u32) -> Result<Vec<ranges::Ask>, Invalid> {
        let view = self.world.view(self.world.question)?;
        let inputs = ranges::inputs(&self.world, &view);
        Ok(ranges::asks(inputs.len(), DRAWS, seed))
    }
}

impl Tells for Asked {
    const KIND: &'static str = "world-story";

    fn tell(&self, _: &mut Heard<'_>) -> Result<Telling, Invalid> {
        let (id, title, place) = match self.wants {
            Wants::Helps { .. } => ("gains", "What would help most", HELPS),
            Wants::Ranges { .. } => ("spread", "Ranges", RANGES),
        };
        let later = Later {
            id: place,
            button: None,
            blocks: Vec::new(),
        };
        let section = Section::new(id, title).with(Block::Later(later)).gathering(
            When::Now(place),
            id.to_owned(),
            self.asks()?,
            "",
        );
        Ok(Telling {
            sections: vec![section],
            ..Telling::default()
        })
    }

    fn piece(
        &self,
        piece: &str,
        _: &[u8],
        _: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, Invalid> {
        match self.wants {
            Wants::Helps { .. } => {
                let told = helps::tell(&self.world, read(piece)?);
                Ok(packed(&told.map_err(|fault| fault.message)))
            }
            Wants::Ranges { .. } => {
                ranges::tell(&self.world, read(piece)?).map(|told| packed(&told))
            }
        }
    }

    fn gathered(&self, _: &str, _: &[u8], pieces: &[Option<Piece>]) -> Result<Gathered, Invalid> {
        let (id, blocks) = match self.wants {
            Wants::Helps { by_pct } => {
                let mut found = (*self.helps(by_pct)?).clone();
                for (ask, told) in found.asks().into_iter().zip(pieces) {
                    if let Some(told) = told {
                        found.take(ask, unpacked(told)?);
                    }
                }
                (HELPS, self.help_blocks(&found))
            }
            Wants::Ranges { seed } => {
                let told = pieces.iter().map(|told| {
                    let told = told.as_ref().map(|told| unpacked(told));
                    told.transpose()
                });
                let told = told.collect::<Result<Vec<_>, _>>()?;
                let found = sum_up(&self.world, seed, &self.draws(seed)?, &told)?;
                let blocks = vec![
                    drawn::summary(&found).into(),
                    drawn::basis(&found).into(),
                    drawn::table(&found).into(),
                ];
                (RANGES, blocks)
            }
        };
        Ok(Gathered::Fills(vec![Fill::Place { id, blocks }]))
    }

    fn file(&self, name: &str) -> Result<String, Invalid> {
        Err(Invalid::range("file", name, "none"))
    }
}

impl Asked {
    /// What helps, the most useful first, and what is to be said of the rest.
    fn help_blocks(&self, found: &Helps) -> Vec<Block> {
        let is_gain =
            |gain: &&Gain| !matches!(gain.change.what, What::Without(_)) && found.is_help(gain);
        let helping: Vec<&Gain> = found.in_order().into_iter().filter(is_gain).collect();
        let figures = Figures::of(found);
        let exact = |then: f64| format!("{then} {}", found.headline.unit.symbol());
        let line = |(at, gain): (usize, &&Gain)| {
            let world = changed(&self.world, gain.at, found.by_pct).ok()?.world;
            let wants = self.wants;
            let (name, values) = (subject(found, gain), values(gain));
            let what = [Some(&name), values.as_ref()].into_iter().flatten();
            let label = format!("Try: {}", what.cloned().collect::<Vec<_>>().join(" "));
            let then = match value_after(gain) {
                Some(then) => Shown::exact(figures.with_unit(then), exact(then)),
                None => Shown::of("\u{2013}"),
            };
            let standing = Some(standing(found, gain)).filter(|words| *words == "best found");
            let better = better_by(found, gain, figures);
            let cells = vec![
                Shown::head(name).with(values),
                then,
                Shown::of(better).with(standing.map(str::to_owned)),
            ];
            let act = Act::Change {
                choice: Choice {
                    id: "",
                    words: "Try".to_owned(),
                    edit: difference(self, &Self { world, wants }),
                },
                label,
                is_first: false,
                is_done: false,
            };
            Some(Line {
                is_kept_back: at >= FIRST_ROWS,
                ..Line::of(cells).acting(Some(act))
            })
        };
        let heads = [
            ("If you had", ""),
            (found.headline.what, "n"),
            ("Better by", "n"),
            ("Try", "sr"),
        ];
        let rows: Vec<Line> = helping.iter().enumerate().filter_map(line).collect();
        let listing = Listing {
            all: format!("All {} that help", helping.len()),
            ..Listing::new(("gains-list", "help"), "What would help most", &heads, rows)
        };
        let mut blocks = vec![Block::Listing(
            listing.told(said::table(found)).taken("gains"),
        )];
        let mut effects = found.gains.iter().map(|gain| found.effect(gain));
        let is_open = effects.any(|effect| effect == Effect::Asked);
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
}
