use super::Mysql;
use crate::column_type::ColumnType;
use crate::dialect::date_format::{FormatPart, parse_format, to_mysql_letters};
use crate::dialect::expressions::NUMBER_PATTERN;
use crate::dialect::{Expressions, NumberTextComparison};
use vitrine_domain::views::{Period, Step};

impl Expressions for Mysql {
    fn number_text_comparison(&self) -> NumberTextComparison {
        NumberTextComparison::ConvertsPrefix
    }

    fn first_day_of_longer(&self, expr: &str, period: Period, family: ColumnType) -> String {
        // MySQL's day functions keep the time of a timestamp.
        let day = self.day_of(expr, family);
        match period {
            Period::Week => format!("DATE_SUB({day}, INTERVAL WEEKDAY({day}) DAY)"),
            Period::Month => format!("DATE_SUB({day}, INTERVAL DAYOFMONTH({day}) - 1 DAY)"),
            Period::Quarter => format!("DATE_ADD(MAKEDATE(YEAR({day}), 1), INTERVAL 3 * (QUARTER({day}) - 1) MONTH)"),
            Period::Year | Period::Day => format!("MAKEDATE(YEAR({day}), 1)"),
        }
    }

    fn add_days(&self, day: &str, days: &str) -> String {
        format!("DATE_ADD({day}, INTERVAL {days} DAY)")
    }

    fn add_months(&self, day: &str, months: i64) -> String {
        format!("DATE_ADD({day}, INTERVAL {months} MONTH)")
    }

    fn count_days(&self, from: &str, to: &str) -> String {
        format!("DATEDIFF({to}, {from})")
    }

    fn days_to_weeks(&self, days: &str) -> String {
        format!("{days} DIV 7")
    }

    fn date_number(&self, part: Period, day: &str) -> String {
        format!("EXTRACT({} FROM {day})", part.name().to_uppercase())
    }

    // Quotients of decimals have only four decimals more than the dividend.
    fn dividend(&self, expr: &str, _family: ColumnType) -> String {
        format!("CAST({expr} AS DOUBLE)")
    }

    // Means have only four more decimals than their values, so that a third would be 0.3333.
    fn mean(&self, of: &str) -> String {
        format!("AVG(CAST({of} AS DOUBLE))")
    }

    // MariaDB's median is a window function only.
    fn has_median(&self) -> bool {
        false
    }

    fn truncate_number(&self, expr: &str) -> String {
        format!("TRUNCATE({expr}, 0)")
    }

    fn read_number(&self, expr: &str) -> String {
        format!("CASE WHEN {expr} REGEXP {NUMBER_PATTERN} THEN CAST({expr} AS DOUBLE) END")
    }

    fn day_to_text(&self, expr: &str) -> String {
        format!("DATE_FORMAT({expr}, '%Y-%m-%d')")
    }

    // MariaDB keeps the 31st of February.
    fn iso_text_to_day(&self, text: &str) -> String {
        let shape = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
        format!(
            "CASE WHEN {text} REGEXP '{shape}' AND {text} >= '0001' THEN STR_TO_DATE({text}, '%Y-%m-%d') + INTERVAL 0 DAY END"
        )
    }

    // STR_TO_DATE ignores text after the format and accepts the 31st of February; adding an interval makes that NULL.
    fn text_to_moment(&self, expr: &str, format: &str) -> String {
        let letters = self.text_literal(&to_mysql_letters(format));
        let read = format!("STR_TO_DATE(TRIM({expr}), {letters}) + INTERVAL 0 DAY");
        format!("CASE WHEN TRIM({expr}) REGEXP {} THEN {read} END", self.text_literal(&format_pattern(format)))
    }

    // TRIM functions remove a text, not a set of characters.
    fn month_name_in(&self, text: &str) -> String {
        format!("REGEXP_SUBSTR({text}, '[^-0-9 /:]+')")
    }

    fn contains_condition(&self, expr: &str, wanted: &str) -> String {
        format!("INSTR({expr}, {wanted}) > 0")
    }

    fn text_at_path(&self, expr: &str, path: &[Step], _family: ColumnType) -> String {
        let found = format!("JSON_EXTRACT({expr}, {})", self.json_path(path));
        format!(
            "CASE WHEN JSON_VALID({expr}) THEN CASE WHEN JSON_TYPE({found}) <> 'NULL' THEN JSON_UNQUOTE({found}) END END"
        )
    }

    fn has_full_join(&self) -> bool {
        false
    }

    fn sorts_by_expressions_over_aggregates(&self) -> bool {
        false
    }

    // NULL is the smallest value, and NULLS LAST does not exist.
    fn nulls_last(&self, key: &str, descending: bool) -> String {
        if descending { format!("{key} DESC") } else { format!("{key} IS NULL, {key}") }
    }
}

/// Returns a regular expression for text of this format, because STR_TO_DATE ignores trailing text.
fn format_pattern(format: &str) -> String {
    let part = |part: &FormatPart| match part {
        FormatPart::Letter('Y') => "[0-9]{4}".to_owned(),
        FormatPart::Letter('m' | 'd' | 'H' | 'I') => "[0-9]{1,2}".to_owned(),
        FormatPart::Letter('f') => "[0-9]+".to_owned(),
        FormatPart::Letter('b' | 'a') => "[A-Za-z]{3}".to_owned(),
        FormatPart::Letter('B') => "[A-Za-z]+".to_owned(),
        FormatPart::Letter('p') => "[AaPp][Mm]".to_owned(),
        FormatPart::Letter(_) => "[0-9]{2}".to_owned(),
        FormatPart::Text(text) => text.replace('.', "[.]"),
    };
    let shape: String = parse_format(format).iter().map(part).collect();
    format!("^{shape}$")
}
