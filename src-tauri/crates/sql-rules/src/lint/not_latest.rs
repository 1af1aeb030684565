//! Latest rows by another column: "the latest order" ordered by its amount, although the table has a date.

use sqlparser::ast::{Expr, OrderByKind, OrderBySort, Query, Select, SelectItem};
use sqlparser::tokenizer::Token;
use std::collections::HashSet;
use vitrine_domain::{Catalog, Profile, SemanticKind, Table};
use vitrine_sql::ast::{Relation, each_select, is_in_key, plain_arguments, resolve_column_table};
use vitrine_sql::parse::tokenize_sql;
use vitrine_sql::{ColumnType, DialectExt, ReadOnlySql, name_words, parse_number_word};

/// Words that ask for the latest by themselves, in English, German, French and Spanish.
const LATEST: [&str; 14] = [
    "latest",
    "newest",
    "neueste",
    "neuester",
    "neuestes",
    "neuesten",
    "neuestem",
    "aktuellste",
    "aktuellsten",
    "récent",
    "récente",
    "récents",
    "reciente",
    "recientes",
];
/// Words that ask for the latest unless a period or another order follows.
const LAST: [&str; 15] = [
    "last",
    "letzte",
    "letzter",
    "letztes",
    "letzten",
    "letztem",
    "dernier",
    "dernière",
    "derniers",
    "dernières",
    "último",
    "última",
    "últimos",
    "últimas",
    "recent",
];
/// Beginnings of words next to which "last" is not an order by time: periods, names and places.
const NOT_ORDERED: [&str; 25] = [
    "year",
    "month",
    "week",
    "quarter",
    "hour",
    "minute",
    "decade",
    "century",
    "summer",
    "winter",
    "name",
    "place",
    "digit",
    "letter",
    "jahr",
    "monat",
    "woche",
    "quartal",
    "stund",
    "année",
    "semaine",
    "jour",
    "trimestre",
    "heure",
    "semana",
];
/// Such words that other words begin with.
const NOT_ORDERED_WHOLE: [&str; 17] = [
    "day", "days", "tag", "tage", "tagen", "an", "ans", "mois", "nom", "noms", "año", "años", "mes", "meses", "día",
    "días", "horas",
];

/// A result that is ordered by another column than the time.
pub(crate) struct NotLatest {
    /// Column by which the query orders, or whose maximum it takes.
    pub column: String,
    /// Column with the time, with its table.
    pub time: String,
}

/// Words between "last" and a period: "the last full year", "les deux derniers exercices fiscaux".
const KINDS_OF_PERIOD: [&str; 35] = [
    "fiscal",
    "financial",
    "full",
    "calendar",
    "known",
    "complete",
    "completed",
    "whole",
    "entire",
    "few",
    "couple",
    "several",
    "of",
    "available",
    "recorded",
    "ganze",
    "ganzen",
    "volle",
    "vollen",
    "vollständige",
    "vollständigen",
    "bekannte",
    "bekannten",
    "paar",
    "abgeschlossene",
    "abgeschlossenen",
    "verfügbare",
    "verfügbaren",
    "entier",
    "complet",
    "connu",
    "completo",
    "completos",
    "conocido",
    "entero",
];

/// Returns true if a question asks for what happened last.
pub(crate) fn asks_for_latest(question: &str) -> bool {
    let words = name_words(question);
    words.iter().enumerate().any(|(at, word)| {
        if LATEST.contains(&word.as_str()) {
            return true;
        }
        let is_counted = |next: &str| next.chars().all(|c| c.is_ascii_digit()) || parse_number_word(next).is_some();
        let next =
            words.iter().skip(at + 1).find(|next| !is_counted(next) && !KINDS_OF_PERIOD.contains(&next.as_str()));
        let previous = at.checked_sub(1).and_then(|before| words.get(before)).map(String::as_str);
        match word.as_str() {
            // "Recent" alone has no limit; "most recent" is the latest.
            "recent" => previous == Some("most"),
            last if LAST.contains(&last) => {
                next.is_some_and(|next| !is_not_ordered(next)) && previous.is_none_or(|before| !is_not_ordered(before))
            }
            _ => false,
        }
    })
}

