//! One change to the machines of any question, to ask what it is worth: a number improved by a share, one more machine alike, a
//! machine left out.
//!
//! Which way a number is better is in one list; which numbers there are follows from what the question shows, so that
//! another question has its changes for free. Every change leads to a scenario of all questions that a person could have made,
//! and what was solved is its view. A cold start has links that follow from powers, and changes of its own
//! ([`super::improve`]).

use super::fields::{self, Field};
use super::improve::Obstacle;
use super::rows::free_name;
use super::world::{COMPUTE_TERMS, FieldOwner, FieldRef, LocatedField, QuestionView, World};
use crate::units::rounded;

/// Which way a number is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// More of it.
    More,
    /// Less of it.
    Less,
}

/// Numbers of machines and links that are better one way, whatever the question, by the names that all questions know them by. All
/// memory is not among them: what counts is the memory for use, with which it grows.
const BETTER: &[(&str, Better)] = &[
    ("c_peak_tflops", Better::More),
    ("r_mb_s", Better::More),
    ("m_gb", Better::More),
    ("d_m", Better::Less),
    ("bandwidth_gb_s", Better::More),
    ("nodes", Better::More),
    ("tops", Better::More),
    ("compute_gops", Better::More),
    ("prefill_tok_s", Better::More),
    ("decode_tok_s", Better::More),
    ("start_s", Better::Less),
    ("factor", Better::Less),
    ("limit_mib", Better::More),
    ("mu", Better::More),
    ("B_mhz", Better::More),
    ("rate_mbit_s", Better::More),
    ("gbit_s", Better::More),
    ("latency_ms", Better::Less),
];

/// Which way a number is better, if that is known whatever the others are.
#[must_use]
pub fn better(key: &str) -> Option<Better> {
    let named = BETTER.iter().find(|(known, _)| *known == key);
    named.map(|(_, better)| *better)
}

/// A number improved by a share of it, with six significant digits so that it can be read and typed; whole numbers go on to the
/// next.
#[must_use]
pub fn improved(field: &Field, better: Better, from: f64, by_pct: f64) -> f64 {
    let factor = 1.0 + by_pct / 100.0;
    let exact = match better {
        Better::More => from * factor,
        Better::Less => from / factor,
    };
    match (field.is_integer, better) {
        (false, _) => rounded(exact, 6),
        (true, Better::More) => libm::ceil(exact),
        (true, Better::Less) => libm::floor(exact),
    }
}

/// Checks that a number can take another value.
///
/// # Errors
/// A value that is the same, or one that the field does not allow.
pub fn check_change(field: &'static Field, from: f64, to: f64) -> Result<(f64, f64), Obstacle> {
    let key = field.key;
    if to == from {
        return Err(Obstacle::Nothing { field: key, from });
    }
    if !field.allows(to) {
        return Err(Obstacle::Range {
            field: key,
            from,
            needed: to,
        });
    }
    Ok((from, to))
}

/// Kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeverChange {
    /// A number is improved.
    Number(FieldRef),
    /// One more machine like that of a row, behind all others.
    Another(usize),
    /// The machine of a row is switched off.
    Without(usize),
}

/// A change that can be asked for.
#[derive(Debug, Clone, Copy)]
pub struct WorldChange {
    /// Kind.
    pub kind: LeverChange,
    /// The field and what it holds, of a number.
    pub number: Option<(&'static Field, f64)>,
}

/// Result of a change.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// The scenario of all questions.
    pub world: World,
    /// How the question sees it.
    pub view: QuestionView,
    /// Value of the number before and after.
    pub values: Option<(f64, f64)>,
}

/// All changes to what a view shows: of each machine that is on its numbers, those of its link, one more like it, and without it;
/// then the numbers of the network.
///
/// # Complexity
/// O(machines · fields).
#[must_use]
pub fn changes(world: &World, view: &QuestionView) -> Vec<WorldChange> {
    let spots = world.spots(view);
    let of = |whose: FieldOwner| {
        let own = move |known: &&LocatedField| known.location.owner == whose;
        let numbers = spots.iter().filter(own);
        numbers.filter_map(|known| {
            better(known.location.key)?;
            Some(WorldChange {
                kind: LeverChange::Number(known.location),
                number: Some((known.field, known.value)),
            })
        })
    };
    let plain = |what: LeverChange| WorldChange {
        kind: what,
        number: None,
    };
    let names = view.row_names();
    let on = (0..names.len()).filter(|at| !names[*at].1);
    let mut all: Vec<WorldChange> = Vec::new();
    for at in on {
        all.extend(of(FieldOwner::Machine(at)).chain(of(FieldOwner::Link(at))));
        all.extend([LeverChange::Another(at), LeverChange::Without(at)].map(plain));
    }
    all.extend(of(FieldOwner::Network));
    all
}

