//! A story as Markdown with the tables of GitHub: for a pull request or a wiki.

use super::block::{Block, Explained, Figures, Story, has_text};
use super::input;
use super::quantity::{Quantity, ROUNDED};
use super::sentence::Sentence;
use super::table::{Cell, Table, TableColumn};

impl Story {
    /// The whole story: sections, formulas, inputs with their sources, papers, the link.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut all = vec![format!("# {}", plain(&self.title))];
        all.extend(self.about.iter().map(|line| plain(line)));
        for section in &self.sections {
            let blocks: Vec<String> = section.blocks.iter().map(Block::to_markdown).collect();
            if blocks.iter().all(String::is_empty) {
                continue;
            }
            all.push(format!("## {}", plain(&section.title)));
            all.extend(blocks);
        }
        let formulas: Vec<String> = self
            .quantities()
            .filter_map(|one| self.formula(one))
            .collect();
        if !formulas.is_empty() {
            all.extend([
                "## Where the numbers come from".to_owned(),
                formulas.join("\n"),
            ]);
        }
        if !self.columns.is_empty() {
            all.push(titled(&Explained::as_table(&self.columns)));
        }
        if !self.inputs.is_empty() {
            let table = input::table(&self.inputs);
            all.extend([format!("## {}", table.title), table.to_markdown()]);
        }
        if !self.papers.is_empty() {
            all.push("## Papers".to_owned());
            for paper in &self.papers {
                all.push(plain(&paper.line));
                all.push(format!("```bibtex\n{}\n```", paper.bibtex));
            }
        }
        if !self.link.is_empty() {
            all.push(format!("[Open this scenario in Edgewise]({})", self.link));
        }
        all.retain(|paragraph| !paragraph.is_empty());
        all.join("\n\n") + "\n"
    }

    fn formula(&self, one: &Quantity) -> Option<String> {
        let formula = one.formula.as_ref()?;
        let rounded = if formula.rounded {
            format!(" {ROUNDED}")
        } else {
            String::new()
        };
        let inputs: Vec<String> = self
            .inputs_of(one)
            .iter()
            .map(|input| format!("\n  - {}", plain(input)))
            .collect();
        Some(format!(
            "- **{}** = {}: {}; here {}. {}.{rounded}{}",
            plain(&one.name),
            plain(&one.text()),
            plain(&formula.symbols),
            plain(&formula.filled),
            plain(&formula.source),
            inputs.concat()
        ))
    }
}

impl Block {
    fn to_markdown(&self) -> String {
        match self {
            Self::Answer(words) => {
                let head = format!(
                    "**{}** ({})",
                    plain(&words.headline.to_string()),
                    plain(&words.proof)
                );
                let rest = [&words.summary, &words.reason].map(marked);
                let all = std::iter::once(head)
                    .chain(rest)
                    .filter(|said| !said.trim().is_empty());
                all.collect::<Vec<_>>().join("\n\n")
            }
            Self::Paragraph(sentence) => marked(sentence),
            Self::Note(words) => plain(words),
            Self::Figures(figures) => figures.as_table().to_markdown(),
            Self::Table(table) | Self::Marked(table, _) => titled(table),
            Self::Claims(claims) => titled(&claims.reader_table()),
            Self::Listing(listing) => listing.table().map(titled).unwrap_or_default(),
            Self::Chart(chart) => chart.table.as_ref().map(titled).unwrap_or_default(),
            Self::Code(text) => format!("```\n{text}\n```"),
            // A file changes nothing.
            Self::Try(..) | Self::Controls(_) => String::new(),
            Self::Terms(all) => {
                let term = |(name, meaning): &(String, String)| {
                    format!("- **{}**: {}", plain(name), plain(meaning))
                };
                all.iter().map(term).collect::<Vec<_>>().join("\n")
            }
            Self::Tabs(_, ways) => {
                let way = |(name, blocks): &(String, Vec<Self>)| {
                    format!("**{}**\n\n{}", plain(name), paragraphs(blocks))
                };
                let shown = ways.iter().filter(|(_, blocks)| has_text(blocks));
                shown.map(way).collect::<Vec<_>>().join("\n\n")
            }
            Self::Fold(words, blocks) => format!("**{}**\n\n{}", plain(words), paragraphs(blocks)),
            Self::Columns(columns) => {
                let all = columns.iter().map(|blocks| paragraphs(blocks));
                all.filter(|said| !said.is_empty())
                    .collect::<Vec<_>>()
                    .join("\n\n")
            }
            Self::Deferred(later) => paragraphs(&later.blocks),
            Self::Walk(walk) => paragraphs(&walk.blocks),
        }
    }
}

fn paragraphs(blocks: &[Block]) -> String {
    let all = blocks.iter().map(Block::to_markdown);
    let said = all.filter(|said| !said.is_empty());
    said.collect::<Vec<_>>().join("\n\n")
}

/// A table under its title.
fn titled(table: &Table) -> String {
    match table.title.is_empty() {
        true => table.to_markdown(),
        false => format!("{}:\n\n{}", plain(&table.title), table.to_markdown()),
    }
}

impl Figures {
    /// The figures as rows of name, value and what is beside it.
    #[must_use]
    pub fn as_table(&self) -> Table {
        let row = |one: &Quantity| {
            vec![
                Cell::text(one.name.clone()),
                Cell::text(one.text()),
                Cell::text(one.note.clone()),
            ]
        };
        let columns = [
            ("figure", "figure", ""),
            ("value", "value", ""),
            ("note", "note", ""),
        ];
        let mut table = Table::new("figures", "", &columns, self.all().map(row).collect());
        let is_noted = self.all().any(|one| !one.note.is_empty());
        if !is_noted {
            table.columns.pop();
            table.rows.iter_mut().for_each(|row| row.truncate(2));
        }
        table
    }
}

impl Table {
    /// The table as GitHub reads it, as a reader sees it; numbers to the right.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let table = self.for_readers();
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let is_number = |at: usize| {
            table
                .rows
                .iter()
                .any(|row| matches!(row[at], Cell::Number(..)))
        };
        let rule =
            (0..table.columns.len()).map(|at| if is_number(at) { "--:" } else { "---" }.to_owned());
        let heads = table
            .columns
            .iter()
            .map(|column| plain(&TableColumn::with_unit(column)));
        let mut all = vec![line(heads.collect()), line(rule.collect())];
        let row =
            |row: &Vec<Cell>| line(row.iter().map(|cell| plain(&cell.display_text())).collect());
        all.extend(table.rows.iter().map(row));
        all.join("\n")
    }
}

fn marked(sentence: &Sentence) -> String {
    let piece = |(text, strong): &(String, bool)| {
        let inner = text.trim();
        if !strong || inner.is_empty() {
            return plain(text);
        }
        // Asterisks bind only where no blank is inside them.
        let at = text.find(inner).unwrap_or(0);
        let (before, after) = (&text[..at], &text[at + inner.len()..]);
        format!("{before}**{}**{after}", plain(inner))
    };
    sentence.runs.iter().map(piece).collect()
}

/// Words that mean themselves: what Markdown or HTML would take for a mark is escaped, and a line stays one.
fn plain(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\n' | '\r' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}
