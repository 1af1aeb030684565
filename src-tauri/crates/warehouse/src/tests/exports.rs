//! Files as the programs of accounting, banks, shops and surveys write them. The figures are those that a person adds up by hand.

use super::*;
use crate::{Limits, Warehouse, read_page};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{DateOrder, DecimalSign, FileOptions, FileReading, SetAsideReason};
use vitrine_sql::ReadOnlySql;

struct Read {
    warehouse: DuckWarehouse,
    reading: FileReading,
}

impl Read {
    fn of(path: &Path, options: FileOptions) -> Self {
        let table = kind::stem(path);
        let options = OpenOptions { tables: [(table, options)].into(), ..OpenOptions::default() };
        let warehouse = open(path, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let reading = crate::engine::Engine::readings(&warehouse).remove(0);
        Self { warehouse, reading }
    }

    fn export(name: &str) -> Self {
        Self::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests-data").join(name), FileOptions::default())
    }

    fn text(text: &str) -> Self {
        Self::with(text, FileOptions::default())
    }

    fn with(text: &str, options: FileOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, text).unwrap();
        Self::of(&path, options)
    }

    async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let sql = ReadOnlySql::parse(sql, self.warehouse.dialect()).unwrap();
        let batches = self.warehouse.query(&sql, Limits::default(), CancellationToken::new()).await.unwrap();
        let rows = read_page(batches, u64::MAX).await.unwrap().rows;
        rows.into_iter()
            .map(|row| row.into_iter().map(|cell| cell.unwrap_or_else(|| "NULL".into())).collect())
            .collect()
    }

    async fn row(&self, sql: &str) -> Vec<String> {
        self.rows(sql).await.concat()
    }

    async fn types(&self) -> Vec<String> {
        let catalog = self.warehouse.catalog().await.unwrap();
        catalog.tables[0].columns.iter().map(|column| format!("{} {}", column.name, column.data_type)).collect()
    }

    fn aside(&self) -> Vec<(u32, SetAsideReason)> {
        self.reading.set_aside.iter().map(|row| (row.row, row.reason)).collect()
    }

    fn skipped(&self) -> Vec<u32> {
        self.reading.skipped.iter().map(|row| row.row).collect()
    }
}

#[tokio::test]
async fn german_bookkeeping_with_a_line_of_its_own_on_top() {
    let read = Read::export("buchungsstapel.csv");
    let sql =
        "SELECT count(*), sum(\"Umsatz (ohne Soll/Haben-Kz)\"), min(Belegdatum), max(Buchungstext) FROM buchungsstapel";
    assert_eq!(read.row(sql).await, ["4", "3630.49", "0212", "Müller GmbH, Köln"]);
    assert_eq!((read.skipped(), read.reading.header_row), (vec![1], Some(2)));
    assert_eq!(read.reading.encoding.as_deref(), Some("windows-1252"));
    assert_eq!(read.reading.delimiter.as_deref(), Some(";"));
    assert_eq!(read.reading.decimal, Some(DecimalSign::Comma));
}

#[tokio::test]
async fn a_german_bank_with_two_digits_of_the_year() {
    let read = Read::export("umsaetze_girokonto.csv");
    let sql = "SELECT count(*), sum(Betrag), min(Buchungstag), max(Valutadatum), max(\"Beguenstigter/Zahlungspflichtiger\") FROM umsaetze_girokonto";
    assert_eq!(read.row(sql).await, ["4", "916.21", "2024-12-05", "2024-12-30", "Hausverwaltung Süd"]);
    assert_eq!(read.reading.date_order, Some(DateOrder::DayFirst));
}

#[tokio::test]
async fn a_german_bank_with_the_account_above_the_names() {
    let read = Read::export("kontoauszug.csv");
    let sql = "SELECT count(*), sum(\"Betrag (€)\"), min(Buchungsdatum), max(Verwendungszweck) FROM kontoauszug";
    assert_eq!(read.row(sql).await, ["3", "2295.13", "2024-11-04", "Supermarkt"]);
    assert_eq!(
        read.row("SELECT Verwendungszweck FROM kontoauszug WHERE Wertstellung = DATE '2024-11-15'").await,
        ["Miete \"Seestraße\" 4"]
    );
    assert_eq!((read.skipped(), read.reading.header_row), (vec![1, 2, 3], Some(5)));
    assert!(read.reading.skipped[2].text.contains("4.321,09 €"));
}

