//! Dates as people write them. Whether `03/04/2024` is in March or in April only the file can say: a column has an order where one
//! of the two orders cannot be, or where the dates of another column of the file have one. Else it stays text, and that is said.

use super::column::{Column, How};
use super::months::month_of;
use crate::duck::{literal, quoted};
use ::duckdb::{Connection, Result, Row};
use vitrine_domain::{DateOrder, FileReading};
use vitrine_words::tr;

/// Rows that show which columns may be dates.
const SAMPLE: usize = 1000;
const TIME: &str = r"(?:,?[ T]+([0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,6})?)?)(?:[ \x{00a0}\x{202f}]?([AaPp])[.]? ?[Mm][.]?)?(?: Uhr| h)?)?(?: ?((?:GMT|UTC|CET|CEST|MEZ|MESZ|Z)(?:[+-][0-9]{1,2}(?::?[0-9]{2})?)?))?";

/// How dates of a column are written. Each pattern has five groups of its own, then those of [`TIME`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `31.12.2024`, `12/31/24`
    Numbers,
    /// `2024/12/31`
    YearFirst,
    /// `31. Dezember 2024`, `31-Dec-2024`, `31 de diciembre de 2024`
    DayName,
    /// `December 31, 2024`
    NameDay,
}

impl Form {
    const ALL: [Self; 4] = [Self::Numbers, Self::YearFirst, Self::DayName, Self::NameDay];

    fn pattern(self) -> String {
        let day = match self {
            Self::Numbers => "([0-9]{1,2})([./-])([0-9]{1,2})([./-])([0-9]{4}|[0-9]{2})",
            Self::YearFirst => "([0-9]{4})([./-])([0-9]{1,2})([./-])([0-9]{1,2})",
            Self::DayName => {
                r"(?:\p{L}+[.]?,? )?([0-9]{1,2})([.]|er|º|st|nd|rd|th)?[ ./-]*(?:de |of )?(\p{L}{3,})([.]?,?)[ /-]*(?:del? )?([0-9]{4})"
            }
            Self::NameDay => r"(?:\p{L}+[.]?, )?(\p{L}{3,})([.]?) ([0-9]{1,2})(st|nd|rd|th)?,? ([0-9]{4})",
        };
        format!("{day}{TIME}")
    }

    /// The groups of the pattern, taken out of a text once.
    fn groups(self, text: &str) -> String {
        let names: Vec<String> = (1..=GROUPS).map(|number| format!("'g{number}'")).collect();
        format!("regexp_extract({text}, {}, [{}])", literal(&format!("^{}$", self.pattern())), names.join(", "))
    }

    /// Year, month and day out of the groups, as expressions.
    fn parts(self, groups: &str, order: DateOrder, century: &str) -> [String; 3] {
        let group = |number: usize| part(groups, number);
        let whole = |number: usize| format!("lpad({}, 2, '0')", group(number));
        match (self, order) {
            (Self::Numbers, order) => {
                let year = format!("CASE length({0}) WHEN 2 THEN '{century}' ELSE '' END || {0}", group(5));
                match order {
                    DateOrder::DayFirst => [year, whole(3), whole(1)],
                    DateOrder::MonthFirst => [year, whole(1), whole(3)],
                }
            }
            (Self::YearFirst, _) => [group(1), whole(3), whole(5)],
            (Self::DayName, _) => [group(5), month_of(&group(3)), whole(1)],
            (Self::NameDay, _) => [group(5), month_of(&group(1)), whole(3)],
        }
    }

