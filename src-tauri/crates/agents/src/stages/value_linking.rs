//! Value linking (CHASE-SQL, 3.2): finds phrases of the question that are stored values, so that the first query already uses their column
//! and stored spelling. The phrases are found without a model, or a model names the keywords.

mod keywords;
mod meant;
mod phrase;

use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use meant::Named;
use phrase::{Phrase, every_phrase, extract_phrases};
use vitrine_domain::{Agent, EventBody, StageKind, Switch, ValueMatch};
use vitrine_values::SearchTerm;
use vitrine_words::tr;

/// Maximum number of phrases of question and knowledge, for a model that deliberates.
const EVERY_PHRASE: usize = 240;
/// Number of characters of the knowledge that are searched for phrases.
const KNOWLEDGE: usize = 6_000;
/// Number of similar stored values that are shown for a phrase without an exact match.
const NEAREST: usize = 3;

/// Looks up the question's phrases in the value index. Finds nothing without an index or if the switch is disabled. For a model that
/// deliberates it also looks up phrases of the knowledge, and finds misspelled and lower-case phrases: such a model can decide which
/// matches are relevant.
pub async fn link_values(context: &RunContext, question: &str) -> Vec<ValueMatch> {
    if let Some(known) = begin_value_linking(context) {
        return known;
    }
    if context.model(Agent::Generator).profile().deliberates {
        return link_every_phrase(context, question, &[]).await;
    }
    let phrases = extract_phrases(question);
    // Only names are searched by meaning: there are few of them, and a plain word must match exactly.
    let terms = |names: bool| {
        phrases.iter().filter(|p| p.is_name == names).map(|p| SearchTerm::new(p.text.clone())).collect::<Vec<_>>()
    };
    let mut found = context.search_values(nodes::GROUNDING, terms(true), context.ask.data.embedder.clone()).await;
    found.extend(context.search_values(nodes::GROUNDING, terms(false), None).await);
    let catalog = &context.ask.data.catalog;
    let named = Named::from_catalog(catalog, &context.ask.data.profile);
    let mut matches: Vec<ValueMatch> = Vec::new();
    let mut covered: Vec<&Phrase> = Vec::new();
    // Phrases that name a table come last: matches of the other phrases decide if such a phrase is a value.
    let (tables, values): (Vec<_>, Vec<_>) = phrases.iter().partition(|phrase| phrase.asks_for_table(catalog));
    let values = values.into_iter().map(|phrase| (phrase, false));
    for (phrase, asks_for_table) in values.chain(tables.into_iter().map(|phrase| (phrase, true))) {
        if covered.iter().any(|longer| longer.covers(phrase)) {
            continue;
        }
        let is_beside = |m: &ValueMatch| {
            let same_column = |known: &ValueMatch| (&known.table, &known.column) == (&m.table, &m.column);
            !asks_for_table || phrase.stands_beside(m) || matches.iter().any(same_column)
        };
        let of_phrase = found.iter().filter(|m| m.literal == phrase.text);
        let kept: Vec<&ValueMatch> = of_phrase.filter(|m| phrase.matches_value(m, &named) && is_beside(m)).collect();
        if !kept.is_empty() {
            covered.push(phrase);
            matches.extend(kept.into_iter().cloned());
        }
    }
    finish_value_linking(context, covered.iter().map(|p| p.text.clone()).collect(), matches)
}

/// Looks up the keywords that a model names in question and knowledge, as the paper does: similar values are shown for these only, and exact
/// ones for each phrase. If the reply names no keyword, all phrases are looked up as by [`link_values`]. Without an index the model is not
/// asked.
///
/// # Errors
/// Fails if the model fails.
pub async fn link_keywords(context: &RunContext, question: &str, facts: &str) -> Result<Vec<ValueMatch>, StageError> {
    if let Some(known) = begin_value_linking(context) {
        return Ok(known);
    }
    let keywords = match context.ask.data.values {
        Some(_) => keywords::extract_keywords(context, question, facts).await?,
        None => Vec::new(),
    };
    Ok(link_every_phrase(context, question, &keywords).await)
}

/// Begins the node. Returns the matches if an earlier run has them, or none if the switch is off.
fn begin_value_linking(context: &RunContext) -> Option<Vec<ValueMatch>> {
    if context.replay_stage(nodes::GROUNDING) {
        return Some(context.earlier_values(nodes::GROUNDING));
    }
    context.begin_stage(nodes::GROUNDING, StageKind::Grounding, tr!("Look up names and values"), &[nodes::SCHEMA]);
    if !context.ask.options.settings.is_enabled(Switch::Values) {
        context.finish_stage(nodes::GROUNDING, tr!("Switched off"));
        return Some(Vec::new());
    }
    None
}

