//! Example questions before the request for a query: questions that the user verified, else questions derived from the
//! schema, for models that do not deliberate.

use crate::run::ask::Ask;
use serde::Serialize;
use vitrine_catalog::{DerivedExample, derive_examples};
use vitrine_domain::{Agent, Switch};

/// Number of derived examples before a question.
const SHOWN: usize = 2;

/// A question with its query before a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromptExample {
    /// The question as a prompt shows it.
    pub question: String,
    /// SQL text that answers the question.
    pub sql: String,
}

/// Examples of one run.
#[derive(Debug, Default)]
pub struct Examples {
    /// Questions that the user verified, most similar first.
    pub verified: Vec<PromptExample>,
    /// Questions derived from the schema, used if none is verified.
    pub derived: Vec<PromptExample>,
}

impl Examples {
    /// Collects the examples for the question of a run.
    pub fn from_ask(ask: &Ask) -> Self {
        let verified: Vec<PromptExample> = (ask.history.verified.iter())
            .map(|example| PromptExample { question: example.question.clone(), sql: example.sql.clone() })
            .collect();
        let derived = if verified.is_empty() && uses_derived(ask) { nearest_examples(ask) } else { Vec::new() };
        Self { verified, derived }
    }
}

/// Returns true if the method is not a baseline and its generator was measured with derived examples: a model that deliberates infers
/// joins and values from the schema.
fn uses_derived(ask: &Ask) -> bool {
    ask.shows_examples()
        && ask.options.settings.is_enabled(Switch::SchemaExamples)
        && !ask.models.for_agent(Agent::Generator).profile().deliberates
}

/// Returns the derived examples nearest to the question by meaning whose queries are proven read-only.
fn nearest_examples(ask: &Ask) -> Vec<PromptExample> {
    let Some(embedder) = &ask.data.embedder else { return Vec::new() };
    let mut made = derive_examples(&ask.data.catalog, &ask.data.profile, &ask.question);
    made.retain(|example| ask.prove_query(&example.sql).is_ok());
    let texts: Vec<&str> =
        std::iter::once(ask.question.trim()).chain(made.iter().map(|example| example.question.as_str())).collect();
    // Without the model's files, the question is answered without examples.
    let Ok(vectors) = embedder.embed_texts(&texts) else { return Vec::new() };
    let Some((asked, others)) = vectors.split_first() else { return Vec::new() };
    let cosine = |vector: &[f32]| asked.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>();
    let mut ranked: Vec<(f32, DerivedExample)> = others.iter().map(|vector| cosine(vector)).zip(made).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shown = ranked.into_iter().take(SHOWN);
    shown.map(|(_, DerivedExample { question, sql })| PromptExample { question, sql }).collect()
}