    /// The value that the groups say; NULL where it is no day.
    fn value(self, groups: &str, order: DateOrder, century: &str, has_time: bool) -> String {
        let [year, month, day] = self.parts(groups, order, century);
        let date = format!("({year}) || '-' || {month} || '-' || {day}");
        if !has_time {
            return format!("TRY_CAST({date} AS DATE)");
        }
        let (time, half) = (part(groups, 6), part(groups, 7));
        let hour = format!("CAST(nullif(regexp_extract({time}, '^[0-9]+'), '') AS INTEGER)");
        let hour =
            format!("CASE upper({half}) WHEN 'P' THEN {hour} % 12 + 12 WHEN 'A' THEN {hour} % 12 ELSE {hour} END");
        let rest = format!("replace(regexp_replace({time}, '^[0-9]+', ''), ',', '.')");
        let rest = format!("CASE length({rest}) WHEN 3 THEN {rest} || ':00' ELSE {rest} END");
        format!(
            "TRY_CAST({date} || ' ' || coalesce(lpad(CAST({hour} AS VARCHAR), 2, '0') || {rest}, '00:00:00') AS TIMESTAMP)"
        )
    }
}

/// Groups of a pattern.
const GROUPS: usize = 8;

fn part(groups: &str, number: usize) -> String {
    format!("struct_extract({groups}, 'g{number}')")
}

/// A column's text where it says something.
fn said(column: &str) -> String {
    let text = format!("nullif(trim({}), '')", quoted(column));
    format!("CASE WHEN NOT coalesce(regexp_full_match({text}, '[-–—]|n/?a|N/?A|#N/A'), true) THEN {text} END")
}

/// A column that may hold dates, and what all its values have in common.
#[derive(Debug)]
struct Look {
    column: usize,
    form: Form,
    /// All values are days, the day first or the month first.
    day_first: bool,
    month_first: bool,
    /// Signs between the numbers.
    signs: i64,
    /// Years of two digits: none, all, or some.
    short_years: (bool, bool),
    /// The last number's least and largest value, and how many there are.
    last: (i32, i32, i64),
    /// How many first numbers there are.
    firsts: i64,
    some_time: bool,
    /// Time zones, the lack of one included, and one of them.
    zones: i64,
    zone: Option<String>,
    example: String,
    sign: String,
}

/// Which columns are dates. Of columns that the engine took for dates those are looked at again where it may have guessed the order.
pub(super) fn settle(
    connection: &Connection,
    raw: &str,
    columns: &mut [&mut Column],
    said_order: Option<DateOrder>,
    reading: &mut FileReading,
) -> Result<()> {
    let looks = look(connection, raw, columns)?;
    // A file has one order, if the columns that have one agree.
    let sure: Vec<&Look> = looks.iter().filter(|look| look.order().is_some()).collect();
    let agreed = sure
        .first()
        .and_then(|first| first.order())
        .filter(|order| sure.iter().all(|look| look.order() == Some(*order)));
    let four_digits = sure.iter().any(|look| !look.short_years.0);
    let mut orders = Vec::new();
    for look in &looks {
        let column = &mut columns[look.column];
        let (order, as_others) = match (said_order, look.order()) {
            (Some(order), _) | (None, Some(order)) => (Some(order), false),
            (None, None) if look.form == Form::Numbers => {
                let sign = |other: &&&Look| other.sign == look.sign;
                (agreed.filter(|_| sure.iter().any(|other| sign(&other))), true)
            }
            (None, None) => (None, false),
        };
        let century = look.century(order, four_digits, said_order.is_some());
        let (name, example) = (column.name.clone(), literal(&look.example));
        let doubt = match (look.form, order) {
            _ if look.signs > 1 => continue,
            _ if look.zones > 1 => {
                Some(tr!("{name} has times in several time zones, such as {example}; it stays text.", name, example))
            }
            (Form::Numbers, _) if !look.day_first && !look.month_first => {
                Some(tr!("{name} holds days that no calendar has, such as {example}; it stays text.", name, example))
            }
            (Form::Numbers, None) => Some(tr!(
                "{name} may have the day or the month first, such as {example}; it stays text.",
                name,
                example
            )),
            (Form::Numbers, Some(order)) if !look.can_be(order) => Some(tr!(
                "{name} holds days that do not exist in the order that was said, such as {example}; it stays text.",
                name,
                example
            )),
            (Form::Numbers, _) if century.is_none() => Some(tr!(
                "{name} has years of two digits that may be read in several ways, such as {example}; it stays text.",
                name,
                example
            )),
            (form, _) if form != Form::Numbers && !look.day_first => continue,
            _ => None,
        };
        if let Some(doubt) = doubt {
            column.keep_text();
            reading.doubts.push(doubt);
            continue;
        }
        let known = order.unwrap_or(DateOrder::DayFirst);
        let value =
            look.form.value(&look.form.groups(&said(&column.name)), known, century.unwrap_or("20"), look.some_time);
        if look.form == Form::Numbers {
            orders.push(known);
        }
        column.convert(value, How::new(|| look.in_words(known, as_others)));
    }
    reading.date_order = orders.first().copied().filter(|first| orders.iter().all(|order| order == first));
    Ok(())
}

