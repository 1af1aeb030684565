//! Value hints: literals of a query compared with stored values (AV-SQL, 4.1.3), worded for a prompt.

use crate::run::context::RunContext;
use crate::schema::selection::table_as_written;
use vitrine_domain::{
    Catalog, ColumnProfile, EventBody, ModelProfile, NodeId, Profile, Table, TableProfile, ValueMatch,
};
use vitrine_sql::{Literal, ReadOnlySql, normalize_name, quote_identifier};
use vitrine_sql_rules::values::{self, StoredName};
use vitrine_values::{SearchTerm, is_variant};
use vitrine_warehouse::WarehouseUri;
use vitrine_words::tr;

/// Maximum number of lines in one prompt, and in one for a model that deliberates.
const LINES: usize = 8;
const MANY_LINES: usize = 24;
/// Number of stored values shown for a literal that is not stored in any spelling.
const ALTERNATIVES: usize = 2;

/// Literals of a query with their matches in the value index.
pub struct LiteralMatches {
    /// Literals as the query contains them.
    pub literals: Vec<Literal>,
    /// Stored values similar to the literals.
    pub matches: Vec<ValueMatch>,
    /// Stored values of paths within nested columns (`address.country`), which the value index does not contain.
    pub nested: Vec<ValueMatch>,
    /// Texts of literals that may be stored in rows that were not read.
    pub unread: Vec<String>,
}

/// Looks up a query's literals in the value index.
pub async fn look_up(context: &RunContext, node: &NodeId, sql: &ReadOnlySql) -> LiteralMatches {
    let literals = vitrine_sql::collect_literals(sql);
    let terms = literals
        .iter()
        .map(|l| SearchTerm { text: l.text.clone(), column: l.column.clone(), table: l.table.clone() })
        .collect();
    let matches = context.retrieve_values(node, terms).await;
    let ask = &context.ask;
    let nested =
        match_nested_values(&vitrine_sql::bind_names(sql, &ask.data.catalog).tables, &ask.data.profile, &literals);
    if !nested.is_empty() {
        let literals = nested.iter().map(|found| found.literal.clone()).collect();
        context.emit(EventBody::ValuesRetrieved { node: node.to_owned(), literals, matches: nested.clone() });
    }
    let unread = find_unread_literals(
        &ask.data.uri,
        &ask.data.catalog,
        &ask.data.profile,
        &literals,
        &[&*matches, &*nested].concat(),
    );
    LiteralMatches { literals, matches, nested, unread }
}

/// Returns literals that are among the most frequent values of paths within nested columns of these tables, in any spelling.
fn match_nested_values(tables: &[String], profile: &Profile, literals: &[Literal]) -> Vec<ValueMatch> {
    let read = profile.tables.iter().filter(|read| tables.contains(&read.table.to_string()));
    let places = read.flat_map(|read| {
        let of = |column: &'_ ColumnProfile| (read.table.to_string(), column.name.clone());
        read.columns.iter().flat_map(move |column| column.fields.iter().map(move |place| (of(column), place)))
    });
    let mut found = Vec::new();
    for ((table, column), place) in places {
        // A member of a list has no dot before it: `items[].sku`.
        let dot = if place.name.starts_with('[') { "" } else { "." };
        for literal in literals {
            let stored = place.top.iter().find(|(value, _)| normalize_name(value) == normalize_name(&literal.text));
            found.extend(stored.map(|(value, _)| ValueMatch {
                literal: literal.text.clone(),
                table: table.clone(),
                column: format!("{column}{dot}{}", place.name),
                value: value.clone(),
                edit: 1.0,
                semantic: None,
            }));
        }
    }
    found
}

/// Returns true if a value may belong to the column that a literal is compared with. A query names a path within a nested column by its
/// last part after dots, or by its first part if the path is a string.
fn is_of(column: &str, found: &ValueMatch) -> bool {
    let place = &found.column;
    place.eq_ignore_ascii_case(column)
        || place.split_once(['.', '[']).is_some_and(|(first, _)| first.eq_ignore_ascii_case(column))
        || place.rsplit_once('.').is_some_and(|(_, last)| last.eq_ignore_ascii_case(column))
}

