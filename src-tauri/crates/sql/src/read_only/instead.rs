//! Replacements for functions that an engine lacks.

use crate::parse::Instead::{self, Advice, Nothing, Write};
use vitrine_domain::Dialect;
use vitrine_words::later;

/// Returns the replacement for a function that models use from other engines. [`Instead::Nothing`] if none is known.
pub(crate) fn suggest_replacement(name: &str, dialect: Dialect) -> Instead {
    // Names of operators as functions come from report and spreadsheet formulas.
    match name {
        "divide" => return Write("a / b"),
        "multiply" => return Write("a * b"),
        "subtract" => return Write("a - b"),
        _ => {}
    }
    match dialect {
        Dialect::Postgres => return instead_in_postgres(name),
        Dialect::Mysql => return instead_in_mysql(name),
        Dialect::Clickhouse => return instead_in_clickhouse(name),
        Dialect::Databricks => return instead_in_databricks(name),
        Dialect::Trino => return instead_in_trino(name),
        Dialect::Mssql => return instead_in_mssql(name),
        _ => {}
    }
    match name {
        "year" => Write("strftime('%Y', x)"),
        "month" => Write("strftime('%m', x)"),
        "day" | "dayofmonth" => Write("strftime('%d', x)"),
        "hour" => Write("strftime('%H', x)"),
        "weekday" | "dayofweek" => Write("strftime('%w', x)"),
        "date_format" | "to_char" => Write("strftime"),
        "datediff" | "date_diff" => Write("julianday(a) - julianday(b)"),
        "dateadd" | "date_add" | "date_sub" => Write("date(x, '+1 day')"),
        "date_trunc" => Write("strftime('%Y-%m-01', x)"),
        "julianday" | "unixepoch" => Write("date_diff('day', a, b)"),
        "getdate" | "sysdate" => Write("current_date"),
        "charindex" | "locate" => Write("instr(text, part)"),
        "isnull" => Write("coalesce"),
        "len" => Write("length"),
        _ => Nothing,
    }
}

fn instead_in_postgres(name: &str) -> Instead {
    match name {
        "year" => Write("EXTRACT(YEAR FROM x)"),
        "month" => Write("EXTRACT(MONTH FROM x)"),
        "day" | "dayofmonth" => Write("EXTRACT(DAY FROM x)"),
        "hour" => Write("EXTRACT(HOUR FROM x)"),
        "weekday" | "dayofweek" => Write("EXTRACT(DOW FROM x)"),
        "strftime" | "date_format" => Write("to_char(x, 'YYYY-MM-DD')"),
        "datediff" | "date_diff" | "julianday" => Write("CAST(a AS date) - CAST(b AS date)"),
        "dateadd" => Write("x + INTERVAL '1 day'"),
        "getdate" | "sysdate" => Write("current_date"),
        "instr" | "charindex" | "locate" => Write("strpos(text, part)"),
        "isnull" => Write("coalesce"),
        "nvl" | "ifnull" => Write("COALESCE"),
        "if" | "iif" => Write("CASE WHEN condition THEN a ELSE b END"),
        "median" => Write("percentile_cont(0.5) WITHIN GROUP (ORDER BY x)"),
        "group_concat" | "listagg" => Write("string_agg(x, ', ')"),
        "any_value" => Write("min(x)"),
        "len" => Write("length"),
        _ => Nothing,
    }
}

fn instead_in_clickhouse(name: &str) -> Instead {
    match name {
        "strftime" | "to_char" => Write("formatDateTime(x, '%Y-%m')"),
        "julianday" => Write("dateDiff('day', a, b)"),
        "to_date" | "strptime" => Write("parseDateTimeOrNull(text, '%d/%m/%Y')"),
        "getdate" | "sysdate" => Write("today()"),
        "strpos" | "charindex" => Write("position(text, part)"),
        "split_part" => Write("splitByChar(',', text)[1]"),
        "listagg" => Write("arrayStringConcat(groupArray(x), ', ')"),
        "nvl" | "isnull" => Write("coalesce"),
        "len" => Write("lengthUTF8"),
        "percentile_cont" => Write("quantileExactInclusive(0.5)(x)"),
        "safe_divide" => Write("a / nullIf(b, 0)"),
        "try_cast" | "safe_cast" => Write("toFloat64OrNull(text)"),
        _ => Nothing,
    }
}

fn instead_in_databricks(name: &str) -> Instead {
    match name {
        "strftime" | "format_date" => Write("date_format(x, 'yyyy-MM')"),
        "julianday" => Write("datediff(later, earlier)"),
        "strptime" | "parse_date" | "str_to_date" => Write("try_to_date(text, 'dd/MM/yyyy')"),
        "strpos" => Write("instr(text, part)"),
        "safe_divide" => Write("a / NULLIF(b, 0)"),
        "safe_cast" => Write("try_cast(x AS type)"),
        "group_concat" => Write("array_join(collect_list(x), ', ')"),
        "countif" => Write("count_if(condition)"),
        "unnest" | "flatten" => Advice(later!("write LATERAL explode(column) AS t(item) in FROM")),
        _ => Nothing,
    }
}