#[tokio::test]
async fn a_french_bank_with_total_and_reservation() {
    let read = Read::export("releve_compte.csv");
    let sql = "SELECT count(*), sum(\"Débit\"), sum(\"Crédit\"), max(Date), min(\"Date de valeur\") FROM releve_compte";
    assert_eq!(read.row(sql).await, ["4", "393.55", "2150.00", "2024-03-28", "2024-03-02"]);
    assert_eq!(read.aside(), [(10, SetAsideReason::Total), (12, SetAsideReason::Footnote)]);
    assert_eq!(read.row("SELECT Libellé FROM releve_compte WHERE Débit = 7.40").await, ["CB Boulangerie de l’Étoile"]);
}

#[tokio::test]
async fn an_american_shop_with_lines_inside_of_cells() {
    let read = Read::export("orders_export.csv");
    let sql = "SELECT count(*), sum(Total), sum(\"Lineitem quantity\"), max(Notes) FROM orders_export";
    assert_eq!(read.row(sql).await, ["3", "1365.94", "4", "Said \"thanks\", no rush"]);
    assert_eq!(read.row("SELECT Notes FROM orders_export WHERE Total = 48.20").await, ["Please ring\ntwice"]);
    assert!(read.reading.set_aside.is_empty());
}

#[tokio::test]
async fn a_spanish_shop_in_utf16_with_months_in_words() {
    let read = Read::export("pedidos.csv");
    let sql = "SELECT count(*), sum(Importe), sum(IVA), min(Fecha), max(Fecha), count(DISTINCT \"País\") FROM pedidos";
    assert_eq!(read.row(sql).await, ["3", "1334.49", "280.25", "2024-01-02", "2024-09-30", "2"]);
    assert_eq!(read.reading.encoding.as_deref(), Some("UTF-16LE"));
}

#[tokio::test]
async fn a_german_survey_with_a_column_that_nobody_answered() {
    let read = Read::export("umfrage_ergebnisse.csv");
    let sql = "SELECT count(*), sum(\"Wie zufrieden sind Sie? [Preis]\"), count(\"Datum Abgeschickt\"), max(\"Datum Abgeschickt\") FROM umfrage_ergebnisse";
    assert_eq!(read.row(sql).await, ["4", "12", "3", "2024-09-14 20:45:10"]);
    assert!(read.reading.set_aside.is_empty());
}

#[tokio::test]
async fn a_spanish_form_with_times_and_the_day_first() {
    let read = Read::export("respuestas_formulario.csv");
    let sql = "SELECT count(*), sum(\"¿Qué cuota pagó?\"), min(\"Marca temporal\"), max(\"Marca temporal\") FROM respuestas_formulario";
    assert_eq!(read.row(sql).await, ["3", "245.75", "2024-11-13 09:05:33", "2024-12-02 08:00:00"]);
}

#[tokio::test]
async fn italian_invoices_with_total_and_note() {
    let read = Read::export("fatture.csv");
    let sql = "SELECT count(*), sum(Imponibile), sum(\"Totale fattura\"), max(Data), max(\"Città\") FROM fatture";
    assert_eq!(read.row(sql).await, ["3", "1350.49", "1647.60", "2024-04-03", "Mondovì"]);
    assert_eq!(read.aside(), [(7, SetAsideReason::Total), (8, SetAsideReason::Footnote)]);
}

#[tokio::test]
async fn an_american_ledger_with_titles_total_and_a_line_below() {
    let read = Read::export("sales_by_customer.csv");
    let sql = "SELECT count(*), sum(Amount), sum(Qty), min(Date), max(Date) FROM sales_by_customer";
    assert_eq!(read.row(sql).await, ["3", "10652.25", "11", "2024-01-09", "2024-12-05"]);
    assert_eq!(read.aside(), [(9, SetAsideReason::Total), (11, SetAsideReason::Footnote)]);
    assert_eq!(read.reading.date_order, Some(DateOrder::MonthFirst));
}

