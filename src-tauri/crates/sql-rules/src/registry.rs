//! The registry: application of rules. `rule` defines a rule, and `table` lists all rules.

mod rule;
mod table;

pub use rule::{
    ADD_VARIANTS, FIXED_NUMBER, JOIN_CHOICE, KEY_BY_NAME, QUOTE_NAMES, REPLACE_LITERAL, SAME_VALUES, UNUSED_NUMBER,
    VAGUE_WORD,
};

use crate::input::RuleInput;
use crate::reading::Meanings;
use crate::repair::join_choice::{OpenChoice, PathChooser};
use Applicability::{Reading as Open, Safe, Variant as Second};
use Evidence::{Definition as Defined, Description, Question as InQuestion};
use rule::{Change, Rule, Work};
use table::RULES;
use vitrine_domain::{Applicability, Evidence, RuleCode, RuleInfo, RuleNote};
use vitrine_sql::{JoinPath, NameProblem, ReadOnlySql, RepairedNames, bind_names, rewrite_query};
use vitrine_words::translate_constant;

/// Returns descriptions of all rules.
pub fn describe_rules() -> Vec<RuleInfo> {
    let info = |rule: &Rule| RuleInfo {
        code: rule.code.clone(),
        name: rule.name.to_owned(),
        summary: translate_constant(rule.summary).to_owned(),
        before: rule.before.to_owned(),
        after: rule.after.to_owned(),
        evidence: rule.evidence.to_vec(),
        applicability: rule.applicability,
    };
    RULES.iter().map(info).collect()
}

/// Returns the code of a rule, given its code or name. `None` if no such rule exists.
pub fn is_rule(named: &str) -> Option<&'static RuleCode> {
    let found = RULES.iter().find(|r| r.code.eq_ignore_ascii_case(named) || r.name.eq_ignore_ascii_case(named))?;
    Some(&found.code)
}

/// Returns true if every rule that made a variant reads the question: the question is then evidence for the variant.
pub fn reads_question(rules: &RuleCode) -> bool {
    rules.codes().all(|code| RULES.iter().any(|rule| rule.code == code && rule.evidence.contains(&InQuestion)))
}

/// Returns true if the owner's description of a table supports a variant; the original answer is then uncertain.
pub fn reads_description(rules: &RuleCode) -> bool {
    rules.codes().all(|code| RULES.iter().any(|rule| rule.code == code && rule.evidence.contains(&Description)))
}

/// Returns true if every rule applies the user's definitions. A change by such a rule is not a doubt about a query; a
/// second query from it cannot be decided by a model.
pub fn reads_definition(rules: &RuleCode) -> bool {
    rules.codes().all(|code| RULES.iter().any(|rule| rule.code == code && rule.evidence.contains(&Defined)))
}

/// Returns true if every rule makes another reading of the question: only the user knows the intended one.
pub fn is_reading(rules: &RuleCode) -> bool {
    rules.codes().all(|code| RULES.iter().any(|rule| rule.code == code && rule.applicability == Open))
}

/// A query that was changed by rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The query after the changes.
    pub sql: ReadOnlySql,
    /// Notes on the changes, in order.
    pub changes: Vec<RuleNote>,
}

/// A second query derived from a query by one rule, or by several together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Code of the rule; several codes are joined by a plus.
    pub rule: RuleCode,
    /// The changes, one sentence each. For another reading, the meaning of the question that it implements.
    pub note: String,
    /// For another reading, the meaning of the question that the original query implements.
    pub as_written: Option<String>,
    /// SQL text of the variant.
    pub sql: ReadOnlySql,
}

fn rule_note(rule: &Rule, note: String) -> RuleNote {
    RuleNote { rule: rule.code.clone(), note }
}

