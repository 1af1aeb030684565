//! Preparation of a model's text for execution: one read-only query whose names are all bound. Changes by rules are recorded in the run, in
//! every stage.

use crate::attempt::quoting::parse_query;
use crate::attempt::views::Views;
use crate::run::ask::Ask;
use crate::run::context::RunContext;
use vitrine_domain::{EventBody, NodeId, RuleNote, Switch};
use vitrine_sql::{Cte, ReadOnlySql, SqlRejection};
use vitrine_sql_rules::{Changed, QuestionFacts, RuleInput};

/// Kinds of rules that apply to a query.
#[derive(Debug, Clone, Copy)]
pub struct RuleUse {
    /// Repairs unresolved names and applies safe rules.
    pub repair: bool,
    /// Creates and runs variants that fit the question better.
    pub fitting: bool,
    /// Creates and runs variants that use the stored spelling of values.
    pub respelling: bool,
    /// Creates and runs queries of other readings of the question.
    pub readings: bool,
    /// Reports the findings of rules.
    pub findings: bool,
    /// Applies the user's definitions that hold for every question.
    pub standing: bool,
}

impl RuleUse {
    /// No rules that doubt the query: for the baselines, and for readings that the user chose.
    pub const NONE: Self =
        Self { repair: false, fitting: false, respelling: false, readings: false, findings: false, standing: true };
    /// No rules: for queries that the user wrote.
    pub const AS_WRITTEN: Self = Self { standing: false, ..Self::NONE };

    /// Reads the kinds of rules from the settings of this run.
    pub fn from_context(context: &RunContext) -> Self {
        let settings = &context.ask.options.settings;
        Self {
            repair: settings.is_enabled(Switch::NameRepair),
            fitting: settings.is_enabled(Switch::Variants) && settings.is_enabled(Switch::Fitting),
            respelling: settings.is_enabled(Switch::Variants) && settings.is_enabled(Switch::Respelling),
            readings: settings.is_enabled(Switch::Readings),
            findings: settings.is_enabled(Switch::Findings),
            standing: true,
        }
    }
}

/// A statement that may run.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// Statement that is proven to only read.
    pub sql: ReadOnlySql,
    /// Changes by rules; empty if the query remains as written.
    pub changes: Vec<RuleNote>,
}

/// Returns the input of rules without a question.
pub fn without_question(context: &RunContext) -> RuleInput<'_> {
    static NONE: std::sync::OnceLock<QuestionFacts> = std::sync::OnceLock::new();
    rule_input(context, NONE.get_or_init(QuestionFacts::default), "")
}

/// Returns the input of rules for a question.
pub fn rule_input<'a>(context: &'a RunContext, facts: &'a QuestionFacts, knowledge: &'a str) -> RuleInput<'a> {
    let ask = &context.ask;
    RuleInput {
        catalog: &ask.data.catalog,
        profile: &ask.data.profile,
        facts,
        knowledge,
        values: &[],
        standing: &context.standing,
        wrong_qualifiers: &[],
        off: &ask.options.settings.without_rules,
    }
}