fn instead_in_trino(name: &str) -> Instead {
    match name {
        "strftime" | "to_char" | "format_date" => Write("date_format(x, '%Y-%m')"),
        "datediff" | "julianday" => Write("date_diff('day', earlier, later)"),
        "dateadd" | "date_sub" => Write("date_add('day', 1, x)"),
        "strptime" | "parse_date" | "str_to_date" | "to_date" => Write("date_parse(text, '%d/%m/%Y')"),
        "date_part" | "datepart" => Write("EXTRACT(YEAR FROM x)"),
        "getdate" | "sysdate" => Write("current_date"),
        "instr" | "charindex" | "locate" => Write("strpos(text, part)"),
        "safe_divide" => Write("a / NULLIF(b, 0)"),
        "safe_cast" => Write("TRY_CAST(x AS type)"),
        "string_agg" | "group_concat" => Write("listagg(x, ', ') WITHIN GROUP (ORDER BY x)"),
        "countif" => Write("count_if(condition)"),
        "nvl" | "ifnull" | "isnull" => Write("coalesce"),
        "iif" | "iff" => Write("IF(condition, a, b)"),
        "len" => Write("length"),
        "left" => Write("substr(text, 1, n)"),
        "right" => Write("substr(text, -n)"),
        "median" | "percentile_cont" => Write("approx_percentile(x, 0.5)"),
        "json_value" | "get_json_object" | "json_extract_string" => Write("json_extract_scalar(x, '$.key')"),
        "explode" | "flatten" => Advice(later!("write CROSS JOIN UNNEST(column) AS t(item) in FROM")),
        _ => Nothing,
    }
}

fn instead_in_mssql(name: &str) -> Instead {
    match name {
        "strftime" | "to_char" | "date_format" | "format_date" => Write("FORMAT(x, 'yyyy-MM')"),
        "extract" | "date_part" => Write("DATEPART(year, x)"),
        "date_trunc" => Write("DATEFROMPARTS(YEAR(x), MONTH(x), 1)"),
        "date_diff" | "julianday" => Write("DATEDIFF(day, earlier, later)"),
        "date_add" | "date_sub" => Write("DATEADD(day, 1, x)"),
        "to_date" | "strptime" | "parse_date" | "str_to_date" => Write("TRY_CONVERT(date, text, 103)"),
        "now" | "sysdate" | "today" => Write("GETDATE()"),
        "quarter" => Write("DATEPART(quarter, x)"),
        "hour" => Write("DATEPART(hour, x)"),
        "weekday" | "dayofweek" => Write("DATEPART(weekday, x)"),
        "last_day" => Write("EOMONTH(x)"),
        "instr" | "strpos" | "position" | "locate" => Write("CHARINDEX(part, text)"),
        "length" | "char_length" | "character_length" => Write("LEN(text)"),
        "substr" => Write("SUBSTRING(text, 1, n)"),
        "ifnull" | "nvl" => Write("COALESCE"),
        "if" | "iff" => Write("IIF(condition, a, b)"),
        "group_concat" | "listagg" => Write("STRING_AGG(x, ', ')"),
        "ceil" => Write("CEILING(x)"),
        "mod" => Write("a % b"),
        "stddev" | "stddev_samp" => Write("STDEV(x)"),
        "stddev_pop" => Write("STDEVP(x)"),
        "variance" | "var_samp" => Write("VAR(x)"),
        "count_if" | "countif" => Write("SUM(CASE WHEN condition THEN 1 ELSE 0 END)"),
        "safe_divide" => Write("a / NULLIF(b, 0)"),
        "safe_cast" => Write("TRY_CAST(x AS type)"),
        "json_extract" | "json_extract_scalar" | "json_extract_string" => Write("JSON_VALUE(x, '$.key')"),
        "unnest" | "explode" | "flatten" => Advice(later!("write CROSS APPLY OPENJSON(column) AS j in FROM")),
        "median" => Advice(later!("write PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) OVER (PARTITION BY g)")),
        _ => Nothing,
    }
}

fn instead_in_mysql(name: &str) -> Instead {
    match name {
        "strftime" | "to_char" => Write("DATE_FORMAT(x, '%Y-%m')"),
        "date_trunc" => Write("DATE_FORMAT(x, '%Y-%m-01')"),
        "date_part" => Write("EXTRACT(YEAR FROM x)"),
        "julianday" | "date_diff" => Write("DATEDIFF(a, b)"),
        "dateadd" => Write("x + INTERVAL 1 DAY"),
        "to_date" | "strptime" => Write("STR_TO_DATE(text, '%d/%m/%Y')"),
        "getdate" => Write("CURRENT_DATE"),
        "strpos" | "charindex" => Write("INSTR(text, part)"),
        "split_part" => Write("SUBSTRING_INDEX(text, ',', 1)"),
        "string_agg" | "listagg" | "array_agg" => Write("GROUP_CONCAT(x SEPARATOR ', ')"),
        "nvl" | "isnull" => Write("COALESCE"),
        "len" => Write("CHAR_LENGTH"),
        "median" | "percentile_cont" => Advice(later!("write the mean of the middle rows by ROW_NUMBER()")),
        _ => Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_for_signs_are_told_by_the_sign() {
        for dialect in [Dialect::Sqlite, Dialect::Postgres, Dialect::Bigquery, Dialect::Mssql] {
            let told = ["divide", "multiply", "subtract"].map(|name| match suggest_replacement(name, dialect) {
                Write(sql) => sql,
                _ => "nothing",
            });
            assert_eq!(told, ["a / b", "a * b", "a - b"], "{dialect:?}");
        }
    }
}
