//! A story as one HTML file that needs nothing else: sections, pictures as SVG, tables, formulas, inputs with their sources, papers,
//! the link and its QR code. To be attached to a paper or a pull request, read on a phone, printed.

use super::block::{Block, Chart, Explained, FigurePart, Figures, Story, Tone, Verdict};
use super::input;
use super::quantity::{Quantity, ROUNDED};
use super::sentence::{Sentence, counted};
use super::table::{Cell, Table, TableColumn};
use chart::Palette;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use qrcodegen::{QrCode, QrCodeEcc};

/// Width of the pictures \[px\].
const PICTURE_PX: f64 = 900.0;
/// Faces of the letters in pictures.
const FONT: &str = "system-ui, sans-serif";
/// The look of the file.
const STYLE: &str = include_str!("html.css");
/// Tables with more rows are folded.
const MOST_OPEN: usize = 30;
/// Blank modules round a QR code, as the standard asks.
const QUIET: i32 = 4;

impl Story {
    /// The file. `colours` are those of its pictures.
    #[must_use]
    pub fn to_html(&self, colours: &Palette) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="generator" content="Edgewise";
                    title { (self.title) " – Edgewise" }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        p.asks { (self.question_text) }
                        h1 { (self.title) }
                        @for line in &self.about { p { (line) } }
                    }
                    main {
                        @for section in &self.sections {
                            @let blocks = html! { @for block in &section.blocks { (self.block(block, colours)) } };
                            section id=(section.id) {
                                @if section.folded {
                                    details { summary { h2 { (section.title) } } (blocks) }
                                } @else {
                                    @if !section.title.is_empty() { h2 { (section.title) } }
                                    (blocks)
                                }
                            }
                        }
                        (self.formulas())
                        @if !self.inputs.is_empty() {
                            @let inputs = input::table(&self.inputs);
                            section id="inputs" {
                                h2 { (inputs.title) }
                                (table(&inputs, ""))
                            }
                        }
                        @if !self.papers.is_empty() {
                            section id="papers" {
                                h2 { "To cite" }
                                @for paper in &self.papers {
                                    p { (paper.line) }
                                    pre tabindex="0" { (paper.bibtex) }
                                }
                            }
                        }
                    }
                    (footer(&self.link))
                }
            }
        };
        page.into_string()
    }

    fn block(&self, block: &Block, colours: &Palette) -> Markup {
        match block {
            Block::Answer(words) => answer(words),
            Block::Paragraph(sentence) => html! { p { (marked(sentence)) } },
            Block::Note(words) => html! { p.note { (words) } },
            Block::Figures(all) => figures(all),
            Block::Table(rows) | Block::Marked(rows, _) => long(rows),
            Block::Claims(claims) => long(&claims.reader_table()),
            Block::Listing(listing) => {
                html! { @if let Some(rows) = listing.table() { (long(rows)) } }
            }
            Block::Chart(chart) => picture(chart, colours),
            Block::Code(text) => html! { pre tabindex="0" { (text) } },
            // A file changes nothing.
            Block::Try(..) | Block::Controls(_) => Markup::default(),
            Block::Terms(all) => html! {
                dl.terms { @for (name, meaning) in all { dt { (name) } dd { (meaning) } } }
            },
            Block::Tabs(_, ways) => html! {
                @for (name, blocks) in ways {
                    p { b { (name) } }
                    (self.blocks(blocks, colours))
                }
            },
            Block::Fold(words, blocks) => html! {
                details { summary { (words) } (self.blocks(blocks, colours)) }
            },
            Block::Columns(columns) => html! {
                @for blocks in columns { (self.blocks(blocks, colours)) }
            },
            Block::Deferred(later) => self.blocks(&later.blocks, colours),
            Block::Walk(walk) => self.blocks(&walk.blocks, colours),
        }
    }

    fn blocks(&self, blocks: &[Block], colours: &Palette) -> Markup {
        html! { @for block in blocks { (self.block(block, colours)) } }
    }

    /// Every quantity that has a formula, with what went into it.
    fn formulas(&self) -> Markup {
        let known: Vec<&Quantity> = self
            .quantities()
            .filter(|one| one.formula.is_some())
            .collect();
        html! {
            @if !known.is_empty() || !self.columns.is_empty() {
                section #formulas {
                    h2 { "Where the numbers come from" }
                    @for one in known {
                        @if let Some(formula) = &one.formula {
                            h3 id={ "formula-" (one.key) } { (one.name) ": " (one.text()) }
                            dl.formula {
                                dt { "Formula" } dd { (formula.symbols) }
                                dt { "Here" } dd { (formula.filled) @if formula.rounded { br; (ROUNDED) } }
                                dt { "Source" } dd { (formula.source) }
                                @let inputs = self.inputs_of(one);
                                @if !inputs.is_empty() {
                                    dt { "Inputs" }
                                    dd { ul { @for input in &inputs { li { (input) } } } }
                                }
                            }
                        }
                    }
                    @if !self.columns.is_empty() {
                        h3 { "Columns of the tables" }
                        (table(&Explained::as_table(&self.columns), ""))
                    }
                }
            }
        }
    }
}

