//! Tables that BigQuery reads only with a filter on their partition column. A missing filter is reported and never
//! added, because reading only a part of the rows would change the answer.

use super::address::ProjectAddress;
use super::fields::Field;
use serde_json::Value;
use vitrine_domain::Dialect;
use vitrine_sql::{ReadOnlySql, condition_names, named_tables, quote_identifier};

/// The dialect of the queries that need a filter.
const DIALECT: Dialect = Dialect::Bigquery;

/// Pseudocolumns of the ingestion time, for tables that are not partitioned by a column of their own.
const ARRIVAL: [&str; 2] = ["_PARTITIONTIME", "_PARTITIONDATE"];

/// The partition column of a table that requires a filter in every query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PartitionFilter {
    pub dataset: String,
    /// The table, or the wildcard name of a group of tables.
    pub table: String,
    pub column: String,
    /// An example of a condition that BigQuery accepts.
    example: String,
}

impl PartitionFilter {
    /// Parses BigQuery's description of a table; `None` if the table does not require a filter.
    pub fn from_table(dataset: &str, table: &str, value: &Value) -> Option<Self> {
        let (column, by_time) = partitioned_by(value)?;
        let wanted = [value, by_time.unwrap_or(&Value::Null)]
            .into_iter()
            .any(|of| of.get("requirePartitionFilter").and_then(Value::as_bool).unwrap_or_default());
        let fields = value.get("schema").and_then(Field::parse_schema).unwrap_or_default();
        let kind = fields.iter().find(|field| field.name == column).map(Field::base_type);
        let written = quote_identifier(column, DIALECT);
        let example = match kind {
            Some("INT64") => format!("{written} BETWEEN 0 AND 99"),
            Some("DATETIME") => format!("{written} >= DATETIME '2024-01-01 00:00:00'"),
            Some("DATE") => format!("{written} >= DATE '2024-01-01'"),
            _ => format!("{written} >= TIMESTAMP '2024-01-01 00:00:00+00'"),
        };
        let [dataset, table, column] = [dataset, table, column].map(str::to_owned);
        wanted.then_some(Self { dataset, table, column, example })
    }

    /// Returns true if one of the names, which are in lower case, is the partition column.
    fn is_met(&self, names: &[String]) -> bool {
        let is_named = |column: &str| names.iter().any(|name| name.eq_ignore_ascii_case(column));
        is_named(&self.column) || (ARRIVAL.contains(&self.column.as_str()) && ARRIVAL.iter().any(|name| is_named(name)))
    }

    /// Describes the missing filter for the author of the query.
    pub fn describe_missing(&self) -> String {
        format!(
            "BigQuery reads {} only with a filter on its partition column {}: add a condition on it to the WHERE clause of the \
             SELECT that reads the table, for the period that is meant, e.g. {}",
            self.table, self.column, self.example
        )
    }
}

/// Returns the column by which a table is partitioned, and the settings of a partitioning by time.
pub(super) fn partitioned_by<'a>(value: &'a Value) -> Option<(&'a str, Option<&'a Value>)> {
    let text = |value: Option<&'a Value>| value?.as_str().map(str::trim).filter(|text| !text.is_empty());
    match value.get("timePartitioning") {
        Some(parts) => Some((text(parts.get("field")).unwrap_or(ARRIVAL[0]), Some(parts))),
        None => Some((text(value.pointer("/rangePartitioning/field"))?, None)),
    }
}

/// Returns the first filter that a query certainly lacks. If it is unclear whether the query has the filter, the
/// decision is left to BigQuery.
pub(super) fn find_missing_filter<'f>(
    sql: &str,
    address: &ProjectAddress,
    filters: &'f [PartitionFilter],
) -> Option<&'f PartitionFilter> {
    if filters.is_empty() {
        return None;
    }
    let sql = ReadOnlySql::parse(sql, DIALECT).ok()?;
    let (named, conditions) = (named_tables(&sql)?, condition_names(&sql)?);
    let of = |parts: &Vec<String>| {
        let (dataset, table) = match parts.as_slice() {
            [table] => (address.dataset()?, table),
            [dataset, table] => (dataset.as_str(), table),
            [project, dataset, table] if project == address.project() => (dataset.as_str(), table),
            _ => return None,
        };
        filters.iter().find(|filter| filter.dataset == dataset && is_of(&filter.table, table))
    };
    named.iter().filter_map(of).find(|filter| !filter.is_met(&conditions))
}

/// Returns true if a name in a query refers to a table or to tables of a group.
fn is_of(own: &str, named: &str) -> bool {
    own == named || own.strip_suffix('*').is_some_and(|prefix| named.starts_with(prefix))
}

