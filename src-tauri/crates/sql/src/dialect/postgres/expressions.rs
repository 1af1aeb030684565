use super::Postgres;
use crate::column_type::ColumnType;
use crate::dialect::date_format::{FormatPart, TemplateWords, has_clock, is_packed, parse_format, to_template};
use crate::dialect::expressions::NUMBER_PATTERN;
use crate::dialect::{Expressions, NumberTextComparison};
use vitrine_domain::views::Step;

impl Expressions for Postgres {
    fn rounds_only_decimals(&self) -> bool {
        true
    }

    fn number_text_comparison(&self) -> NumberTextComparison {
        NumberTextComparison::Refuses
    }

    fn add_days(&self, day: &str, days: &str) -> String {
        format!("({day} + CAST({days} AS INTEGER))")
    }

    fn add_months(&self, day: &str, months: i64) -> String {
        format!("CAST({day} + INTERVAL '{months} months' AS DATE)")
    }

    fn local_time(&self, expr: &str, zone: &str, stored: &str, zoned: bool) -> Option<String> {
        let (zone, stored) = (self.text_literal(zone), self.text_literal(stored));
        let moment = if zoned { expr.to_owned() } else { format!("({expr} AT TIME ZONE {stored})") };
        Some(format!("({moment} AT TIME ZONE {zone})"))
    }

    fn count_days(&self, from: &str, to: &str) -> String {
        format!("{to} - {from}")
    }

    fn days_to_weeks(&self, days: &str) -> String {
        format!("({days}) / 7")
    }

    // A dividend that is not a float stays as exact as possible and can be rounded.
    fn dividend(&self, expr: &str, family: ColumnType) -> String {
        if family == ColumnType::Float { expr.to_owned() } else { format!("CAST({expr} AS NUMERIC)") }
    }

    fn median(&self, of: &str) -> String {
        format!("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {of})")
    }

    fn truncate_number(&self, expr: &str) -> String {
        format!("TRUNC(CAST({expr} AS NUMERIC))")
    }

    fn read_number(&self, expr: &str) -> String {
        format!("CASE WHEN {expr} ~ {NUMBER_PATTERN} THEN CAST({expr} AS NUMERIC) END")
    }

    fn day_to_text(&self, expr: &str) -> String {
        format!("TO_CHAR({expr}, 'YYYY-MM-DD')")
    }

    // TO_DATE fails for the 31st of February.
    fn iso_text_to_day(&self, text: &str) -> String {
        let first = format!("TO_DATE(SUBSTR({text}, 1, 7) || '-01', 'YYYY-MM-DD')");
        let rolled = format!("{first} + CAST(SUBSTR({text}, 9, 2) AS INTEGER) - 1");
        let shape = "^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
        format!(
            "CASE WHEN {text} ~ '{shape}' THEN CASE WHEN TO_CHAR({rolled}, 'YYYY-MM-DD') = {text} THEN {rolled} END END"
        )
    }

    fn text_to_moment(&self, expr: &str, format: &str) -> String {
        let words = TemplateWords { fraction: "US", short_month: "Mon", month: "Month" };
        let template = self.text_literal(&to_template(format, &words));
        let read = match has_clock(format) {
            true => format!("CAST(TO_TIMESTAMP(TRIM({expr}), {template}) AS TIMESTAMP)"),
            false => format!("TO_DATE(TRIM({expr}), {template})"),
        };
        format!("CASE WHEN TRIM({expr}) ~ {} THEN {read} END", self.text_literal(&calendar_day_pattern(format)))
    }

    // Converting other text to JSON fails.
    fn reads_paths_in_text(&self) -> bool {
        false
    }

    fn json_path(&self, path: &[Step]) -> String {
        let step = |step: &Step| match step {
            Step::Key(name) => format!("\"{name}\""),
            Step::Element(at) => at.to_string(),
        };
        let path: Vec<String> = path.iter().map(step).collect();
        self.text_literal(&format!("{{{}}}", path.join(",")))
    }

    fn text_at_path(&self, expr: &str, path: &[Step], _family: ColumnType) -> String {
        format!("(TO_JSONB({expr}) #>> {})", self.json_path(path))
    }

    fn has_typed_lists(&self) -> bool {
        true
    }

    // Unnesting composite values gives a column for each field.
    fn reads_fields_of_members(&self) -> bool {
        false
    }
}

/// Returns a regular expression for existing dates in this format, because TO_DATE fails on others, including the 31st
/// of February. It enumerates months and years for each day, so that no value is computed from text before it is known
/// to be a date.
fn calendar_day_pattern(format: &str) -> String {
    // Months by their numbers and names, days, and years.
    let february = ["0?2", "feb", "february"];
    let others = [
        "0?[13-9]|1[0-2]",
        "jan|mar|apr|may|jun|jul|aug|sep|oct|nov|dec",
        "january|march|april|may|june|july|august|september|october|november|december",
    ];
    let long = ["0?[13578]|1[02]", "jan|mar|may|jul|aug|oct|dec", "january|march|may|july|august|october|december"];
    let every = ["(?!0000)[0-9]{4}", "[0-9]{2}"];
    // Two-digit years mean 1970 to 2069, so that leap years are those divisible by four.
    let leap = [
        "(?!0000)(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)",
        "(?:[02468][048]|[13579][26])",
    ];
    let days = [
        (others, "0?[1-9]|[12][0-9]|30", every),
        (long, "31", every),
        (february, "0?[1-9]|1[0-9]|2[0-8]", every),
        (february, "29", leap),
    ];
    let read = parse_format(format);
    let packed = is_packed(&read);
    let shapes = days.map(|(months, day, years)| {
        let part = |part: &FormatPart| match part {
            FormatPart::Letter('Y') => years[0].to_owned(),
            FormatPart::Letter('y') => years[1].to_owned(),
            FormatPart::Letter('m') => format!("(?:{})", months[0]),
            FormatPart::Letter('b') => format!("(?:{})", months[1]),
            FormatPart::Letter('B') => format!("(?:{})", months[2]),
            FormatPart::Letter('d') => format!("(?:{day})"),
            FormatPart::Letter('H') => "(?:[01]?[0-9]|2[0-3])".to_owned(),
            FormatPart::Letter('I') => "(?:0?[1-9]|1[0-2])".to_owned(),
            FormatPart::Letter('f') => "[0-9]+".to_owned(),
            FormatPart::Letter('a') => "(?:mon|tue|wed|thu|fri|sat|sun)".to_owned(),
            FormatPart::Letter('p') => "[ap]m".to_owned(),
            FormatPart::Letter(_) => "[0-5][0-9]".to_owned(),
            FormatPart::Text(text) => text.replace('.', "[.]"),
        };
        let shape: String = read.iter().map(part).collect();
        // Without separators every part has its full width.
        if packed { shape.replace("0?", "0").replace("[01]?", "[01]") } else { shape }
    });
    format!("(?i)^(?:{})$", shapes.join("|"))
}
