//! Replacements for functions that an engine does not have.

use vitrine_domain::Dialect;

/// The replacement for a function that models bring from other engines; begins with a semicolon, or is empty.
pub(crate) fn instead(name: &str, dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Postgres => return instead_in_postgres(name),
        Dialect::Mysql => return instead_in_mysql(name),
        Dialect::Clickhouse => return instead_in_clickhouse(name),
        Dialect::Databricks => return instead_in_databricks(name),
        _ => {}
    }
    match name {
        "year" => "; write strftime('%Y', x)",
        "month" => "; write strftime('%m', x)",
        "day" | "dayofmonth" => "; write strftime('%d', x)",
        "hour" => "; write strftime('%H', x)",
        "weekday" | "dayofweek" => "; write strftime('%w', x)",
        "date_format" | "to_char" => "; write strftime",
        "datediff" | "date_diff" => "; write julianday(a) - julianday(b)",
        "dateadd" | "date_add" | "date_sub" => "; write date(x, '+1 day')",
        "date_trunc" => "; write strftime('%Y-%m-01', x)",
        "julianday" | "unixepoch" => "; write date_diff('day', a, b)",
        "getdate" | "sysdate" => "; write current_date",
        "charindex" | "locate" => "; write instr(text, part)",
        "isnull" => "; write coalesce",
        "len" => "; write length",
        _ => "",
    }
}

fn instead_in_postgres(name: &str) -> &'static str {
    match name {
        "year" => "; write EXTRACT(YEAR FROM x)",
        "month" => "; write EXTRACT(MONTH FROM x)",
        "day" | "dayofmonth" => "; write EXTRACT(DAY FROM x)",
        "hour" => "; write EXTRACT(HOUR FROM x)",
        "weekday" | "dayofweek" => "; write EXTRACT(DOW FROM x)",
        "strftime" | "date_format" => "; write to_char(x, 'YYYY-MM-DD')",
        "datediff" | "date_diff" | "julianday" => "; write CAST(a AS date) - CAST(b AS date)",
        "dateadd" => "; write x + INTERVAL '1 day'",
        "getdate" | "sysdate" => "; write current_date",
        "instr" | "charindex" | "locate" => "; write strpos(text, part)",
        "isnull" => "; write coalesce",
        "len" => "; write length",
        _ => "",
    }
}

fn instead_in_clickhouse(name: &str) -> &'static str {
    match name {
        "strftime" | "to_char" => "; write formatDateTime(x, '%Y-%m')",
        "julianday" => "; write dateDiff('day', a, b)",
        "to_date" | "strptime" => "; write parseDateTimeOrNull(text, '%d/%m/%Y')",
        "getdate" | "sysdate" => "; write today()",
        "strpos" | "charindex" => "; write position(text, part)",
        "split_part" => "; write splitByChar(',', text)[1]",
        "listagg" => "; write arrayStringConcat(groupArray(x), ', ')",
        "nvl" | "isnull" => "; write coalesce",
        "len" => "; write lengthUTF8",
        "percentile_cont" => "; write quantileExactInclusive(0.5)(x)",
        "safe_divide" => "; write a / nullIf(b, 0)",
        "try_cast" | "safe_cast" => "; write toFloat64OrNull(text)",
        _ => "",
    }
}

fn instead_in_databricks(name: &str) -> &'static str {
    match name {
        "strftime" | "format_date" => "; write date_format(x, 'yyyy-MM')",
        "julianday" => "; write datediff(later, earlier)",
        "strptime" | "parse_date" | "str_to_date" => "; write try_to_date(text, 'dd/MM/yyyy')",
        "strpos" => "; write instr(text, part)",
        "safe_divide" => "; write a / NULLIF(b, 0)",
        "safe_cast" => "; write try_cast(x AS type)",
        "group_concat" => "; write array_join(collect_list(x), ', ')",
        "countif" => "; write count_if(condition)",
        "unnest" | "flatten" => "; write LATERAL explode(column) AS t(item) in FROM",
        "explode" | "posexplode" | "inline" => "; write it in FROM: FROM t, LATERAL explode(t.column) AS e(item)",
        _ => "",
    }
}

fn instead_in_mysql(name: &str) -> &'static str {
    match name {
        "strftime" | "to_char" => "; write DATE_FORMAT(x, '%Y-%m')",
        "date_trunc" => "; write DATE_FORMAT(x, '%Y-%m-01')",
        "date_part" => "; write EXTRACT(YEAR FROM x)",
        "julianday" | "date_diff" => "; write DATEDIFF(a, b)",
        "dateadd" => "; write x + INTERVAL 1 DAY",
        "to_date" | "strptime" => "; write STR_TO_DATE(text, '%d/%m/%Y')",
        "getdate" => "; write CURRENT_DATE",
        "strpos" | "charindex" => "; write INSTR(text, part)",
        "split_part" => "; write SUBSTRING_INDEX(text, ',', 1)",
        "string_agg" | "listagg" | "array_agg" => "; write GROUP_CONCAT(x SEPARATOR ', ')",
        "nvl" | "isnull" => "; write COALESCE",
        "len" => "; write CHAR_LENGTH",
        "median" | "percentile_cont" => "; write the mean of the middle rows by ROW_NUMBER()",
        _ => "",
    }
}
