//! A reply that declines because the database does not contain the requested data. Only models that deliberate are offered this reply; the
//! nearest names that it gives are kept if the database has them.

use crate::attempt::reply::has_fenced;
use crate::run::context::RunContext;
use serde::Deserialize;
use vitrine_domain::{AppError, Catalog, ErrorCode, EventBody, NodeId};
use vitrine_words::tr;

/// A model's report that the data cannot answer a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declined {
    /// Data that no table or column contains.
    pub missing: String,
    /// Nearest tables and columns, as the catalog names them.
    pub nearest: Vec<String>,
}

#[derive(Deserialize)]
struct DeclinedReply {
    not_in_data: String,
    #[serde(default)]
    nearest: Vec<String>,
}

/// Parses a reply that declines. A reply with a query never declines, whatever its other text.
pub fn parse_declined(reply: &str, catalog: &Catalog) -> Option<Declined> {
    if !reply.contains("not_in_data") || has_fenced(reply) {
        return None;
    }
    let written: DeclinedReply = vitrine_llm::parse_json(reply).ok()?;
    Declined::from_names(&written.not_in_data, &written.nearest, catalog)
}

/// Returns a table or a column of a table, as the catalog writes it.
fn resolve_name(name: &str, catalog: &Catalog) -> Option<String> {
    if let Some(table) = catalog.find_table(name) {
        return Some(table.name.to_string());
    }
    let (table, column) = name.rsplit_once('.')?;
    let table = catalog.find_table(table)?;
    Some(format!("{}.{}", table.name, table.find_column(column)?.name))
}

impl Declined {
    /// Creates a report from a model's text; `None` if it names no missing data.
    pub fn from_names(missing: &str, nearest: &[String], catalog: &Catalog) -> Option<Self> {
        let missing = missing.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut found: Vec<String> = Vec::new();
        for name in nearest.iter().filter_map(|name| resolve_name(name, catalog)) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        (!missing.is_empty()).then_some(Self { missing, nearest: found })
    }

    /// Records the report in the run; `candidate` is the number that the reply's query would have had.
    pub fn record_event(&self, context: &RunContext, node: &NodeId, candidate: u32) {
        context.emit(EventBody::NotInData {
            node: node.to_owned(),
            candidate,
            missing: self.missing.clone(),
            nearest: self.nearest.clone(),
        });
    }

    /// Warns if some of `all` replies declined while other queries ran: the declining replies are not answers, but are worth reading.
    pub fn warn_of(declined: &[Self], all: usize, context: &RunContext, node: &NodeId) {
        if let Some(Self { missing, .. }) = declined.first() {
            let count = declined.len();
            context.warn(
                Some(node),
                tr!(
                    "{count} of {all} replies stated that the data does not contain this: {missing}",
                    count,
                    all,
                    missing
                ),
            );
        }
    }

    /// Returns the error that ends a run in which every reply declined.
    pub fn to_error(&self) -> AppError {
        let error =
            AppError::new(ErrorCode::NotInData, tr!("This data does not say: {missing}", missing = self.missing));
        match self.nearest.as_slice() {
            [] => error.with_hint(tr!("Ask about the data in these tables, or connect the database that contains it")),
            nearest => error.with_hint(tr!("The closest data: {nearest}", nearest = nearest.join(", "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::one_table::one_table;
    use vitrine_domain::Dialect;

    fn orders_catalog() -> Catalog {
        one_table(Dialect::Sqlite, "Orders", &["Total", "day"])
    }

    #[test]
    fn what_comes_nearest_is_told_where_the_database_has_it() {
        let reply = "No column holds weather.\n```json\n{\"not_in_data\": \"the weather on a day\", \"nearest\": \
                     [\"orders.day\", \"weather.rain\", \"orders\", \"orders.DAY\"]}\n```";
        let declined = parse_declined(reply, &orders_catalog()).expect("it declines");
        assert_eq!(declined.missing, "the weather on a day");
        assert_eq!(declined.nearest, ["Orders.day", "Orders"]);
        assert_eq!(
            declined.to_error().to_string(),
            "This data does not say: the weather on a day\nhint: The closest data: Orders.day, Orders"
        );
    }

    #[test]
    fn a_query_that_was_only_thought_of_answers_nothing() {
        let reply =
            "<think>Perhaps\n```sql\nSELECT day FROM Orders\n```\nbut no.</think>\n{\"not_in_data\": \"the weather\"}";
        assert_eq!(
            parse_declined(reply, &orders_catalog()).map(|declined| declined.missing).as_deref(),
            Some("the weather")
        );
    }

    #[test]
    fn a_reply_with_a_query_declines_nothing() {
        let catalog = orders_catalog();
        for reply in [
            "It could be not_in_data, but Total is the revenue.\n```sql\nSELECT sum(Total) FROM Orders\n```",
            "SELECT 'not_in_data' AS x",
            "```sql\nSELECT 1 AS not_in_data\n```",
            "{\"not_in_data\": \"a name, perhaps\"}\n```\nSELECT name FROM Orders\n```",
            "{\"not_in_data\": \"\"}",
            "",
        ] {
            assert_eq!(parse_declined(reply, &catalog), None, "{reply}");
        }
    }
}
