//! Text columns that hide numbers and dates, their description in a profile, and their values.

use super::cells::{Cell, date, day};
use super::dice::{Dice, Kind};
use vitrine_domain::{ColumnProfile, Profile, SemanticKind, TableName, TableProfile};

/// Columns by name, with the profile's description of the hidden values.
const HIDING: &[(&str, SemanticKind, &str)] = &[
    ("weight", SemanticKind::Metric, "number"),
    ("due", SemanticKind::Time, "%d/%m/%Y"),
    ("seen", SemanticKind::Time, "%m/%d/%Y %I:%M %p"),
    ("logged", SemanticKind::Time, "%Y-%m-%d %H:%M:%S"),
    ("posted", SemanticKind::Time, "%a, %d %b %Y"),
    ("ended", SemanticKind::Time, "%d %B %Y in German"),
    ("fee", SemanticKind::Metric, "number 1.234,56 €"),
];

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/// Long and short names of the months of the generated dates, including cases that test engines without lowercase
/// conversion of umlauts.
const GERMAN: [(&str, i64); 10] = [
    ("Januar", 1),
    ("Jan.", 1),
    ("Februar", 2),
    ("feb.", 2),
    ("März", 3),
    ("MÄRZ", 3),
    ("Mrz.", 3),
    ("April", 4),
    ("Dezember", 12),
    ("Dez", 12),
];
const FEES: [(&str, Option<f64>); 12] = [
    ("1.200,50 €", Some(1200.5)),
    ("-0,25 €", Some(-0.25)),
    ("7 €", Some(7.0)),
    ("7", Some(7.0)),
    (" 12,5€ ", Some(12.5)),
    ("+3 €", Some(3.0)),
    ("5€50", None),
    ("€ 5", None),
    ("5 $", None),
    ("1.20 €", None),
    ("5 €€", None),
    ("", None),
];
const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

/// Returns the profile of the random databases.
pub fn profile() -> Profile {
    let columns = HIDING.iter().map(|(name, kind, hidden)| ColumnProfile {
        name: (*name).to_owned(),
        kind: *kind,
        hidden: Some((*hidden).to_owned()),
        ..ColumnProfile::default()
    });
    let columns = columns.collect();
    let table =
        TableProfile { table: TableName::from_unqualified("trip"), row_count: Some(9), profiled_rows: 9, columns };
    Profile { tables: vec![table], ..Profile::default() }
}

impl Dice {
    /// Generates a text that hides a value of a kind; occasionally one that hides none.
    pub fn hidden(&mut self, kind: Kind) -> Cell {
        let moment = (day(2023, 12, 25) + self.below(110) as i64, self.below(24) as i64, self.below(60));
        let (days, hour, minute) = moment;
        let (year, month, number) = date(days);
        let odd = self.one_in(9);
        Cell::Text(match kind {
            Kind::NumberText => {
                (*self.of(&["7", "7.0", "-2.5", "10", "9", "+3", "1e1", ".5", " 4 ", "", "n/a"])).to_owned()
            }
            Kind::MoneyText => self.of(&FEES).0.to_owned(),
            Kind::GermanText if odd => {
                (*self.of(&["12 03 2024", "12. Marzo 2024", "Mai", "12. März 2024 oder so", "112. Mai 2024"]))
                    .to_owned()
            }
            Kind::GermanText => {
                let names: Vec<&str> = GERMAN.iter().filter(|(_, m)| *m == month).map(|(name, _)| *name).collect();
                let name = self.of(&names);
                if self.one_in(2) { format!("{number}. {name} {year}") } else { format!("{number:02} {name} {year}") }
            }
            _ if odd => (*self.of(&["soon", "", "31.12.2023 or so"])).to_owned(),
            Kind::DayText if self.one_in(2) => format!("{number}/{month}/{year}"),
            Kind::DayText => format!("{number:02}/{month:02}/{year}"),
            Kind::ClockText => {
                let half = if hour < 12 { "AM" } else { "pm" };
                format!("{month}/{number}/{year} {:02}:{minute:02} {half}", (hour + 11) % 12 + 1)
            }
            Kind::NamedText => {
                let weekday = WEEKDAYS[days.rem_euclid(7) as usize];
                format!("{weekday}, {number:02} {} {year}", MONTHS[month as usize - 1])
            }
            _ => format!("{year}-{month:02}-{number:02} {hour:02}:{minute:02}:00"),
        })
    }
}

/// Returns a column's value: the number, date or time that its text hides, otherwise the cell itself.
pub fn meant(column: &str, cell: &Cell) -> Cell {
    let name = column.rsplit('.').next().unwrap_or(column);
    let hides = HIDING.iter().find(|(hiding, ..)| *hiding == name);
    let (Some((_, _, format)), Cell::Text(text)) = (hides, cell) else { return cell.clone() };
    if name == "fee" {
        let fee = FEES.iter().find(|(known, _)| known == text).and_then(|(_, number)| *number);
        return fee.map_or(Cell::Null, Cell::Number);
    }
    let numbers: Vec<i64> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| !run.is_empty())
        .filter_map(|run| run.parse().ok())
        .collect();
    let at = |y: i64, m: i64, d: i64, minutes: i64| Cell::Time(day(y, m, d) * 24 * 60 + minutes);
    match (*format, numbers.as_slice()) {
        ("number", _) => text.trim().parse().map_or(Cell::Null, Cell::Number),
        ("%d/%m/%Y", [d, m, y]) if text.matches('/').count() == 2 => Cell::Day(day(*y, *m, *d)),
        ("%m/%d/%Y %I:%M %p", [m, d, y, hour, minute]) => {
            let half = if text.to_lowercase().ends_with("pm") { 12 } else { 0 };
            at(*y, *m, *d, (hour % 12 + half) * 60 + minute)
        }
        ("%Y-%m-%d %H:%M:%S", [y, m, d, hour, minute, _]) => at(*y, *m, *d, hour * 60 + minute),
        ("%a, %d %b %Y", [d, y]) => {
            let month = MONTHS.iter().position(|name| text.contains(name)).expect("a month") as i64 + 1;
            Cell::Day(day(*y, month, *d))
        }
        ("%d %B %Y in German", [d @ 1..=31, y]) => {
            let words: Vec<&str> = text.split(' ').collect();
            let month = GERMAN.iter().find(|(name, _)| words.len() == 3 && words[1] == *name);
            month.map_or(Cell::Null, |(_, month)| Cell::Day(day(*y, *month, *d)))
        }
        _ => Cell::Null,
    }
}
