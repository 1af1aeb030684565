//! Explains the answer from its query, after the result. No model is used.

use crate::run::context::{ExplanationMaterial, RunContext};
use crate::run::nodes;
use std::time::Duration;
use vitrine_domain::EventBody;
use vitrine_explain::{Bounds, Explainer, Known};

/// Maximum time for an explanation.
const LONGEST: Duration = Duration::from_secs(20);

/// Code of the check of outer joins whose unmatched rows a filter removes.
const JOIN_UNDONE: &str = "left-join-undone";

/// Explains the answer if a query produced it.
pub async fn explain_answer(context: &RunContext) {
    let ask = &context.ask;
    let ExplanationMaterial { values, views, answer, is_covered, .. } = context.explanation_material();
    let Some((sql, page)) = answer.filter(|_| ask.options.explain) else { return };
    let timeout = LONGEST.min(Duration::from_secs(u64::from(ask.options.settings.timeout_s)));
    let explainer = Explainer {
        warehouse: ask.data.warehouse.as_ref(),
        catalog: &ask.data.catalog,
        profile: &ask.data.profile,
        allowed: &ask.permissions.functions,
        bounds: Bounds { timeout, ..Bounds::default() },
    };
    let wanted: Vec<_> = context.standing.conditions().collect();
    let question = Some(ask.question.trim());
    let knowledge = ask.knowledge.as_deref();
    let known = Known { question, knowledge, values: &values, answer: Some(&page), views: &views, wanted: &wanted };
    let mut explanation = explainer.explain(&sql, known, &context.cancel).await;
    if is_covered {
        // Queries of metrics join dimensions before they filter by them.
        explanation.checks.retain(|check| check.code != JOIN_UNDONE);
    }
    // An explanation that was interrupted would be incomplete.
    if !context.cancel.is_cancelled() {
        context.emit(EventBody::Explained { node: nodes::RESULT.to_owned(), explanation });
    }
}
