//! Numbers as people write them: decimal commas, groups of thousands, signs of money and percent, minus signs behind and brackets
//! around. A column of text is read as numbers only where every value can be, and where the file says which sign is the decimal
//! one: "1.200" alone may be either. What is done is said in the column's comment, in front of whoever looks at it.

use super::column::{Column, How};
use super::exact::LONGEST_FRACTION;
use crate::duck::{literal, quoted};
use ::duckdb::{Connection, Result, Row};
use vitrine_domain::{DecimalSign, FileReading, MONEY};
use vitrine_words::tr;

/// Blanks of every width.
const BLANK: &str = r"[\s\x{00a0}\x{2007}\x{2009}\x{202f}]";
/// Stands where there is no number.
pub(super) const NOTHING: &str = r"[-–—]|n/?a|N/?A|#N/A";

/// A column of text whose values are all numbers.
#[derive(Debug, Clone, PartialEq)]
struct Written {
    decimal: DecimalSign,
    data_type: String,
    /// Money or percent, where every value that has some has the same.
    unit: Option<String>,
    example: String,
}

/// What all values of a column have in common.
#[derive(Debug, Clone, Default)]
struct Look {
    /// All are numbers with a decimal comma, or with a point.
    commas: bool,
    points: bool,
    /// Some could not be the other.
    surely_comma: bool,
    surely_point: bool,
    /// Groups or fractions occur at all.
    separated: bool,
    units: i64,
    unit: Option<String>,
    /// Digits that begin with 0 and are no fraction: a code.
    code: bool,
    whole: u32,
    after_comma: u32,
    after_point: u32,
    example: Option<String>,
}

/// Which of the columns are numbers in text; `raw` reads the file with all columns as text. A column that the engine took for
/// numbers with points is looked at, too: beside a decimal comma its points part thousands.
pub(super) fn settle(
    connection: &Connection,
    raw: &str,
    columns: &mut [&mut Column],
    told: Option<DecimalSign>,
    reading: &mut FileReading,
) -> Result<()> {
    let mut columns: Vec<&mut &mut Column> =
        columns.iter_mut().filter(|column| matches!(column.data_type.as_str(), "VARCHAR" | "DOUBLE")).collect();
    if columns.is_empty() {
        return Ok(());
    }
    let looks: Vec<String> = columns.iter().map(|column| look(&quoted(&column.name))).collect();
    let sql = format!("SELECT {} FROM {raw}", looks.join(", "));
    let looks: Vec<Look> =
        connection.query_row(&sql, [], |row| (0..columns.len()).map(|at| read(row, at * PARTS)).collect())?;
    // What one column leaves open another may say: a file is written by one program.
    let says = |sure: fn(&Look) -> bool| looks.iter().any(sure);
    let comma = says(|look| look.commas && look.surely_comma && !look.code);
    let point = says(|look| look.points && look.surely_point && !look.code);
    let mut signs = Vec::new();
    for (column, look) in columns.iter_mut().zip(looks) {
        let is_text = column.data_type == "VARCHAR";
        match look.settled(told, comma, point, is_text) {
            Some(written) => {
                if look.separated {
                    signs.push(written.decimal);
                }
                column.convert(written.value(&column.name), How::new(|| written.in_words()));
            }
            None => reading.doubts.extend(look.doubt(&column.name, told, comma, point, is_text)),
        }
    }
    reading.decimal = signs.first().copied().filter(|first| signs.iter().all(|sign| sign == first));
    Ok(())
}

impl Look {
    /// What nobody can tell from the file alone.
    fn doubt(&self, name: &str, told: Option<DecimalSign>, comma: bool, point: bool, is_text: bool) -> Option<String> {
        let open = told.is_none() && !comma && !point && self.commas && self.points && self.separated;
        let unclear = open && !self.surely_comma && !self.surely_point && !self.code && self.units < 2;
        let example = literal(self.example.as_deref().unwrap_or_default());
        unclear.then(|| match is_text {
            true => tr!("{name} may hold thousands or fractions, such as {example}; it stays text.", name, example),
            false => tr!(
                "{name} may hold thousands or fractions, such as {example}; the point was read as a decimal point.",
                name,
                example
            ),
        })
    }

