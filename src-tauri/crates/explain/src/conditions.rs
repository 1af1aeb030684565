//! Describes the conditions of a query that can be changed or removed one by one.

use vitrine_domain::Catalog;
use vitrine_sql::{Parameter, ReadOnlySql, list_conditions};
use vitrine_sql_steps::describe_conditions;
use vitrine_words::join_with_and;

/// A condition in words, with the query that lacks it.
#[derive(Debug, Clone)]
pub struct DescribedCondition {
    /// The condition in words; columns are qualified by their table if the query reads several.
    pub words: String,
    /// The words that other descriptions of the query use for the same condition.
    pub variants: Vec<String>,
    /// The parameters whose constants are only in this condition.
    pub parameters: Vec<Parameter>,
    /// The query without the condition; `None` if it cannot be removed.
    pub without: Option<ReadOnlySql>,
}

/// Returns the conditions of a query that can be changed or removed, in the order of its text.
pub fn describe_query_conditions(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<DescribedCondition> {
    let describe = |texts: &[String]| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        join_with_and(&describe_conditions(&texts, None, sql.dialect()))
    };
    list_conditions(sql, catalog)
        .into_iter()
        .map(|condition| DescribedCondition {
            words: describe(&condition.texts),
            variants: condition.variants.iter().map(|texts| describe(texts)).collect(),
            parameters: condition.parameters,
            without: condition.without,
        })
        .collect()
}
