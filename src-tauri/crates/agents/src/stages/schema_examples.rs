//! Examples for the second prompt of a small model: questions derived from the schema, nearest to the user's question by meaning.

use crate::run::ask::Ask;
use vitrine_catalog::{SchemaExample, derive_examples};
use vitrine_domain::{Agent, Switch};

/// Number of examples before a question.
const SHOWN: usize = 2;

/// Returns the examples for the question of a run, most similar first. There are none for a model that deliberates, because it infers joins
/// and values from the schema, and none besides questions that the user verified.
pub fn nearest_examples(ask: &Ask) -> Vec<SchemaExample> {
    let is_wanted = ask.history.verified.is_empty()
        && ask.options.settings.is_enabled(Switch::SchemaExamples)
        && !ask.models.for_agent(Agent::Generator).profile().deliberates;
    let Some(embedder) = ask.data.embedder.as_ref().filter(|_| is_wanted) else { return Vec::new() };
    let mut made = derive_examples(&ask.data.catalog, &ask.data.profile, &ask.question);
    made.retain(|example| ask.prove_query(&example.sql).is_ok());
    let texts: Vec<&str> =
        std::iter::once(ask.question.trim()).chain(made.iter().map(|example| example.question.as_str())).collect();
    // Without the embedding model's files, the question is answered without examples.
    let Ok(vectors) = embedder.embed_texts(&texts) else { return Vec::new() };
    let Some((asked, others)) = vectors.split_first() else { return Vec::new() };
    let cosine = |vector: &[f32]| asked.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>();
    let mut ranked: Vec<(f32, SchemaExample)> = others.iter().map(|vector| cosine(vector)).zip(made).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().take(SHOWN).map(|(_, example)| example).collect()
}
