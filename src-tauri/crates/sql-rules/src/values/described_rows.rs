//! Rows that the owner's description of a table mentions ("ignore cancelled orders in sales") and that a query
//! aggregates without a condition on them. A model may ignore such a sentence, and only the user knows if it applies to
//! a question. The number without these rows is therefore a variant of the answer.

use super::spoken::{find_clause, is_named, mentions_value};
use crate::RuleInput;
use crate::repair::each_select;
use crate::standing::{ConditionPlace, strip_qualifiers};
use sqlparser::ast::{BinaryOperator, Expr, Query};
use vitrine_domain::{Definition, DefinitionSource, Dialect, Table};
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{
    ColumnReferences, Relation, build_and, build_or, collect_aggregate_names, each_select as each_read, iter_relations,
    qualified_column, visit_tree,
};
use vitrine_sql::text_value;
use vitrine_words::tr;

/// Adds the condition in each place where the query reads the table. Changes nothing if one place cannot take it, or if
/// the query has no aggregate.
pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let mut used = ColumnReferences::default();
    let _ = visit_tree(query, &mut used);
    let (mut adds_up, mut unfit) = (false, false);
    let notes = each_select(query, input, |select, _, scope| {
        adds_up |= !collect_aggregate_names(&select.projection).is_empty()
            || !collect_aggregate_names(&select.having).is_empty();
        let relations: Vec<Option<Relation<'_>>> = iter_relations(select, scope).collect();
        let described = relations.iter().enumerate().filter_map(|(at, relation)| {
            let relation = relation.as_ref()?;
            Some((at, relation, Described::from_description(relation.table, input, &used)?))
        });
        let described: Vec<_> = described.collect();
        let mut notes = Vec::new();
        for (at, relation, described) in described {
            unfit |= ConditionPlace::for_item(select, at) != ConditionPlace::Where;
            let condition = described.condition(&relation.alias, scope.dialect);
            select.selection = Some(match select.selection.take() {
                Some(all) => build_and(all, condition),
                None => condition,
            });
            notes.push(described.describe_condition(relation.table));
        }
        notes
    });
    if adds_up && !unfit { notes } else { Vec::new() }
}

/// Returns the conditions of the variant, which the user may want as standing conditions: from the descriptions of the
/// tables that a query reads.
pub fn described_conditions(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<Definition> {
    let used = |query: Query| {
        let mut used = ColumnReferences::default();
        let _ = visit_tree(&query, &mut used);
        used
    };
    let Some(used) = sql.with_query(used) else { return Vec::new() };
    let mut found: Vec<Definition> = Vec::new();
    each_read(sql, input.catalog, |_, _, tables| {
        let described =
            tables.iter().filter_map(|read| Some((read.table, Described::from_description(read.table, input, &used)?)));
        let definitions = described.map(|(table, described)| described.definition(table, input.catalog.dialect));
        for definition in definitions.collect::<Vec<_>>() {
            if !found.contains(&definition) {
                found.push(definition);
            }
        }
    });
    found
}

/// The rows that a table's description mentions.
struct Described<'a> {
    column: &'a str,
    /// The stored values that the description mentions.
    values: Vec<&'a str>,
    /// True if most rows have the mentioned value; the other rows are then excluded.
    most: bool,
    nullable: bool,
    /// The clause of the description that mentions the first value.
    said: &'a str,
}