    fn settled(&self, told: Option<DecimalSign>, comma: bool, point: bool, is_text: bool) -> Option<Written> {
        if self.code || self.units > 1 || !(self.separated || self.units == 1) {
            return None;
        }
        let decimal = match (self.surely_comma, self.surely_point) {
            _ if told == Some(DecimalSign::Comma) && self.commas => DecimalSign::Comma,
            _ if told == Some(DecimalSign::Point) && self.points => DecimalSign::Point,
            _ if told.is_some() => return None,
            (true, false) if self.commas => DecimalSign::Comma,
            (false, true) if self.points => DecimalSign::Point,
            (false, false) if self.commas && comma && !point => DecimalSign::Comma,
            (false, false) if self.points && point && !comma => DecimalSign::Point,
            // Whole numbers with a sign of money are the same either way.
            (false, false) if self.commas && self.points && !self.separated => DecimalSign::Point,
            _ => return None,
        };
        // Numbers with points were read as such by the engine already.
        if !is_text && decimal == DecimalSign::Point {
            return None;
        }
        let fraction = if decimal == DecimalSign::Comma { self.after_comma } else { self.after_point };
        let data_type = match (self.whole + fraction, fraction) {
            (digits, _) if digits > 38 => return None,
            (digits, 0) if digits <= 18 => "BIGINT".to_owned(),
            (digits, fraction) if fraction <= LONGEST_FRACTION => {
                format!("DECIMAL({},{fraction})", if digits > 18 { 38 } else { 18 })
            }
            _ => "DOUBLE".to_owned(),
        };
        Some(Written { decimal, data_type, unit: self.unit.clone(), example: self.example.clone().unwrap_or_default() })
    }
}

impl Written {
    /// The value of a column of text, as an expression.
    fn value(&self, name: &str) -> String {
        as_number(&quoted(name), self.decimal, &self.data_type, "CAST")
    }

    /// What was done, for people and models.
    fn in_words(&self) -> String {
        let example = literal(&self.example);
        let read = match self.decimal {
            DecimalSign::Comma => tr!("read as a number with a decimal comma from text such as {example}", example),
            DecimalSign::Point => tr!("read as a number with a decimal point from text such as {example}", example),
        };
        match &self.unit {
            Some(unit) => tr!("{read}; in {unit}", read, unit),
            None => read,
        }
    }
}

/// The number that a text of [`number_pattern`] is, as an expression.
pub(super) fn as_number(text: &str, decimal: DecimalSign, data_type: &str, cast: &str) -> String {
    let (group, point) = match decimal {
        DecimalSign::Comma => ("[^0-9,]", "replace(x, ',', '.')"),
        DecimalSign::Point => ("[^0-9.]", "x"),
    };
    let digits = format!("nullif(regexp_replace({text}, '{group}', '', 'g'), '')");
    let number = point.replace('x', &digits);
    let negative = format!(r"regexp_matches({text}, '^[^0-9]*[-−–(]|[0-9][^0-9]*[-−]{BLANK}*$')");
    format!("CASE WHEN {negative} THEN -{cast}({number} AS {data_type}) ELSE {cast}({number} AS {data_type}) END")
}

/// Money or percent.
fn unit_pattern() -> String {
    format!(r"(?:\p{{Sc}}|%|‰|{})", MONEY.join("|"))
}