/// Translates BigQuery's refusal of a query without a required filter; `None` for other messages. For an unknown table,
/// BigQuery's message is extended with advice.
pub(super) fn explain_refusal(message: &str, filters: &[PartitionFilter]) -> Option<String> {
    if !message.contains("partition elimination") || !message.contains("without a filter") {
        return None;
    }
    let named: Vec<&str> = message.split('\'').skip(1).step_by(2).collect();
    let table = named.first().and_then(|path| path.rsplit(['.', ':']).next()).unwrap_or_default();
    let known = filters.iter().find(|filter| is_of(&filter.table, table));
    Some(match known {
        Some(filter) => filter.describe_missing(),
        None => format!(
            "{message}. Add a condition on that column to the WHERE clause of the SELECT that reads the table, for the period \
             that is meant."
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sample_filters() -> Vec<PartitionFilter> {
        let by_day = json!({
            "schema": {"fields": [{"name": "day", "type": "DATE"}]},
            "timePartitioning": {"type": "DAY", "field": "day"}, "requirePartitionFilter": true,
        });
        let by_arrival = json!({"timePartitioning": {"type": "HOUR", "requirePartitionFilter": true}});
        let by_number = json!({
            "schema": {"fields": [{"name": "id", "type": "INTEGER"}]},
            "rangePartitioning": {"field": "id"}, "requirePartitionFilter": true,
        });
        [("visits", by_day.clone()), ("log", by_arrival), ("buyers", by_number), ("events_*", by_day)]
            .into_iter()
            .map(|(table, value)| PartitionFilter::from_table("d", table, &value).unwrap())
            .collect()
    }

    fn missing_filter_table(sql: &str) -> Option<String> {
        let address = ProjectAddress::parse("bigquery://p/d").unwrap();
        find_missing_filter(sql, &address, &sample_filters()).map(|filter| filter.table.clone())
    }

    #[test]
    fn a_query_that_cannot_be_read_without_a_filter_is_told_from_one_that_may_have_it() {
        for (sql, table) in [
            ("SELECT count(*) AS n FROM visits", "visits"),
            ("SELECT day FROM d.visits ORDER BY day", "visits"),
            ("SELECT day, count(*) AS n FROM `p.d.visits` WHERE url = 'day' GROUP BY day", "visits"),
            ("SELECT v.url FROM other AS o JOIN visits AS v ON v.id = o.id WHERE o.url = 'x'", "visits"),
            ("SELECT count(*) AS n FROM log WHERE url = '/'", "log"),
            ("SELECT count(*) AS n FROM buyers", "buyers"),
            ("SELECT count(*) AS n FROM `events_*` WHERE _TABLE_SUFFIX = '20240101'", "events_*"),
            ("SELECT count(*) AS n FROM events_20240101", "events_*"),
        ] {
            assert_eq!(missing_filter_table(sql).as_deref(), Some(table), "{sql}");
        }
        for sql in [
            "SELECT count(*) AS n FROM visits WHERE day >= DATE '2024-01-01'",
            "SELECT count(*) AS n FROM visits AS v WHERE v.DAY BETWEEN DATE '2024-01-01' AND DATE '2024-02-01'",
            "SELECT count(*) AS n FROM (SELECT day AS d, url FROM visits) WHERE d = DATE '2024-01-01'",
            "WITH v AS (SELECT * FROM visits) SELECT count(*) AS n FROM v WHERE day = DATE '2024-01-01'",
            "SELECT v.url FROM days AS o JOIN visits AS v ON v.day = o.day",
            "SELECT v.url FROM days AS o JOIN visits AS v USING (day)",
            "SELECT count(*) AS n FROM log WHERE _PARTITIONDATE = DATE '2024-01-01'",
            "SELECT count(*) AS n FROM buyers WHERE id < 10",
            "SELECT count(*) AS n FROM other",
            "SELECT count(*) AS n FROM q.d.visits",
            "SELECT count(*) AS n FROM e.visits",
        ] {
            assert_eq!(missing_filter_table(sql), None, "{sql}");
        }
    }

    #[test]
    fn what_is_said_names_the_column_and_a_condition_of_its_type() {
        let said: Vec<String> = sample_filters().iter().map(PartitionFilter::describe_missing).collect();
        for (said, condition) in said.iter().zip([
            "day >= DATE '2024-01-01'",
            "_PARTITIONTIME >= TIMESTAMP '2024-01-01 00:00:00+00'",
            "id BETWEEN 0 AND 99",
            "day >= DATE '2024-01-01'",
        ]) {
            assert!(said.ends_with(condition), "{said}");
        }
        assert!(said[0].contains("reads visits only with a filter on its partition column day"), "{}", said[0]);
        let none = json!({"timePartitioning": {"type": "DAY", "field": "day"}});
        assert_eq!(PartitionFilter::from_table("d", "t", &none), None);
    }

    #[test]
    fn googles_refusal_is_read() {
        let message = "Cannot query over table 'p.d.visits' without a filter over column(s) 'day' that can be used for \
                       partition elimination";
        assert_eq!(explain_refusal(message, &sample_filters()), Some(sample_filters()[0].describe_missing()));
        let unknown = explain_refusal(&message.replace("visits", "other"), &sample_filters()).unwrap();
        assert!(unknown.contains("'day'") && unknown.contains("WHERE clause"), "{unknown}");
        assert_eq!(explain_refusal("Unrecognized name: day", &sample_filters()), None);
    }
}
