//! A story as plain text, for a terminal: sentences broken at its width, tables that fit into it or say what they leave out,
//! parts of a whole as bars.

use super::block::{Block, Explained, Figures, Section, Story, Verdict, has_text};
use super::quantity::{Formula, Quantity, ROUNDED};
use super::sentence::counted;
use super::table::{Cell, Table, TableColumn};
use textwrap::core::display_width;

/// Characters between two columns.
const GAP: usize = 2;
/// The most characters of a bar.
const BAR: usize = 40;
/// The fewest characters of a bar that says something.
const LEAST_BAR: usize = 8;
/// The most rows of a table; more scroll what matters away.
const MOST_ROWS: usize = 20;
/// The narrowest text that is still broken into lines.
const NARROWEST: usize = 20;

/// How wide a text may be, in characters; anything goes where nothing is known of its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Width {
    characters: Option<usize>,
    /// True to print all rows of tables and the content of collapsed sections.
    is_whole: bool,
}

impl Width {
    /// As wide as its lines are.
    pub const ANY: Self = Self {
        characters: None,
        is_whole: false,
    };
    /// Options that print all rows of all tables and the content of collapsed sections.
    pub const FULL: Self = Self {
        is_whole: true,
        ..Self::ANY
    };

    /// A width of `characters`, at least 20.
    #[must_use]
    pub fn of(characters: usize) -> Self {
        Self {
            characters: Some(characters.max(NARROWEST)),
            ..Self::ANY
        }
    }

    fn is_over(self, characters: usize) -> bool {
        self.characters.is_some_and(|most| characters > most)
    }

    const fn most_rows(self) -> usize {
        if self.is_whole { usize::MAX } else { MOST_ROWS }
    }

    /// A paragraph in lines.
    fn broken(self, words: &str) -> String {
        match self.characters {
            Some(width) => textwrap::fill(words, width),
            None => words.to_owned(),
        }
    }
}

impl Story {
    /// The whole story. The link is on a line of its own, unbroken, so that it can be copied.
    #[must_use]
    pub fn to_text(&self, width: Width) -> String {
        let head = std::iter::once(&self.title).chain(&self.about);
        let head = head.map(|line| width.broken(line));
        let mut paragraphs = vec![lines(head)];
        let (folded, open): (Vec<&Section>, _) =
            (self.sections.iter()).partition(|section| section.folded && !width.is_whole);
        for section in open {
            paragraphs.extend(section.paragraphs(width));
        }
        if !folded.is_empty() {
            let titles: Vec<String> = folded.iter().map(|section| section.title.clone()).collect();
            paragraphs.push(width.broken(&format!(
                "Not shown here: {} (--format md or html has them).",
                titles.join("; ")
            )));
        }
        paragraphs.push(self.link.clone());
        paragraphs.retain(|paragraph| !paragraph.trim().is_empty());
        paragraphs.join("\n\n") + "\n"
    }

    /// Where a quantity comes from: its formula, the same with the numbers of this answer, and what went in; of a column of a table,
    /// its formula.
    ///
    /// # Errors
    /// The names of all quantities, where none has this one.
    pub fn explained(&self, name: &str, width: Width) -> Result<String, Vec<String>> {
        let figures = self.quantities().filter(|one| one.key == name);
        let figures = figures.map(|one| self.explained_one(one, width));
        let columns = self.columns.iter().filter(|one| one.key == name);
        let columns = columns.map(|one| one.to_text(width));
        let texts: Vec<String> = figures.chain(columns).collect();
        if texts.is_empty() {
            let figures = self.quantities().map(|one| &one.key);
            let columns = self.columns.iter().map(|one| &one.key);
            let mut known: Vec<String> = Vec::new();
            for key in figures.chain(columns) {
                if !known.contains(key) {
                    known.push(key.clone());
                }
            }
            return Err(known);
        }
        Ok(texts.join("\n\n") + "\n")
    }

