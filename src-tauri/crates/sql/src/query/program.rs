//! Assembles the views that another view or a query needs.

use super::ctes::{Cte, find_references, find_table_reads};
use crate::parse::{self, Offsets, SqlRejection, is_significant, with_large_stack};
use crate::text::{fold_identifier, folds_identifiers, needs_quotes, quote_identifier};
use sqlparser::ast::{Expr, SelectItem, SetExpr, Statement};
use sqlparser::tokenizer::Token;
use vitrine_domain::Dialect;

/// Returns an order in which the views can be defined, as indexes. Keeps the given order where possible.
///
/// # Errors
/// The names of views that depend on each other in a cycle.
pub fn sort_topologically(ctes: &[Cte]) -> Result<Vec<usize>, Vec<String>> {
    let find = |name: &str| ctes.iter().position(|c| c.name.eq_ignore_ascii_case(name));
    let mut order = Vec::with_capacity(ctes.len());
    let mut placed = vec![false; ctes.len()];
    while order.len() < ctes.len() {
        let ready = (0..ctes.len()).find(|&i| {
            let waits = |name: &String| find(name).is_some_and(|d| d != i && !placed[d]);
            !placed[i] && !ctes[i].depends_on.iter().any(waits)
        });
        match ready {
            Some(i) => {
                placed[i] = true;
                order.push(i);
            }
            None => return Err(find_cycle(ctes, &placed)),
        }
    }
    Ok(order)
}

/// Follows dependencies among the remaining views until one repeats.
fn find_cycle(ctes: &[Cte], placed: &[bool]) -> Vec<String> {
    let next = |i: usize| {
        ctes[i]
            .depends_on
            .iter()
            .find_map(|n| ctes.iter().position(|c| c.name.eq_ignore_ascii_case(n)).filter(|&d| d != i && !placed[d]))
    };
    let mut path: Vec<usize> = Vec::new();
    let mut at = placed.iter().position(|p| !p);
    while let Some(i) = at {
        if let Some(start) = path.iter().position(|&p| p == i) {
            return path[start..].iter().map(|&p| ctes[p].name.clone()).collect();
        }
        path.push(i);
        at = next(i);
    }
    path.into_iter().map(|p| ctes[p].name.clone()).collect()
}

/// Builds the smallest statement that yields the rows of one view: the views it needs in an order in which they can be
/// defined, and `SELECT * FROM target`. The result is not yet proven read-only.
///
/// # Errors
/// An unknown view, or views that depend on each other in a cycle.
pub fn build_program(ctes: &[Cte], target: &str, dialect: Dialect) -> Result<String, SqlRejection> {
    let target = find_cte(ctes, target).ok_or_else(|| SqlRejection::UnknownView { name: target.to_owned() })?;
    let needed: Vec<Cte> = collect_dependencies(ctes, vec![target]).into_iter().cloned().collect();
    let order = sort_topologically(&needed).map_err(|names| SqlRejection::Cycle { names })?;
    let views: Vec<&Cte> = order.iter().map(|&i| &needed[i]).collect();
    let texts: Vec<&str> = views.iter().map(|view| view.sql.as_str()).collect();
    let last = format!("SELECT * FROM {}", as_read(&ctes[target].name, &texts, dialect));
    Ok(in_front(&views, &last, dialect))
}

/// Adds the views before a text that it reads, directly or through other views, each after the views that it reads. The
/// rest of the text stays unchanged. `None` if it reads none of them.
pub fn with_views(sql: &str, views: &[Cte], dialect: Dialect) -> Option<String> {
    let names: Vec<String> = views.iter().map(|view| view.name.clone()).collect();
    let read: Vec<usize> =
        find_table_reads(sql, &names, dialect).iter().filter_map(|name| find_cte(views, name)).collect();
    if read.is_empty() { None } else { Some(in_front(&collect_dependencies(views, read), sql, dialect)) }
}

fn find_cte(ctes: &[Cte], name: &str) -> Option<usize> {
    ctes.iter().position(|cte| cte.name.eq_ignore_ascii_case(name))
}

