//! Output of all rules for one query, called as in a run (`agents/src/attempt/try_sql.rs`).

use super::known::Known;
use vitrine_agents::attempt::value_hints::{add_spelling_variants, look_up, value_lines};
use vitrine_agents::candidate::finds_nothing;
use vitrine_agents::run::context::RunContext;
use vitrine_agents::stages::value_linking::link_values;
use vitrine_domain::{Agent, NodeId, Page, RuleCode, RuleNote, ValueMatch};
use vitrine_eval::Question;
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::{
    ADD_VARIANTS, Changed, KEY_BY_NAME, QuestionFacts, REPLACE_LITERAL, RuleInput, Variant, apply_safe_rules,
    collect_findings, find_readings, find_variants, repair_names, repair_refused, variants_of_unbound,
};

/// The state before a question's first query.
pub struct Asked<'a> {
    known: &'a Known,
    pub context: RunContext,
    facts: QuestionFacts,
    /// Phrases of the question that are stored values.
    matches: Vec<ValueMatch>,
    knowledge: String,
}

/// The output of the rules.
#[derive(Default)]
pub struct Heard {
    /// Changes of a query before execution, and its result.
    pub changes: Vec<RuleNote>,
    pub result: Option<Page>,
    /// Variants with their results; variants of a single rule come first.
    pub variants: Vec<(Variant, Option<Page>)>,
    pub findings: Vec<RuleNote>,
}

impl Heard {
    /// Records a change and returns the changed query.
    fn take(&mut self, changed: Option<Changed>, sql: ReadOnlySql) -> ReadOnlySql {
        let Some(changed) = changed else { return sql };
        self.changes.extend(changed.changes);
        changed.sql
    }
}

impl<'a> Asked<'a> {
    pub async fn of(question: &Question, known: &'a Known) -> Self {
        let context = known.context(question);
        let matches = link_values(&context, &question.question).await;
        let model = context.model(Agent::Generator).profile();
        let facts = QuestionFacts::from_question(&question.question, &known.catalog);
        let evidence = question.evidence.as_deref().unwrap_or_default();
        let knowledge = [evidence, &value_lines(&model, &known.catalog, &matches).join("\n")].join("\n");
        Self { known, context, facts, matches, knowledge }
    }

    /// Applies every rule to a query.
    pub async fn about(&self, written: &ReadOnlySql) -> Heard {
        let Known { catalog, profile, .. } = self.known;
        let (facts, knowledge) = (&self.facts, self.knowledge.as_str());
        let standing = vitrine_sql_rules::Standing::none();
        let input =
            RuleInput { catalog, profile, facts, knowledge, values: &[], standing, wrong_qualifiers: &[], off: &[] };
        let mut heard = Heard::default();
        let Ok(repaired) = repair_names(written, &input) else { return heard };
        let mut sql = heard.take(repaired, written.clone());
        sql = heard.take(apply_safe_rules(&sql, &input), sql);
        heard.result = self.known.result(&sql).await;
        if heard.result.is_none()
            && let Some(repaired) = repair_refused(&sql, &input)
        {
            heard.result = self.known.result(&repaired.sql).await;
            if heard.result.is_some() {
                sql = heard.take(Some(repaired), sql);
            }
        }
        let Some(page) = &heard.result else { return heard };
        let mut second = Vec::new();
        let mut of = |rule: RuleCode, made: Option<(ReadOnlySql, String)>| {
            second.extend(made.map(|(sql, note)| Variant { rule: rule.clone(), note, as_written: None, sql }));
        };
        if finds_nothing(page) {
            let found = look_up(&self.context, &NodeId::new("rules"), &sql).await;
            of(REPLACE_LITERAL, found.as_stored(&sql));
            of(KEY_BY_NAME, found.by_name(&sql, catalog));
        }
        of(ADD_VARIANTS, add_spelling_variants(&self.matches, &sql));
        second.extend(variants_of_unbound(written, &input));
        second.extend(find_variants(&sql, &input));
        second.extend(find_readings(&sql, &input));
        second.sort_by_key(|variant| variant.rule.contains('+'));
        for variant in second {
            let result = self.known.result(&variant.sql).await;
            heard.variants.push((variant, result));
        }
        heard.findings = collect_findings(&sql, &input);
        heard
    }
}