    fn explained_one(&self, one: &Quantity, width: Width) -> String {
        let mut said = vec![width.broken(&format!("{}: {}", one.name, one.text()))];
        if one.exact() != one.text() {
            said.push(width.broken(&format!("In full: {}", one.exact())));
        }
        match &one.formula {
            Some(Formula {
                symbols,
                filled,
                source,
                rounded,
                ..
            }) => {
                said.push(width.broken(&format!("Formula: {symbols}")));
                said.push(width.broken(&format!("Here: {filled}")));
                if *rounded {
                    said.push(width.broken(ROUNDED));
                }
                said.push(width.broken(&format!("Source: {source}")));
            }
            None => said.push(
                "It comes out of the simulation or the search itself; no formula gives it."
                    .to_owned(),
            ),
        }
        let inputs = self.inputs_of(one);
        if !inputs.is_empty() {
            said.push("Inputs:".to_owned());
            said.extend(
                inputs
                    .iter()
                    .map(|input| width.broken(&format!("  {input}"))),
            );
        }
        said.join("\n")
    }
}

impl Explained {
    fn to_text(&self, width: Width) -> String {
        lines(
            [
                format!("{}, a column of: {}", self.head, self.table),
                format!("Formula: {}", self.symbols),
                format!("Source: {}", self.source),
            ]
            .iter()
            .map(|said| width.broken(said)),
        )
    }
}

fn paragraphs(blocks: &[Block], width: Width) -> String {
    let all = blocks.iter().map(|block| block.to_text(width));
    filled_lines(all)
}

/// Lines without the empty ones.
fn filled_lines(all: impl Iterator<Item = String>) -> String {
    lines(all.filter(|said| !said.is_empty()))
}

fn lines(all: impl Iterator<Item = String>) -> String {
    all.collect::<Vec<_>>().join("\n")
}

impl Section {
    /// Its paragraphs, under its title; the answer and its figures need none.
    fn paragraphs(&self, width: Width) -> Vec<String> {
        let blocks: Vec<String> = self
            .blocks
            .iter()
            .map(|block| block.to_text(width))
            .collect();
        let mut blocks: Vec<String> = blocks.into_iter().filter(|text| !text.is_empty()).collect();
        let is_answer = self
            .blocks
            .iter()
            .any(|block| matches!(block, Block::Answer(_)));
        if let Some(first) = blocks
            .first_mut()
            .filter(|_| !is_answer && !self.title.is_empty())
        {
            *first = format!("{}\n{first}", self.title.to_uppercase());
        }
        blocks
    }
}

impl Block {
    fn to_text(&self, width: Width) -> String {
        match self {
            Self::Answer(words) => words.to_text(width),
            Self::Paragraph(sentence) => width.broken(&sentence.to_string()),
            Self::Note(words) => width.broken(words),
            Self::Figures(figures) => figures.to_text(width),
            Self::Table(table) | Self::Marked(table, _) => {
                table.columns_in(width, width.most_rows())
            }
            Self::Claims(claims) => {
                let table = claims.reader_table().columns_in(width, width.most_rows());
                format!("{}\n{table}", claims.title)
            }
            Self::Listing(listing) => {
                let texts = |table: &Table| table.columns_in(width, width.most_rows());
                listing.table().map_or_else(String::new, texts)
            }
            Self::Chart(chart) => {
                let table = chart.table.as_ref();
                let texts = |table: &Table| table.columns_in(width, width.most_rows());
                table.map_or_else(String::new, texts)
            }
            Self::Code(text) => text.clone(),
            Self::Fold(words, blocks) if width.is_whole => {
                format!("{words}\n{}", paragraphs(blocks, width))
            }
            // A text changes nothing, and what is for those who ask it leaves to other forms.
            Self::Try(..) | Self::Controls(_) | Self::Fold(..) => String::new(),
            Self::Terms(all) => lines(
                all.iter()
                    .map(|(name, meaning)| width.broken(&format!("{name}: {meaning}"))),
            ),
            Self::Tabs(_, ways) => {
                let way = |(name, blocks): &(String, Vec<Self>)| {
                    format!("{name}:\n{}", paragraphs(blocks, width))
                };
                let shown = ways.iter().filter(|(_, blocks)| has_text(blocks));
                lines(shown.map(way))
            }
            Self::Columns(columns) => {
                filled_lines(columns.iter().map(|blocks| paragraphs(blocks, width)))
            }
            Self::Deferred(later) => paragraphs(&later.blocks, width),
            Self::Walk(walk) => paragraphs(&walk.blocks, width),
        }
    }
}

