//! From a model's text to a statement that may run: one read-only query whose every name is bound. What rules change on the
//! way is told in the run, whatever the stage.

use crate::attempt::views::Views;
use crate::run::ask::Ask;
use crate::run::context::RunContext;
use vitrine_domain::{EventBody, RuleNote, Switch};
use vitrine_sql::{Cte, ReadOnlySql};
use vitrine_sql_rules::{QuestionFacts, RuleInput};

/// Which kinds of rules a query meets.
#[derive(Debug, Clone, Copy)]
pub struct RuleUse {
    /// Names that do not bind are repaired, and safe rules applied.
    pub repair: bool,
    /// Second queries are made and tried.
    pub variants: bool,
    /// Findings are looked for.
    pub findings: bool,
}

impl RuleUse {
    /// None at all: the baselines.
    pub const NONE: Self = Self { repair: false, variants: false, findings: false };

    /// As set for this run.
    pub fn of(context: &RunContext) -> Self {
        let settings = &context.ask.settings;
        Self {
            repair: settings.with(Switch::NameRepair),
            variants: settings.with(Switch::Variants),
            findings: settings.with(Switch::Findings),
        }
    }
}

/// A statement that may run.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The statement.
    pub sql: ReadOnlySql,
    /// What rules changed, empty where the query stands as it was written.
    pub changes: Vec<RuleNote>,
}

/// What rules may know where there is no question to go by.
pub fn without_question(context: &RunContext) -> RuleInput<'_> {
    static NONE: std::sync::OnceLock<QuestionFacts> = std::sync::OnceLock::new();
    rule_input(context, NONE.get_or_init(QuestionFacts::default), "")
}

/// What rules may know.
pub fn rule_input<'a>(context: &'a RunContext, facts: &'a QuestionFacts, knowledge: &'a str) -> RuleInput<'a> {
    let ask = &context.ask;
    RuleInput {
        catalog: &ask.catalog,
        profile: &ask.profile,
        facts,
        knowledge,
        wrong_qualifiers: &[],
        off: &ask.settings.without_rules,
    }
}

/// Adds the views that a text names, proves it, and repairs names that do not bind.
///
/// # Errors
/// Why it may not run, in words for a model.
pub fn prepare(
    context: &RunContext,
    node: &str,
    views: &Views,
    rules: RuleUse,
    written: &str,
) -> Result<Prepared, String> {
    let ask = &context.ask;
    let mut sql = match add_views(ask, views, written) {
        Some(text) => ask.prove(&text).or_else(|_| ask.prove(written)),
        None => ask.prove(written),
    }
    .map_err(|e| e.to_string())?;
    let mut problems = vitrine_sql::bind(&sql, &ask.catalog).problems;
    let mut changes = Vec::new();
    if rules.repair {
        let input = without_question(context);
        match vitrine_sql_rules::repair_names(&sql, &input) {
            Ok(repaired) => {
                problems.clear();
                let repaired = repaired.into_iter();
                let mut take = |changed: vitrine_sql_rules::Changed| {
                    sql = changed.sql;
                    changes.extend(changed.changes);
                };
                repaired.for_each(&mut take);
            }
            Err(left) => problems = left,
        }
        if problems.is_empty()
            && let Some(safe) = vitrine_sql_rules::safe(&sql, &input)
        {
            sql = safe.sql;
            changes.extend(safe.changes);
        }
    }
    if !problems.is_empty() {
        return Err(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
    }
    tell(context, node, written, &sql, &changes);
    Ok(Prepared { sql, changes })
}

/// What may be meant by a query that the database refused; told in the run.
pub fn mend_refused(context: &RunContext, node: &str, sql: &ReadOnlySql) -> Option<Prepared> {
    let changed = vitrine_sql_rules::mend_refused(sql, &without_question(context))?;
    tell(context, node, sql.as_str(), &changed.sql, &changed.changes);
    Some(Prepared { sql: changed.sql, changes: changed.changes })
}

/// Says in the run that rules changed a query.
pub fn tell(context: &RunContext, node: &str, before: &str, after: &ReadOnlySql, changes: &[RuleNote]) {
    if !changes.is_empty() {
        context.emit(EventBody::QueryChanged {
            node: node.to_owned(),
            before: before.to_owned(),
            after: after.as_str().to_owned(),
            changes: changes.to_vec(),
        });
    }
}

/// A query may name validated views without repeating them: their definitions are put in front. A table of the same name
/// comes first.
fn add_views(ask: &Ask, views: &Views, written: &str) -> Option<String> {
    let views = views.views.iter().filter(|view| ask.catalog.table(&view.name).is_none());
    let views: Vec<Cte> = views
        .map(|view| Cte {
            name: view.name.clone(),
            columns: Vec::new(),
            sql: view.sql.clone(),
            depends_on: view.depends_on.clone(),
        })
        .collect();
    if views.is_empty() { None } else { vitrine_sql::with_views(written, &views, ask.catalog.dialect) }
}
