//! The registry: every rule with its code, its example, its evidence and how far it may go; and the four ways of
//! applying rules.

use crate::input::RuleInput;
use crate::reading::{self, Meanings};
use crate::{lint, question, repair, standing as conditions, values};
use Applicability::{Defined as AsDefined, Hint, Reading as Open, Safe, Variant as Second};
use Evidence::{
    Catalog as InCatalog, Definition as Defined, Description, Profile as InProfile, Question as InQuestion,
    Result as InResult, StoredValues,
};
use sqlparser::ast::Query;
use vitrine_domain::{Applicability, Evidence, RuleInfo, RuleNote};
use vitrine_sql::{NameProblem, ReadOnlySql, RepairedNames, bind, rewrite};
use vitrine_words::{later, told};

/// Changes a query and describes each change; empty where it changes nothing.
type Change = fn(&mut Query, &RuleInput<'_>) -> Vec<String>;
/// Makes the query of another reading of the question; `None` where there is none.
type Read = fn(&mut Query, &RuleInput<'_>) -> Option<Meanings>;
/// Describes a finding.
type Look = fn(&ReadOnlySql, &RuleInput<'_>) -> Option<String>;

/// What a rule does, and at which stage.
#[derive(Clone, Copy)]
enum Work {
    /// Repairs names, by `vitrine_sql::repair_names`.
    Names,
    /// Changes a query whose names do not bind, before their repair.
    Unbound(Change),
    /// Changes a query after the repair of its names.
    Repaired(Change),
    /// Changes a query whose names bind.
    Bound(Change),
    /// The same, also applied where the database rejects the query.
    Refused(Change),
    /// Changes a query that the database rejects, and no other.
    Rejected(Change),
    /// Reports a finding.
    Look(Look),
    /// Replaces constants by stored values; the caller looks the values up.
    Values,
    /// Makes the query of another reading of the question.
    Reading(Read),
    /// The query of another reading that the model tells beside its own; the caller reads it from the reply.
    Told,
    /// Puts what the user wants always into a query whose names bind, after everything else.
    Standing(Change),
}

/// A rule.
struct Rule {
    code: &'static str,
    name: &'static str,
    summary: &'static str,
    before: &'static str,
    after: &'static str,
    evidence: &'static [Evidence],
    applicability: Applicability,
    work: Work,
}

impl Rule {
    fn is_on(&self, input: &RuleInput<'_>) -> bool {
        input.allows(self.code) && input.allows(self.name)
    }
}

/// The code of the rule that replaces a constant by its stored spelling.
pub const REPLACE_LITERAL: &str = "V001";
/// The code of the rule that looks a key up by a name.
pub const KEY_BY_NAME: &str = "V002";
/// The code of the rule that compares with every spelling variant of a value.
pub const ADD_VARIANTS: &str = "V003";

/// The code of the rule that takes up another reading of the question which the model tells.
pub const VAGUE_WORD: &str = "A003";

/// The code of the rule that finds numbers which the query's form decides.
pub const FIXED_NUMBER: &str = "L010";

/// The code of the rule that looks at rows which a table's description speaks of.
const DESCRIBED_ROWS: &str = "V004";

/// Every rule, in the order of application: N names, R repair, D definitions, Q question, A readings of a question that is
/// ambiguous, V values, L findings.
#[rustfmt::skip]
static RULES: &[Rule] = &[
    Rule { code: "N001", name: "join-path", applicability: Safe, evidence: &[InCatalog], work: Work::Unbound(repair::join_path::apply),
        summary: later!("Joins along the declared keys where a join uses a column that one of its tables lacks."),
        before: "film JOIN actor ON film.id = actor.film_id",
        after: "film JOIN film_actor ON film.id = film_actor.film_id JOIN actor ON film_actor.actor_id = actor.id" },
    Rule { code: "N002", name: "repair-names", applicability: Safe, evidence: &[InCatalog], work: Work::Names,
        summary: later!("Repairs an unresolved name if exactly one repair binds; ambiguous names stay unchanged."),
        before: "SELECT c.custmer_name FROM orders AS c",
        after: "SELECT customers.customer_name FROM orders AS c JOIN customers ON ..." },
    Rule { code: "N003", name: "unused-table", applicability: Safe, evidence: &[InCatalog], work: Work::Repaired(repair::unused_table::apply),
        summary: later!("Removes a joined table that was there only for a column it does not have."),
        before: "SELECT o.name FROM orders o JOIN customers c ON ... (name is a column of customers)",
        after: "SELECT c.name FROM customers c" },
    Rule { code: "N004", name: "wrong-table", applicability: Second, evidence: &[InCatalog], work: Work::Unbound(repair::wrong_table::apply),
        summary: later!("Replaces a joined table that lacks a column by the one table that has it, where the keys fit."),
        before: "FROM stadium s JOIN singer_in_concert c ON s.id = c.stadium_id",
        after: "FROM stadium s JOIN concert c ON s.id = c.stadium_id" },
    Rule { code: "R001", name: "year-of-year", applicability: Safe, evidence: &[InCatalog, InProfile], work: Work::Refused(repair::year_of_year::apply),
        summary: later!("Removes the year function around a number that is already a year."),
        before: "strftime('%Y', model_year) = '2020'",
        after: "model_year = '2020'" },
    Rule { code: "R002", name: "unnest-alias", applicability: Second, evidence: &[InCatalog, InResult], work: Work::Refused(repair::unnest_alias::apply),
        summary: later!("Makes the alias of an unnested list its member, in DuckDB."),
        before: "FROM orders, unnest(items) AS item",
        after: "FROM orders, unnest(items) AS item(item)" },
    Rule { code: "R003", name: "list-members", applicability: Second, evidence: &[InCatalog, InResult], work: Work::Rejected(repair::list_members::apply),
        summary: later!("Uses the members of a list where the list itself is compared with a text or asked for a field."),
        before: "WHERE tags = 'gift'",
        after: "WHERE 'gift' = ANY(tags)" },
    Rule { code: "R004", name: "missing-group-by", applicability: Second, evidence: &[InCatalog, InResult], work: Work::Refused(repair::missing_group_by::apply),
        summary: later!("Groups by the plain columns beside an aggregate."),
        before: "SELECT city, COUNT(*) FROM store",
        after: "SELECT city, COUNT(*) FROM store GROUP BY city" },
    Rule { code: "R007", name: "missing-join-condition", applicability: Second, evidence: &[InCatalog], work: Work::Bound(repair::missing_join_condition::apply),
        summary: later!("Joins two tables along their one foreign key where no condition links them."),
        before: "FROM orders, customers",
        after: "FROM orders, customers WHERE orders.customer_id = customers.id" },
    Rule { code: "R008", name: "wrong-key-column", applicability: Second, evidence: &[InCatalog], work: Work::Bound(repair::wrong_key_column::apply),
        summary: later!("Joins a foreign key to the column that it refers to."),
        before: "flight JOIN airline ON flight.airline = airline.name",
        after: "flight JOIN airline ON flight.airline = airline.id" },
    Rule { code: "R009", name: "key-detour", applicability: Second, evidence: &[InCatalog], work: Work::Bound(repair::key_detour::apply),
        summary: later!("Joins through the table that a foreign key refers to, where the key is compared with another table's key."),
        before: "maker JOIN continent ON maker.country = continent.id",
        after: "maker JOIN country ON maker.country = country.id JOIN continent ON country.continent = continent.id" },
    Rule { code: "R011", name: "integer-division", applicability: Second, evidence: &[InCatalog], work: Work::Bound(repair::integer_division::apply),
        summary: later!("Keeps the fraction when whole numbers are divided."),
        before: "COUNT(*) / COUNT(DISTINCT day)",
        after: "CAST(COUNT(*) AS REAL) / COUNT(DISTINCT day)" },
    Rule { code: "R012", name: "numeric-text", applicability: Second, evidence: &[InCatalog, InProfile], work: Work::Bound(repair::numeric_text::apply),
        summary: later!("Compares a text column of numbers as numbers, in SQLite."),
        before: "weight > 9",
        after: "CAST(weight AS REAL) > 9" },
    Rule { code: "R013", name: "whole-key", applicability: Second, evidence: &[InCatalog], work: Work::Bound(repair::whole_key::apply),
        summary: later!("Joins by all columns of a key where two tables are joined by a part of it."),
        before: "returns JOIN order_items ON returns.order_id = order_items.order_id",
        after: "returns JOIN order_items ON returns.order_id = order_items.order_id AND returns.line_no = order_items.line_no" },
    Rule { code: "R014", name: "date-pattern", applicability: Second, evidence: &[InCatalog, InResult], work: Work::Rejected(repair::date_pattern::apply),
        summary: later!("Compares a date with the days that a text pattern stands for, where the engine rejects the pattern."),
        before: "order_date LIKE '2023%'",
        after: "order_date >= '2023-01-01' AND order_date < '2024-01-01'" },
    Rule { code: "R015", name: "untyped-day", applicability: Second, evidence: &[InResult], work: Work::Rejected(repair::untyped_day::apply),
        summary: later!("Writes a day as a date where a function or an interval takes one and the engine rejects a text."),
        before: "date_trunc('year', '2023-01-01')",
        after: "date_trunc('year', DATE '2023-01-01')" },
    Rule { code: "R016", name: "other-dialect", applicability: Safe, evidence: &[InCatalog, InProfile], work: Work::Bound(repair::other_dialect::apply),
        summary: later!("Writes what a model brings from other dialects as this one has it: row limits, groups by an alias, ILIKE, casts by ::, fields of documents by a dot."),
        before: "SELECT year(placed) AS y, COUNT(*) FROM orders GROUP BY y ORDER BY y LIMIT 5 OFFSET 5  -- Trino",
        after: "SELECT year(placed) AS y, COUNT(*) FROM orders GROUP BY year(placed) ORDER BY y OFFSET 5 ROWS FETCH FIRST 5 ROWS ONLY" },
    Rule { code: "R017", name: "each-member", applicability: Second, evidence: &[InCatalog], work: Work::Bound(repair::list_members::each_member),
        summary: later!("Takes each member of a list beside a query that adds up one of each row's."),
        before: "SELECT SUM(items[0].quantity) FROM orders  -- Trino",
        after: "SELECT SUM(item.quantity) FROM orders CROSS JOIN UNNEST(orders.items) AS item(sku, quantity)" },
    Rule { code: "R018", name: "condition-twice", applicability: Second, evidence: &[InCatalog, InResult], work: Work::Bound(repair::condition_twice::apply),
        summary: later!("Leaves a condition out of WHERE where the query computes its share, or compares its rows with others."),
        before: "SELECT SUM(CASE WHEN channel = 'web' THEN total END) / SUM(total) FROM orders WHERE channel = 'web'",
        after: "SELECT SUM(CASE WHEN channel = 'web' THEN total END) / SUM(total) FROM orders" },
    Rule { code: "R019", name: "two-values", applicability: Second, evidence: &[InCatalog, InResult], work: Work::Refused(repair::two_values::apply),
        summary: later!("Compares two values where the query compares an aggregate over both of them with itself."),
        before: "SELECT SUM(total) - SUM(total) FROM orders WHERE year IN (2023, 2022)",
        after: "SELECT SUM(CASE WHEN year = 2023 THEN total ELSE 0 END) - SUM(CASE WHEN year = 2022 THEN total ELSE 0 END) FROM orders WHERE year IN (2023, 2022)" },
    Rule { code: "R020", name: "group-key", applicability: Second, evidence: &[InCatalog, InResult], work: Work::Bound(repair::group_key::apply),
        summary: later!("Counts the rows of each group, or the groups, where the query counts what the rows are grouped by."),
        before: "SELECT project_id, COUNT(DISTINCT project_id) FROM documents GROUP BY project_id",
        after: "SELECT project_id, COUNT(*) FROM documents GROUP BY project_id" },
    Rule { code: "D001", name: "standing-condition", applicability: AsDefined, evidence: &[Defined], work: Work::Standing(conditions::apply),
        summary: later!("Puts in the condition on a table that is defined for every answer, unless the question or the query asks for the other rows."),
        before: "SELECT SUM(total) FROM orders  -- defined for every answer: status <> 'cancelled'",
        after: "SELECT SUM(total) FROM orders WHERE status <> 'cancelled'" },
    Rule { code: "D002", name: "standing-and-missing", applicability: Second, evidence: &[Defined], work: Work::Bound(conditions::apply_where_missing),
        summary: later!("Takes a condition that is defined for every answer out of what must not be there, beside the answer."),
        before: "SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE status <> 'cancelled')",
        after: "SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)" },
    Rule { code: "Q003", name: "count-entities", applicability: Second, evidence: &[InCatalog, InQuestion], work: Work::Bound(question::count_entities::apply),
        summary: later!("Counts each entity once where a join repeats it."),
        before: "SELECT COUNT(*) FROM store JOIN orders ...  -- \"how many stores\"",
        after: "SELECT COUNT(DISTINCT store.id) FROM store JOIN orders ..." },
    Rule { code: "Q005", name: "anti-join", applicability: Second, evidence: &[InCatalog, InQuestion], work: Work::Bound(question::anti_join::apply),
        summary: later!("Keeps entities that have no such row, instead of those that have another row."),
        before: "SELECT c.name FROM customer c JOIN orders o ON ... WHERE o.status <> 'paid'",
        after: "SELECT c.name FROM customer c WHERE NOT EXISTS (... AND o.status = 'paid')" },
    Rule { code: "Q006", name: "average-of-parts", applicability: Second, evidence: &[InCatalog, InProfile, InQuestion], work: Work::Bound(question::average_of_parts::apply),
        summary: later!("Averages over wholes where the question names them and the query averages over their parts."),
        before: "SELECT AVG(net_amt) FROM order_items  -- \"average order value\"",
        after: "SELECT 1.0 * SUM(net_amt) / COUNT(DISTINCT order_id) FROM order_items" },
    Rule { code: "A001", name: "attachment", applicability: Open, evidence: &[InCatalog, InQuestion], work: Work::Reading(reading::attachment::apply),
        summary: later!("Asks whether a condition belongs to both of two things or to the last of them."),
        before: "WHERE genre IN ('Jazz', 'Rock') AND founded = 1985  -- \"jazz bands and rock bands founded in 1985\"",
        after: "WHERE genre = 'Jazz' OR (genre = 'Rock' AND founded = 1985)" },
    Rule { code: "A002", name: "each", applicability: Open, evidence: &[InCatalog, InQuestion], work: Work::Reading(reading::each::apply),
        summary: later!("Asks whether what each one has is meant, or only what all of them have."),
        before: "SELECT gym.name, activity.name FROM gym JOIN ...  -- \"the activities that each gym offers\"",
        after: "SELECT activity.name FROM activity WHERE activity.id IN (... HAVING COUNT(DISTINCT gym_id) = (SELECT COUNT(*) FROM gym))" },
    Rule { code: VAGUE_WORD, name: "vague-word", applicability: Open, evidence: &[InQuestion], work: Work::Told,
        summary: later!("Asks which of two meanings a word has, where a large model says that the tables hold both."),
        before: "SELECT name FROM customer ... ORDER BY SUM(amount) DESC LIMIT 1  -- \"our best customer\"",
        after: "SELECT name FROM customer ... ORDER BY COUNT(*) DESC LIMIT 1" },
    Rule { code: REPLACE_LITERAL, name: "replace-literal", applicability: Second, evidence: &[StoredValues, InResult], work: Work::Values,
        summary: later!("Writes a value as its column stores it where the query found nothing."),
        before: "city = 'new york'",
        after: "city = 'New York'" },
    Rule { code: KEY_BY_NAME, name: "key-by-name", applicability: Second, evidence: &[StoredValues, InResult], work: Work::Values,
        summary: later!("Looks a key up by the name it is compared with where the query found nothing."),
        before: "country_id = 'France'",
        after: "country_id IN (SELECT id FROM country WHERE name = 'France')" },
    Rule { code: ADD_VARIANTS, name: "add-variants", applicability: Second, evidence: &[StoredValues], work: Work::Values,
        summary: later!("Compares with every spelling of a value in its column."),
        before: "country = 'USA'",
        after: "country IN ('USA', 'US', 'United States')" },
    Rule { code: DESCRIBED_ROWS, name: "described-rows", applicability: Second, evidence: &[Description, InProfile], work: Work::Bound(values::described_rows::apply),
        summary: later!("Leaves out rows that a table's description speaks of, where the query adds up without a look at them."),
        before: "SELECT SUM(total) FROM orders  -- \"Cancelled orders do not count\"",
        after: "SELECT SUM(total) FROM orders WHERE status <> 'cancelled'" },
    Rule { code: FIXED_NUMBER, name: "fixed-number", applicability: Hint, evidence: &[InCatalog], work: Work::Look(lint::fixed_number),
        summary: later!("A number that is the same whatever the data hold: a difference of the same twice, the share of rows that WHERE has picked, the keys of a group."),
        before: "SUM(total) - SUM(total)",
        after: "both sides of SUM(total) - SUM(total) are the same" },
    Rule { code: "L001", name: "unused-number", applicability: Hint, evidence: &[InQuestion], work: Work::Look(lint::unused_number),
        summary: later!("A number of the question that the query does not use."),
        before: "SELECT SUM(amount) FROM orders  -- \"revenue of 2023\"",
        after: "it does not use 2023, which the question names" },
    Rule { code: "L002", name: "unused-column", applicability: Hint, evidence: &[InQuestion, InCatalog], work: Work::Look(lint::unused_column),
        summary: later!("A column that the question names in full and the query does not use, though it reads its table."),
        before: "SELECT name FROM country  -- \"life expectancy\"",
        after: "it does not use life_expectancy, which the question names" },
    Rule { code: "L003", name: "unrelated-keys", applicability: Hint, evidence: &[InCatalog], work: Work::Look(lint::unrelated_keys),
        summary: later!("A join of two keys that do not refer to each other."),
        before: "car JOIN maker ON car.id = maker.id",
        after: "car.id and maker.id do not refer to each other" },
    Rule { code: "L004", name: "literal-keys", applicability: Hint, evidence: &[InCatalog, InQuestion], work: Work::Look(lint::literal_keys),
        summary: later!("A foreign key set to a number that the question does not mention."),
        before: "WHERE country_id = 4",
        after: "it sets country_id to 4, which the question does not say" },
    Rule { code: "L005", name: "counted-measures", applicability: Hint, evidence: &[InCatalog], work: Work::Look(lint::counted_measures),
        summary: later!("A count of a quantity: it is the number of rows."),
        before: "COUNT(population)",
        after: "it counts rows by COUNT(population), a quantity" },
    Rule { code: "L006", name: "lost-negation", applicability: Hint, evidence: &[InQuestion], work: Work::Look(lint::lost_negation),
        summary: later!("A negation in the question that the query lacks."),
        before: "WHERE status = 'paid'  -- \"that were never paid\"",
        after: "it leaves out the \"not\" of the question" },
    Rule { code: "L007", name: "unmentioned-literal", applicability: Hint, evidence: &[InProfile, InQuestion], work: Work::Look(lint::unmentioned_literal),
        summary: later!("A name that the query looks for and the question does not mention."),
        before: "WHERE make = 'volkswagen'  -- \"all volvos\"",
        after: "it looks for 'volkswagen', which the question does not say" },
    Rule { code: "L008", name: "one-member", applicability: Hint, evidence: &[InCatalog], work: Work::Look(lint::one_member),
        summary: later!("A sum or a count over one member of a list: it leaves the other members out."),
        before: "SUM(items[0].price)",
        after: "it takes one member of items and leaves the others out" },
    Rule { code: "L009", name: "unknown-key", applicability: Hint, evidence: &[InProfile], work: Work::Look(lint::unknown_key),
        summary: later!("A key that no row's document has: it gives NULL."),
        before: "address->>'Country'",
        after: "it asks address for the key Country, which no row has; there are city and country" },
    Rule { code: "L011", name: "counted-singles", applicability: Hint, evidence: &[InCatalog, InProfile], work: Work::Look(lint::counted_singles),
        summary: later!("A count by a column that each row of the only table has otherwise, though other tables refer to it: every count is 1."),
        before: "SELECT name, COUNT(*) FROM party GROUP BY name  -- \"members of each party\"",
        after: "each row of party has a name of its own, so that every count is 1: rows of member may be meant" },
    Rule { code: "L012", name: "unread-table", applicability: Hint, evidence: &[InCatalog, InQuestion], work: Work::Look(lint::unread_table),
        summary: later!("A table that the question names and the query does not read, though it has all columns that are taken of another one."),
        before: "SELECT name FROM city ORDER BY population DESC LIMIT 3  -- \"the 3 most populated countries\"",
        after: "it reads city, which the question does not name, for columns that country has, too" },
];

/// Descriptions of every rule.
pub fn rules() -> Vec<RuleInfo> {
    let info = |rule: &Rule| RuleInfo {
        code: rule.code.to_owned(),
        name: rule.name.to_owned(),
        summary: told(rule.summary).to_owned(),
        before: rule.before.to_owned(),
        after: rule.after.to_owned(),
        evidence: rule.evidence.to_vec(),
        applicability: rule.applicability,
    };
    RULES.iter().map(info).collect()
}

/// The code of a rule, given its code or name; `None` where there is no such rule.
pub fn is_rule(named: &str) -> Option<&'static str> {
    let found = RULES.iter().find(|r| r.code.eq_ignore_ascii_case(named) || r.name.eq_ignore_ascii_case(named))?;
    Some(found.code)
}

/// Whether every rule that made a variant reads the question: then the question supports it, too.
pub fn reads_question(rules: &str) -> bool {
    rules.split('+').all(|code| RULES.iter().any(|rule| rule.code == code && rule.evidence.contains(&InQuestion)))
}

/// Whether the owner's words about a table speak for a variant: then the answer beside it cannot be sure.
pub fn reads_description(rules: &str) -> bool {
    rules.split('+').all(|code| RULES.iter().any(|rule| rule.code == code && rule.evidence.contains(&Description)))
}

/// Whether every rule reads what the user has defined. A change by it is no doubt about a query; a second query by it is one
/// that no model can settle.
pub fn reads_definition(rules: &str) -> bool {
    rules.split('+').all(|code| RULES.iter().any(|rule| rule.code == code && rule.evidence.contains(&Defined)))
}

/// Whether every rule makes another reading of the question: which of them is meant, only the person knows.
pub fn is_reading(rules: &str) -> bool {
    rules.split('+').all(|code| RULES.iter().any(|rule| rule.code == code && rule.applicability == Open))
}

/// A query that rules changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The query.
    pub sql: ReadOnlySql,
    /// What was changed, in order.
    pub changes: Vec<RuleNote>,
}

/// A second query that one rule, or several together, make from a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The rule's code; several codes are joined by a plus.
    pub rule: String,
    /// What is changed, one sentence each; of another reading, what the question means by it.
    pub note: String,
    /// Of another reading, what the question means by the query as it is.
    pub as_written: Option<String>,
    /// The query.
    pub sql: ReadOnlySql,
}