#[tokio::test]
async fn french_sales_in_utf16_without_a_mark() {
    let read = Read::export("ventes_par_region.csv");
    assert_eq!(
        read.row("SELECT count(*), sum(Janvier), sum(Février), sum(Mars) FROM ventes_par_region").await,
        ["3", "2400.70", "1895.75", "2445.80"]
    );
    assert_eq!((read.aside(), read.reading.encoding.as_deref()), (vec![(5, SetAsideReason::Total)], Some("UTF-16BE")));
}

#[tokio::test]
async fn payouts_with_the_hours_of_noon_and_midnight() {
    let read = Read::export("payouts.csv");
    assert_eq!(
        read.row("SELECT count(*), sum(net), min(\"created (local)\"), max(\"created (local)\") FROM payouts").await,
        ["3", "2179.38", "2024-12-31 23:59:00", "2025-01-14 09:30:00"]
    );
    assert_eq!(read.rows("SELECT \"created (local)\" FROM payouts WHERE id = 'po_2'").await, [["2025-01-07 00:05:00"]]);
}

#[tokio::test]
async fn a_total_is_told_by_its_numbers_in_any_language() {
    for (text, left) in [
        ("Region,Sales\nNorth,100\nSouth,250\nTotal,350\n", "350"),
        ("Alue;Myynti\nEtelä;1203,50\nPohjoinen;996,25\nItä;77,00\nKoko maa;2276,75\n", "2276.75"),
        ("id;город;сумма\n1;Москва;100,50\n2;Казань;99,25\n;Все вместе;199,75\n", "199.75"),
        ("id,name,amount\n1,a,10.25\n2,b,20.50\n,,30.75\n", "30.75"),
        ("r,a,b\nx,1.5,2\ny,2.5,3\n\nTOTAL,4.0,5\n", "4.0"),
    ] {
        let read = Read::text(text);
        let column = if text.starts_with("id") { 2 } else { 1 };
        let name = read.types().await[column].split(' ').next().unwrap().to_owned();
        assert_eq!(read.row(&format!("SELECT sum(\"{name}\") FROM t")).await, [left], "{text}");
        assert_eq!(read.aside().len(), 1, "{text}");
    }
    let read = Read::text(
        "Land;Stadt;Menge;Umsatz\nDE;Köln;1;10,50\nDE;Bonn;2;20,25\nSumme DE;;3;30,75\nFR;Lyon;4;1,00\nFR;Nice;5;2,25\nSumme FR;;9;3,25\nGesamt;;12;34,00\n",
    );
    assert_eq!(read.row("SELECT count(*), sum(Umsatz) FROM t").await, ["4", "34.00"]);
    let reasons: Vec<SetAsideReason> = read.aside().into_iter().map(|(_, reason)| reason).collect();
    assert_eq!(reasons, [SetAsideReason::Subtotal, SetAsideReason::Subtotal, SetAsideReason::Total]);
}

/// A check of each row against all rows before it would take minutes here.
#[tokio::test]
async fn a_long_file_is_looked_through_once() {
    let rows: String = (0..30_000).map(|row| format!("{row};{}\n", row % 7)).collect();
    let read = Read::text(&format!("id;code\n{rows}30000;X1\n"));
    assert_eq!(read.row("SELECT count(*), max(code) FROM t").await, ["30001", "X1"]);
}