fn answer(words: &Verdict) -> Markup {
    let tone = match words.tone {
        Tone::Good => "good",
        Tone::Open => "open",
        Tone::Bad => "bad",
    };
    html! {
        p class={ "proof " (tone) } { (words.proof) }
        p.headline { (marked(&words.headline)) }
        @for sentence in [&words.summary, &words.reason] {
            @if !sentence.runs.is_empty() { p { (marked(sentence)) } }
        }
    }
}

fn marked(sentence: &Sentence) -> Markup {
    html! {
        @for (text, strong) in &sentence.runs {
            @if *strong { strong { (text) } } @else { (text) }
        }
    }
}

fn figures(all: &Figures) -> Markup {
    let total = match &all.total {
        Some(whole) => whole.value,
        None => all.shares.iter().map(|part| part.quantity.value).sum(),
    };
    let share = |part: &FigurePart| 100.0 * part.quantity.value / total.max(f64::MIN_POSITIVE);
    html! {
        @if !all.shares.is_empty() {
            table.bars {
                tbody {
                    @for part in &all.shares {
                        tr {
                            th scope="row" { (name(&part.quantity)) }
                            td.number { (part.quantity.text()) }
                            td.bar { (bar(share(part))) }
                        }
                    }
                }
            }
        }
        @if !all.other_quantities.is_empty() {
            dl.figures {
                @for one in &all.other_quantities {
                    div { dt { (name(one)) } dd { strong { (one.text()) } @if !one.note.is_empty() { br; (one.note) } } }
                }
            }
        }
    }
}

/// A name that leads to its formula, where there is one.
fn name(one: &Quantity) -> Markup {
    html! {
        @if one.formula.is_some() { a href={ "#formula-" (one.key) } { (one.name) } } @else { (one.name) }
    }
}

/// A share of a bar in percent, with that share in words for who does not see it.
fn bar(percent: f64) -> Markup {
    let share_text = format!("{percent:.1} %");
    let width = format!("{percent:.2}");
    html! {
        svg viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label=(share_text) {
            rect width=(width) height="4" {}
        }
    }
}

fn picture(chart: &Chart, colours: &Palette) -> Markup {
    let drawn = chart.drawing.sheet(&chart.title, PICTURE_PX);
    let share_text = drawn.title.clone();
    let svg = chart::svg(&drawn, colours, FONT);
    // What is before the picture's own element is for files of their own.
    let svg = svg.find("<svg").map_or("", |at| &svg[at..]);
    html! {
        figure id={ "chart-" (chart.id) } {
            (PreEscaped(svg))
            figcaption { (share_text) }
        }
        @if let Some(rows) = &chart.table {
            details {
                summary { "The same as a table" }
                (table(rows, &rows.title))
            }
        }
    }
}

/// A table; a long one is unfolded by who wants it.
fn long(rows: &Table) -> Markup {
    if rows.rows.len() <= MOST_OPEN {
        return table(rows, &rows.title);
    }
    html! {
        details {
            summary { (rows.title) ", " (counted(rows.rows.len(), "row", "rows")) }
            (table(rows, &rows.title))
        }
    }
}

fn table(rows: &Table, caption: &str) -> Markup {
    let shown = rows.for_readers();
    let cell = |cell: &Cell| match cell {
        Cell::Number(..) => html! { td.number { (cell.display_text()) } },
        _ => html! { td { (cell.display_text()) } },
    };
    html! {
        @if !shown.columns.is_empty() {
            div.wide tabindex="0" role="region" aria-label=(if caption.is_empty() { &rows.title } else { caption }) {
                table {
                    @if !caption.is_empty() { caption { (caption) } }
                    thead { tr { @for column in &shown.columns { th scope="col" { (TableColumn::with_unit(column)) } } } }
                    tbody {
                        @for row in &shown.rows { tr { @for one in row { (cell(one)) } } }
                    }
                }
            }
        }
    }
}

fn footer(link: &str) -> Markup {
    html! {
        footer {
            @if !link.is_empty() {
                h2 { "This scenario" }
                p { a href=(link) { "Open it in Edgewise" } }
                p.link { (link) }
                @match qr(link) {
                    Some(code) => (code),
                    None => p.note { "The link is longer than a QR code can hold." },
                }
            }
            p.note { "Made with Edgewise " (env!("CARGO_PKG_VERSION")) "." }
        }
    }
}

/// The QR code of a link; `None` where it is too long for one (2953 bytes).
fn qr(link: &str) -> Option<Markup> {
    let code = QrCode::encode_text(link, QrCodeEcc::Low).ok()?;
    let size = code.size();
    let dark = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let dark: String = dark
        .filter(|(x, y)| code.get_module(*x, *y))
        .map(|(x, y)| format!("M{} {}h1v1h-1z", x + QUIET, y + QUIET))
        .collect();
    let all = size + 2 * QUIET;
    Some(html! {
        svg.qr viewBox={ "0 0 " (all) " " (all) } role="img" aria-label="The link as a QR code" shape-rendering="crispEdges" {
            rect width=(all) height=(all) fill="#fff" {}
            path d=(dark) fill="#000" {}
        }
    })
}
