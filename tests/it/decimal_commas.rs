//! Numbers and dates in text columns, in local formats: checks the profile, the prompt, and sums and dates computed as
//! the prompt describes and by a view, in SQLite, DuckDB, PostgreSQL and MariaDB.

use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::{RenderOptions, compress_catalog, render_schema};
use vitrine_domain::{Catalog, ColumnProfile, NumberForm, Profile};
use vitrine_sql::{ReadOnlySql, cast_plain_number, quote_identifier, written_number};
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_view_dsl::compile_view;
use vitrine_warehouse::{Limits, Warehouse, WarehouseUri, open_warehouse, read_page};

/// Text columns with four values each: first columns of numbers or dates, then columns that only look like them.
const COLUMNS: [(&str, [&str; 4]); 20] = [
    ("betrag", ["1.200,00", "-950,50", "12", "3.400.000,99"]),
    ("amount", ["1,200.50", "7.5", "-2,000,000.25", "10.00"]),
    ("rate", ["0,5", "12,25", "3", "7,125"]),
    ("gebuehr", ["€ 1.200,00", "€ -950,50", "12", "€ 7,25"]),
    ("fee", ["1,200.00 USD", "7.50 USD", "-1 USD", "2,000,000.25 USD"]),
    ("discount", ["12,5 %", "3 %", "100%", "0,25 %"]),
    ("tip", ["$12.50", "-$3", "$7.125", "$1000"]),
    ("poids", ["1\u{202f}200,50\u{a0}kr", "7,00\u{a0}kr", "3\u{a0}kr", "-0,25\u{a0}kr"]),
    ("geliefert", ["12. März 2024", "3. Mai 2024", "29. Feb. 2024", "1. Dezember 2023"]),
    ("livre", ["1er août 2023", "3 mai 2024", "15 févr. 2024", "31 décembre 2023"]),
    ("enviado", ["5 de marzo de 2024", "6 de enero de 2024", "7 de agosto de 2023", "17 de abril de 2024"]),
    ("wyslano", ["05-paź-24", "17-sty-23", "01-maj-24", "30-wrz-70"]),
    ("price", ["12.50", "7", "0.25", "1e2"]),
    ("visits", ["1.200", "3.400", "2.100", "9.999"]),
    ("version", ["1.10.0", "1.2.3", "10.0.1", "2.0.0"]),
    ("host", ["10.0.0.1", "192.168.100.200", "172.16.0.1", "8.8.8.8"]),
    ("phone", ["0341 123 456", "030 987 654", "040 111 222", "089 333 444"]),
    ("booked", ["31.12.2024", "01.02.2024", "15.06.2024", "28.02.2024"]),
    ("pair", ["1,2", "3,4", "10,11", "5,6"]),
    ("product", ["MAR-24", "MAI-25", "TL500", "SEP-24"]),
];
const FORMS: [(&str, &str, f64); 8] = [
    ("betrag", "1.234,56", 3_400_262.49),
    ("amount", "1,234.56", -1_998_782.25),
    ("rate", "1234,56", 22.875),
    ("gebuehr", "€ 1.234,56", 268.75),
    ("fee", "1,234.56 USD", 2_001_206.75),
    ("discount", "1234,56 %", 115.75),
    ("tip", "$1234.56", 1_016.625),
    ("poids", "1\u{202f}234,56\u{a0}kr", 1_210.25),
];
/// Columns that contain dates, with the first and the last date.
const DAYS: [(&str, &str, &str, &str); 4] = [
    ("geliefert", "%d %B %Y in German", "2023-12-01", "2024-05-03"),
    ("livre", "%d %B %Y in French", "2023-08-01", "2024-05-03"),
    ("enviado", "%d %B %Y in Spanish", "2023-08-07", "2024-04-17"),
    ("wyslano", "%d-%B-%y in Polish", "1970-09-30", "2024-10-05"),
];

fn script() -> String {
    let columns = COLUMNS.map(|(name, _)| format!("{name} VARCHAR(40)")).join(", ");
    let row = |id: usize| format!("({id}, {})", COLUMNS.map(|(_, cells)| format!("'{}'", cells[id])).join(", "));
    let rows: Vec<String> = (0..4).map(row).collect();
    format!(
        "CREATE TABLE bookings (id INTEGER PRIMARY KEY, {columns}); INSERT INTO bookings VALUES {}",
        rows.join(", ")
    )
}

