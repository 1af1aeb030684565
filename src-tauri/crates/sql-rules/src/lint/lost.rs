//! Parts of the question that the query omits: numbers, columns, a negation.

use crate::question::QuestionFacts;
use crate::question::facts::{contains_negation, find_negation, has_number, has_word, plain_numbers};
use vitrine_domain::Catalog;
use vitrine_sql::{ReadOnlySql, bind_names, is_restated};

/// Returns the numbers of the question that the query does not contain: neither directly, nor in a name, nor restated
/// by a definition ("less than 10000 refers to num_sales < 0.1").
pub(super) fn unused_numbers<'f>(sql: &ReadOnlySql, facts: &'f QuestionFacts, knowledge: &str) -> Vec<&'f str> {
    let text = sql.as_str();
    let in_name = |number: &str| {
        let names = facts.numbered.iter().filter(|name| has_number(name, number));
        names.into_iter().any(|name| has_word(text, name))
    };
    let uses = |number: &str| {
        text.match_indices(number).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + number.len()..].chars().next();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.')
                && !after.is_some_and(|c| c.is_ascii_digit())
        })
    };
    let lost =
        |number: &&str| !uses(number) && !in_name(number) && !is_restated(number, knowledge, plain_numbers, uses);
    facts.numbers.iter().map(String::as_str).filter(lost).collect()
}

/// Returns a column that the question names in full and the query does not use, if the query reads a table with that
/// column. Columns of other tables are ignored, because the question may refer to a column of the table that is read.
pub(super) fn unused_column(sql: &ReadOnlySql, catalog: &Catalog, facts: &QuestionFacts) -> Option<String> {
    let text = sql.as_str().to_lowercase();
    if text.contains('*') && !text.contains("count(*)") {
        return None;
    }
    let lost = facts.named.iter().find(|name| !text.contains(&name.to_lowercase()))?;
    let read = bind_names(sql, catalog).tables;
    read.iter()
        .filter_map(|table| catalog.find_table(table))
        .any(|table| table.find_column(lost).is_some())
        .then(|| lost.clone())
}

/// Returns true if the question has a negation and the query has none. The negation may be part of a stored value: `'No
/// Colour'`.
pub(super) fn has_lost_negation(sql: &ReadOnlySql, facts: &QuestionFacts) -> bool {
    if facts.denied.is_none() || contains_negation(sql.as_str()) {
        return false;
    }
    let Some(place) = find_negation(&facts.asked) else { return false };
    let said = facts.asked[place].to_lowercase();
    !vitrine_sql::collect_literals(sql).iter().any(|literal| literal.text.to_lowercase().contains(&said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::Dialect;

    fn shop_catalog() -> Catalog {
        let person = [("id", "INTEGER"), ("Name", "TEXT"), ("life_expectancy", "REAL"), ("colour", "TEXT")];
        let member = [("id", "INTEGER"), ("last_name", "TEXT"), ("budget_2023", "REAL")];
        catalog_with(
            Dialect::Sqlite,
            vec![typed_table("person", &person, &["id"], &[]), typed_table("member", &member, &["id"], &[])],
        )
    }

    fn parse_sql(sql: &str) -> ReadOnlySql {
        ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap()
    }

    #[test]
    fn numbers_of_the_question_have_to_be_used() {
        let unused = |question: &str, sql: &str| {
            unused_numbers(&parse_sql(sql), &QuestionFacts::from_question(question, &shop_catalog()), "").len()
        };
        assert_eq!(unused("Sales of 2023", "SELECT sum(x) FROM t WHERE d >= '2023-01-01'"), 0);
        assert_eq!(unused("Sales of 2023", "WITH sales_2023 AS (SELECT 12023 AS x) SELECT x FROM sales_2023"), 1);
        assert_eq!(unused("The budget of 2023", "SELECT sum(Budget_2023) FROM member"), 0);
        assert_eq!(unused("The budget of 2023", "SELECT sum(old_budget_2023) FROM member"), 1);
        assert_eq!(unused("在2023年有多少订单?", "SELECT count(*) FROM t WHERE y = 2022"), 1);
        assert_eq!(unused("Which schools get Title 1 money?", "SELECT name FROM t WHERE program = 'Title I'"), 0);
    }

    #[test]
    fn a_number_may_be_used_as_a_definition_puts_it() {
        let question = QuestionFacts::from_question("Games that sold less than 10000 in 2008", &shop_catalog());
        let sql = parse_sql("SELECT name FROM t WHERE num_sales < 0.1");
        let unused = |knowledge: &str| unused_numbers(&sql, &question, knowledge);
        assert_eq!(unused("less than 10000 refers to num_sales < 0.1; 2008 is a year"), ["2008"]);
        assert_eq!(unused("less than 10000 refers to num_sales < 0.2"), ["10000", "2008"], "the query does otherwise");
        assert_eq!(
            unused("10000 games of 0.1 and of 0.2 are known"),
            ["10000", "2008"],
            "of three numbers one is used"
        );
        assert_eq!(unused("10000 is many"), ["10000", "2008"]);
        assert_eq!(unused("sales of 0.1 are few; 10000 is a number of sales"), ["10000", "2008"], "not one definition");
        assert_eq!(unused(""), ["10000", "2008"]);
    }

    #[test]
    fn columns_that_the_question_names_have_to_be_used_where_they_are() {
        let lost = |question: &str, sql: &str| {
            unused_column(&parse_sql(sql), &shop_catalog(), &QuestionFacts::from_question(question, &shop_catalog()))
        };
        assert_eq!(lost("Whose life expectancy is it?", "SELECT Name FROM person").as_deref(), Some("life_expectancy"));
        assert_eq!(lost("Whose life expectancy is it?", "SELECT life_expectancy FROM person"), None);
        assert_eq!(lost("What is the last name of each person?", "SELECT Name FROM person"), None);
    }

    #[test]
    fn a_denial_is_looked_for_in_the_query() {
        let lost = |question: &str, sql: &str| {
            has_lost_negation(&parse_sql(sql), &QuestionFacts::from_question(question, &shop_catalog()))
        };
        assert!(lost("Which people do not have the colour red?", "SELECT Name FROM person WHERE colour = 'red'"));
        assert!(!lost("Which people do not have the colour red?", "SELECT Name FROM person WHERE colour <> 'red'"));
        assert!(!lost("Which people have no colour?", "SELECT Name FROM person WHERE colour = 'No Colour'"));
        assert!(!lost("¿Qué personas no tienen color?", "SELECT Name FROM person WHERE colour = 'sin'"));
    }
}