impl<'a> Described<'a> {
    /// Finds the values that a description mentions, in a column that the query does not use. `None` if it mentions no
    /// value, all values, or several values of most rows, because it then describes the contents.
    fn from_description(table: &'a Table, input: &RuleInput<'a>, used: &ColumnReferences) -> Option<Self> {
        let description = table.comment.as_deref()?;
        let is_used = |name: &str| {
            let same = |column: &String| column.eq_ignore_ascii_case(name);
            used.bare.iter().any(same) || used.columns.iter().any(|(_, column)| same(column))
        };
        let columns = input.profile.find_table(&table.name)?.columns.iter();
        columns.filter(|column| column.complete && column.fields.is_empty() && !is_used(&column.name)).find_map(
            |column| {
                let spoken: Vec<&(String, u64)> =
                    column.top.iter().filter(|(value, _)| mentions_value(description, value)).collect();
                let about = |value: &str| mentions_value(&input.facts.asked, value) || is_named(value, input.catalog);
                let first = &spoken.first()?.0;
                if spoken.len() == column.top.len() || spoken.iter().any(|(value, _)| about(value)) {
                    return None;
                }
                let rows = |values: &mut dyn Iterator<Item = &(String, u64)>| values.map(|(_, rows)| rows).sum::<u64>();
                let most = rows(&mut spoken.iter().copied()) * 2 > rows(&mut column.top.iter());
                (!most || spoken.len() == 1).then(|| Self {
                    column: &column.name,
                    values: spoken.iter().map(|(value, _)| value.as_str()).collect(),
                    most,
                    nullable: column.null_ratio > 0.0,
                    said: find_clause(description, first),
                })
            },
        )
    }

    fn condition(&self, alias: &str, dialect: Dialect) -> Expr {
        let column = || Box::new(qualified_column(alias, self.column, dialect));
        let value = |value: &&str| Expr::Value(text_value(value, dialect).with_empty_span());
        let condition = match self.values.as_slice() {
            [only] => Expr::BinaryOp {
                left: column(),
                op: if self.most { BinaryOperator::Eq } else { BinaryOperator::NotEq },
                right: Box::new(value(only)),
            },
            several => Expr::InList { expr: column(), list: several.iter().map(value).collect(), negated: !self.most },
        };
        // A NULL value is not among the mentioned values.
        match self.nullable && !self.most {
            true => build_or(condition, Expr::IsNull(column())),
            false => condition,
        }
    }

    fn definition(&self, table: &Table, dialect: Dialect) -> Definition {
        Definition {
            term: table.name.name.clone(),
            synonyms: Vec::new(),
            meaning: self.said.to_owned(),
            condition: Some(strip_qualifiers(&self.condition("", dialect)).to_string()),
            always: true,
            subject: Some(table.name.to_string()),
            source: DefinitionSource::User,
        }
    }