/// Returns these views and all views they read, in the order of `ctes`.
fn collect_dependencies(ctes: &[Cte], mut open: Vec<usize>) -> Vec<&Cte> {
    let mut needed = vec![false; ctes.len()];
    while let Some(i) = open.pop() {
        if !std::mem::replace(&mut needed[i], true) {
            open.extend(ctes[i].depends_on.iter().filter_map(|name| find_cte(ctes, name)));
        }
    }
    ctes.iter().zip(needed).filter(|(_, needed)| *needed).map(|(cte, _)| cte).collect()
}

/// Defines views before a query; its own WITH clause follows them.
fn in_front(views: &[&Cte], sql: &str, dialect: Dialect) -> String {
    let tokens = parse::tokenize_sql(sql, dialect).unwrap_or_default();
    let offsets = Offsets::new(sql);
    let mut first = tokens.iter().filter(|token| is_significant(&token.token));
    let mut clause = |word: &str| {
        let token = first.next()?;
        let same =
            matches!(&token.token, Token::Word(w) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(word));
        same.then(|| (offsets.byte_offset_at(token.span.start), offsets.byte_offset_at(token.span.end)))
    };
    // Position of the WITH clause, position of its views, and true if it is recursive.
    let own = clause("with").map(|(start, end)| match clause("recursive") {
        Some((_, end)) => (start, end, true),
        None => (start, end, false),
    });
    let recursive = matches!(own, Some((_, _, true))) || views.iter().any(|view| reads_itself(view, dialect));
    let with = if recursive { "WITH RECURSIVE" } else { "WITH" };
    let texts: Vec<&str> = views.iter().map(|view| view.sql.as_str()).chain([sql]).collect();
    let list = views.iter().map(|view| render_cte(view, &texts, dialect)).collect::<Vec<_>>().join(",\n");
    match own {
        Some((start, end, _)) => format!("{}{with} {list},{}", &sql[..start], &sql[end..]),
        None => format!("{with} {list}\n{sql}"),
    }
}

/// Returns the name of a view or column in the spelling of `texts`: engines that fold unquoted names do not find
/// `"late_loans"` as `late_loans` in Snowflake, nor `"LateLoans"` as `LateLoans` in PostgreSQL.
fn as_read(name: &str, texts: &[&str], dialect: Dialect) -> String {
    let folded = fold_identifier(name, dialect);
    if folded == name {
        return quote_identifier(name, dialect);
    }
    let (mut quoted, mut plain) = (false, false);
    for token in texts.iter().flat_map(|text| parse::tokenize_sql(text, dialect).unwrap_or_default()) {
        if let Token::Word(word) = token.token {
            quoted |= word.quote_style.is_some() && word.value == name;
            plain |= word.quote_style.is_none() && word.value.eq_ignore_ascii_case(name);
        }
    }
    if plain && !quoted && !needs_quotes(&folded, dialect) { name.to_owned() } else { quote_identifier(name, dialect) }
}

fn render_cte(cte: &Cte, texts: &[&str], dialect: Dialect) -> String {
    let columns: Vec<String> = match cte.columns.is_empty() {
        true => columns_as_read(cte, texts, dialect).unwrap_or_default(),
        false => cte.columns.iter().map(|c| quote_identifier(c, dialect)).collect(),
    };
    let columns = if columns.is_empty() { String::new() } else { format!("({})", columns.join(", ")) };
    format!("{}{columns} AS (\n{}\n)", as_read(&cte.name, texts, dialect), cte.sql)
}

