//! What every form of an answer has: its sections, its inputs with their sources, its paper.

use super::{columns, inputs, papers};
use engine::scenario::Question;
use engine::scenario::world::{View, World};
use story::{Paper, Section, Story};

/// What is told of an answer: the scenario in a few lines, and the sections.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The scenario.
    pub about: Vec<String>,
    /// The answer first.
    pub sections: Vec<Section>,
}

impl Told {
    /// The whole story of a scenario that a question sees so: its inputs with their sources, and the link that opens it.
    #[must_use]
    pub fn story(self, world: &World, view: &View, link: String) -> Story {
        let question = view.scenario.question();
        let tables = self.sections.iter().flat_map(Section::all_tables);
        Story {
            columns: columns::explained(question, tables),
            question: question.name().to_owned(),
            asks: question.asks().to_owned(),
            title: view.scenario.title().to_owned(),
            about: self.about,
            sections: self.sections,
            inputs: inputs::inputs(world, view),
            papers: vec![cited(question)],
            link,
        }
    }
}

/// The paper behind a question.
#[must_use]
pub fn cited(question: Question) -> Paper {
    let paper = papers::of(question);
    Paper {
        line: paper.citation().to_owned(),
        bibtex: paper.bibtex().to_owned(),
    }
}
