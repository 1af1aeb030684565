//! Replacements for functions that an engine does not have.

use vitrine_domain::Dialect;

/// The replacement for a function that models bring from other engines; begins with a semicolon, or is empty.
pub(crate) fn instead(name: &str, dialect: Dialect) -> &'static str {
    if dialect == Dialect::Postgres {
        return instead_in_postgres(name);
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