fn note(rule: &Rule, note: String) -> RuleNote {
    RuleNote { rule: rule.code.to_owned(), note }
}

/// Applies one change and proves the result again; names that bound before still bind.
fn change(rule: &Rule, change: Change, sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<Changed> {
    let (sql, notes) = rewrite(sql, |query| {
        let notes = change(query, input);
        (!notes.is_empty()).then_some(notes)
    })?;
    Some(Changed { sql, changes: notes.into_iter().map(|text| note(rule, text)).collect() })
}

impl Changed {
    fn of(sql: &ReadOnlySql) -> Self {
        Self { sql: sql.clone(), changes: Vec::new() }
    }

    fn take(&mut self, next: Option<Changed>) {
        if let Some(next) = next {
            self.sql = next.sql;
            self.changes.extend(next.changes);
        }
    }

    fn some(self) -> Option<Self> {
        (!self.changes.is_empty()).then_some(self)
    }
}

/// Repairs the names of a query where they do not bind, and joins along the declared keys. `None` where every name
/// binds.
///
/// # Errors
/// The names that still do not resolve.
pub fn repair_names(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Result<Option<Changed>, Vec<NameProblem>> {
    let problems = bind(sql, input.catalog).problems;
    if problems.is_empty() {
        return Ok(None);
    }
    let mut repaired = Changed::of(sql);
    for rule in RULES.iter().filter(|rule| rule.applicability == Safe && rule.is_on(input)) {
        if let Work::Unbound(by) = rule.work {
            let next = change(rule, by, &repaired.sql, input);
            repaired.take(next);
        }
    }
    let problems = bind(&repaired.sql, input.catalog).problems;
    let names = RULES.iter().find(|rule| matches!(rule.work, Work::Names)).filter(|rule| rule.is_on(input));
    if !problems.is_empty() {
        let repair = |rule| Some((rule, vitrine_sql::repair_names(&repaired.sql, input.catalog)?));
        let Some((rule, RepairedNames { sql, notes, wrong_qualifiers })) = names.and_then(repair) else {
            return Err(problems);
        };
        repaired.take(Some(Changed { sql, changes: notes.into_iter().map(|text| note(rule, text)).collect() }));
        let input = RuleInput { wrong_qualifiers: &wrong_qualifiers, ..*input };
        for rule in RULES.iter().filter(|rule| rule.is_on(&input)) {
            if let Work::Repaired(by) = rule.work {
                let next = change(rule, by, &repaired.sql, &input).filter(|next| binds(&next.sql, &input));
                repaired.take(next);
            }
        }
    }
    Ok(repaired.some())
}

fn binds(sql: &ReadOnlySql, input: &RuleInput<'_>) -> bool {
    bind(sql, input.catalog).problems.is_empty()
}

/// Applies the safe rules to a query whose names bind. `None` where nothing changes.
pub fn safe(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<Changed> {
    bound(sql, input, |rule| rule.applicability == Safe)
}

/// The query with what the user wants always. `None` where nothing changes.
pub fn standing(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<Changed> {
    RULES.iter().filter(|rule| rule.is_on(input)).find_map(|rule| match rule.work {
        Work::Standing(by) => change(rule, by, sql, input).filter(|next| binds(&next.sql, input)),
        _ => None,
    })
}

/// A repair of a query that the database rejected. `None` where no rule has one.
pub fn repair_refused(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<Changed> {
    bound(sql, input, |rule| matches!(rule.work, Work::Refused(_) | Work::Rejected(_)))
}

fn bound(sql: &ReadOnlySql, input: &RuleInput<'_>, of: impl Fn(&Rule) -> bool) -> Option<Changed> {
    let mut changed = Changed::of(sql);
    for rule in RULES.iter().filter(|rule| of(rule) && rule.is_on(input)) {
        if let Work::Bound(by) | Work::Refused(by) | Work::Rejected(by) = rule.work {
            let next = change(rule, by, &changed.sql, input).filter(|next| binds(&next.sql, input));
            changed.take(next);
        }
    }
    changed.some()
}

/// The variants of a query: one for each rule, and one of all rules together where several apply.
pub fn variants(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<Variant> {
    let mut found: Vec<Variant> = Vec::new();
    let mut all = Changed::of(sql);
    for rule in RULES.iter().filter(|rule| rule.applicability == Second && rule.is_on(input)) {
        let (Work::Bound(by) | Work::Refused(by)) = rule.work else { continue };
        let one = change(rule, by, sql, input).filter(|one| binds(&one.sql, input));
        // Until a rule has changed something, both are the same.
        let next = match found.is_empty() {
            true => one.clone(),
            false => change(rule, by, &all.sql, input).filter(|next| binds(&next.sql, input)),
        };
        found.extend(one.map(variant));
        all.take(next);
    }
    if found.len() > 1 {
        found.push(variant(all));
    }
    found
}

/// Further repairs of a query whose names do not bind, besides that of [`repair_names`]. None where the names bind.
pub fn variants_of_unbound(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<Variant> {
    if binds(sql, input) {
        return Vec::new();
    }
    let made = RULES.iter().filter(|rule| rule.applicability == Second && rule.is_on(input)).filter_map(|rule| {
        let Work::Unbound(by) = rule.work else { return None };
        let mut changed = change(rule, by, sql, input)?;
        let repaired = repair_names(&changed.sql, input).ok()?;
        changed.take(repaired);
        let standing = standing(&changed.sql, input);
        changed.take(standing);
        Some(variant(changed))
    });
    made.collect()
}

fn variant(changed: Changed) -> Variant {
    let mut rules: Vec<&str> = changed.changes.iter().map(|change| change.rule.as_str()).collect();
    rules.dedup();
    let notes: Vec<&str> = changed.changes.iter().map(|change| change.note.as_str()).collect();
    Variant { rule: rules.join("+"), note: notes.join("; "), as_written: None, sql: changed.sql }
}

/// The queries of other readings of the question.
pub fn readings(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<Variant> {
    let rules = RULES.iter().filter(|rule| rule.is_on(input));
    let made = rules.filter_map(|rule| {
        let Work::Reading(read) = rule.work else { return None };
        let (sql, Meanings { as_written, otherwise }) = rewrite(sql, |query| read(query, input))?;
        binds(&sql, input).then(|| Variant {
            rule: rule.code.to_owned(),
            note: otherwise,
            as_written: Some(as_written),
            sql,
        })
    });
    made.collect()
}

/// The findings about a query that runs, in the order of the registry.
pub fn findings(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<RuleNote> {
    let rules = RULES.iter().filter(|rule| rule.is_on(input));
    let look = |rule: &Rule| match rule.work {
        Work::Look(look) => look(sql, input).map(|text| note(rule, text)),
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
            assert_eq!(is_rule(rule.code), Some(rule.code));
            assert_eq!(is_rule(rule.name), Some(rule.code));
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