/// Returns a view's columns in the spelling of the other texts if one would not be found by the name that the view
/// gives it: `"revenue"` as `revenue` in Snowflake. `None` if all are found, or if the view does not name each of its
/// columns.
fn columns_as_read(cte: &Cte, texts: &[&str], dialect: Dialect) -> Option<Vec<String>> {
    if !folds_identifiers(dialect) {
        return None;
    }
    let readers: Vec<&str> = texts.iter().copied().filter(|text| *text != cte.sql).collect();
    let names = with_large_stack(|| {
        let parsed =
            parse::tokenize_sql(&cte.sql, dialect).and_then(|tokens| parse::parse_tokens(tokens, dialect)).ok()?;
        let [Statement::Query(query)] = parsed.as_slice() else { return None };
        let mut body = &*query.body;
        while let SetExpr::SetOperation { left, .. } = body {
            body = left;
        }
        let SetExpr::Select(select) = body else { return None };
        select.projection.iter().map(|item| output_name(item, dialect)).collect::<Option<Vec<String>>>()
    })?;
    let read: Vec<String> = names.iter().map(|name| as_read(name, &readers, dialect)).collect();
    let own = names.iter().map(|name| quote_identifier(name, dialect));
    (!own.eq(read.iter().cloned())).then_some(read)
}

/// Returns the name of a view's column, as the engine stores it.
fn output_name(item: &SelectItem, dialect: Dialect) -> Option<String> {
    let ident = match item {
        SelectItem::ExprWithAlias { alias, .. } => alias,
        SelectItem::UnnamedExpr(Expr::Identifier(ident)) => ident,
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => parts.last()?,
        _ => return None,
    };
    Some(if ident.quote_style.is_some() { ident.value.clone() } else { fold_identifier(&ident.value, dialect) })
}