impl WorldChange {
    /// The row of the machine that it is about; none of the network.
    #[must_use]
    pub const fn row(&self) -> Option<usize> {
        match self.kind {
            LeverChange::Another(at) | LeverChange::Without(at) => Some(at),
            LeverChange::Number(spot) => match spot.owner {
                FieldOwner::Machine(at) | FieldOwner::Link(at) => Some(at),
                _ => None,
            },
        }
    }

    /// The world with the change made, and how the question sees it; numbers are improved by `by_pct` percent. Everything else
    /// that the view shows stays as it is.
    ///
    /// # Errors
    /// Why the change cannot be made.
    ///
    /// # Complexity
    /// A few views.
    pub fn applied(
        &self,
        world: &World,
        view: &QuestionView,
        by_pct: f64,
    ) -> Result<Changed, Obstacle> {
        let refused = |fault: crate::problem::Invalid| Obstacle::Refused(fault.message);
        let question = view.scenario.question();
        let fixed = world.fixed(view);
        let mut values = None;
        let mut next = world.clone();
        match self.kind {
            LeverChange::Number(spot) => {
                let (field, from) = self.number.unwrap_or((&fields::FIELDS[0], 0.0));
                let better = better(spot.key).unwrap_or(Better::More);
                let (from, to) = check_change(field, from, improved(field, better, from, by_pct))?;
                values = Some((from, to));
                let mut changed = fixed;
                let scaled = |end: f64| rounded(end * (to / from), 6);
                // What is known of it as a range moves along, and rounding must not leave the number outside.
                let known = world
                    .spots(view)
                    .into_iter()
                    .find(|known| known.location == spot);
                let range = known.and_then(|known| known.range).map(|mut span| {
                    span.low = scaled(span.low).min(to);
                    span.high = scaled(span.high).max(to);
                    span
                });
                changed.put(view, spot, to, range);
                if spot.key == "tops" {
                    // What a runtime reaches of the peak grows with it.
                    let is_rate = |known: &&LocatedField| {
                        known.location.owner == spot.owner
                            && COMPUTE_TERMS.contains(&known.location.key)
                    };
                    for rate in world.spots(view).iter().filter(is_rate) {
                        changed.put(view, rate.location, scaled(rate.value), None);
                    }
                }
                let after = changed.view(question).map_err(refused)?;
                let seen = next.absorb(view, &after.scenario, &view.rows);
                // What is only assumed follows its rules as before, unless that would change something else or lose a range.
                let is_same = seen.is_ok_and(|seen| seen.scenario == after.scenario);
                if !is_same || range.is_some() {
                    next = changed;
                }
            }
            LeverChange::Another(at) => {
                let most = view.most_rows();
                if next.machines.len() >= fields::MOST_DEVICES {
                    return Err(Obstacle::Full);
                }
                if view.left_out > 0 || view.rows.len() >= most {
                    let why = format!("this question takes at most {most} machines");
                    return Err(Obstacle::Refused(why));
                }
                let like = view.rows.get(at);
                let like = fixed.machines.iter().find(|m| Some(&m.id) == like);
                let Some(mut another) = like.cloned() else {
                    return Err(no_machine());
                };
                let taken: Vec<&str> = next.machines.iter().map(|m| m.name.as_str()).collect();
                another.name = free_name(&another.name, &taken);
                another.id = next.free_id();
                another.off = false;
                next.machines.push(another);
            }
            LeverChange::Without(at) => {
                let on = view.row_names().into_iter().filter(|(_, off)| !off);
                if on.count() < 2 {
                    return Err(Obstacle::OnlyOne);
                }
                let gone = view.rows.get(at);
                let gone = next.machines.iter_mut().find(|m| Some(&m.id) == gone);
                gone.ok_or_else(no_machine)?.off = true;
            }
        }
        let view = next.view(question).map_err(refused)?;
        Ok(Changed {
            world: next,
            view,
            values,
        })
    }
}

fn no_machine() -> Obstacle {
    Obstacle::Refused("there is no such machine".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_row() {
        for (at, (key, _)) in BETTER.iter().enumerate() {
            assert!(fields::of(key).is_some(), "{key}");
            assert!(BETTER[..at].iter().all(|(other, _)| other != key), "{key}");
        }
    }

    #[test]
    fn whole_numbers_go_on_to_the_next() {
        let of = |key| fields::of(key).expect("a field");
        let more = Better::More;
        assert_eq!(improved(of("nodes"), more, 1.0, 25.0), 2.0);
        assert_eq!(improved(of("nodes"), more, 4.0, 25.0), 5.0);
        assert_eq!(improved(of("tops"), more, 3.0, 25.0), 3.75);
        assert_eq!(improved(of("factor"), Better::Less, 1.0, 25.0), 0.8);
        assert_eq!(improved(of("count"), Better::Less, 9.0, 25.0), 7.0);
    }
}