impl Verdict {
    fn to_text(&self, width: Width) -> String {
        let said = [
            format!("{} ({})", self.headline, self.proof),
            self.summary.to_string(),
            self.reason.to_string(),
        ];
        let said = said.iter().map(|words| words.trim());
        lines(
            said.filter(|words| !words.is_empty())
                .map(|words| width.broken(words)),
        )
    }
}

impl Figures {
    /// Parts with bars, all to one scale, then the others, name by name.
    fn to_text(&self, width: Width) -> String {
        let total = match &self.total {
            Some(whole) => whole.value,
            None => self.shares.iter().map(|part| part.quantity.value).sum(),
        };
        let parts: Vec<&Quantity> = self.shares.iter().map(|part| &part.quantity).collect();
        let all: Vec<&Quantity> = parts
            .iter()
            .copied()
            .chain(&self.other_quantities)
            .collect();
        let names = all
            .iter()
            .map(|one| display_width(&one.name))
            .max()
            .unwrap_or(0);
        let shown = all
            .iter()
            .map(|one| display_width(&one.text()))
            .max()
            .unwrap_or(0);
        let line = |one: &Quantity, rest: &str| {
            let (name, value) = (padded(&one.name, names), one.text());
            let gap = " ".repeat(shown.saturating_sub(display_width(&value)));
            format!("{name}  {gap}{value}  {rest}")
                .trim_end()
                .to_owned()
        };
        let room = width.characters.map_or(BAR, |width| {
            width.saturating_sub(names + shown + 2 * GAP).min(BAR)
        });
        let bar = |one: &Quantity| match total > 0.0 && room >= LEAST_BAR {
            true => bar(one.value / total, room),
            false => String::new(),
        };
        let bars = parts.iter().map(|one| line(one, &bar(one)));
        lines(bars.chain(self.other_quantities.iter().map(|one| line(one, &one.note))))
    }
}

/// A bar of a share of so many characters, to an eighth of a character.
fn bar(share: f64, room: usize) -> String {
    const EIGHTHS: [&str; 8] = [
        "", "\u{258f}", "\u{258e}", "\u{258d}", "\u{258c}", "\u{258b}", "\u{258a}", "\u{2589}",
    ];
    let eighths = libm::round(share.clamp(0.0, 1.0) * 8.0 * room as f64) as usize;
    "\u{2588}".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

fn padded(words: &str, width: usize) -> String {
    format!(
        "{words}{}",
        " ".repeat(width.saturating_sub(display_width(words)))
    )
}

impl Table {
    /// The table in columns of one width each, as wide as they are.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.columns_in(Width::FULL, usize::MAX) + "\n"
    }

    /// Formats at most `most_rows` rows in columns, the first column always. Below them are the names of what does not fit.
    fn columns_in(&self, width: Width, most_rows: usize) -> String {
        let table = self.for_readers();
        let heads: Vec<String> = table.columns.iter().map(TableColumn::with_unit).collect();
        let rows: Vec<Vec<String>> = table
            .rows
            .iter()
            .take(most_rows)
            .map(|row| row.iter().map(Cell::display_text).collect())
            .collect();
        let widest = |at: usize| {
            let cells = rows.iter().map(|row| display_width(&row[at]));
            cells.fold(display_width(&heads[at]), usize::max)
        };
        let widths: Vec<usize> = (0..heads.len()).map(widest).collect();
        let (mut fit, mut used) = (0, 0);
        for (at, column) in widths.iter().enumerate() {
            let next = used + column + if at == 0 { 0 } else { GAP };
            if at > 0 && width.is_over(next) {
                break;
            }
            (fit, used) = (at + 1, next);
        }
        let line = |cells: &[String]| {
            let cells = cells.iter().zip(&widths).take(fit);
            let cells: Vec<String> = cells.map(|(cell, width)| padded(cell, *width)).collect();
            cells.join(&" ".repeat(GAP)).trim_end().to_owned()
        };
        let mut texts: Vec<String> = std::iter::once(&heads)
            .chain(&rows)
            .map(|row| line(row))
            .collect();
        let left_out = table.rows.len() - rows.len();
        if left_out > 0 {
            texts.push(counted(left_out, "more row.", "more rows."));
        }
        if fit < heads.len() {
            let cut = format!("Not shown for lack of room: {}.", heads[fit..].join(", "));
            texts.push(width.broken(&cut));
        }
        texts.join("\n")
    }
}