/// Looks up all phrases of question and knowledge, regardless of their language and capitals. With keywords, only these may resemble a
/// value or paraphrase one.
async fn link_every_phrase(context: &RunContext, question: &str, keywords: &[String]) -> Vec<ValueMatch> {
    let knowledge: String = context.ask.knowledge.iter().flat_map(|text| text.chars()).take(KNOWLEDGE).collect();
    let texts = keywords::mark_keywords([every_phrase(question), every_phrase(&knowledge)], keywords);
    let may_be_like =
        |phrase: &Phrase, named: &Named<'_>| phrase.may_be_like(named) && (keywords.is_empty() || phrase.is_name);
    // A quoted text is a value in both question and knowledge; among the others, the question precedes the knowledge.
    let (quoted, plain): (Vec<_>, Vec<_>) = (texts.iter().enumerate())
        .flat_map(|(text, phrases)| phrases.iter().map(move |phrase| (text, phrase)))
        .partition(|(_, phrase)| phrase.is_name);
    let mut phrases: Vec<(usize, &Phrase)> = Vec::new();
    for (text, phrase) in quoted.into_iter().chain(plain) {
        if !phrases.iter().any(|(_, known)| known.text == phrase.text) {
            phrases.push((text, phrase));
        }
    }
    phrases.truncate(EVERY_PHRASE);
    let named = Named::from_catalog(&context.ask.data.catalog, &context.ask.data.profile);
    // Searching by meaning takes most of the time, so only phrases that may be paraphrases are searched in this way.
    let terms = |alike: bool| {
        let of = phrases.iter().filter(|(_, phrase)| may_be_like(phrase, &named) == alike);
        of.map(|(_, phrase)| SearchTerm::new(phrase.text.clone())).collect::<Vec<_>>()
    };
    let mut found = context.search_values(nodes::GROUNDING, terms(true), context.ask.data.embedder.clone()).await;
    found.extend(context.search_values(nodes::GROUNDING, terms(false), None).await);
    let mut matches: Vec<ValueMatch> = Vec::new();
    let mut covered: Vec<(usize, &Phrase)> = Vec::new();
    // Exact matches come first, longest first; a phrase without one gets its most similar values.
    for &(text, phrase) in &phrases {
        let of_phrase = found.iter().filter(|m| m.literal == phrase.text);
        let stored: Vec<&ValueMatch> = of_phrase.filter(|m| phrase.is_stored(m, &named)).collect();
        if !stored.is_empty() && !covered.iter().any(|(of, longer)| *of == text && longer.covers(phrase)) {
            covered.push((text, phrase));
            matches.extend(stored.into_iter().cloned());
        }
    }
    let mut alike: Vec<(f64, usize, &Phrase, Vec<&ValueMatch>)> = Vec::new();
    for &(text, phrase) in &phrases {
        let of_phrase = found.iter().filter(|m| m.literal == phrase.text);
        let like: Vec<&ValueMatch> =
            of_phrase.filter(|m| may_be_like(phrase, &named) && phrase.is_like(m, &named)).collect();
        let best = like.iter().map(|m| m.edit.max(m.semantic.unwrap_or(0.0))).fold(0.0, f64::max);
        if !like.is_empty() {
            alike.push((best, text, phrase, like));
        }
    }
    alike.sort_by(|one, other| other.0.total_cmp(&one.0));
    // A phrase with an exact match in one text is not another value in the other: "English" and "English refers to ...".
    let stored: Vec<&Phrase> = covered.iter().map(|(_, phrase)| *phrase).collect();
    for (_, text, phrase, like) in alike {
        let is_told = !phrase.is_name && stored.iter().any(|known| phrase.shares_words(known));
        if !is_told && !covered.iter().any(|(of, other)| *of == text && other.overlaps(phrase)) {
            covered.push((text, phrase));
            matches.extend(like.into_iter().take(NEAREST).cloned());
        }
    }
    finish_value_linking(context, covered.iter().map(|(_, p)| p.text.clone()).collect(), matches)
}

/// Ends the node and records the matches.
fn finish_value_linking(context: &RunContext, literals: Vec<String>, matches: Vec<ValueMatch>) -> Vec<ValueMatch> {
    context.finish_stage(
        nodes::GROUNDING,
        if literals.is_empty() {
            tr!("No exact values in the question")
        } else {
            tr!("Found {values}", values = literals.join(", "))
        },
    );
    context.emit(EventBody::ValuesRetrieved { node: nodes::GROUNDING.to_owned(), literals, matches: matches.clone() });
    matches
}