/// A number with this decimal sign, its unit and its sign on either side.
pub(super) fn number_pattern(decimal: DecimalSign) -> String {
    let (group, decimal) = match decimal {
        DecimalSign::Comma => (".", ","),
        DecimalSign::Point => (",", "[.]"),
    };
    let (unit, sign) = (unit_pattern(), r"[-+−–]?");
    let number = format!(
        r"(?:[0-9]{{1,3}}(?:[{group}'’\s\x{{00a0}}\x{{2009}}\x{{202f}}][0-9]{{3}})+|[0-9]+)(?:{decimal}[0-9]+)?"
    );
    format!(r"\(?{sign}{BLANK}*{unit}?{BLANK}*{sign}{BLANK}*{number}{BLANK}*{unit}?{BLANK}*[-−]?\)?")
}

/// Values that [`look`] gives of one column.
const PARTS: usize = 12;

fn look(column: &str) -> String {
    let unit = unit_pattern();
    let (commas, points) = (number_pattern(DecimalSign::Comma), number_pattern(DecimalSign::Point));
    // Texts that say something: neither empty nor a dash in place of a number.
    let text = format!("nullif(trim({column}), '')");
    let text = format!("CASE WHEN NOT coalesce(regexp_full_match({text}, '{NOTHING}'), true) THEN {text} END");
    let matches = |pattern: &str| format!("regexp_matches({text}, '{}')", pattern.replace('\'', "''"));
    let full = |pattern: &str| format!("regexp_full_match({text}, '{}')", pattern.replace('\'', "''"));
    let groups = |sign: &str| format!("length(regexp_replace({text}, '[^{sign}]', '', 'g'))");
    // Thousands in every value with the same number of groups may be a code as well.
    let varied = |sign: &str| format!("(max({0}) > 1 AND min({0}) < max({0}))", groups(sign));
    let longest = |pattern: &str| format!("coalesce(max(length(regexp_extract({text}, '{pattern}', 1))), 0)::INTEGER");
    let found_unit = format!("regexp_extract({text}, '{unit}')");
    [
        format!("coalesce(bool_and({}), false)", full(&commas)),
        format!("coalesce(bool_and({}), false)", full(&points)),
        // A comma with other than three digits behind it, or with a point before it.
        format!("coalesce(bool_or({}) OR {}, false)", matches(r"[0-9],[0-9]{1,2}([^0-9]|$)|[0-9],[0-9]{4}|[.][0-9]{3},[0-9]"), varied(".")),
        format!("coalesce(bool_or({}) OR {}, false)", matches(r"[0-9][.][0-9]{1,2}([^0-9]|$)|[0-9][.][0-9]{4}|,[0-9]{3}[.][0-9]"), varied(",")),
        format!("coalesce(bool_or({}), false)", matches("[.,]")),
        format!("count(DISTINCT nullif({found_unit}, ''))"),
        format!("max(nullif({found_unit}, ''))"),
        format!("coalesce(bool_or({}), false)", matches(r"^[^0-9]*0[0-9]")),
        format!("coalesce(max(length(regexp_replace(regexp_replace({text}, '[.,][0-9]{{1,2}}[^0-9]*$', ''), '[^0-9]', '', 'g'))), 0)::INTEGER"),
        longest(",([0-9]*)[^0-9,.]*$"),
        longest("[.]([0-9]*)[^0-9,.]*$"),
        format!("coalesce(first({text}) FILTER (WHERE {}), first({text}))", matches("[.,]")),
    ]
    .join(", ")
}

fn read(row: &Row<'_>, at: usize) -> Result<Look> {
    let count = |index: usize| row.get::<_, i32>(at + index).map(i32::unsigned_abs);
    Ok(Look {
        commas: row.get(at)?,
        points: row.get(at + 1)?,
        surely_comma: row.get(at + 2)?,
        surely_point: row.get(at + 3)?,
        separated: row.get(at + 4)?,
        units: row.get(at + 5)?,
        unit: row.get(at + 6)?,
        code: row.get(at + 7)?,
        whole: count(8)?,
        after_comma: count(9)?,
        after_point: count(10)?,
        example: row.get(at + 11)?,
    })
}
