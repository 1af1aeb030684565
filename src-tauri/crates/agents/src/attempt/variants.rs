//! Variants: second queries that rules (`sql-rules`) derive from a model's query. Each runs beside its original. If the results are equal,
//! the variant is dropped; otherwise both take part in the vote. The variant is preferred only with evidence: other candidates that
//! independently wrote its result, or an original with an uninformative result.

use crate::attempt::context::Trial;
use crate::attempt::execute::execute_candidate;
use crate::attempt::other_reading::OtherReading;
use crate::attempt::prepare::{Prepared, RuleUse, prepare_query};
use crate::attempt::value_hints::{LiteralMatches, add_spelling_variants};
use crate::candidate::{Candidate, CandidateVariant, finds_nothing};
use crate::run::events::StageError;
use vitrine_domain::{Agent, EventBody, RuleCode, ValueMatch};
use vitrine_sql_rules::{
    ADD_VARIANTS, FIXED_NUMBER, KEY_BY_NAME, REPLACE_LITERAL, RuleInput, VAGUE_WORD, Variant, collect_findings,
};

/// Maximum number of variants of one candidate that are run.
const MOST: usize = 4;

/// Inputs for making variants, besides the query.
pub struct Beside<'a> {
    /// Input that the rules read.
    pub input: &'a RuleInput<'a>,
    /// Kinds of rules that apply.
    pub rules: RuleUse,
    /// Stored values of the question and of views.
    pub known: &'a [ValueMatch],
    /// Matches of the query's own values, if it returned no rows.
    pub looked_up: Option<&'a LiteralMatches>,
    /// Second meaning of the question that the model reported.
    pub other: Option<OtherReading>,
}

/// Makes the variants of a candidate and runs them; keeps those with another result. For a model that deliberates they are kept without
/// being run: it is right far more often than a rule, and the user may run them. Other readings of the question are run for every model,
/// since no model knows which one is meant.
///
/// # Errors
/// Fails if the run is stopped.
pub async fn try_beside(trial: &Trial<'_>, candidate: &mut Candidate, beside: &Beside<'_>) -> Result<(), StageError> {
    let &Trial { context, agent, node, .. } = trial;
    for Variant { rule, note, as_written, sql } in made_of(trial, candidate, beside).into_iter().take(MOST) {
        let is_reading = vitrine_sql_rules::is_reading(&rule);
        if trial.contract.deliberates && !is_reading {
            candidate.variants.push(CandidateVariant { rule, note, as_written, sql, ran: None });
            continue;
        }
        let ran = execute_candidate(context, agent, node, sql.clone(), candidate.number).await?;
        let same_result = ran.as_ref().is_ok_and(|ran| ran.digest == candidate.digest);
        // A variant of a query that only checks the answer is not a variant of the answer.
        if agent == Agent::Generator {
            context.emit(EventBody::VariantTried {
                node: node.to_owned(),
                candidate: candidate.number,
                rule: rule.clone(),
                note: note.clone(),
                sql: sql.as_str().to_owned(),
                error: ran.as_ref().err().cloned(),
                row_count: ran.as_ref().ok().map(|ran| ran.page.row_count),
                same_result,
            });
        }
        if let Ok(ran) = ran
            && !same_result
            // A reading that returns no rows is unlikely to be meant.
            && !(is_reading && finds_nothing(&ran.page))
            && candidate.variants.iter().all(|known| known.digest() != Some(&ran.digest))
        {
            let ran = Some((ran.page, ran.digest));
            candidate.variants.push(CandidateVariant { rule, note, as_written, sql, ran });
        }
    }
    Ok(())
}

fn made_of(trial: &Trial<'_>, candidate: &Candidate, beside: &Beside<'_>) -> Vec<Variant> {
    let (ask, sql) = (&trial.context.ask, &candidate.sql);
    let variant = |rule: RuleCode, (sql, note): (_, String)| Variant { rule, note, as_written: None, sql };
    let looked_up = |rule: RuleCode, make: &dyn Fn(&LiteralMatches) -> Option<(_, String)>| {
        let rule = Some(rule).filter(|rule| beside.input.is_rule_enabled(rule))?;
        Some(variant(rule, make(beside.looked_up?)?))
    };
    let written = ask.prove_query(&candidate.written).ok();
    let mut made = Vec::new();
    if beside.rules.readings {
        made.extend(beside.other.as_ref().and_then(|other| other_reading_variant(trial, other, beside)));
        // The repair of the query had the same facts.
        let input = RuleInput { facts: &trial.context.facts, ..*beside.input };
        made.extend(written.iter().flat_map(|sql| vitrine_sql_rules::find_path_readings(sql, &input)));
    }
    made.extend(looked_up(REPLACE_LITERAL, &|found| found.as_stored(sql)));
    made.extend(looked_up(KEY_BY_NAME, &|found| found.by_name(sql, beside.input.catalog)));
    if beside.rules.fitting {
        made.extend(written.iter().flat_map(|sql| vitrine_sql_rules::variants_of_unbound(sql, beside.input)));
        made.extend(vitrine_sql_rules::find_variants(sql, beside.input));
    }
    if beside.rules.respelling && beside.input.is_rule_enabled(&ADD_VARIANTS) {
        made.extend(add_spelling_variants(beside.known, sql).map(|changed| variant(ADD_VARIANTS, changed)));
    }
    if beside.rules.readings {
        made.extend(vitrine_sql_rules::find_readings(sql, beside.input));
    }
    made
}

/// Returns the query of the reading that the model reported. `None` if it may not run.
fn other_reading_variant(trial: &Trial<'_>, other: &OtherReading, beside: &Beside<'_>) -> Option<Variant> {
    let OtherReading { taken, otherwise, sql } = other;
    if !beside.input.is_rule_enabled(&VAGUE_WORD) {
        return None;
    }
    let Prepared { sql, .. } = prepare_query(trial.context, trial.node, trial.views, beside.rules, sql).ok()?;
    Some(Variant { rule: VAGUE_WORD, note: otherwise.clone(), as_written: Some(taken.clone()), sql })
}

/// Replaces a candidate whose result is uninformative by its first informative variant. Returns true if there was one.
pub fn take_what_says_more(candidate: &mut Candidate, input: &RuleInput<'_>) -> bool {
    let says_something = |variant: &CandidateVariant| {
        let finds = variant.ran.as_ref().is_some_and(|(page, _)| !finds_nothing(page));
        let is_fixed = || collect_findings(&variant.sql, input).iter().any(|finding| finding.rule == FIXED_NUMBER);
        !variant.is_reading() && finds && !is_fixed()
    };
    let Some(place) = candidate.variants.iter().position(says_something) else { return false };
    candidate.become_variant(place);
    true
}