/// Adds the views that a text names, proves it, and repairs names that do not bind.
///
/// # Errors
/// Returns the reason why it may not run, worded for a model.
pub fn prepare_query(
    context: &RunContext,
    node: &NodeId,
    views: &Views,
    rules: RuleUse,
    written: &str,
) -> Result<Prepared, String> {
    let ask = &context.ask;
    let beside: Vec<&str> = views.views.iter().map(|view| view.sql.as_str()).collect();
    let around = |text: &str| add_views(ask, views, text);
    let quoted = rules.repair.then(|| quote_names(context, written, &beside, &around)).flatten();
    let (text, mut changes) = quoted.unwrap_or_else(|| (written.to_owned(), Vec::new()));
    let mut sql = match around(&text) {
        Some(whole) => ask.prove_query(&whole).or_else(|_| ask.prove_query(&text)),
        None => ask.prove_query(&text),
    }
    .map_err(|e| e.to_string())?;
    let mut problems = vitrine_sql::bind_names(&sql, &ask.data.catalog).problems;
    if rules.repair {
        let input = without_question(context);
        let asked = RuleInput { facts: &context.facts, ..input };
        match vitrine_sql_rules::repair_names(&sql, &asked) {
            Ok(repaired) => {
                problems.clear();
                let repaired = repaired.into_iter();
                let mut take = |changed: Changed| {
                    sql = changed.sql;
                    changes.extend(changed.changes);
                };
                repaired.for_each(&mut take);
            }
            Err(left) => problems = left,
        }
        if problems.is_empty()
            && let Some(safe) = vitrine_sql_rules::apply_safe_rules(&sql, &input)
        {
            sql = safe.sql;
            changes.extend(safe.changes);
        }
    }
    if !problems.is_empty() {
        return Err(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
    }
    if rules.standing
        && let Some(kept) = apply_standing_rules(context, &sql)
    {
        sql = kept.sql;
        changes.extend(kept.changes);
    }
    record_changes(context, node, written, &sql, &changes);
    Ok(Prepared { sql, changes })
}

/// Quotes catalog names of a text if it does not resolve without quotes, including names that the views in `beside` quote; `around` returns
/// the whole query that contains a text.
fn quote_names(
    context: &RunContext,
    written: &str,
    beside: &[&str],
    around: &dyn Fn(&str) -> Option<String>,
) -> Option<(String, Vec<RuleNote>)> {
    let ask = &context.ask;
    let read = |text: &str| around(text).and_then(|whole| parse_query(ask, &whole)).or_else(|| parse_query(ask, text));
    vitrine_sql_rules::quote_names(written, &without_question(context), beside, &read)
}

/// Proves a text, with quotes around catalog names if it does not resolve without them and names are repaired.
///
/// # Errors
/// Returns the reason why it may not run.
pub fn prove_quoted(
    context: &RunContext,
    written: &str,
    prove: impl Fn(&str) -> Result<ReadOnlySql, SqlRejection>,
) -> Result<(ReadOnlySql, Vec<RuleNote>), SqlRejection> {
    let repairs = context.ask.options.settings.is_enabled(Switch::NameRepair);
    match repairs.then(|| quote_names(context, written, &[], &|_| None)).flatten() {
        Some((quoted, changes)) => Ok((prove(&quoted)?, changes)),
        None => Ok((prove(written)?, Vec::new())),
    }
}

/// Applies the user's definitions that hold for every question to a query that this program wrote.
pub fn kept_to_standing(context: &RunContext, node: &NodeId, sql: ReadOnlySql) -> Prepared {
    let Some(kept) = apply_standing_rules(context, &sql) else { return Prepared { sql, changes: Vec::new() } };
    record_changes(context, node, sql.as_str(), &kept.sql, &kept.changes);
    Prepared { sql: kept.sql, changes: kept.changes }
}

fn apply_standing_rules(context: &RunContext, sql: &ReadOnlySql) -> Option<Changed> {
    vitrine_sql_rules::apply_standing_rules(sql, &without_question(context))
}

/// Repairs a query that the database rejected; the repair is recorded in the run.
pub fn repair_refused(context: &RunContext, node: &NodeId, sql: &ReadOnlySql) -> Option<Prepared> {
    let changed = vitrine_sql_rules::repair_refused(sql, &without_question(context))?;
    record_changes(context, node, sql.as_str(), &changed.sql, &changed.changes);
    Some(Prepared { sql: changed.sql, changes: changed.changes })
}

/// Records in the run that rules changed a query.
pub fn record_changes(context: &RunContext, node: &NodeId, before: &str, after: &ReadOnlySql, changes: &[RuleNote]) {
    if !changes.is_empty() {
        context.emit(EventBody::QueryChanged {
            node: node.to_owned(),
            before: before.to_owned(),
            after: after.as_str().to_owned(),
            changes: changes.to_vec(),
        });
    }
}

/// Prepends the definitions of validated views to a query that names them. A table of the same name has precedence.
pub fn add_views(ask: &Ask, views: &Views, written: &str) -> Option<String> {
    let views = views.views.iter().filter(|view| ask.data.catalog.find_table(&view.name).is_none());
    let views: Vec<Cte> = views
        .map(|view| Cte {
            name: view.name.clone(),
            columns: Vec::new(),
            sql: view.sql.clone(),
            depends_on: view.depends_on.clone(),
        })
        .collect();
    if views.is_empty() { None } else { vitrine_sql::with_views(written, &views, ask.data.catalog.dialect) }
}
