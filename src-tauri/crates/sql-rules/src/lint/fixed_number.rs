//! Numbers that are determined by the form of a query: an answer with such a number contains no information about the
//! data.

use crate::fixed::{Fixed, find_fixed_number};
use vitrine_domain::Catalog;
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::each_select;
use vitrine_words::tr;

/// Returns one sentence for each SELECT with such a number.
pub(crate) fn fixed_numbers(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<String> {
    let mut found = Vec::new();
    each_select(sql, catalog, |_, select, tables| {
        found.extend(find_fixed_number(select, tables).map(|fixed| match fixed {
            Fixed::SameTwice(expr) => tr!("both sides of {expr} are the same, so that it is the same number whatever the data hold", expr),
            Fixed::GroupKey(expr) => tr!("{expr} counts what rows are grouped by, which is one in each group: count the rows, or the groups", expr),
            Fixed::OwnShare(condition) => tr!(
                "WHERE keeps only the rows with {condition}, so that their share is always the whole: leave it out of WHERE",
                condition = condition.text
            ),
            Fixed::LeftOut { asked, kept } => {
                tr!("no row has {asked}, since WHERE keeps only those with {kept}: leave it out of WHERE", asked, kept = kept.text)
            }
        }));
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::Dialect;

    fn shop_catalog() -> Catalog {
        let orders =
            [("id", "INTEGER"), ("channel", "TEXT"), ("year", "INTEGER"), ("total", "REAL"), ("email", "TEXT")];
        catalog_with(Dialect::Duckdb, vec![typed_table("orders", &orders, &["id"], &[])])
    }

    fn has_fixed_number(select: &str) -> bool {
        !fixed_numbers(&ReadOnlySql::parse(select, Dialect::Duckdb).unwrap(), &shop_catalog()).is_empty()
    }

    #[test]
    fn a_number_that_the_query_decides_is_found() {
        for select in [
            "SELECT SUM(total) - SUM(total) FROM orders WHERE year IN (2023, 2022)",
            "SELECT ROUND(CAST(SUM(o.total) AS REAL) - SUM(total), 2) AS d FROM orders o",
            "SELECT COUNT(*) * 100.0 / COUNT(*) FROM orders WHERE channel = 'web'",
            "SELECT SUM(CASE WHEN channel = 'web' THEN total ELSE 0 END) * 100 / NULLIF(SUM(total), 0) FROM orders WHERE channel = 'web'",
            "SELECT COUNT(*) FILTER (WHERE o.channel = 'web') * 1.0 / COUNT(*) FROM orders o WHERE year = 2023 AND channel = 'web'",
            "SELECT SUM(CASE WHEN channel = 'web' THEN 1 ELSE 0 END) / COUNT(id) FROM orders WHERE (channel = 'web')",
            "SELECT AVG(CASE WHEN channel = 'web' THEN 1.0 ELSE 0 END) FROM orders WHERE channel = 'web'",
            "SELECT 100 * AVG(IF(o.channel = 'web', 1, 0)) FROM orders o WHERE channel = 'web'",
            "SELECT SUM(CASE WHEN year = 2023 THEN total END) - SUM(CASE WHEN year = 2022 THEN total END) FROM orders WHERE year = 2023",
            "SELECT channel, COUNT(DISTINCT channel) FROM orders GROUP BY channel",
            "SELECT COUNT(DISTINCT o.channel) FROM orders o GROUP BY channel HAVING COUNT(*) > 3",
            "WITH s AS (SELECT SUM(total) / SUM(total) AS share FROM orders) SELECT share FROM s",
        ] {
            assert!(has_fixed_number(select), "{select}");
        }
    }

    /// Correct answers to everyday questions with a similar form.
    #[test]
    fn a_number_of_the_data_is_none() {
        for select in [
            // "What share of the orders have an email?", also if all of them have one.
            "SELECT COUNT(email) * 100.0 / COUNT(*) FROM orders",
            "SELECT COUNT(id) * 100.0 / COUNT(*) FROM orders",
            // "What share of the orders of 2023 came by the web?"
            "SELECT SUM(CASE WHEN channel = 'web' THEN 1 ELSE 0 END) / COUNT(*) FROM orders WHERE year = 2023",
            // "... of those by web or phone?"
            "SELECT SUM(CASE WHEN channel = 'web' THEN 1 ELSE 0 END) / COUNT(*) FROM orders WHERE channel IN ('web', 'phone')",
            "SELECT SUM(CASE WHEN channel = 'web' THEN 1 ELSE 0 END) / COUNT(*) FROM orders WHERE channel = 'web' OR channel = 'phone'",
            // "What share of web orders have an email?"
            "SELECT COUNT(CASE WHEN channel = 'web' THEN email END) * 1.0 / COUNT(*) FROM orders WHERE channel = 'web'",
            // "How much does a web order bring on average?"
            "SELECT SUM(CASE WHEN channel = 'web' THEN total END) / COUNT(*) FROM orders WHERE channel = 'web'",
            "SELECT AVG(CASE WHEN channel = 'web' THEN total END) FROM orders WHERE channel = 'web'",
            // "How many channels does each year have?", "How many orders of each channel and year?"
            "SELECT year, COUNT(DISTINCT channel) FROM orders GROUP BY year",
            "SELECT channel, COUNT(channel) FROM orders GROUP BY channel",
            "SELECT COUNT(DISTINCT channel) FROM orders",
            "SELECT year, COUNT(DISTINCT year) FROM orders GROUP BY ROLLUP (year)",
            // "How far apart are the largest and the smallest order?"
            "SELECT MAX(total) - MIN(total) FROM orders",
            // "How much of each year's total is the web's?"
            "SELECT year, SUM(total) / SUM(SUM(total)) OVER () FROM orders GROUP BY year",
            "SELECT SUM(total) * 1.0 / (SELECT SUM(total) FROM orders) FROM orders WHERE channel = 'web'",
            // "How many more orders does 2023 have than 2022?", over two tables of the same orders.
            "SELECT a.total - b.total FROM orders a JOIN orders b ON a.id = b.id AND a.year = 2023 AND b.year = 2022",
            // "Orders by web and by phone", where another case is another value to some engines.
            "SELECT SUM(CASE WHEN channel = 'Web' THEN 1 ELSE 0 END) FROM orders WHERE channel = 'web'",
            "SELECT COUNT(DISTINCT CASE WHEN channel = 'web' THEN email END) * 1.0 / COUNT(DISTINCT id) FROM orders WHERE channel = 'web'",
        ] {
            assert!(!has_fixed_number(select), "{select}");
        }
    }
}