struct Read {
    warehouse: Arc<dyn Warehouse>,
    catalog: Catalog,
    profile: Profile,
}

impl Read {
    async fn of(address: &str) -> Self {
        let warehouse = open_warehouse(&WarehouseUri::parse(address).unwrap()).await.unwrap();
        let catalog = warehouse.load_catalog().await.unwrap();
        let (told, cancel) = (|_: &_, _, _| {}, CancellationToken::new());
        let profile =
            vitrine_catalog::profile_database(Arc::clone(&warehouse), &catalog, Default::default(), told, cancel);
        let profile = profile.await.unwrap();
        Self { warehouse, catalog, profile }
    }

    fn profiled(&self, column: &str) -> &ColumnProfile {
        let table = &self.catalog.find_table("bookings").unwrap().name;
        self.profile.find_table(table).unwrap().find_column(column).unwrap()
    }

    fn hidden(&self, column: &str) -> Option<NumberForm> {
        self.profiled(column).hidden_number()
    }

    async fn cells(&self, sql: &ReadOnlySql) -> Vec<Option<String>> {
        let batches = self.warehouse.run_query(sql, Limits::default(), CancellationToken::new()).await;
        let page = read_page(batches.unwrap_or_else(|error| panic!("{error}: {}", sql.as_str())), 10).await.unwrap();
        page.rows[0].clone()
    }

    async fn number(&self, expression: &str) -> Option<f64> {
        let sql = format!("SELECT {expression} AS n FROM bookings");
        let proven = ReadOnlySql::parse(&sql, self.catalog.dialect).unwrap_or_else(|error| panic!("{error}: {sql}"));
        self.cells(&proven).await[0].as_deref().map(|cell| cell.parse().unwrap())
    }

    async fn check(&self) {
        let dialect = self.catalog.dialect;
        let near = |found: Option<f64>, sum: f64| found.is_some_and(|found| (found - sum).abs() < 1e-6);
        let text =
            render_schema(&compress_catalog(&self.catalog), Some(&self.profile), None, &RenderOptions::default());
        for (column, example, sum) in FORMS {
            let form = self.hidden(column).unwrap_or_else(|| panic!("{dialect:?}: {column} hides numbers"));
            assert_eq!(form.example_number(), example, "{dialect:?}: {column}");
            let told = cast_plain_number(&quote_identifier(column, dialect), form, dialect);
            assert!(text.contains(&format!("written like {example}: compute with {told}")), "{dialect:?}: {text}");
            let found = self.number(&format!("SUM({told})")).await;
            assert!(near(found, sum), "{dialect:?}: {column}: {found:?}");
            let spec = serde_json::json!({"name": "v", "source": [{"table": "bookings"}], "dimensions": [],
                "metrics": [{"name": "total", "agg": "sum", "of": column}]});
            let view =
                compile_view(&[serde_json::from_value(spec).unwrap()], &self.catalog, &self.profile, &[], dialect);
            let view = view.unwrap_or_else(|problems| panic!("{problems:?}"));
            let found = self.cells(&view).await[0].as_deref().and_then(|cell| cell.parse().ok());
            assert!(near(found, sum), "{dialect:?}: {column}: {found:?}: {}", view.as_str());
        }
        // Texts that do not match the format are not numbers.
        let form = NumberForm { group: Some('.'), decimal: ',', unit: None };
        let odd = [
            "31.12.2024",
            "1.2.3",
            "12.50",
            "1,2,3",
            "1.200,00 EUR",
            "--5",
            "5-",
            ",5",
            "",
            "n/a",
            "1234.567,0",
            "1.20",
            ".",
        ];
        for text in odd {
            let found = self.number(&format!("MAX({})", written_number(&format!("'{text}'"), form, dialect))).await;
            assert_eq!(found, None, "{dialect:?}: {text}");
        }
        for (text, number) in
            [("1.200", 1200.0), (" -12,5 ", -12.5), ("1.234.567,8", 1_234_567.8), ("+3", 3.0), ("0,125", 0.125)]
        {
            let found = self.number(&format!("MAX({})", written_number(&format!("'{text}'"), form, dialect))).await;
            assert!(near(found, number), "{dialect:?}: {text}: {found:?}");
        }
        let euro = self.hidden("gebuehr").unwrap();
        for text in ["5€50", "€€5", "5 €", "-€-5", "- € 5", "€", "$ 5", "€ 1.20", "€ n/a", "EUR 5", "€ 5 €"]
        {
            let found = self.number(&format!("MAX({})", written_number(&format!("'{text}'"), euro, dialect))).await;
            assert_eq!(found, None, "{dialect:?}: {text}");
        }
        for (text, number) in [("-€5", -5.0), ("€1.200", 1200.0), (" € 12,5 ", 12.5), ("7,25", 7.25)] {
            let found = self.number(&format!("MAX({})", written_number(&format!("'{text}'"), euro, dialect))).await;
            assert!(near(found, number), "{dialect:?}: {text}: {found:?}");
        }
        self.check_days(&text).await;
        // Unchanged, without additional text in the prompt.
        assert_eq!(self.hidden("price"), Some(NumberForm::PLAIN));
        for column in ["version", "host", "phone", "booked", "pair", "product"] {
            assert_eq!(self.hidden(column), None, "{dialect:?}: {column}");
        }
        assert_eq!(self.profiled("product").hidden, None);
        assert_eq!(self.hidden("visits"), Some(NumberForm::PLAIN), "as before: what 1.200 means nobody can tell");
        assert_eq!(text.matches("written like").count(), FORMS.len(), "{text}");
    }
}