    fn describe_condition(&self, table: &Table) -> String {
        let quoted: Vec<String> = self.values.iter().map(|value| format!("'{value}'")).collect();
        let (table, column, values, said) = (&table.name, self.column, quoted.join(", "), self.said);
        match self.most {
            true => tr!(
                "Counted only rows of {table} whose {column} is {values}: its description states “{said}”",
                table,
                column,
                values,
                said
            ),
            false => tr!(
                "Excluded rows of {table} whose {column} is {values}: its description states “{said}”",
                table,
                column,
                values,
                said
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::described_conditions;
    use crate::fixtures::{catalog_with, rule_input, typed_table};
    use crate::{QuestionFacts, RuleInput, Standing, Variant, find_variants};
    use vitrine_domain::{Catalog, ColumnProfile, Dialect, Profile, TableName, TableProfile};
    use vitrine_sql::ReadOnlySql;

    const DESCRIPTION: &str = "One row per order; cancelled orders do not count as sales";
    const STATES: [(&str, u64); 3] = [("completed", 90), ("shipped", 8), ("cancelled", 2)];

    /// A shop whose table of orders has this description, with these values of `status`.
    struct Shop {
        catalog: Catalog,
        profile: Profile,
    }

    impl Shop {
        fn new(description: &str, values: &[(&str, u64)]) -> Self {
            let mut orders = typed_table(
                "orders",
                &[("id", "INTEGER"), ("customer_id", "INTEGER"), ("status", "TEXT"), ("total", "REAL")],
                &["id"],
                &[("customer_id", "customer", "id")],
            );
            orders.comment = Some(description.to_owned());
            let customer = typed_table("customer", &[("id", "INTEGER"), ("name", "TEXT")], &["id"], &[]);
            let status = ColumnProfile {
                name: "status".into(),
                top: values.iter().map(|(value, rows)| ((*value).to_owned(), *rows)).collect(),
                complete: true,
                ..ColumnProfile::default()
            };
            let table = TableProfile {
                table: TableName::from_unqualified("orders"),
                row_count: Some(100),
                profiled_rows: 100,
                columns: vec![status],
            };
            Self {
                catalog: catalog_with(Dialect::Sqlite, vec![orders, customer]),
                profile: Profile { tables: vec![table], ..Profile::default() },
            }
        }

        fn rule_input<'a>(&'a self, facts: &'a QuestionFacts) -> RuleInput<'a> {
            rule_input(&self.catalog, &self.profile, facts)
        }

        fn find_variant(&self, question: &str, sql: &str) -> Option<Variant> {
            let facts = QuestionFacts::from_question(question, &self.catalog);
            let input = self.rule_input(&facts);
            let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
            find_variants(&sql, &input).into_iter().find(|variant| variant.rule == "V004")
        }
    }

    fn variant_sql(variant: Option<Variant>) -> Option<String> {
        Some(variant?.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn rows_that_do_not_count_are_left_out_beside_the_answer() {
        let shop = Shop::new(DESCRIPTION, &STATES);
        let found =
            shop.find_variant("What did we sell?", "SELECT SUM(o.total) FROM orders o WHERE o.total > 5 OR o.id = 1");
        let note = "Excluded rows of orders whose status is 'cancelled': \
                    its description states “cancelled orders do not count as sales”";
        assert_eq!(found.as_ref().map(|variant| variant.note.as_str()), Some(note));
        let sql = "SELECT SUM(o.total) FROM orders o WHERE (o.total > 5 OR o.id = 1) AND o.status <> 'cancelled'";
        assert_eq!(variant_sql(found).as_deref(), Some(sql));
    }

    #[test]
    fn what_it_leaves_out_can_be_wanted_always() {
        let mut shop = Shop::new(DESCRIPTION, &STATES);
        shop.profile.tables[0].columns[0].null_ratio = 0.1;
        let facts = QuestionFacts::from_question("Sales?", &shop.catalog);
        let input = shop.rule_input(&facts);
        let sql = ReadOnlySql::parse("SELECT SUM(o.total) FROM orders o", Dialect::Sqlite).unwrap();
        let [wanted] = described_conditions(&sql, &input).try_into().unwrap();
        assert_eq!(wanted.condition.as_deref(), Some("status <> 'cancelled' OR status IS NULL"));
        assert_eq!((wanted.subject.as_deref(), wanted.always), (Some("orders"), true));
        assert_eq!(wanted.meaning, "cancelled orders do not count as sales");
        let standing = Standing::from_definitions(&[wanted], &shop.catalog, "Sales?");
        let input = RuleInput { standing: &standing, ..input };
        let kept = crate::apply_standing_rules(&sql, &input).unwrap().sql;
        let beside = crate::find_variants(&kept, &input);
        assert!(beside.is_empty(), "nothing is left to be said: {beside:?}");
    }

    #[test]
    fn what_most_rows_are_is_kept_in_any_language() {
        let shop = Shop::new("Nur bezahlte Bestellungen gelten als Umsatz", &[("offen", 10), ("bezahlt", 90)]);
        let sql = variant_sql(shop.find_variant("Umsatz?", "SELECT SUM(total) FROM orders"));
        assert_eq!(sql.as_deref(), Some("SELECT SUM(total) FROM orders WHERE orders.status = 'bezahlt'"));
    }

    #[test]
    fn a_row_without_a_value_is_not_left_out() {
        let mut shop = Shop::new(DESCRIPTION, &STATES);
        shop.profile.tables[0].columns[0].null_ratio = 0.1;
        let sql = variant_sql(shop.find_variant("Sales?", "SELECT COUNT(*) FROM orders WHERE total > 5"));
        let with_nulls =
            "SELECT COUNT(*) FROM orders WHERE total > 5 AND (orders.status <> 'cancelled' OR orders.status IS NULL)";
        assert_eq!(sql.as_deref(), Some(with_nulls));
    }

    #[test]
    fn each_branch_of_a_union_leaves_them_out() {
        let shop = Shop::new(DESCRIPTION, &STATES);
        for (sql, beside) in [
            (
                "SELECT 'few' AS size, SUM(total) FROM orders WHERE total < 5 UNION ALL SELECT 'many', SUM(total) FROM orders ORDER BY size",
                "SELECT 'few' AS size, SUM(total) FROM orders WHERE total < 5 AND orders.status <> 'cancelled' UNION ALL SELECT 'many', SUM(total) FROM orders WHERE orders.status <> 'cancelled' ORDER BY size",
            ),
            (
                "SELECT COUNT(*) FROM customer UNION ALL SELECT COUNT(*) FROM orders UNION ALL SELECT MAX(total) FROM orders",
                "SELECT COUNT(*) FROM customer UNION ALL SELECT COUNT(*) FROM orders WHERE orders.status <> 'cancelled' UNION ALL SELECT MAX(total) FROM orders WHERE orders.status <> 'cancelled'",
            ),
            (
                "SELECT SUM(t) FROM (SELECT total AS t FROM orders UNION SELECT 2 * total FROM orders) AS all_of_them",
                "SELECT SUM(t) FROM (SELECT total AS t FROM orders WHERE orders.status <> 'cancelled' UNION SELECT 2 * total FROM orders WHERE orders.status <> 'cancelled') AS all_of_them",
            ),
        ] {
            let found = variant_sql(shop.find_variant("What did we sell?", sql)).unwrap_or_default();
            assert_eq!(found.replace("( ", "(").replace(" )", ")"), beside);
        }
        let facts = QuestionFacts::from_question("Sales?", &shop.catalog);
        let sql = "SELECT COUNT(*) FROM customer UNION ALL SELECT COUNT(*) FROM orders";
        let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        assert_eq!(described_conditions(&sql, &shop.rule_input(&facts)).len(), 1);
    }

    #[test]
    fn a_union_stays_alone_where_one_branch_looks_at_them_or_cannot_take_the_condition_or_none_adds_up() {
        let shop = Shop::new(DESCRIPTION, &STATES);
        for sql in [
            "SELECT COUNT(*) FROM orders UNION ALL SELECT COUNT(*) FROM orders WHERE status = 'cancelled'",
            "SELECT SUM(total) FROM orders UNION ALL SELECT COUNT(o.id) FROM customer c LEFT JOIN orders o ON o.customer_id = c.id",
            "SELECT id FROM customer UNION SELECT customer_id FROM orders",
            "SELECT COUNT(*) FROM customer UNION ALL SELECT COUNT(*) FROM customer WHERE name = 'Ada'",
        ] {
            assert_eq!(shop.find_variant("Sales?", sql), None, "{sql}");
        }
    }

    #[test]
    fn a_query_that_looks_at_them_stays_alone_and_so_does_one_that_adds_nothing_up() {
        let shop = Shop::new(DESCRIPTION, &STATES);
        for (question, sql) in [
            ("Sales?", "SELECT SUM(total) FROM orders WHERE status <> 'cancelled'"),
            ("Orders by state", "SELECT status, COUNT(*) FROM orders GROUP BY status"),
            ("How many were shipped?", "SELECT COUNT(*) FROM orders WHERE status = 'shipped'"),
            ("Sales, cancelled ones too?", "SELECT SUM(total) FROM orders"),
            (
                "The orders of Ada",
                "SELECT o.id FROM orders o JOIN customer c ON c.id = o.customer_id WHERE c.name = 'Ada'",
            ),
            ("How many customers?", "SELECT COUNT(*) FROM customer"),
            (
                "Orders per customer, with those who have none",
                "SELECT c.name, COUNT(o.id) FROM customer c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.name",
            ),
        ] {
            assert_eq!(shop.find_variant(question, sql), None, "{question}");
        }
    }

    #[test]
    fn a_description_that_speaks_of_no_such_rows_says_nothing() {
        let sum = "SELECT SUM(total) FROM orders";
        for (description, values) in [
            ("One row per order", &STATES[..]),
            ("Orders, each completed, shipped or cancelled", &STATES),
            ("Orders are completed or shipped by the clerk", &STATES),
            ("Cancellations are kept elsewhere", &STATES),
            ("Orders of each customer", &[("customer", 50), ("house", 50)]),
            ("A is active, B is blocked", &[("A", 90), ("B", 10)]),
            ("In 2 parts", &[("1", 90), ("2", 10)]),
        ] {
            assert_eq!(Shop::new(description, values).find_variant("Sales?", sum), None, "{description}");
        }
    }
}
