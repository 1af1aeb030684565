//! Averages over parts instead of wholes: "the average order value" computed as the average of order lines. Only the
//! user knows the intended meaning, so the average over the wholes is a variant of the answer.

use crate::RuleInput;
use crate::repair::each_select;
use crate::words::singular_words;
use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, OrderBy, Query, Select, SelectItem,
};
use vitrine_domain::{Profile, Table, TableName};
use vitrine_sql::ast::{
    ColumnReferences, Grain, InScope, Matches, Relation, collect_aggregate_names, iter_relations, last_part,
    parse_expr, qualified_column, resolve_column_index, visit_tree,
};
use vitrine_words::tr;

/// Divides the sum by the number of wholes.
pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, order_by, scope| {
        over_wholes(select, order_by.as_ref(), scope, input).into_iter().collect()
    })
}

fn over_wholes(
    select: &mut Select,
    order_by: Option<&OrderBy>,
    scope: &InScope<'_>,
    input: &RuleInput<'_>,
) -> Option<String> {
    let tables: Vec<Relation<'_>> = iter_relations(select, scope).collect::<Option<_>>()?;
    if !collect_aggregate_names(&select.having).is_empty()
        || order_by.is_some_and(|order| !collect_aggregate_names(order).is_empty())
    {
        return None;
    }
    let found = select.projection.iter().enumerate().find_map(|(column, item)| {
        let (expr, alias) = match item {
            SelectItem::UnnamedExpr(expr) => (expr, ""),
            SelectItem::ExprWithAlias { expr, alias } => (expr, alias.value.as_str()),
            _ => return None,
        };
        let (at, measure) = averaged_columns(expr, &tables)?;
        let part = PartTable::from_table(tables[at].table, input.profile)?;
        let said = [singular_words(&input.facts.asked), singular_words(alias)].concat();
        part.is_meant(&said, &measure).then_some((column, at, part))
    });
    let (column, at, part) = found?;
    // A join that repeats a part would add it twice.
    if Grain::from_select(select, &tables).count_repeats(at) != Matches::One {
        return None;
    }
    let key = qualified_column(&tables[at].alias, part.key, scope.dialect);
    let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = &mut select.projection[column]
    else {
        return None;
    };
    let divided = format!("1.0 * SUM({}) / COUNT(DISTINCT {key})", only_argument(expr)?);
    *expr = parse_expr(&divided, scope.dialect)?;
    let (whole, part) = (part.whole, &tables[at].table.name);
    Some(tr!("Averaged over {whole}: {part} has several rows for each of them", whole, part))
}

/// Returns the table whose rows an `AVG` averages, and the columns in it.
fn averaged_columns(expr: &Expr, tables: &[Relation<'_>]) -> Option<(usize, Vec<String>)> {
    let Expr::Function(function) = expr else { return None };
    let is_plain = function.filter.is_none() && function.over.is_none();
    let is_average = last_part(&function.name).is_some_and(|name| name.value.eq_ignore_ascii_case("avg"));
    if !(is_plain && is_average) {
        return None;
    }
    let argument = only_argument(expr)?;
    let mut names = ColumnReferences::default();
    let _ = visit_tree(argument, &mut names);
    let bare = names.bare.iter().map(|name| Expr::Identifier(Ident::new(name)));
    let qualified = names.columns.iter().map(|(of, name)| Expr::CompoundIdentifier(vec![of.clone(), Ident::new(name)]));
    let places: Vec<(usize, String)> = bare
        .chain(qualified)
        .map(|column| resolve_column_index(&column, tables).map(|(at, name)| (at, name.to_owned())))
        .collect::<Option<_>>()?;
    let at = places.first()?.0;
    places.iter().all(|(other, _)| *other == at).then(|| (at, places.into_iter().map(|(_, name)| name).collect()))
}

/// Returns the only argument of a function without DISTINCT.
fn only_argument(expr: &Expr) -> Option<&Expr> {
    let Expr::Function(function) = expr else { return None };
    match &function.args {
        FunctionArguments::List(list) if list.duplicate_treatment.is_none() => match list.args.as_slice() {
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))] => Some(argument),
            _ => None,
        },
        _ => None,
    }
}

/// A table whose rows are parts of another table's rows, numbered from 1 for each.
struct PartTable<'t> {
    whole: &'t TableName,
    /// The foreign key column to the whole.
    key: &'t str,
    table: &'t Table,
}

impl<'t> PartTable<'t> {
    /// Recognizes a part table by its primary key: the key of the whole, and a column whose values number the parts of
    /// each whole, so that 1 is the most frequent, 2 less so, and so on. Months or stores next to the key of the whole
    /// do not have this distribution.
    fn from_table(table: &'t Table, profile: &Profile) -> Option<Self> {
        let [one, other] = table.primary_key.as_slice() else { return None };
        let refers = |column: &str| {
            let mut keys = table.foreign_keys.iter();
            keys.find(|key| matches!(key.columns.as_slice(), [own] if own.eq_ignore_ascii_case(column)))
        };
        let (key, whole, number) = match (refers(one), refers(other)) {
            (Some(key), None) => (one, &key.ref_table, other),
            (None, Some(key)) => (other, &key.ref_table, one),
            _ => return None,
        };
        let column = profile.find_table(&table.name)?.columns.iter().find(|column| column.name == *number)?;
        let mut counts: Vec<(u64, u64)> =
            column.top.iter().map(|(value, rows)| Some((value.parse().ok()?, *rows))).collect::<Option<_>>()?;
        counts.sort_unstable();
        let numbers = counts.iter().zip(1..).all(|((number, _), expected)| *number == expected);
        let fewer = counts.windows(2).all(|two| two[0].1 > two[1].1);
        (counts.len() > 1 && numbers && fewer).then_some(Self { whole, key, table })
    }