/// Returns true if a view is recursive: a set operation combines a read of its own name with a start. Without a set
/// operation, the name refers to a table.
fn reads_itself(cte: &Cte, dialect: Dialect) -> bool {
    with_large_stack(|| {
        let parsed = parse::tokenize_sql(&cte.sql, dialect).and_then(|tokens| parse::parse_tokens(tokens, dialect));
        match parsed.as_deref() {
            Ok([Statement::Query(query)]) => {
                matches!(&*query.body, SetExpr::SetOperation { .. })
                    && !find_references(query, std::slice::from_ref(&cte.name)).is_empty()
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::ctes::{CteProgram, split_ctes};
    use crate::read_only::ReadOnlySql;

    const D: Dialect = Dialect::Sqlite;

    fn cte_names(program: &CteProgram) -> Vec<&str> {
        program.ctes.iter().map(|c| c.name.as_str()).collect()
    }

    #[test]
    fn a_view_is_called_as_its_readers_call_it() {
        let view = |name: &str, sql: &str| Cte {
            name: name.to_owned(),
            columns: Vec::new(),
            sql: sql.to_owned(),
            depends_on: Vec::new(),
        };
        for (name, sql, dialect, defined) in [
            ("late_loans", "SELECT * FROM late_loans", Dialect::Snowflake, "WITH late_loans AS ("),
            ("late_loans", "SELECT l.a FROM \"late_loans\" AS l", Dialect::Snowflake, "WITH \"late_loans\" AS ("),
            ("late_loans", "SELECT * FROM LATE_LOANS", Dialect::Snowflake, "WITH late_loans AS ("),
            ("order", "SELECT * FROM \"order\"", Dialect::Snowflake, "WITH \"order\" AS ("),
            ("LateLoans", "SELECT LateLoans.a FROM LateLoans", Dialect::Postgres, "WITH LateLoans AS ("),
            ("LateLoans", "SELECT * FROM \"LateLoans\"", Dialect::Postgres, "WITH \"LateLoans\" AS ("),
            ("late loans", "SELECT * FROM \"late loans\"", Dialect::Duckdb, "WITH \"late loans\" AS ("),
        ] {
            let whole = with_views(sql, &[view(name, "SELECT 1 AS a")], dialect).unwrap();
            assert!(whole.starts_with(defined), "{whole}");
        }
        let views =
            [view("a_b", "SELECT 1 AS X"), Cte { depends_on: vec!["a_b".into()], ..view("c_d", "SELECT * FROM a_b") }];
        let whole = build_program(&views, "c_d", Dialect::Snowflake).unwrap();
        assert!(whole.starts_with("WITH a_b AS (") && whole.ends_with("SELECT * FROM \"c_d\""), "{whole}");
        assert!(whole.contains("\"c_d\" AS ("), "{whole}");
    }

    #[test]
    fn a_views_columns_are_called_as_its_readers_call_them() {
        let revenue = "SELECT SHOP, sum(PRICE) AS \"revenue\" FROM SALES GROUP BY SHOP";
        for (view, sql, dialect, defined) in [
            (revenue, "SELECT revenue FROM v", Dialect::Snowflake, "WITH v(SHOP, revenue) AS ("),
            (revenue, "SELECT v.shop, v.REVENUE FROM v", Dialect::Snowflake, "WITH v(SHOP, revenue) AS ("),
            (revenue, "SELECT \"revenue\" FROM v", Dialect::Snowflake, "WITH v AS ("),
            (revenue, "SELECT shop FROM v", Dialect::Snowflake, "WITH v AS ("),
            (revenue, "SELECT Revenue FROM v", Dialect::Duckdb, "WITH v AS ("),
            ("SELECT *, 1 AS \"one\" FROM SALES", "SELECT one FROM v", Dialect::Snowflake, "WITH v AS ("),
            ("SELECT a AS \"Total\" FROM t", "SELECT Total FROM v", Dialect::Postgres, "WITH v(Total) AS ("),
            ("SELECT a AS Total FROM t", "SELECT Total FROM v", Dialect::Postgres, "WITH v AS ("),
        ] {
            let whole = with_views(sql, &[self::build_cte("v", view, &[])], dialect).unwrap();
            assert!(whole.starts_with(defined), "{whole}");
        }
    }

    #[test]
    fn all_three_forms_are_taken_apart() {
        for sql in [
            "WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT * FROM b",
            "WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a)",
            "a AS (SELECT 1 AS x), b AS (SELECT x FROM a)",
            "a AS (SELECT 1 AS x), b AS (SELECT x FROM a),",
            "a AS (SELECT 1 AS x),\nb AS (SELECT x FROM a);",
        ] {
            let program = split_ctes(sql, D).expect(sql);
            assert_eq!(cte_names(&program), ["a", "b"], "{sql}");
            assert_eq!(program.ctes[0].sql, "SELECT 1 AS x");
            assert_eq!(program.ctes[1].depends_on, ["a"]);
            assert_eq!(program.body.is_some(), sql.ends_with("SELECT * FROM b"));
        }
        let plain = split_ctes("SELECT 1;", D).expect("plain");
        assert_eq!((plain.ctes.len(), plain.body.as_deref()), (0, Some("SELECT 1")));
    }

    #[test]
    fn text_inside_a_view_stays_as_written() {
        let sql =
            "WITH \"my view\"(p, q) AS (\n  SELECT ')' -- a ) comment\n  , 2 FROM t\n)\nSELECT p FROM \"my view\"";
        let program = split_ctes(sql, D).expect("split");
        assert_eq!(program.ctes[0].sql, "SELECT ')' -- a ) comment\n  , 2 FROM t");
        assert_eq!(program.ctes[0].columns, ["p", "q"]);
        assert_eq!(program.body.as_deref(), Some("SELECT p FROM \"my view\""));
    }

    #[test]
    fn a_program_holds_only_what_the_view_needs_in_order() {
        let all = split_ctes("c AS (SELECT * FROM b), a AS (SELECT 1 x), b AS (SELECT x FROM a), z AS (SELECT 9)", D)
            .expect("split");
        let sql = build_program(&all.ctes, "C", D).expect("program");
        assert_eq!(
            sql,
            "WITH a AS (\nSELECT 1 x\n),\nb AS (\nSELECT x FROM a\n),\nc AS (\nSELECT * FROM b\n)\nSELECT * FROM c"
        );
    }

    #[test]
    fn circles_and_unknown_views_are_errors() {
        let all = split_ctes("a AS (SELECT * FROM b), b AS (SELECT * FROM a), c AS (SELECT 1)", D).expect("split");
        assert_eq!(sort_topologically(&all.ctes), Err(vec!["a".to_owned(), "b".to_owned()]));
        assert!(matches!(build_program(&all.ctes, "a", D), Err(SqlRejection::Cycle { .. })));
        assert!(build_program(&all.ctes, "c", D).is_ok());
        assert!(matches!(build_program(&all.ctes, "d", D), Err(SqlRejection::UnknownView { .. })));
    }

    #[test]
    fn recursive_views_stay_recursive_and_namesakes_do_not() {
        let all = split_ctes(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n",
            D,
        )
        .expect("split");
        assert!(build_program(&all.ctes, "n", D).expect("program").starts_with("WITH RECURSIVE n(i)"));
        let all = split_ctes("singer AS (SELECT * FROM singer WHERE age > 30)", Dialect::Duckdb).expect("split");
        assert!(all.ctes[0].depends_on.is_empty());
        assert!(build_program(&all.ctes, "singer", Dialect::Duckdb).expect("program").starts_with("WITH singer AS"));
    }

    #[test]
    fn views_that_write_are_refused() {
        let all =
            split_ctes("WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a", Dialect::Postgres).expect("split");
        let written = build_program(&all.ctes, "a", Dialect::Postgres).expect("program");
        assert!(matches!(ReadOnlySql::parse(&written, Dialect::Postgres), Err(SqlRejection::Writes { .. })));
        let sly = build_cte("a", "SELECT 1) SELECT 1; DROP TABLE t --", &[]);
        assert!(ReadOnlySql::parse(&build_program(&[sly], "a", D).expect("program"), D).is_err());
    }

    fn build_cte(name: &str, sql: &str, depends_on: &[&str]) -> Cte {
        let depends_on = depends_on.iter().map(|name| (*name).to_owned()).collect();
        Cte { name: name.to_owned(), columns: Vec::new(), sql: sql.to_owned(), depends_on }
    }

    #[test]
    fn a_query_gets_the_views_that_it_reads_and_stays_as_it_is_written() {
        let views = [
            build_cte("a", "SELECT 1 AS x -- one", &[]),
            build_cte("b", "SELECT x FROM a", &["a"]),
            build_cte("z", "SELECT 9", &[]),
        ];
        let (a, b) = ("a AS (\nSELECT 1 AS x -- one\n)", "b AS (\nSELECT x FROM a\n)");
        for (sql, expected) in [
            ("SELECT * FROM t, A -- why", Some(format!("WITH {a}\nSELECT * FROM t, A -- why"))),
            ("SELECT x FROM b", Some(format!("WITH {a},\n{b}\nSELECT x FROM b"))),
            (
                "-- c\nwith  own AS (SELECT * FROM a) SELECT *  FROM own",
                Some(format!("-- c\nWITH {a},  own AS (SELECT * FROM a) SELECT *  FROM own")),
            ),
            ("WITH a AS (SELECT 2) SELECT * FROM a", None),
            ("SELECT a FROM t", None),
            // Only the engines can parse these.
            ("PIVOT a ON x IN (1) USING sum(x)", Some(format!("WITH {a}\nPIVOT a ON x IN (1) USING sum(x)"))),
            ("SELECT x ** 2 AS a FROM t POSITIONAL JOIN u", None),
            ("WITH a AS (SELECT 1 ** 2) FROM a POSITIONAL JOIN t", None),
        ] {
            assert_eq!(with_views(sql, &views, Dialect::Duckdb), expected, "{sql}");
        }
        let counted = [build_cte("n", "SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3", &[])];
        let counting =
            with_views("WITH c AS (SELECT * FROM n) SELECT * FROM c", &counted, Dialect::Duckdb).expect("views");
        assert!(
            counting.starts_with("WITH RECURSIVE n AS (")
                && counting.ends_with("), c AS (SELECT * FROM n) SELECT * FROM c")
        );
    }

    #[test]
    fn inner_names_hide_outer_ones_and_doubles_are_refused() {
        let all = split_ctes("a AS (SELECT 1), b AS (WITH a AS (SELECT 2) SELECT * FROM a)", D).expect("split");
        assert!(all.ctes[1].depends_on.is_empty());
        assert!(split_ctes("a AS (SELECT 1), a AS (SELECT 2)", D).is_err());
        assert!(matches!(split_ctes("", D), Err(SqlRejection::Empty)));
        assert!(split_ctes("nonsense (", D).is_err());
    }
}