/// Everyday files whose last rows look like totals or notes, and are data.
#[tokio::test]
async fn rows_that_look_like_totals_stay() {
    for (text, rows) in [
        // A company called so, and numbers that are no sums.
        ("Company,Sales\nShell,100\nBP,250\nTotal Energies,300\n", "3"),
        ("Company,Sales\nShell,100\nBP,250\nTotal,300\n", "3"),
        // The largest comes last.
        ("Region;Umsatz\nNord;12,50\nSüd;14,00\nWest;999,99\n", "3"),
        // Numbers that go on add up by themselves.
        ("id,name\n1,Ann\n2,Bob\n3,Cid\n", "3"),
        ("id,name\n1,Ann\n2,Bob\n3,\n", "3"),
        ("step,size\na,100\nb,200\nc,300\n", "3"),
        ("n;fib\na;1\nb;1\nc;2\n", "3"),
        // One of several numbers is the sum.
        ("Posten;Menge;Preis\nA;1;10,00\nB;2;20,00\nC;3;5,00\n", "3"),
        // The balance at the end of a statement is no sum of balances.
        ("Datum;Betrag;Saldo\n30.01.2024;5,00;105,00\n31.01.2024;-5,00;100,00\n01.02.2024;0,00;100,00\n", "3"),
        // The total of a column, in a row with a date: a booking.
        ("Datum;Art;Betrag\n29.01.2024;ein;50,25\n30.01.2024;ein;70,50\n31.01.2024;Auszahlung;120,75\n", "3"),
        // A last row with little in it.
        ("name;city;note\nAnn;Paris;x\nBob;Rome;y\nCid;;\n", "3"),
        ("a;b\nx;1\ny;\n", "2"),
        // A row whose average is no sum.
        ("Team,Points,Average\nRed,10,2.5\nBlue,30,7.5\nBoth,40,5.0\n", "3"),
    ] {
        let read = Read::text(text);
        assert_eq!(read.row("SELECT count(*) FROM t").await, [rows], "{text}");
        assert!(read.aside().is_empty(), "{text}: {:?}", read.reading.set_aside);
    }
    let read = Read::text("Company,Sales\nShell,100\nBP,250\nTotal,300\n");
    assert!(
        read.reading.doubts.iter().any(|doubt| doubt.contains("Row 4 looks like a total")),
        "{:?}",
        read.reading.doubts
    );
}

#[tokio::test]
async fn dates_are_read_where_the_file_says_how() {
    for (values, order, first) in [
        (["31.12.2024", "01.02.2024"], Some(DateOrder::DayFirst), "2024-02-01"),
        (["12/31/2024", "01/02/2024"], Some(DateOrder::MonthFirst), "2024-01-02"),
        (["31-01-99", "01-02-99"], Some(DateOrder::DayFirst), "1999-01-31"),
        (["12/31/24", "1/2/24"], Some(DateOrder::MonthFirst), "2024-01-02"),
        (["3. März 2024", "15. Dez. 2023"], None, "2023-12-15"),
        (["1er août 2024", "12 févr. 2024"], None, "2024-02-12"),
        (["12-Mar-2024", "03-Jan-2024"], None, "2024-01-03"),
        (["March 12, 2024", "Jan 3, 2024"], None, "2024-01-03"),
        (["7 gennaio 2024", "12 dicembre 2024"], None, "2024-01-07"),
        (["2024/12/31", "2024/01/02"], None, "2024-01-02"),
    ] {
        let read = Read::text(&format!("k;d\na;\"{}\"\nb;\"{}\"\n", values[0], values[1]));
        assert_eq!(
            read.row("SELECT min(d), any_value(typeof(d)) FROM t").await,
            [first, "DATE"],
            "{values:?} {:?}",
            read.reading
        );
        assert_eq!(read.reading.date_order, order, "{values:?}");
    }
}

#[tokio::test]
async fn dates_that_may_be_read_in_two_ways_stay_text_and_it_is_said() {
    for values in [
        ["01/02/2024", "03/04/2024"],
        ["01.02.2024", "03.04.2024"],
        ["31/12/2024", "12/31/2024"],
        ["31.02.2024", "01.03.2024"],
        ["24-12-31", "24-11-30"],
        ["31.12.24", "30.12.55"],
        ["01.12.31", "02.12.31"],
    ] {
        let read = Read::text(&format!("k;d\na;{}\nb;{}\n", values[0], values[1]));
        assert_eq!(read.types().await[1], "d VARCHAR", "{values:?}");
        assert_eq!(read.rows("SELECT d FROM t ORDER BY k").await.concat(), values);
        assert_eq!(read.reading.doubts.len(), 1, "{values:?} {:?}", read.reading.doubts);
    }
    // Another column of the file is sure.
    let read = Read::text("d;e\n01/02/2024;31/12/2024\n03/04/2024;30/11/2024\n");
    assert_eq!(read.row("SELECT max(d) FROM t").await, ["2024-04-03"]);
    assert!(read.reading.converted[0].how.contains("as in the file's other dates"));
    // The user says it.
    let told = |order| FileOptions { date_order: Some(order), ..FileOptions::default() };
    let text = "k;d\na;01/02/24\nb;03/04/24\n";
    assert_eq!(Read::with(text, told(DateOrder::MonthFirst)).row("SELECT max(d) FROM t").await, ["2024-03-04"]);
    assert_eq!(Read::with(text, told(DateOrder::DayFirst)).row("SELECT max(d) FROM t").await, ["2024-04-03"]);
}