fn is_not_ordered(word: &str) -> bool {
    NOT_ORDERED_WHOLE.contains(&word) || NOT_ORDERED.iter().any(|beginning| word.starts_with(beginning))
}

/// Returns the first SELECT that takes the largest of a column without using the time of its rows.
pub(crate) fn find_not_latest(
    sql: &ReadOnlySql,
    catalog: &Catalog,
    profile: &Profile,
    question: &str,
) -> Option<NotLatest> {
    let used = identifiers_of(sql);
    let asked = name_words(question);
    let mut found = None;
    each_select(sql, catalog, |query, select, tables| {
        let chosen = if found.is_none() { largest_of(query, select) } else { None };
        let Some((table, column)) = chosen.and_then(|expr| resolve_column_table(expr, tables)) else { return };
        let is_named = name_words(column).iter().any(|word| asked.contains(word));
        if is_time(catalog, profile, table, column) || is_in_key(table, column) || is_named || says_time(column) {
            return;
        }
        let times: Vec<(&Table, &str)> = tables
            .iter()
            .flat_map(columns_of)
            .filter(|(table, column)| is_time(catalog, profile, table, column))
            .collect();
        if times.iter().any(|(_, time)| used.contains(&time.to_lowercase())) {
            return;
        }
        let own = times.iter().find(|(of, _)| of.name == table.name).or(times.first());
        found = own.map(|(of, time)| NotLatest { column: column.to_owned(), time: format!("{}.{time}", of.name.name) });
    });
    found
}

/// Returns the names in a query, in lower case.
fn identifiers_of(sql: &ReadOnlySql) -> HashSet<String> {
    let tokens = tokenize_sql(sql.as_str(), sql.dialect()).unwrap_or_default();
    tokens
        .into_iter()
        .filter_map(|token| match token.token {
            Token::Word(word) => Some(word.value.to_lowercase()),
            // Quotes of names in some dialects.
            Token::DoubleQuotedString(name) => Some(name.to_lowercase()),
            _ => None,
        })
        .collect()
}

fn columns_of<'c>(relation: &Relation<'c>) -> impl Iterator<Item = (&'c Table, &'c str)> {
    let table = relation.table;
    table.columns.iter().map(move |column| (table, column.name.as_str()))
}

/// Returns the column whose largest value decides: the first key of a descending order with a limit, or the argument of
/// the only MAX.
fn largest_of<'q>(query: &'q Query, select: &'q Select) -> Option<&'q Expr> {
    let is_cut = query.limit_clause.is_some() || query.fetch.is_some() || select.top.is_some();
    let keys = match query.order_by.as_ref().map(|order| &order.kind) {
        Some(OrderByKind::Expressions(keys)) if is_cut => keys.as_slice(),
        _ => &[],
    };
    if let Some(key) = keys.first() {
        return matches!(key.options.sort, Some(OrderBySort::Desc)).then_some(&key.expr);
    }
    let [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] = select.projection.as_slice() else {
        return None;
    };
    match expr {
        Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("max") => {
            plain_arguments(function)?.into_iter().next()
        }
        _ => None,
    }
}

fn is_time(catalog: &Catalog, profile: &Profile, table: &Table, name: &str) -> bool {
    let Some(column) = table.find_column(name) else { return false };
    let declared = catalog.dialect.sql().column_type(&column.data_type);
    matches!(declared, ColumnType::Date | ColumnType::Timestamp)
        || profile
            .find_table(&table.name)
            .and_then(|known| known.find_column(name))
            .is_some_and(|known| known.kind == SemanticKind::Time)
}

