//! The names that the local engine gives to columns without an alias.

use super::aggregates::{Call, classify_call};
use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Value};
use std::ops::ControlFlow;
use vitrine_sql::ast::{last_part, visit_exprs};

/// The keywords of DuckDB, which quotes names that equal one (`duckdb_keywords()` of version 1.5).
const KEYWORDS: &str = "abort absolute access action add admin after aggregate all also alter always analyse analyze \
                        and anti any array as asc asof assertion assignment asymmetric at attach attribute \
                        authorization backward before begin between bigint binary bit boolean both by cache call called \
                        cascade cascaded case cast catalog centuries century chain char character characteristics check \
                        checkpoint class close cluster coalesce collate collation column columns comment comments \
                        commit committed compression concurrently configuration conflict connection constraint \
                        constraints content continue conversion copy cost create cross csv cube current cursor cycle \
                        data database day days deallocate dec decade decades decimal declare default defaults \
                        deferrable deferred definer delete delimiter delimiters depends desc describe detach dictionary \
                        disable discard distinct do document domain double drop each else enable encoding encrypted end \
                        enum error escape event except exclude excluding exclusive execute exists explain export \
                        export_state extension extensions external extract false family fetch filter first float \
                        following for force foreign forward freeze from full function functions generated glob global \
                        grant granted group grouping grouping_id groups handler having header hold hour hours identity \
                        if ignore ilike immediate immutable implicit import in include including increment index \
                        indexes inherit inherits initially inline inner inout input insensitive insert install instead \
                        int integer intersect interval into invoker is isnull isolation join json key label lambda \
                        language large last lateral leading leakproof left level like limit listen load local location \
                        lock locked logged macro map mapping match matched materialized maxvalue merge method \
                        microsecond microseconds millennia millennium millisecond milliseconds minute minutes minvalue \
                        mode month months move name names national natural nchar new next no none not nothing notify \
                        notnull nowait null nullif nulls numeric object of off offset oids old on only operator option \
                        options or order ordinality others out outer over overlaps overlay overriding owned owner \
                        parallel parser partial partition partitioned passing password percent persistent pivot \
                        pivot_longer pivot_wider placing plans policy position positional pragma preceding precision \
                        prepare prepared preserve primary prior privileges procedural procedure program publication \
                        qualify quarter quarters quote range read real reassign recheck recursive ref references \
                        referencing refresh reindex relative release rename repeatable replace replica reset respect \
                        restart restrict returning returns revoke right role rollback rollup row rows rule sample \
                        savepoint schema schemas scope scroll search second seconds secret security select semi \
                        sequence sequences serializable server session set setof sets share show similar simple skip \
                        smallint snapshot some sorted source sql stable standalone start statement statistics stdin \
                        stdout storage stored strict strip struct subscription substring summarize symmetric sysid \
                        system table tables tablesample tablespace target temp template temporary text then ties time \
                        timestamp to trailing transaction transform treat trigger trim true truncate trusted try_cast \
                        type types unbounded uncommitted unencrypted union unique unknown unlisten unlogged unpack \
                        unpivot until update use user using vacuum valid validate validator value values varchar \
                        variable variadic varying verbose version view views virtual volatile week weeks when where \
                        whitespace window with within without work wrapper write xml xmlattributes xmlconcat xmlelement \
                        xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable year years yes \
                        zone";

/// Returns the alias that keeps the name of a column whose aggregates are replaced; the inner value is `None` if the column
/// has no aggregate. `None` if its name is not certain.
pub(super) fn needed_alias(expr: &Expr) -> Option<Option<String>> {
    let aggregates = visit_exprs(expr, |expr| match expr {
        Expr::Function(function) if !matches!(classify_call(function), Call::Scalar) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    match (aggregates.is_break(), expr) {
        (false, _) => Some(None),
        (true, Expr::Function(function)) => function_name(function).map(Some),
        (true, _) => None,
    }
}

fn function_name(function: &Function) -> Option<String> {
    let name = last_part(&function.name)?.value.to_lowercase();
    let FunctionArguments::List(list) = &function.args else { return None };
    if list.duplicate_treatment.is_some() || !list.clauses.is_empty() {
        return None;
    }
    if let [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] = list.args.as_slice() {
        return (name == "count").then(|| "count_star()".to_owned());
    }
    let arguments: Vec<String> = list.args.iter().map(argument_text).collect::<Option<_>>()?;
    Some(format!("{name}({})", arguments.join(", ")))
}

fn argument_text(argument: &FunctionArg) -> Option<String> {
    let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = argument else { return None };
    expression_text(expr)
}

fn expression_text(expr: &Expr) -> Option<String> {
    let quoted = |part: &Ident| quote_as_duckdb(&part.value);
    match expr {
        Expr::Identifier(name) => Some(quoted(name)),
        Expr::CompoundIdentifier(parts) => Some(parts.iter().map(quoted).collect::<Vec<_>>().join(".")),
        Expr::Value(value) => match &value.value {
            Value::Number(number, false) => Some(number.clone()),
            _ => None,
        },
        Expr::Nested(inner) => expression_text(inner),
        Expr::BinaryOp { left, op, right } => {
            Some(format!("({} {op} {})", expression_text(left)?, expression_text(right)?))
        }
        Expr::Function(function) => function_name(function),
        _ => None,
    }
}

/// Writes a name as DuckDB does in the names of columns.
fn quote_as_duckdb(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match plain && !KEYWORDS.split_whitespace().any(|word| word.eq_ignore_ascii_case(name)) {
        true => name.to_owned(),
        false => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}
