//! Numbers in text columns of databases, written as people write them in their language: what a profile says of them, what a model is
//! told, and the same sum by what it is told and by a view, in SQLite, DuckDB, PostgreSQL and MariaDB.

use crate::mysql_server::MysqlServer;
use crate::postgres_server::PostgresServer;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::{RenderOptions, compress, render};
use vitrine_domain::{Catalog, NumberForm, Profile};
use vitrine_sql::{ReadOnlySql, plainly, quote, written_number};
use vitrine_view_dsl::compile;
use vitrine_warehouse::{Limits, Warehouse, WarehouseUri, open, read_page};

/// Columns that hide numbers, with their form and sum, and columns that hide none although they look like it.
const ROWS: [[&str; 10]; 4] = [
    ["1.200,00", "1,200.50", "0,5", "12.50", "1.200", "1.10.0", "10.0.0.1", "0341 123 456", "31.12.2024", "1,2"],
    ["-950,50", "7.5", "12,25", "7", "3.400", "1.2.3", "192.168.100.200", "030 987 654", "01.02.2024", "3,4"],
    ["12", "-2,000,000.25", "3", "0.25", "2.100", "10.0.1", "172.16.0.1", "040 111 222", "15.06.2024", "10,11"],
    ["3.400.000,99", "10.00", "7,125", "1e2", "9.999", "2.0.0", "8.8.8.8", "089 333 444", "28.02.2024", "5,6"],
];
const COLUMNS: [&str; 10] =
    ["betrag", "amount", "rate", "price", "visits", "version", "host", "phone", "booked", "pair"];
const FORMS: [(&str, &str, f64); 3] =
    [("betrag", "1.234,56", 3_400_262.49), ("amount", "1,234.56", -1_998_782.25), ("rate", "1234,56", 22.875)];

fn script() -> String {
    let columns = COLUMNS.map(|name| format!("{name} VARCHAR(40)")).join(", ");
    let row = |(id, row): (usize, &[&str; 10])| format!("({id}, {})", row.map(|cell| format!("'{cell}'")).join(", "));
    let rows: Vec<String> = ROWS.iter().enumerate().map(row).collect();
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
        let warehouse = open(&WarehouseUri::parse(address).unwrap()).await.unwrap();
        let catalog = warehouse.catalog().await.unwrap();
        let (told, cancel) = (|_: &_, _, _| {}, CancellationToken::new());
        let profile = vitrine_catalog::profile(Arc::clone(&warehouse), &catalog, Default::default(), told, cancel);
        let profile = profile.await.unwrap();
        Self { warehouse, catalog, profile }
    }

    fn hidden(&self, column: &str) -> Option<NumberForm> {
        let table = &self.catalog.table("bookings").unwrap().name;
        self.profile.table(table).unwrap().column(column).unwrap().hidden_number()
    }

    async fn cells(&self, sql: &ReadOnlySql) -> Vec<Option<String>> {
        let batches = self.warehouse.query(sql, Limits::default(), CancellationToken::new()).await;
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
        let text = render(&compress(&self.catalog), Some(&self.profile), None, &RenderOptions::default());
        for (column, example, sum) in FORMS {
            let form = self.hidden(column).unwrap_or_else(|| panic!("{dialect:?}: {column} hides numbers"));
            assert_eq!(form.example(), example, "{dialect:?}: {column}");
            let told = plainly(&quote(column, dialect), form, dialect);
            assert!(text.contains(&format!("written like {example}: compute with {told}")), "{dialect:?}: {text}");
            let found = self.number(&format!("SUM({told})")).await;
            assert!(near(found, sum), "{dialect:?}: {column}: {found:?}");
            let spec = serde_json::json!({"name": "v", "source": [{"table": "bookings"}], "dimensions": [],
                "metrics": [{"name": "total", "agg": "sum", "of": column}]});
            let view = compile(&[serde_json::from_value(spec).unwrap()], &self.catalog, &self.profile, &[], dialect);
            let view = view.unwrap_or_else(|problems| panic!("{problems:?}"));
            let found = self.cells(&view).await[0].as_deref().and_then(|cell| cell.parse().ok());
            assert!(near(found, sum), "{dialect:?}: {column}: {found:?}: {}", view.as_str());
        }
        // What is no such number is none, wherever it stands.
        let form = NumberForm { group: Some('.'), decimal: ',' };
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
        // As before, and without a word more.
        assert_eq!(self.hidden("price"), Some(NumberForm::PLAIN));
        for column in ["version", "host", "phone", "booked", "pair"] {
            assert_eq!(self.hidden(column), None, "{dialect:?}: {column}");
        }
        assert_eq!(self.hidden("visits"), Some(NumberForm::PLAIN), "as before: what 1.200 means nobody can tell");
        assert_eq!(text.matches("written like").count(), FORMS.len(), "{text}");
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