/// Returns the literals that may be stored in rows that were not read: if only some rows of each table are read in advance, the index
/// contains only their values.
fn find_unread_literals(
    uri: &str,
    catalog: &Catalog,
    profile: &Profile,
    literals: &[Literal],
    matches: &[ValueMatch],
) -> Vec<String> {
    if !WarehouseUri::parse(uri).is_ok_and(|uri| uri.kind().info().reading_ahead.is_bounded()) {
        return Vec::new();
    }
    let is_whole = |table: &Table| profile.find_table(&table.name).is_some_and(TableProfile::is_whole);
    let may_hold = |literal: &Literal, table: &Table| {
        let column = literal.column.as_deref();
        let named = literal
            .table
            .as_deref()
            .is_none_or(|name| catalog.find_table(name).is_none_or(|own| own.name == table.name));
        let is_found = |found: &ValueMatch| {
            found.literal == literal.text && catalog.find_table(&found.table).is_some_and(|own| own.name == table.name)
        };
        column.is_some_and(|column| named && table.find_column(column).is_some()) || matches.iter().any(is_found)
    };
    let is_unread = |literal: &&Literal| catalog.tables.iter().any(|t| may_hold(literal, t) && !is_whole(t));
    literals.iter().filter(is_unread).map(|literal| literal.text.clone()).collect()
}

impl LiteralMatches {
    /// Returns the matches of a literal, and the match that is the literal itself in the column it is compared with.
    fn find_matches(&self, literal: &Literal) -> (Vec<&ValueMatch>, Option<&ValueMatch>) {
        let all = self.matches.iter().chain(&self.nested);
        let matches: Vec<&ValueMatch> = all.filter(|m| m.literal == literal.text).collect();
        let in_column = |m: &&ValueMatch| literal.column.as_ref().is_none_or(|c| is_of(c, m));
        let exact = matches.iter().copied().filter(in_column).find(|m| m.value == literal.text);
        (matches, exact)
    }

    /// Describes literals that their column does not store, or that were not read, if a similar value exists.
    pub fn describe_missing(&self) -> Vec<String> {
        let told = |literal: &Literal| {
            let (matches, exact) = self.find_matches(literal);
            let nearest: Vec<String> =
                matches.iter().take(3).map(|m| format!("{}.{} = '{}'", m.table, m.column, m.value)).collect();
            let (text, nearest_said) = (&literal.text, nearest.join(", "));
            (exact.is_none() && !nearest.is_empty()).then(|| match self.unread.contains(text) {
                true => format!(
                    "the value '{text}' is not in the rows that were read of the table; in them are {nearest_said}"
                ),
                false => format!("the value '{text}' is not stored; stored are {nearest_said}"),
            })
        };
        self.literals.iter().filter_map(told).collect()
    }

    /// Replaces every literal that is stored in exactly one other spelling; returns the query and the changes.
    pub fn as_stored(&self, sql: &ReadOnlySql) -> Option<(ReadOnlySql, String)> {
        let mut respelt = sql.clone();
        let mut changes = Vec::new();
        for literal in &self.literals {
            let (matches, exact) = self.find_matches(literal);
            let here = |m: &&&ValueMatch| literal.column.as_ref().is_some_and(|c| is_of(c, m));
            let mut stored: Vec<&str> = matches
                .iter()
                .filter(here)
                .filter(|m| is_variant(&m.value, &literal.text))
                .map(|m| m.value.as_str())
                .collect();
            stored.dedup();
            if let (None, [value]) = (exact, stored.as_slice()) {
                respelt = values::replace_literal(&respelt, &literal.text, value)?;
                changes.push(tr!("'{text}' is stored as '{value}'", text = literal.text, value));
            }
        }
        (!changes.is_empty()).then(|| (respelt, changes.join("; ")))
    }