impl Look {
    /// What was done, for people and models.
    fn in_words(&self, order: DateOrder, as_others: bool) -> String {
        let kind = if self.some_time { tr!("point in time") } else { tr!("date") };
        let order = match (self.form, order) {
            (Form::Numbers, DateOrder::DayFirst) => Some(tr!("with the day first")),
            (Form::Numbers, DateOrder::MonthFirst) => Some(tr!("with the month first")),
            _ => None,
        };
        let example = literal(&self.example);
        let read = match (order, as_others) {
            (None, _) => tr!("read as a {kind} from text such as {example}", kind, example),
            (Some(order), false) => tr!("read as a {kind} {order} from text such as {example}", kind, order, example),
            (Some(order), true) => tr!(
                "read as a {kind} {order} as in the file's other dates from text such as {example}",
                kind,
                order,
                example
            ),
        };
        match &self.zone {
            Some(zone) => tr!("{read}; local time, {zone}", read, zone),
            None => read,
        }
    }

    /// The order that the values themselves prove.
    fn order(&self) -> Option<DateOrder> {
        match (self.form, self.day_first, self.month_first) {
            (Form::Numbers, true, false) if self.signs == 1 => Some(DateOrder::DayFirst),
            (Form::Numbers, false, true) if self.signs == 1 => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }

    fn can_be(&self, order: DateOrder) -> bool {
        match order {
            DateOrder::DayFirst => self.day_first,
            DateOrder::MonthFirst => self.month_first,
        }
    }

    /// The first digits of years that have two, where they are safe: the year must be at the end, and in one century.
    fn century(&self, order: Option<DateOrder>, four_digits: bool, told: bool) -> Option<&'static str> {
        let (some, all) = self.short_years;
        if self.form != Form::Numbers || !some {
            return Some("20");
        }
        let (least, most, lasts) = self.last;
        // Were the year in front, the last number would be the day: no such day, or always the same one in many years.
        let common_day = |day: i32| matches!(day, 1 | 15 | 28..=31);
        let at_the_end = told
            || four_digits
            || order == Some(DateOrder::MonthFirst)
            || most > 31
            || least == 0
            || (lasts <= 2 && self.firsts >= 3 * lasts && !common_day(least) && !common_day(most));
        match (all && at_the_end, least, most) {
            (true, _, 0..=39) => Some("20"),
            (true, 70.., _) => Some("19"),
            _ => None,
        }
    }
}

