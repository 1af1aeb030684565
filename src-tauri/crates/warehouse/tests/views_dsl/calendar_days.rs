//! Invalid dates as text in PostgreSQL, which has no function that parses a date or returns NULL: every day of every
//! month in years of each kind, in formats of each kind.

use super::engines::Engine;
use serde_json::json;
use tokio::runtime::Runtime;
use vitrine_domain::{ColumnProfile, Profile, SemanticKind, TableProfile, ViewSpec};
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_view_dsl as views;

const FORMATS: [(&str, &str); 8] = [
    ("iso", "%Y-%m-%d"),
    ("german", "%d.%m.%Y"),
    ("american", "%m/%d/%Y %I:%M %p"),
    ("stamp", "%Y-%m-%dT%H:%M:%SZ"),
    ("short", "%d-%b-%y"),
    ("long", "%B %d, %Y"),
    ("packed", "%Y%m%d"),
    ("mail", "%a, %d %b %Y"),
];
const MONTHS: [&str; 14] = [
    "Smarch",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "Undecimber",
];

/// A date and a time whose numbers may be invalid.
struct Moment {
    year: u32,
    month: u32,
    day: u32,
    hour: u32,
    minute: u32,
}

impl Moment {
    fn written(&self, column: &str) -> String {
        let Self { year, month, day, hour, minute } = self;
        let name = MONTHS[*month as usize];
        let short = &name[..3];
        match column {
            "iso" => format!("{year:04}-{month:02}-{day:02}"),
            "german" => format!("{day}.{month}.{year:04}"),
            "american" => format!("{month:02}/{day:02}/{year:04} {hour:02}:{minute:02} PM"),
            "stamp" => format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:59Z"),
            "short" => format!("{day:02}-{}-{:02}", short.to_lowercase(), year % 100),
            "long" => format!("{name} {day:02}, {year:04}"),
            "packed" => format!("{year:04}{month:02}{day:02}"),
            _ => format!("Mon, {day:02} {short} {year:04}"),
        }
    }

    /// Returns the calendar value; `None` if the date does not exist.
    fn meant(&self, column: &str) -> Option<String> {
        let Self { month, day, hour, minute, .. } = self;
        let year = match (column, self.year % 100) {
            ("short", two @ ..70) => 2000 + two,
            ("short", two) => 1900 + two,
            _ => self.year,
        };
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + u32::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        let clock = match column {
            "american" => (1..=12).contains(hour).then(|| format!(" {:02}:{minute:02}:00", hour % 12 + 12)),
            "stamp" => (*hour < 24).then(|| format!(" {hour:02}:{minute:02}:59")),
            _ => Some(String::new()),
        };
        let is_day = year > 0 && (1..=days).contains(day) && *minute < 60;
        clock.filter(|_| is_day).map(|clock| format!("{year:04}-{month:02}-{day:02}{clock}"))
    }
}

/// Returns every day from 0 to 32 of every month from 0 to 13; formats with a time get valid and invalid times in turn.
fn moments() -> Vec<Moment> {
    let days = (0..=32).flat_map(|day| (0..=13).map(move |month| (month, day)));
    let days = days.flat_map(|(month, day)| [0, 1900, 2000, 2023, 2024].map(|year| (year, month, day)));
    let moments = days.enumerate().map(|(at, (year, month, day))| {
        let minute = if at % 5 == 0 { 60 } else { at as u32 * 7 % 60 };
        // Without a time, values differ only by date.
        Moment { year, month, day, hour: at as u32 % 26, minute }
    });
    moments.collect()
}

#[test]
fn what_is_in_no_calendar_is_null_over_postgres_and_all_else_is_its_day() {
    let moments = moments();
    let columns = FORMATS.map(|(name, _)| format!("{name} text")).join(", ");
    let rows = moments.iter().enumerate().map(|(id, moment)| {
        let texts = FORMATS.map(|(name, _)| format!("'{}'", moment.written(name))).join(", ");
        format!("({id}, {texts})")
    });
    let rows = rows.collect::<Vec<_>>().join(",\n");
    let script = format!("CREATE TABLE diary (id int PRIMARY KEY, {columns}); INSERT INTO diary VALUES {rows};");
    let metrics = FORMATS.map(|(name, _)| json!({"name": format!("last_{name}"), "agg": "max", "of": name}));
    let spec: ViewSpec = serde_json::from_value(json!({"name": "days", "source": [{"table": "diary"}],
        "dimensions": [{"column": "id"}], "metrics": metrics, "order": [{"by": "id"}]}))
    .expect("a view");

    let server = PostgresServer::start();
    Runtime::new().expect("a runtime").block_on(async {
        let engine = Engine::of_postgres(&server, &script).await;
        let table = engine.catalog.find_table("diary").expect("a table").name.clone();
        let column = |(name, format): (&str, &str)| ColumnProfile {
            name: name.to_owned(),
            kind: SemanticKind::Time,
            hidden: Some(format.to_owned()),
            ..ColumnProfile::default()
        };
        let columns = FORMATS.map(column).to_vec();
        let profile = Profile {
            tables: vec![TableProfile { table, row_count: Some(9), profiled_rows: 9, columns }],
            ..Profile::default()
        };
        let sql =
            views::compile_view(&[spec], &engine.catalog, &profile, &[], engine.dialect).expect("a view that fits");
        let page = engine.page(&sql).await;
        assert_eq!(page.rows.len(), moments.len());
        let mut there = [0; FORMATS.len()];
        for (row, moment) in page.rows.iter().zip(&moments) {
            for (at, (name, _)) in FORMATS.iter().enumerate() {
                // The time of these rows is invalid, but their date is valid.
                let of_day = Moment { minute: 0, ..*moment };
                let clocked = matches!(*name, "american" | "stamp");
                let meant = if clocked { moment.meant(name) } else { of_day.meant(name) };
                assert_eq!(row[at + 1], meant, "{name}: {}", moment.written(name));
                there[at] += usize::from(meant.is_some());
            }
        }
        assert!(there.iter().all(|count| (200..moments.len() - 300).contains(count)), "of both kinds: {there:?}");
        engine.close().await;
    });
}