    /// Replaces every key that is compared with a name from one column of its target table by a lookup of that name; returns the query and
    /// the changes.
    pub fn by_name(&self, sql: &ReadOnlySql, catalog: &Catalog) -> Option<(ReadOnlySql, String)> {
        let mut named = sql.clone();
        let mut changes = Vec::new();
        for literal in &self.literals {
            let (matches, exact) = self.find_matches(literal);
            let stored = matches.iter().filter(|m| is_variant(&m.value, &literal.text) || m.value == literal.text);
            let is_column = |m: &&&ValueMatch| !self.nested.contains(m);
            for m in stored.filter(is_column).filter(|_| exact.is_none()) {
                let place = StoredName { table: &m.table, column: &m.column, value: &m.value };
                if let Some(next) = values::key_by_name(&named, catalog, &literal.text, place) {
                    named = next;
                    changes.push(tr!(
                        "'{text}' is looked up in {table}.{column}",
                        text = literal.text,
                        table = m.table,
                        column = m.column
                    ));
                }
            }
        }
        (!changes.is_empty()).then(|| (named, changes.join("; ")))
    }

    /// Describes literals whose column has further spelling variants that the query does not list, so that rows would be lost silently.
    pub fn describe_partial(&self) -> Vec<String> {
        let told = |literal: &Literal| {
            let (matches, exact) = self.find_matches(literal);
            let here = exact?;
            let writings = spelling_variants(&matches, here);
            let named = |writing: &&str| self.literals.iter().any(|l| l.text == *writing);
            (!writings.iter().all(named)).then(|| {
                let ValueMatch { table, column, .. } = here;
                let list = sql_value_list(&writings);
                format!("{table}.{column} writes '{}' in several ways, use {column} IN {list}", literal.text)
            })
        };
        self.literals.iter().filter_map(told).collect()
    }
}

/// Compares every value with all known spelling variants of its column; returns the query and the changes.
pub fn add_spelling_variants(matches: &[ValueMatch], sql: &ReadOnlySql) -> Option<(ReadOnlySql, String)> {
    let all: Vec<&ValueMatch> = matches.iter().collect();
    let mut completed = sql.clone();
    let mut notes: Vec<String> = Vec::new();
    for m in distinct_columns(&all) {
        for literal in all.iter().filter(|o| o.table == m.table && o.column == m.column) {
            let writings = spelling_variants(&all, literal);
            if writings.len() > 1
                && let Some(next) = values::add_variants(&completed, &m.column, &writings)
            {
                completed = next;
                notes.push(tr!(
                    "{column} is compared with {values}",
                    column = m.column,
                    values = sql_value_list(&writings)
                ));
            }
        }
    }
    (!notes.is_empty()).then(|| (completed, notes.join("; ")))
}

/// Returns one line for each column that stores a literal, with all its spelling variants there; if no column does, the most similar
/// values. `customer.country IN ('USA', 'US')`, `car.make = 'Ford' (for 'Frod')`. The number of lines is the limit for models of this
/// profile.
pub fn value_lines(profile: &ModelProfile, catalog: &Catalog, matches: &[ValueMatch]) -> Vec<String> {
    let most = if profile.deliberates { MANY_LINES } else { LINES };
    let mut lines: Vec<String> = Vec::new();
    let mut said: Vec<String> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for literal in matches.iter().map(|m| m.literal.as_str()) {
        if seen.contains(&literal) {
            continue;
        }
        seen.push(literal);
        let found: Vec<&ValueMatch> = matches.iter().filter(|m| m.literal == literal).collect();
        let mut stored: Vec<(&ValueMatch, Vec<&str>)> = distinct_columns(&found)
            .into_iter()
            .map(|m| (m, spelling_variants(&found, m)))
            .filter(|(_, writings)| !writings.is_empty())
            .collect();
        // "Burt Dukakis" is two values. The value BURT, which starts it like a code would, covers only half of it.
        let is_whole = |(_, writings): &(&ValueMatch, Vec<&str>)| {
            writings.iter().any(|w| normalize_name(w) == normalize_name(literal))
        };
        // If a column stores a value completely, a code in another column of the same table is not meant: SR in "Socialist Republic" is the
        // code of a country. A model that deliberates recognizes this itself.
        let whole: Vec<&str> = stored.iter().filter(|m| is_whole(m)).map(|(m, _)| m.table.as_str()).collect();
        stored.retain(|m| profile.deliberates || is_whole(m) || !whole.contains(&m.0.table.as_str()));
        if !stored.is_empty() && !stored.iter().any(is_whole) {
            let words: Vec<String> = literal.split_whitespace().map(normalize_name).collect();
            let is_word = |m: &&ValueMatch| words.contains(&normalize_name(&m.value));
            let told = |m: &ValueMatch| stored.iter().any(|(own, _)| own.table == m.table && own.column == m.column);
            let more: Vec<&ValueMatch> =
                distinct_columns(&found).into_iter().filter(is_word).filter(|m| !told(m)).collect();
            stored.extend(more.into_iter().map(|m| (m, vec![m.value.as_str()])));
        }
        let told: Vec<(&ValueMatch, Vec<&str>)> = if stored.is_empty() {
            found.iter().take(ALTERNATIVES).map(|m| (*m, vec![m.value.as_str()])).collect()
        } else {
            stored
        };
        for (m, values) in told {
            let (line, place) = (
                render_match_line(m, &values, catalog),
                format!("{}.{} {}", m.table, m.column, sql_value_list(&values)),
            );
            // A value that question and knowledge name in two ways is listed once. Small models were measured without this rule.
            let repeats = lines.contains(&line) || profile.deliberates && said.contains(&place);
            if !repeats && lines.len() < most {
                lines.push(line);
                said.push(place);
            }
        }
    }
    lines
}