    /// Returns true if words mention the whole, but neither the part nor the measure.
    fn is_meant(&self, said: &[String], measure: &[String]) -> bool {
        let whole = singular_words(&self.whole.name);
        let own = singular_words(&self.table.name.name).into_iter().filter(|word| !whole.contains(word));
        let mut others = own.chain(measure.iter().flat_map(|column| singular_words(column)));
        whole.iter().all(|word| said.contains(word)) && !others.any(|word| said.contains(&word))
    }
}

#[cfg(test)]
mod tests {
    use crate::fixtures::{catalog_with, rule_input, typed_table};
    use crate::{QuestionFacts, find_variants};
    use vitrine_domain::{ColumnProfile, Dialect, Profile, TableName, TableProfile};
    use vitrine_sql::ReadOnlySql;

    const FALLING: [u64; 3] = [900, 600, 100];
    const EVEN: [u64; 3] = [900, 900, 900];

    /// Returns the variant for orders with lines; `lines` holds the number of lines with each line number.
    fn find_variant(lines: [u64; 3], question: &str, sql: &str) -> Option<String> {
        let key = ["order_id", "line_no"];
        let refers = [("order_id", "orders", "order_id")];
        let columns = [("order_id", "INTEGER"), ("line_no", "INTEGER"), ("net_amt", "REAL"), ("disc_pct", "INTEGER")];
        let catalog = catalog_with(
            Dialect::Sqlite,
            vec![
                typed_table(
                    "orders",
                    &[("order_id", "INTEGER"), ("day", "TEXT"), ("customer_id", "INTEGER")],
                    &["order_id"],
                    &[],
                ),
                typed_table("order_items", &columns, &key, &refers),
                typed_table(
                    "returns",
                    &[("id", "INTEGER"), ("order_id", "INTEGER"), ("line_no", "INTEGER")],
                    &["id"],
                    &[("order_id", "orders", "order_id")],
                ),
            ],
        );
        let top = (1..).zip(lines).map(|(number, rows): (u32, u64)| (number.to_string(), rows)).collect();
        let numbers = ColumnProfile { name: "line_no".into(), top, complete: true, ..ColumnProfile::default() };
        let profile = TableProfile {
            table: TableName::from_unqualified("order_items"),
            row_count: Some(1_600),
            profiled_rows: 1_600,
            columns: vec![numbers],
        };
        let profile = Profile { tables: vec![profile], ..Profile::default() };
        let facts = QuestionFacts::from_question(question, &catalog);
        let input = rule_input(&catalog, &profile, &facts);
        let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        let found = find_variants(&sql, &input).into_iter().find(|variant| variant.rule == "Q006")?;
        Some(found.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
    }

    const JOINED: &str =
        "SELECT AVG(i.net_amt) FROM order_items i JOIN orders o ON i.order_id = o.order_id WHERE o.day > '2023'";

    #[test]
    fn the_average_of_wholes_stands_beside_that_of_their_parts() {
        assert_eq!(
            find_variant(FALLING, "What is the average order value since 2023?", JOINED).as_deref(),
            Some(
                "SELECT 1.0 * SUM(i.net_amt) / COUNT(DISTINCT i.order_id) FROM order_items i JOIN orders o \
                 ON i.order_id = o.order_id WHERE o.day > '2023'"
            )
        );
        // The model's column alias expresses it in any language.
        let named = "SELECT o.customer_id, AVG(net_amt) AS avg_order FROM order_items i JOIN orders o USING (order_id) GROUP BY 1";
        assert!(find_variant(FALLING, "Wie hoch ist der mittlere Bestellwert je Kunde?", named).is_some());
    }

    #[test]
    fn an_average_of_the_parts_that_is_meant_stays_alone() {
        for (question, sql) in [
            ("What is the average value of an order item?", JOINED),
            ("Average net amount in orders since 2023?", JOINED),
            ("What does a line bring on average?", JOINED),
            ("Wie viel bringt eine Position im Schnitt?", JOINED),
            (
                "Average discount on orders?",
                "SELECT AVG(disc_pct) AS avg_disc FROM order_items i JOIN orders o ON i.order_id = o.order_id",
            ),
            ("How much is the largest order?", "SELECT MAX(net_amt) FROM order_items"),
            ("Average number of an order?", "SELECT AVG(o.customer_id) FROM orders o"),
            (
                "Average order value of returned orders?",
                "SELECT AVG(i.net_amt) FROM order_items i JOIN returns r ON r.order_id = i.order_id",
            ),
            ("Average order value?", "SELECT SUM(net_amt) / COUNT(DISTINCT order_id) FROM order_items"),
            (
                "Average order value?",
                "SELECT AVG(t.v) FROM (SELECT order_id, SUM(net_amt) AS v FROM order_items GROUP BY order_id) AS t",
            ),
        ] {
            assert_eq!(find_variant(FALLING, question, sql), None, "{question} {sql}");
        }
    }

    #[test]
    fn a_month_or_a_place_beside_the_key_counts_no_parts() {
        assert_eq!(find_variant(EVEN, "What is the average order value?", JOINED), None);
        assert_eq!(find_variant([600, 900, 100], "What is the average order value?", JOINED), None);
    }
}