impl Read {
    /// Checks dates with month names: the profile, the prompt, and the first and last date by a view.
    async fn check_days(&self, told: &str) {
        let dialect = self.catalog.dialect;
        for (column, hidden, first, last) in DAYS {
            let profile = self.profiled(column);
            assert_eq!(profile.hidden.as_deref(), Some(hidden), "{dialect:?}: {column}");
            assert_eq!((profile.min.as_deref(), profile.max.as_deref()), (Some(first), Some(last)), "{column}");
            let (format, language) = hidden.split_once(" in ").unwrap();
            assert!(told.contains(&format!("text date '{format}' in {language}, e.g. ")), "{dialect:?}: {told}");
            let spec = serde_json::json!({"name": "v", "source": [{"table": "bookings"}], "metrics": [],
                "dimensions": [{"column": column, "by": "day", "name": "day"}],
                "conditions": [{"column": column, "op": ">=", "values": [{"date": first}]}], "order": [{"by": "day"}]});
            let view =
                compile_view(&[serde_json::from_value(spec).unwrap()], &self.catalog, &self.profile, &[], dialect);
            let view = view.unwrap_or_else(|problems| panic!("{problems:?}"));
            let batches = self.warehouse.run_query(&view, Limits::default(), CancellationToken::new()).await;
            let batches = batches.unwrap_or_else(|error| panic!("{dialect:?}: {error}: {}", view.as_str()));
            let rows = read_page(batches, 10).await.unwrap().rows;
            let days: Vec<&str> = rows.iter().map(|row| &row[0].as_deref().unwrap()[..10]).collect();
            assert_eq!((days.len(), days[0], days[3]), (4, first, last), "{dialect:?}: {column}: {days:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_sqlite_and_duckdb() {
    let dir = tempfile::tempdir().unwrap();
    let (sqlite, duck) = (dir.path().join("shop.db"), dir.path().join("shop.duckdb"));
    rusqlite::Connection::open(&sqlite).unwrap().execute_batch(&script()).unwrap();
    duckdb::Connection::open(&duck).unwrap().execute_batch(&script()).unwrap();
    Read::of(&format!("sqlite:{}", sqlite.display())).await.check().await;
    Read::of(&format!("duckdb:{}", duck.display())).await.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres() {
    let server = PostgresServer::start();
    server.psql("shop", &script());
    Read::of(&server.address("shop")).await.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mariadb() {
    let server = MysqlServer::start();
    server.script("shop", &script());
    Read::of(&server.address("shop")).await.check().await;
}