/// Returns the spelling variants of the literal of `at` in its column, the literal itself first.
fn spelling_variants<'a>(matches: &[&'a ValueMatch], at: &ValueMatch) -> Vec<&'a str> {
    let here = matches.iter().filter(|m| m.literal == at.literal && m.table == at.table && m.column == at.column);
    let mut values: Vec<&str> = Vec::new();
    for m in here {
        if (m.value == m.literal || is_variant(&m.value, &m.literal)) && !values.contains(&m.value.as_str()) {
            values.push(&m.value);
        }
    }
    // A short code that begins several different values abbreviates none of them: AIR is neither Airline nor Airblade.
    let one_thing = values.iter().all(|a| values.iter().all(|b| a == b || is_variant(a, b)));
    if !one_thing {
        values.retain(|value| normalize_name(value) == normalize_name(&at.literal));
    }
    values.sort_by_key(|value| *value != at.literal);
    values
}

/// Formats values as an SQL list: `('USA', 'US')`.
fn sql_value_list(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| quote_literal(value)).collect();
    format!("({})", quoted.join(", "))
}

/// Formats a value as an SQL literal.
fn quote_literal(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

/// Returns one match of each column.
fn distinct_columns<'a>(matches: &[&'a ValueMatch]) -> Vec<&'a ValueMatch> {
    let mut columns: Vec<&ValueMatch> = Vec::new();
    for m in matches {
        if !columns.iter().any(|c| c.table == m.table && c.column == m.column) {
            columns.push(m);
        }
    }
    columns
}

