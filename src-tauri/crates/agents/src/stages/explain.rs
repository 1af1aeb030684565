//! Behind the answer: how it came about, told from its query. No model is asked.

use crate::run::context::{RunContext, Told};
use crate::run::nodes;
use std::time::Duration;
use vitrine_domain::EventBody;
use vitrine_explain::{Bounds, Explainer, Known};

/// The longest time that an explanation may take behind an answer.
const LONGEST: Duration = Duration::from_secs(20);

/// Explains the answer, where a query gave it.
pub async fn explain(context: &RunContext) {
    let ask = &context.ask;
    let Told { values, views, answer } = context.told();
    let Some((sql, page)) = answer.filter(|_| ask.explain) else { return };
    let timeout = LONGEST.min(Duration::from_secs(u64::from(ask.settings.timeout_s)));
    let explainer = Explainer {
        warehouse: ask.warehouse.as_ref(),
        catalog: &ask.catalog,
        profile: &ask.profile,
        allowed: &ask.allowed,
        bounds: Bounds { timeout, ..Bounds::default() },
    };
    let known = Known { question: Some(ask.question.trim()), values: &values, answer: Some(&page), views: &views };
    let explanation = explainer.explain(&sql, known, &context.cancel).await;
    // What was stopped in the middle says less than what is made anew.
    if !context.cancel.is_cancelled() {
        context.emit(EventBody::Explained { node: nodes::RESULT.to_owned(), explanation });
    }
}