fn look(connection: &Connection, raw: &str, columns: &[&mut Column]) -> Result<Vec<Look>> {
    let typed = |column: &Column| {
        ["VARCHAR", "DATE", "TIMESTAMP"].iter().any(|known| column.data_type.starts_with(known))
            && column.value.is_none()
    };
    let open: Vec<usize> = (0..columns.len()).filter(|at| typed(columns[*at])).collect();
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let all = |at: &usize, form: &Form| {
        format!(
            "coalesce(bool_and(regexp_full_match({}, {})), false)",
            said(&columns[*at].name),
            literal(&form.pattern())
        )
    };
    let tests: Vec<String> = open.iter().flat_map(|at| Form::ALL.map(|form| all(at, &form))).collect();
    let sql = format!("SELECT {} FROM (SELECT * FROM {raw} LIMIT {SAMPLE})", tests.join(", "));
    let mut candidates = connection.query_row(&sql, [], |row| {
        let mut found = Vec::new();
        for (index, at) in open.iter().enumerate() {
            for (number, form) in Form::ALL.into_iter().enumerate() {
                if row.get::<_, bool>(index * Form::ALL.len() + number)? {
                    found.push((*at, form));
                    break;
                }
            }
        }
        Ok(found)
    })?;
    // What the engine read with the year first is as it should be.
    candidates.retain(|(at, form)| *form == Form::Numbers || columns[*at].data_type == "VARCHAR");
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let inner: Vec<String> = candidates
        .iter()
        .enumerate()
        .map(|(index, (at, form))| {
            let text = said(&columns[*at].name);
            format!("{text} AS t{index}, {} AS g{index}", form.groups(&text))
        })
        .collect();
    let looks: Vec<String> = candidates.iter().enumerate().map(|(index, (_, form))| one(index, *form)).collect();
    let sql = format!("SELECT {} FROM (SELECT {} FROM {raw})", looks.join(", "), inner.join(", "));
    let looks: Vec<Option<Look>> = connection.query_row(&sql, [], |row| {
        candidates.iter().enumerate().map(|(index, (at, form))| read(row, index * PARTS, *at, *form)).collect()
    })?;
    Ok(looks.into_iter().flatten().collect())
}

/// Values that [`one`] gives.
const PARTS: usize = 15;

fn one(index: usize, form: Form) -> String {
    let (text, groups) = (format!("t{index}"), format!("g{index}"));
    let group = |number: usize| part(&groups, number);
    let valid = |order: DateOrder| {
        format!(
            "coalesce(bool_and({} IS NOT NULL) FILTER (WHERE {text} IS NOT NULL), false)",
            form.value(&groups, order, "20", true)
        )
    };
    let all = format!("coalesce(bool_and({} <> '') FILTER (WHERE {text} IS NOT NULL), false)", group(5));
    let number = |group: String| format!("TRY_CAST(nullif({group}, '') AS INTEGER)");
    let (first, last) = (number(group(1)), number(group(5)));
    [
        all,
        valid(DateOrder::DayFirst),
        valid(DateOrder::MonthFirst),
        format!("count(DISTINCT {} || {}) FILTER (WHERE {text} IS NOT NULL)", group(2), group(4)),
        format!("coalesce(bool_or(length({}) = 2), false)", group(5)),
        format!("coalesce(bool_and(length({}) = 2), false)", group(5)),
        format!("coalesce(min({last}), 0)"),
        format!("coalesce(max({last}), 0)"),
        format!("count(DISTINCT {last})"),
        format!("count(DISTINCT {first})"),
        format!("coalesce(bool_or(length({}) > 0), false)", group(6)),
        format!("count(DISTINCT {}) FILTER (WHERE {text} IS NOT NULL)", group(8)),
        format!("max(nullif({}, ''))", group(8)),
        // The example tells most where the order shows.
        format!("coalesce(max({text}) FILTER (WHERE {first} > 12 OR {} > 12), max({text}), '')", number(group(3))),
        format!("coalesce(max({}), '')", group(2)),
    ]
    .join(", ")
}

fn read(row: &Row<'_>, at: usize, column: usize, form: Form) -> Result<Option<Look>> {
    if !row.get::<_, bool>(at)? {
        return Ok(None);
    }
    let mixed_signs: i64 = if form == Form::Numbers || form == Form::YearFirst { row.get(at + 3)? } else { 1 };
    Ok(Some(Look {
        column,
        form,
        day_first: row.get(at + 1)?,
        month_first: row.get(at + 2)?,
        signs: mixed_signs,
        short_years: (row.get(at + 4)?, row.get(at + 5)?),
        last: (row.get(at + 6)?, row.get(at + 7)?, row.get(at + 8)?),
        firsts: row.get(at + 9)?,
        some_time: row.get(at + 10)?,
        zones: row.get(at + 11)?,
        zone: row.get(at + 12)?,
        example: row.get(at + 13)?,
        sign: row.get(at + 14)?,
    }))
}