#[tokio::test]
async fn the_user_says_what_a_file_does_not() {
    let with = |text: &str, change: fn(&mut FileOptions)| {
        let mut options = FileOptions::default();
        change(&mut options);
        Read::with(text, options)
    };
    let thousands = "k;v\na;1.200\nb;5.300\n";
    assert!(Read::text(thousands).reading.doubts[0].contains("thousands or fractions"));
    let read = with(thousands, |options| options.decimal = Some(DecimalSign::Comma));
    assert_eq!(read.row("SELECT sum(v) FROM t").await, ["6500"]);
    let total = "Region,Sales\nNorth,100\nSouth,250\nTotal,350\n";
    assert_eq!(with(total, |options| options.keep_rows = true).row("SELECT count(*) FROM t").await, ["3"]);
    let read = with("a;b\nx;1\ny;2\n", |options| options.as_text = vec!["B".to_owned()]);
    assert_eq!(read.types().await, ["a VARCHAR", "b VARCHAR"]);
    let read = with("a;b\nx;1\ny;2\n", |options| options.header_row = Some(0));
    assert_eq!(read.row("SELECT count(*), max(column1) FROM t").await, ["3", "y"]);
    let read = with("x;y\na;b\n1;2\n", |options| options.header_row = Some(2));
    assert_eq!((read.types().await, read.skipped()), (vec!["a BIGINT".to_owned(), "b BIGINT".to_owned()], vec![1]));
    let read = with("a,b|c\n1,2|3\n", |options| options.delimiter = Some("|".to_owned()));
    assert_eq!(read.types().await, ["a,b DECIMAL(18,1)", "c BIGINT"]);
    let read = with("k;v\na;é\n", |options| options.encoding = Some("windows-1252".to_owned()));
    assert_eq!(read.row("SELECT v FROM t").await, ["Ã©"]);
}

#[tokio::test]
async fn a_line_that_is_too_long_is_an_error_with_its_number_and_a_short_one_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    for (text, said) in
        [("a;b\n1;x\n2;y;z\n3;w\n", "line 3 has 3 cells"), ("a;b\n1;x\n2;\"open\n3;w;v\n", "the quote in line 3")]
    {
        std::fs::write(&path, text).unwrap();
        match open(&path, &OpenOptions::default()) {
            Err(WarehouseError::Unreadable { detail, .. }) => assert!(detail.contains(said), "{detail}"),
            other => panic!("{text}: {:?}", other.map(|_| ())),
        }
    }
    let read = Read::text("a;b;c\n1;x;u\n2;y\n3;w;v\n");
    assert_eq!(read.row("SELECT count(*), count(c) FROM t").await, ["3", "2"]);
    assert!(read.reading.doubts[0].contains("the first is line 3"), "{:?}", read.reading.doubts);
}

#[tokio::test]
async fn blank_columns_and_rows_and_names_that_occur_twice() {
    let read = Read::text("a;;b;a\n\n1;;x;2\n;;;\n3;;y;4\n");
    assert_eq!(read.types().await, ["a BIGINT", "b VARCHAR", "a_2 BIGINT"]);
    assert_eq!(read.row("SELECT count(*), sum(a), sum(a_2) FROM t").await, ["2", "4", "6"]);
    // Codes with zeros in front stay what they are, next to a title, too.
    let read = Read::text("Report\n\nplz;n\n01234;1\n98765;2.5\n");
    assert_eq!(read.types().await, ["plz VARCHAR", "n DECIMAL(18,1)"]);
}