fn render_match_line(m: &ValueMatch, values: &[&str], catalog: &Catalog) -> String {
    // A model copies the names of its prompt, so names that need quotes are quoted there.
    let column = catalog.find_table(&m.table).and_then(|table| table.find_column(&m.column));
    let column = column.map_or_else(|| m.column.clone(), |column| quote_identifier(&column.name, catalog.dialect));
    let table = table_as_written(&m.table, catalog);
    match values {
        [value] => {
            let told = format!("{table}.{column} = {}", quote_literal(value));
            if *value == m.literal { told } else { format!("{told} (for '{}')", m.literal) }
        }
        several => format!("{table}.{column} IN {}", sql_value_list(several)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::one_table::one_table;
    use vitrine_domain::{Dialect, TableName};

    fn value_match(literal: &str, column: &str, value: &str) -> ValueMatch {
        ValueMatch {
            literal: literal.into(),
            table: "t".into(),
            column: column.into(),
            value: value.into(),
            edit: 0.6,
            semantic: None,
        }
    }

    fn shop_catalog() -> Catalog {
        one_table(Dialect::Sqlite, "t", &["name", "country"])
    }

    #[test]
    fn names_that_need_quotes_have_them_in_the_lines() {
        let catalog = one_table(Dialect::Duckdb, "t", &["Land (ISO)", "country"]);
        let matches = [value_match("DE", "Land (ISO)", "DE"), value_match("Peru", "country", "Peru")];
        assert_eq!(
            value_lines(&ModelProfile::default(), &catalog, &matches),
            ["t.\"Land (ISO)\" = 'DE'", "t.country = 'Peru'"]
        );
    }

    #[test]
    fn a_name_of_two_values_is_told_whole_and_a_code_with_its_noun_as_before() {
        let small = ModelProfile { deliberates: false, ..ModelProfile::default() };
        let told = |found: &[ValueMatch]| value_lines(&small, &shop_catalog(), found);
        let burt = |column, value| value_match("Burt Dukakis", column, value);
        assert_eq!(
            told(&[burt("last_name", "DUKAKIS"), burt("first_name", "BURT"), burt("nick", "DUKE")]),
            ["t.first_name = 'BURT' (for 'Burt Dukakis')", "t.last_name = 'DUKAKIS' (for 'Burt Dukakis')"]
        );
        let hr = |column, value| value_match("HR Department", column, value);
        assert_eq!(told(&[hr("dept", "HR"), hr("unit", "Finance")]), ["t.dept = 'HR' (for 'HR Department')"]);
        let usa = |column, value| value_match("United States", column, value);
        assert_eq!(
            told(&[usa("country", "United States"), usa("code", "US"), usa("word", "United")]),
            ["t.country = 'United States'"],
            "what is stored whole has no halves, and needs no code in the same rows"
        );
        assert_eq!(
            value_lines(
                &ModelProfile::default(),
                &shop_catalog(),
                &[usa("country", "United States"), usa("code", "US")]
            )
            .len(),
            2,
            "a model that deliberates is told both"
        );
        let elsewhere = ValueMatch { table: "orders".into(), ..usa("code", "US") };
        assert_eq!(
            told(&[usa("country", "United States"), elsewhere]),
            ["t.country = 'United States'", "orders.code = 'US' (for 'United States')"]
        );
    }

    #[test]
    fn a_value_is_said_not_to_be_stored_only_where_all_rows_were_read() {
        let catalog = one_table(Dialect::Clickhouse, "shop", &["city"]);
        let matches = vec![ValueMatch { table: "shop".into(), ..value_match("Bern", "city", "Basel") }];
        let told = |uri: &str, row_count: Option<u64>, table: Option<&str>| {
            let known = TableProfile {
                table: catalog.tables[0].name.clone(),
                row_count,
                profiled_rows: 1_000,
                columns: Vec::new(),
            };
            let profile = Profile { tables: vec![known], ..Profile::default() };
            let literal = Literal { text: "Bern".into(), column: Some("city".into()), table: table.map(str::to_owned) };
            let literals = vec![literal];
            let unread = find_unread_literals(uri, &catalog, &profile, &literals, &matches);
            LiteralMatches { literals, matches: matches.clone(), nested: Vec::new(), unread }
                .describe_missing()
                .join("")
        };
        let (cloud, whole) =
            ("clickhouse://ann@localhost:8123/shop", "the value 'Bern' is not stored; stored are shop.city = 'Basel'");
        for table in [None, Some("shop"), Some("s")] {
            for sample in [None, Some(5_000)] {
                let said = told(cloud, sample, table);
                assert!(said.contains("not in the rows that were read") && !said.contains("stored"), "{said}");
            }
            assert_eq!(told(cloud, Some(1_000), table), whole);
            // The index of the user's own database has every value, regardless of the rows that the profile covers.
            assert_eq!(told("sqlite:/shop.db", Some(5_000), table), whole);
        }
    }

    #[test]
    fn a_value_of_another_field_of_a_document_is_told_and_one_of_its_own_is_not() {
        let place = |name: &str, values: &[&str]| ColumnProfile {
            name: name.into(),
            top: values.iter().map(|value| ((*value).to_owned(), 2)).collect(),
            ..ColumnProfile::default()
        };
        let fields = vec![place("city", &["Bern", "Lima"]), place("country", &["Switzerland", "Peru"])];
        let columns = vec![ColumnProfile { name: "address".into(), fields, ..ColumnProfile::default() }];
        let read =
            TableProfile { table: TableName::from_unqualified("t"), row_count: Some(4), profiled_rows: 4, columns };
        let profile = Profile { tables: vec![read], ..Profile::default() };
        let told = |condition: &str, dialect| {
            let sql = ReadOnlySql::parse(&format!("SELECT COUNT(*) FROM t WHERE {condition}"), dialect).unwrap();
            let literals = vitrine_sql::collect_literals(&sql);
            let nested = match_nested_values(&["t".to_owned()], &profile, &literals);
            let looked_up = LiteralMatches { literals, matches: Vec::new(), nested, unread: Vec::new() };
            let respelt = looked_up.as_stored(&sql).map(|(sql, _)| sql.as_str().to_owned()).unwrap_or_default();
            (looked_up.describe_missing().join(""), respelt)
        };
        let (missing, _) = told("address.city = 'Switzerland'", Dialect::Trino);
        assert_eq!(missing, "the value 'Switzerland' is not stored; stored are t.address.country = 'Switzerland'");
        let (_, respelt) = told("t.address.country = 'peru'", Dialect::Duckdb);
        assert!(respelt.ends_with("t.address.country = 'Peru'"), "{respelt}");
        for (condition, dialect) in [
            ("address.country = 'Switzerland'", Dialect::Bigquery),
            ("t.address.city IN ('Bern', 'Oslo')", Dialect::Duckdb),
            // The key is in a string.
            ("address->>'city' = 'Switzerland'", Dialect::Postgres),
            ("address:country::STRING = 'Peru'", Dialect::Snowflake),
        ] {
            assert_eq!(told(condition, dialect), Default::default(), "{condition}");
        }
    }

    #[test]
    fn every_writing_of_a_column_is_told_and_what_is_only_alike_is_not() {
        let matches = [
            value_match("USA", "country", "USA"),
            value_match("USA", "country", "United States"),
            value_match("USA", "country", "US"),
            value_match("USA", "state", "Utah"),
            value_match("Frod", "make", "Ford"),
            value_match("Frod", "make", "Ford GT"),
            value_match("Frod", "make", "Food"),
        ];
        assert_eq!(
            value_lines(&ModelProfile::default(), &shop_catalog(), &matches),
            [
                "t.country IN ('USA', 'United States', 'US')",
                "t.make = 'Ford' (for 'Frod')",
                "t.make = 'Ford GT' (for 'Frod')"
            ]
        );
    }

    #[test]
    fn a_value_that_two_words_name_is_told_once_to_a_model_that_deliberates() {
        let matches = [
            value_match("Action", "name", "Action"),
            value_match("action", "name", "Action"),
            value_match("Drama", "name", "Drama"),
        ];
        let small = ModelProfile { deliberates: false, ..ModelProfile::default() };
        assert_eq!(
            value_lines(&ModelProfile::default(), &shop_catalog(), &matches),
            ["t.name = 'Action'", "t.name = 'Drama'"]
        );
        assert_eq!(
            value_lines(&small, &shop_catalog(), &matches),
            ["t.name = 'Action'", "t.name = 'Action' (for 'action')", "t.name = 'Drama'"]
        );
    }

    #[test]
    fn a_model_that_deliberates_is_shown_more_lines_and_another_few() {
        let many: Vec<ValueMatch> = (0..30).map(|n| value_match(&format!("v{n}"), "c", &format!("v{n}"))).collect();
        let small = ModelProfile { deliberates: false, ..ModelProfile::default() };
        assert_eq!(
            [
                value_lines(&ModelProfile::default(), &shop_catalog(), &many).len(),
                value_lines(&small, &shop_catalog(), &many).len()
            ],
            [24, 8]
        );
    }

    #[test]
    fn a_code_that_begins_several_things_stands_for_none_of_them() {
        let matches =
            ["AIR", "Airline Tycoon", "Airblade", "A.I.R."].map(|value| value_match("AIR", "game", value)).to_vec();
        let all: Vec<&ValueMatch> = matches.iter().collect();
        assert_eq!(spelling_variants(&all, &matches[0]), ["AIR", "A.I.R."]);
        assert_eq!(
            spelling_variants(&all[..2], &matches[0]),
            ["AIR", "Airline Tycoon"],
            "one alone may be what it stands for"
        );
    }
}
