//! The parts that every form of an answer has: sections, inputs with their sources, paper.

use super::{columns, inputs, papers};
use document::{Paper, Section, Story};
use engine::scenario::Question;
use engine::scenario::world::{QuestionView, World};

/// An answer before its inputs, papers and link are added: the scenario in a few lines, and the sections.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerDocument {
    /// The scenario in a few lines.
    pub about: Vec<String>,
    /// The sections, the answer first.
    pub sections: Vec<Section>,
}

impl AnswerDocument {
    /// Adds the inputs of `world` with their sources, the question's paper and the `link` that opens the scenario. `view` is the
    /// question's view of `world`.
    #[must_use]
    pub fn story(self, world: &World, view: &QuestionView, link: String) -> Story {
        let question = view.scenario.question();
        let tables = self.sections.iter().flat_map(Section::all_tables);
        Story {
            columns: columns::explained(question, tables),
            question: question.name().to_owned(),
            question_text: question.asks().to_owned(),
            title: view.scenario.title().to_owned(),
            about: self.about,
            sections: self.sections,
            inputs: inputs::inputs(world, view),
            papers: vec![cited(question)],
            link,
        }
    }
}

/// Returns the citation of a question's paper.
#[must_use]
pub fn cited(question: Question) -> Paper {
    let paper = papers::of(question);
    Paper {
        line: paper.citation().to_owned(),
        bibtex: paper.bibtex().to_owned(),
    }
}