/// Returns true for numbers that follow the time, such as years and versions.
fn says_time(column: &str) -> bool {
    const WORDS: [&str; 14] = [
        "year", "month", "day", "date", "time", "jahr", "monat", "datum", "annee", "mois", "fecha", "version",
        "season", "round",
    ];
    let lower = column.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::Dialect;

    #[test]
    fn questions_for_the_latest_are_recognized_in_four_languages() {
        for question in [
            "What is the latest order?",
            "Show the most recent payment of each customer",
            "What did Ann buy in her last order?",
            "Show the last 5 orders",
            "Was war die letzte Bestellung von Ann?",
            "Zeigen Sie die neuesten drei Rechnungen",
            "Show the last two orders",
            "the last full order",
            "Quelle est la dernière commande ?",
            "la commande la plus récente",
            "¿Cuál es el último pedido?",
        ] {
            assert!(asks_for_latest(question), "{question}");
        }
        for question in [
            "Revenue of last year",
            "Orders of the last 30 days",
            "What are the last names of all students?",
            "Umsatz im letzten Jahr",
            "Bestellungen der letzten 12 Monate",
            "chiffre d'affaires des 3 derniers mois",
            "le chiffre d'affaires de l'année dernière",
            "Ventas del último trimestre",
            "Revenue of the last two years",
            "Umsatz der letzten zwei Jahre",
            "les deux dernières années",
            "Ventas de los últimos tres años",
            "Revenue of the last fiscal year",
            "Revenue of the last full calendar month",
            "Revenue of the last couple of weeks",
            "Umsatz im letzten abgeschlossenen Quartal",
            "Which customers are recent?",
            "What is the largest order?",
        ] {
            assert!(!asks_for_latest(question), "{question}");
        }
    }

    #[test]
    fn an_order_by_another_column_than_the_time_is_found() {
        let columns =
            [("id", "INTEGER"), ("customer", "TEXT"), ("amount", "REAL"), ("version", "INTEGER"), ("placed", "DATE")];
        let catalog = catalog_with(Dialect::Duckdb, vec![typed_table("orders", &columns, &["id"], &[])]);
        let profile = Profile::default();
        let found = |sql: &str| {
            let sql = ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap();
            find_not_latest(&sql, &catalog, &profile, "What is the latest order?")
                .map(|found| (found.column, found.time))
        };
        let expected = Some(("amount".to_owned(), "orders.placed".to_owned()));
        assert_eq!(found("SELECT id FROM orders ORDER BY amount DESC LIMIT 1"), expected);
        assert_eq!(found("SELECT MAX(amount) FROM orders"), expected);
        assert_eq!(found("SELECT id FROM orders WHERE amount = (SELECT MAX(amount) FROM orders)"), expected);
        // A longer name contains the name of the time.
        assert_eq!(found("SELECT id AS placed_by FROM orders ORDER BY amount DESC LIMIT 1"), expected);
        assert_eq!(found("SELECT id, 'not placed' FROM orders ORDER BY amount DESC LIMIT 1"), expected);
        for sql in [
            "SELECT id FROM orders ORDER BY placed DESC LIMIT 1",
            "SELECT MAX(placed) FROM orders",
            "SELECT id FROM orders ORDER BY id DESC LIMIT 1",
            "SELECT id FROM orders ORDER BY version DESC LIMIT 1",
            "SELECT id FROM orders ORDER BY amount LIMIT 1",
            "SELECT id FROM orders ORDER BY amount DESC",
            "SELECT id FROM orders WHERE placed = (SELECT MAX(placed) FROM orders) ORDER BY amount DESC LIMIT 1",
            "SELECT MAX(amount), COUNT(*) FROM orders",
            "SELECT id FROM orders WHERE \"Placed\" IS NOT NULL ORDER BY amount DESC LIMIT 1",
        ] {
            assert_eq!(found(sql), None, "{sql}");
        }
    }
}