/// Applies one change and proves the result again. Names that bound before must still bind.
fn apply_change(rule: &Rule, change: Change, sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<Changed> {
    let (sql, notes) = rewrite_query(sql, |query| {
        let notes = change(query, input);
        (!notes.is_empty()).then_some(notes)
    })?;
    Some(Changed { sql, changes: notes.into_iter().map(|text| rule_note(rule, text)).collect() })
}

impl Changed {
    fn from_sql(sql: &ReadOnlySql) -> Self {
        Self { sql: sql.clone(), changes: Vec::new() }
    }

    fn append_changes(&mut self, next: Option<Changed>) {
        if let Some(next) = next {
            self.sql = next.sql;
            self.changes.extend(next.changes);
        }
    }

    fn into_changed(self) -> Option<Self> {
        (!self.changes.is_empty()).then_some(self)
    }
}

/// Quotes catalog names that do not resolve without quotes, and returns the rule's notes. `beside` are views that the
/// text may read; `read` parses a text.
pub fn quote_names(
    sql: &str,
    input: &RuleInput<'_>,
    beside: &[&str],
    read: &dyn Fn(&str) -> Option<ReadOnlySql>,
) -> Option<(String, Vec<RuleNote>)> {
    let rule = RULES.iter().find(|rule| matches!(rule.work, Work::Quotes)).filter(|rule| rule.is_on(input))?;
    let quoted = vitrine_sql::quote_names(sql, input.catalog, beside, read)?;
    Some((quoted.sql, quoted.notes.into_iter().map(|text| rule_note(rule, text)).collect()))
}

/// Repairs the names of a query that do not bind, and joins along the declared keys. `None` if all names bind.
///
/// # Errors
/// The names that still do not resolve.
pub fn repair_names(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Result<Option<Changed>, Vec<NameProblem>> {
    repair_names_with(sql, input, &PathChooser::new(sql, input), None)
}

/// Repairs names; after that, the safe rules apply and the rule `variant`.
fn repair_names_with(
    sql: &ReadOnlySql,
    input: &RuleInput<'_>,
    paths: &PathChooser<'_>,
    variant: Option<&RuleCode>,
) -> Result<Option<Changed>, Vec<NameProblem>> {
    let problems = bind_names(sql, input.catalog).problems;
    if problems.is_empty() {
        return Ok(None);
    }
    let mut repaired = Changed::from_sql(sql);
    for rule in RULES.iter().filter(|rule| rule.applicability == Safe && rule.is_on(input)) {
        if let Work::Unbound(by) = rule.work {
            let next = apply_change(rule, by, &repaired.sql, input);
            repaired.append_changes(next);
        }
    }
    let problems = bind_names(&repaired.sql, input.catalog).problems;
    let names = RULES.iter().find(|rule| matches!(rule.work, Work::Names)).filter(|rule| rule.is_on(input));
    if !problems.is_empty() {
        let choose = |name: &str, found: &[JoinPath]| match input.is_rule_enabled(&JOIN_CHOICE) {
            true => paths.choose(name, found),
            false => None,
        };
        let repair = |rule| Some((rule, vitrine_sql::repair_names_with(&repaired.sql, input.catalog, &choose)?));
        let Some((rule, RepairedNames { sql, notes, wrong_qualifiers })) = names.and_then(repair) else {
            return Err(problems);
        };
        repaired.append_changes(Some(Changed {
            sql,
            changes: notes.into_iter().map(|text| rule_note(rule, text)).collect(),
        }));
        let input = RuleInput { wrong_qualifiers: &wrong_qualifiers, ..*input };
        let applies = |rule: &&Rule| rule.applicability == Safe || Some(&rule.code) == variant;
        for rule in RULES.iter().filter(|rule| rule.is_on(&input)).filter(applies) {
            if let Work::Repaired(by) = rule.work {
                let next = apply_change(rule, by, &repaired.sql, &input).filter(|next| names_bind(&next.sql, &input));
                repaired.append_changes(next);
            }
        }
    }
    Ok(repaired.into_changed())
}

fn names_bind(sql: &ReadOnlySql, input: &RuleInput<'_>) -> bool {
    bind_names(sql, input.catalog).problems.is_empty()
}

/// Applies the safe rules to a query whose names bind. `None` if nothing changes.
pub fn apply_safe_rules(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<Changed> {
    apply_bound_rules(sql, input, |rule| rule.applicability == Safe)
}

/// Applies the user's standing conditions and merges. `None` if nothing changes.
pub fn apply_standing_rules(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<Changed> {
    let mut changed = Changed::from_sql(sql);
    for rule in RULES.iter().filter(|rule| rule.is_on(input)) {
        if let Work::Standing(by) = rule.work {
            let next = apply_change(rule, by, &changed.sql, input).filter(|next| names_bind(&next.sql, input));
            changed.append_changes(next);
        }
    }
    changed.into_changed()
}

/// Repairs a query that the database rejected. `None` if no rule applies.
pub fn repair_refused(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<Changed> {
    apply_bound_rules(sql, input, |rule| matches!(rule.work, Work::Refused(_) | Work::Rejected(_)))
}

fn apply_bound_rules(sql: &ReadOnlySql, input: &RuleInput<'_>, of: impl Fn(&Rule) -> bool) -> Option<Changed> {
    let mut changed = Changed::from_sql(sql);
    for rule in RULES.iter().filter(|rule| of(rule) && rule.is_on(input)) {
        if let Work::Bound(by) | Work::Refused(by) | Work::Rejected(by) = rule.work {
            let next = apply_change(rule, by, &changed.sql, input).filter(|next| names_bind(&next.sql, input));
            changed.append_changes(next);
        }
    }
    changed.into_changed()
}

/// Returns the variants of a query: one for each rule, and one of all rules together if several apply.
pub fn find_variants(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<Variant> {
    let mut found: Vec<Variant> = Vec::new();
    let mut all = Changed::from_sql(sql);
    for rule in RULES.iter().filter(|rule| rule.applicability == Second && rule.is_on(input)) {
        let (Work::Bound(by) | Work::Refused(by)) = rule.work else { continue };
        let one = apply_change(rule, by, sql, input).filter(|one| names_bind(&one.sql, input));
        // Until a rule has changed the query, both are equal.
        let next = match found.is_empty() {
            true => one.clone(),
            false => apply_change(rule, by, &all.sql, input).filter(|next| names_bind(&next.sql, input)),
        };
        found.extend(one.map(build_variant));
        all.append_changes(next);
    }
    if found.len() > 1 {
        found.push(build_variant(all));
    }
    found
}

/// Returns further repairs of a query whose names do not bind, besides that of [`repair_names`]. Empty if all names
/// bind.
pub fn variants_of_unbound(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<Variant> {
    if names_bind(sql, input) {
        return Vec::new();
    }
    let made = RULES.iter().filter(|rule| rule.applicability == Second && rule.is_on(input)).filter_map(|rule| {
        let mut changed = match rule.work {
            Work::Unbound(by) => {
                let mut changed = apply_change(rule, by, sql, input)?;
                let repaired = repair_names(&changed.sql, input).ok()?;
                changed.append_changes(repaired);
                changed
            }
            Work::Repaired(_) => {
                let paths = PathChooser::new(sql, input);
                let changed = repair_names_with(sql, input, &paths, Some(&rule.code)).ok()??;
                Some(changed).filter(|changed| changed.changes.iter().any(|change| change.rule == rule.code))?
            }
            _ => return None,
        };
        let standing = apply_standing_rules(&changed.sql, input);
        changed.append_changes(standing);
        Some(build_variant(changed))
    });
    made.collect()
}

/// Returns the queries of other readings of a query whose names do not bind: further paths of joins to a table that it
/// does not join, if the question does not decide between them.
pub fn find_path_readings(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<Variant> {
    let chooser = PathChooser::new(sql, input);
    let Ok(Some(first)) = repair_names_with(sql, input, &chooser, None) else { return Vec::new() };
    let Some(OpenChoice { name, taken, others }) = chooser.into_open_choice() else { return Vec::new() };
    let made = others.into_iter().filter_map(|(position, note)| {
        let other = PathChooser::new(sql, input).with_path(&name, position);
        let mut changed =
            repair_names_with(sql, input, &other, None).ok()?.filter(|changed| changed.sql != first.sql)?;
        let safe = apply_safe_rules(&changed.sql, input);
        changed.append_changes(safe);
        let standing = apply_standing_rules(&changed.sql, input);
        changed.append_changes(standing);
        Some(Variant { rule: JOIN_CHOICE.clone(), note, as_written: Some(taken.clone()), sql: changed.sql })
    });
    made.collect()
}

fn build_variant(changed: Changed) -> Variant {
    let mut rules: Vec<&str> = changed.changes.iter().map(|change| change.rule.as_str()).collect();
    rules.dedup();
    let notes: Vec<&str> = changed.changes.iter().map(|change| change.note.as_str()).collect();
    Variant { rule: rules.join("+").into(), note: notes.join("; "), as_written: None, sql: changed.sql }
}

/// Returns the queries of other readings of the question.
pub fn find_readings(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<Variant> {
    let rules = RULES.iter().filter(|rule| rule.is_on(input));
    let made = rules.filter_map(|rule| {
        let Work::Reading(read) = rule.work else { return None };
        let (sql, Meanings { as_written, otherwise }) = rewrite_query(sql, |query| read(query, input))?;
        names_bind(&sql, input).then(|| Variant {
            rule: rule.code.clone(),
            note: otherwise,
            as_written: Some(as_written),
            sql,
        })
    });
    made.collect()
}

/// Returns the findings about a query that runs, in the order of the registry.
pub fn collect_findings(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<RuleNote> {
    let rules = RULES.iter().filter(|rule| rule.is_on(input));
    let look = |rule: &Rule| match rule.work {
        Work::Look(look) => look(sql, input).map(|text| rule_note(rule, text)),
        _ => None,
    };
    rules.filter_map(look).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_each_of_one_rule() {
        for (at, rule) in RULES.iter().enumerate() {
            assert_eq!(is_rule(&rule.code), Some(&rule.code));
            assert_eq!(is_rule(rule.name), Some(&rule.code));
            assert!(
                RULES[..at].iter().all(|other| other.code != rule.code && other.name != rule.name),
                "{}",
                rule.code
            );
        }
        assert_eq!(is_rule("X999"), None);
    }

    #[test]
    fn every_rule_has_an_example_that_it_changes() {
        for rule in RULES {
            assert!(!rule.summary.is_empty() && rule.summary.ends_with('.'), "{}", rule.code);
            assert_ne!(rule.before, rule.after, "{}", rule.code);
            assert!(!rule.evidence.is_empty(), "{}", rule.code);
        }
    }
}
