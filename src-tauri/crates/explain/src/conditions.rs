//! Describes the conditions of a query that can be removed one by one.

use vitrine_sql::{Parameter, ReadOnlySql, list_conditions};
use vitrine_sql_steps::describe_conditions;
use vitrine_words::join_with_and;

/// A condition in words, with the query that lacks it.
#[derive(Debug, Clone)]
pub struct DescribedCondition {
    /// The condition as the explanation words it.
    pub words: String,
    /// The parameters whose constants are only in this condition.
    pub parameters: Vec<Parameter>,
    /// The query without the condition.
    pub without: ReadOnlySql,
}

/// Returns the removable conditions of a query, in the order of its text.
pub fn describe_query_conditions(sql: &ReadOnlySql) -> Vec<DescribedCondition> {
    let describe = |texts: &[String]| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        join_with_and(&describe_conditions(&texts, None, sql.dialect()))
    };
    list_conditions(sql)
        .into_iter()
        .map(|condition| DescribedCondition {
            words: describe(&condition.texts),
            parameters: condition.parameters,
            without: condition.without,
        })
        .collect()
}
