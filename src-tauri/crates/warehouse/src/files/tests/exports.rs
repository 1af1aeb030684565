//! Files as exported by accounting software, banks, shops and surveys. The expected figures are added up by hand.

use super::super::*;
use crate::{Limits, Warehouse, read_page};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{DateOrder, DecimalSign, FileOptions, FileReading, SetAsideReason};
use vitrine_sql::ReadOnlySql;

pub(super) struct Read {
    pub(super) warehouse: DuckWarehouse,
    pub(super) reading: FileReading,
}

impl Read {
    pub(super) fn of(path: &Path, options: FileOptions) -> Self {
        let table = kind::file_stem(path);
        let options = OpenOptions { tables: [(table, options)].into(), ..OpenOptions::default() };
        let warehouse = open_files(path, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let reading = crate::engine::Engine::readings(&warehouse).remove(0);
        Self { warehouse, reading }
    }

    pub(super) fn export(name: &str) -> Self {
        Self::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests-data").join(name), FileOptions::default())
    }

    pub(super) fn text(text: &str) -> Self {
        Self::with(text, FileOptions::default())
    }

    pub(super) fn with(text: &str, options: FileOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, text).unwrap();
        Self::of(&path, options)
    }

    /// Reads a text as a small file, which is parsed here, or as a large one.
    pub(super) fn sized(text: &str, load_bytes: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, text).unwrap();
        let options = OpenOptions { load_bytes, ..OpenOptions::default() };
        let warehouse = open_files(&path, &options).unwrap_or_else(|error| panic!("{text}: {error}"));
        let reading = crate::engine::Engine::readings(&warehouse).remove(0);
        // A view reads the file again.
        std::mem::forget(folder);
        Self { warehouse, reading }
    }

    pub(super) async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let sql = ReadOnlySql::parse(sql, self.warehouse.dialect()).unwrap();
        let batches = self.warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.unwrap();
        let rows = read_page(batches, u64::MAX).await.unwrap().rows;
        rows.into_iter()
            .map(|row| row.into_iter().map(|cell| cell.unwrap_or_else(|| "NULL".into())).collect())
            .collect()
    }

    pub(super) async fn row(&self, sql: &str) -> Vec<String> {
        self.rows(sql).await.concat()
    }

    pub(super) async fn types(&self) -> Vec<String> {
        let catalog = self.warehouse.load_catalog().await.unwrap();
        catalog.tables[0].columns.iter().map(|column| format!("{} {}", column.name, column.data_type)).collect()
    }

    pub(super) fn aside(&self) -> Vec<(u32, SetAsideReason)> {
        self.reading.set_aside.iter().map(|row| (row.row, row.reason)).collect()
    }

    pub(super) fn skipped(&self) -> Vec<u32> {
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

/// Comparing each row with all previous rows would take minutes here.
#[tokio::test]
async fn a_long_file_is_looked_through_once() {
    let rows: String = (0..30_000).map(|row| format!("{row};{}\n", row % 7)).collect();
    let read = Read::text(&format!("id;code\n{rows}30000;X1\n"));
    assert_eq!(read.row("SELECT count(*), max(code) FROM t").await, ["30001", "X1"]);
}

/// Everyday files whose last rows look like totals or notes, but are data.
#[tokio::test]
async fn rows_that_look_like_totals_stay() {
    for (text, rows) in [
        // A company with such a name, and numbers that are not sums.
        ("Company,Sales\nShell,100\nBP,250\nTotal Energies,300\n", "3"),
        ("Company,Sales\nShell,100\nBP,250\nTotal,300\n", "3"),
        // The largest value is last.
        ("Region;Umsatz\nNord;12,50\nSüd;14,00\nWest;999,99\n", "3"),
        // Consecutive numbers may add up by coincidence.
        ("id,name\n1,Ann\n2,Bob\n3,Cid\n", "3"),
        ("id,name\n1,Ann\n2,Bob\n3,\n", "3"),
        ("step,size\na,100\nb,200\nc,300\n", "3"),
        ("n;fib\na;1\nb;1\nc;2\n", "3"),
        // Only one of several numbers is the sum.
        ("Posten;Menge;Preis\nA;1;10,00\nB;2;20,00\nC;3;5,00\n", "3"),
        // The final balance of a statement is not the sum of balances.
        ("Datum;Betrag;Saldo\n30.01.2024;5,00;105,00\n31.01.2024;-5,00;100,00\n01.02.2024;0,00;100,00\n", "3"),
        // The total of a column in a row with a date: a booking.
        ("Datum;Art;Betrag\n29.01.2024;ein;50,25\n30.01.2024;ein;70,50\n31.01.2024;Auszahlung;120,75\n", "3"),
        // A last row with few values.
        ("name;city;note\nAnn;Paris;x\nBob;Rome;y\nCid;;\n", "3"),
        ("a;b\nx;1\ny;\n", "2"),
        // A row whose average is not a sum.
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
    // Another column of the file proves the order.
    let read = Read::text("d;e\n01/02/2024;31/12/2024\n03/04/2024;30/11/2024\n");
    assert_eq!(read.row("SELECT max(d) FROM t").await, ["2024-04-03"]);
    assert!(read.reading.converted[0].how.contains("as in the file's other dates"));
    // The user specifies the order.
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
        match open_files(&path, &OpenOptions::default()) {
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
    // Codes with leading zeros are unchanged, also below a title.
    let read = Read::text("Report\n\nplz;n\n01234;1\n98765;2.5\n");
    assert_eq!(read.types().await, ["plz VARCHAR", "n DECIMAL(18,1)"]);
}

/// Returns one column of values beside a column of row numbers.
fn column(values: &[&str]) -> String {
    let rows: String = values.iter().enumerate().map(|(at, value)| format!("{at};\"{value}\"\n")).collect();
    format!("k;v\n{rows}")
}

#[tokio::test]
async fn markers_of_missing_values_are_empty_in_columns_of_whole_numbers() {
    for marker in
        ["n/a", "NA", "N/A", "NULL", "null", "None", ".", "-", "--", "?", "#N/A", "k. A.", "NaN", "…", "\\N", "(null)"]
    {
        let read = Read::text(&column(&["80", marker, "120"]));
        let sql = "SELECT max(v), sum(v), count(v), count(*), any_value(typeof(v)) FROM t";
        assert_eq!(read.row(sql).await, ["120", "200", "2", "3", "BIGINT"], "{marker}: {:?}", read.reading);
        assert!(read.reading.converted[0].how.contains(&format!("missing: '{marker}' (1)")), "{:?}", read.reading);
        assert!(read.reading.doubts.is_empty(), "{:?}", read.reading.doubts);
    }
    // A repeated word of any language is also reported as a doubt.
    let read = Read::text(&column(&["80", "puuttuu", "120", "puuttuu", "7"]));
    assert_eq!(read.row("SELECT max(v), sum(v), count(v) FROM t").await, ["120", "207", "3"]);
    assert!(read.reading.doubts[0].contains("'puuttuu' (2)"), "{:?}", read.reading.doubts);
    // Several markers, beside decimals, exact integers beyond floats, and integers of twenty digits.
    let read =
        Read::text("a;b;c\n1,5;9007199254740993;12345678901234567890\nn/a;-;NA\n2,25;k. A.;98765432109876543210\n");
    assert_eq!(
        read.row("SELECT sum(a), max(b), sum(c), any_value(typeof(b)) FROM t").await,
        ["3.75", "9007199254740993", "111111111011111111100", "BIGINT"]
    );
    // Dates and times have markers as well.
    let read = Read::text("d;e;u\n2024-01-31;31.12.2023;08:30:00\nn/a;?;-\n2024-02-29;01.02.2024;17:45:00\n");
    assert_eq!(
        read.row("SELECT max(d), max(e), max(u), count(d), count(e), count(u) FROM t").await,
        ["2024-02-29", "2024-02-01", "17:45:00", "2", "2", "2"]
    );
}

#[tokio::test]
async fn whole_numbers_are_read_in_every_way_of_writing() {
    for (values, sum) in [
        (["(5)", "12", "3"], "10"),
        (["+5", "-12", "3"], "-4"),
        (["5-", "12", "3"], "10"),
        (["−5", "12", "3"], "10"),
        (["- 5", "12", "3"], "10"),
        (["1,5E+03", "12", "3"], "1515.0"),
        (["1,23,456.50", "12", "3"], "123471.50"),
        (["1\u{202f}234", "12\u{2009}345", "3"], "13582"),
        (["1\u{a0}234\u{a0}567", "12", "3"], "1234582"),
        (["1'234", "12’345", "3"], "13582"),
        (["1 234", "12 345", "3"], "13582"),
        (["5 €", "(12) €", "3 €"], "-4"),
        (["0,125", "1,250", "3"], "4.375"),
        (["1.200,-", "-5,-- €", "3,– €"], "1198"),
        (["99.999.999.999.999.999.999", "1.000", "1"], "100000000000000001000"),
    ] {
        let read = Read::text(&column(&values));
        assert_eq!(read.row("SELECT sum(v) FROM t").await, [sum], "{values:?}: {:?}", read.reading);
        // A minus after the number may be a part of a code, so it is reported.
        let doubts = usize::from(values[0] == "5-");
        assert_eq!((read.reading.converted.len(), read.reading.doubts.len()), (1, doubts), "{:?}", read.reading);
    }
    // A text that the engine parses as NaN is a missing value.
    let read = Read::text("k;v\n1;nan\n2;1.5\n4;2.5\n");
    assert_eq!(read.row("SELECT sum(v), max(v), count(v) FROM t").await, ["4.0", "2.5", "2"]);
}

#[tokio::test]
async fn columns_that_only_resemble_numbers_stay_text() {
    for values in [
        ["007", "n/a", "012", "n/a"],
        ["+49 30 123456", "+49 171 234567", "n/a", "+1 212 555123"],
        ["+4930123456", "+491711234567", "+12125551234", "-"],
        ["1-2", "3-4", "5-6", "-"],
        ["1.2.3", "1.10.0", "2.0.1", "-"],
        ["5-", "A-", "7-", "B-"],
        ["0x1F", "0x2A", "0b11", "0x10"],
        ["0x1F", "12", "13", "14"],
        ["36", "38", "M", "L"],
        ["+", "-", "12", "13"],
        ["(1)", "(2)", "(3)", "(4)"],
        ["123 456 789", "987 654 321", "123 987 456", "n/a"],
        ["12E4", "13E5", "14E1", "15E2"],
        ["1.200,00", "1,200.00", "n/a", "3"],
        ["$1", "€2", "$3", "n/a"],
        ["1,234", "5,678", "n/a", "9,012"],
        ["free", "12", "13", "free"],
        ["36:30", "12:15", "48:00", "-"],
        ["1_000", "2_000", "3_000", "-"],
    ] {
        let read = Read::text(&column(&values));
        assert_eq!(read.types().await[1], "v VARCHAR", "{values:?}");
        assert_eq!(read.rows("SELECT v FROM t ORDER BY k").await.concat(), values);
    }
}

#[tokio::test]
async fn a_mostly_numeric_column_that_stays_text_names_the_values() {
    for (values, named) in [
        (["12", "14a", "7", "9"], "'14a' (1)"),
        (["0x1F", "12", "13", "14"], "'0x1F' (1)"),
        (["2024-01-01", "2024-02-02", "2024-03-03", "spring"], "'spring' (1)"),
        (["0x1F", "0x2A", "0x2B", "0x2C"], "'0x1F'"),
        (["$1", "€2", "$3", "$4"], "$ and €"),
        (["12E4", "13E5", "14E1", "15E2"], "'12E4'"),
    ] {
        let read = Read::text(&column(&values));
        assert_eq!(read.types().await[1], "v VARCHAR", "{values:?}");
        assert_eq!(read.reading.doubts.len(), 1, "{values:?} {:?}", read.reading.doubts);
        assert!(read.reading.doubts[0].contains(named), "{:?}", read.reading.doubts);
    }
    // Everyday columns of text, codes and phone numbers cause no doubts.
    for values in [
        ["Ann", "Bob", "n/a", "-"],
        ["007", "012", "001", "044"],
        ["+4930123456", "+491711234567", "+12125551234", "+3315550000"],
        ["A1", "B2", "C3", "7"],
        ["1.2.3", "1.10.0", "2.0.1", "1.0.0"],
    ] {
        assert!(Read::text(&column(&values)).reading.doubts.is_empty(), "{values:?}");
    }
}

#[tokio::test]
async fn subtotals_that_are_named_after_their_group_are_set_aside() {
    use SetAsideReason::{Subtotal, Total};
    for (text, out, sum) in [
        (
            "region,amount\nN,10\nN,20\nN Total,30\nS,5\nS,6\nS Total,11\nGrand Total,41\n",
            vec![(4, Subtotal), (7, Subtotal), (8, Total)],
            "41",
        ),
        (
            "region;item;amount\nN;A;10\nN;B;20\nN Ergebnis;;30\nS;A;5\nS Ergebnis;;5\n",
            vec![(4, Subtotal), (6, Subtotal)],
            "35",
        ),
        ("région;montant\nNord;10\nNord;20\nTotal Nord;30\n", vec![(4, Subtotal)], "30"),
        // The numbers are not the sums, or the names belong to other things.
        ("region,amount\nN,10\nN,20\nN Total,31\nS,5\nS Total,5\n", vec![], "71"),
        ("firm,amount\nShell,10\nShell Total,10\nTotal Energies,7\n", vec![], "27"),
        ("firm,amount\nNord,10\nNord Energies,10\n", vec![], "20"),
    ] {
        let read = Read::text(text);
        assert_eq!(read.aside(), out, "{text}");
        let name = if text.contains("montant") { "montant" } else { "amount" };
        assert_eq!(read.row(&format!("SELECT sum({name}) FROM t")).await, [sum], "{text}");
    }
}

#[tokio::test]
async fn a_number_sign_begins_no_comment() {
    for (text, sql, values) in [
        ("id,amount\n1,10\n#2,20\n3,30\n", "SELECT count(*), sum(amount), max(id) FROM t", ["3", "60", "3"]),
        ("a;b\n1;\"x #1\"\n2;y # z\n#3;w\n", "SELECT count(*), max(b), min(a) FROM t", ["3", "y # z", "#3"]),
        (
            "name,amount\nA,10 # checked\nB,20\nC,30\n",
            "SELECT count(*), min(amount), max(name) FROM t",
            ["3", "10 # checked", "C"],
        ),
        ("tag,n\nplain,9\n#sad,3\nother,1\n", "SELECT count(*), sum(n), min(tag) FROM t", ["3", "13", "#sad"]),
        ("tag\nplain\n#sad\nother\n", "SELECT count(*), max(tag), min(tag) FROM t", ["3", "plain", "#sad"]),
    ] {
        for load_bytes in [0, u64::MAX] {
            let read = Read::sized(text, load_bytes);
            assert_eq!(read.row(sql).await, values, "{text} {load_bytes}");
            assert!(read.skipped().is_empty() && read.aside().is_empty(), "{:?}", read.reading);
        }
    }
    for text in ["# made in May\n#\nid,v\n1,10\n2,20\n", "# made in May, by hand\nid,v\n1,10\n2,20\n"] {
        let read = Read::text(text);
        assert_eq!(read.row("SELECT count(*), sum(v), max(id) FROM t").await, ["2", "30", "2"], "{text}");
        assert_eq!(read.skipped()[0], 1);
        assert_eq!(read.skipped().len() + 3, text.lines().count());
    }
    let inner = Read::text("id,v\n1,10\n# checked\n2,20\n");
    assert_eq!(inner.row("SELECT count(*), sum(v), max(id) FROM t").await, ["2", "30", "2"]);
    assert_eq!(inner.aside(), [(3, SetAsideReason::Comment)]);
}

#[tokio::test]
async fn what_has_no_full_year_is_no_date() {
    for values in [
        ["1/2/3", "4/5/6", "7/8/9"],
        ["1-2-3", "1-1-1", "2-10-4"],
        ["1 2 3", "4 5 6", "7 8 9"],
        ["1200 10 20", "1300 11 21", "1400 12 22"],
        ["1-1-1", "1-1-2", "1-13-1"],
    ] {
        let read = Read::text(&column(&values));
        assert_eq!(read.types().await[1], "v VARCHAR", "{values:?}");
        assert_eq!(read.row("SELECT min(v) FROM t").await, [values.iter().min().unwrap().to_string()]);
    }
    for (values, kind) in [
        (["2024-01-31", "2024-02-29", "2024-3-1"], "DATE"),
        (["2024-01-31", "1999-12-31", ""], "DATE"),
        (["31.12.24", "30.11.24", "29.10.24"], "DATE"),
        (["2024-01-31T10:00:00.5", "2024-01-31 10:00:00", "2024-02-29T00:00:00"], "TIMESTAMP"),
        (["2024-01-31T10:00:00Z", "2024-01-31T10:00:00Z", "2024-02-29T00:00:00Z"], "TIMESTAMP"),
        (["10:00:01", "23:59:59", "00:00:00"], "TIME"),
    ] {
        let read = Read::text(&column(&values));
        assert!(read.types().await[1].starts_with(&format!("v {kind}")), "{values:?} {:?}", read.types().await);
        assert!(read.reading.doubts.is_empty(), "{:?}", read.reading.doubts);
    }
    for word in ["infinity", "-infinity", "epoch", "1-2-3"] {
        let read = Read::text(&column(&["2024-01-31", word, "2024-02-29"]));
        assert_eq!(read.row("SELECT typeof(v), v FROM t WHERE k = 1").await, ["VARCHAR", word]);
        assert!(read.reading.doubts[0].ends_with(&format!("because of '{word}' (1).")), "{:?}", read.reading.doubts);
    }
}

#[tokio::test]
async fn numbers_that_no_float_holds_are_not_infinite() {
    for values in [
        ["1.5", "1e400", "2.5"],
        ["1", "-1e400", "2"],
        ["1,5", "1e400", "2,5"],
        ["1.5", "inf", "2"],
        ["1", "-Infinity", "2"],
    ] {
        let read = Read::text(&column(&values));
        assert_eq!(read.row("SELECT typeof(v), v FROM t WHERE k = 1").await, ["VARCHAR", values[1]]);
        assert!(
            read.reading.doubts[0].ends_with(&format!("because of '{}' (1).", values[1])),
            "{:?}",
            read.reading.doubts
        );
    }
    let read = Read::text(&column(&["1.5", "1e300", "-2e-300"]));
    assert_eq!(read.row("SELECT typeof(max(v)), max(v) = 1e300 FROM t").await, ["DOUBLE", "true"]);
    assert!(read.reading.doubts.is_empty(), "{:?}", read.reading.doubts);
}

#[tokio::test]
async fn versions_are_no_decimals() {
    let read = Read::text(&column(&["1.1", "1.9", "1.10", "1.10"]));
    assert_eq!(read.reading.doubts.len(), 1, "{:?}", read.reading.doubts);
    assert!(read.reading.doubts[0].contains("these are equal: '1.1' (1), '1.10' (2)."), "{:?}", read.reading.doubts);
    for values in [
        ["1.10", "1.20", "2.50", "3.00"],
        ["1.1", "1.9", "1.10", "0.05"],
        ["5", "5.00", "12.50", "7"],
        ["1.1", "1.9", "1.20", "2.30"],
        ["1200.5", "1200.50", "3.1", "3.10"],
        ["-1.1", "-1.10", "2.5", "3"],
    ] {
        let read = Read::text(&column(&values));
        assert!(read.types().await[1].starts_with("v DECIMAL"), "{values:?}");
        assert!(read.reading.doubts.is_empty(), "{values:?} {:?}", read.reading.doubts);
    }
    for (name, kept) in [("version", true), ("App Version", true), ("Fassung", true), ("conversion", false)] {
        let read = Read::text(&format!("id,{name}\n1,1.9\n2,1.10\n3,1.2\n"));
        let kind = if kept { "VARCHAR" } else { "DECIMAL(18,2)" };
        assert_eq!(read.types().await[1], format!("{name} {kind}"));
    }
}

#[tokio::test]
async fn shares_without_the_sign_of_others_are_named() {
    let read = Read::text(&column(&["12%", "0.5", "15 %", "0", "0.5"]));
    assert_eq!(read.reading.doubts.len(), 1, "{:?}", read.reading.doubts);
    assert!(read.reading.doubts[0].contains("'0.5' (2)"), "{:?}", read.reading.doubts);
    for values in [["12%", "5%", "0", "1.5 %"], ["$12", "5", "$7", "8"], ["0.12", "0.5", "0", "1"]] {
        let read = Read::text(&column(&values));
        assert!(read.reading.doubts.is_empty(), "{values:?} {:?}", read.reading.doubts);
    }
}

#[tokio::test]
async fn a_wide_file_is_read_in_a_time_that_grows_with_its_columns() {
    let wide = |cell: &dyn Fn(usize) -> String| {
        let names: Vec<String> = (0..300).map(|at| format!("c{at}")).collect();
        let cells: Vec<String> = (0..300).map(cell).collect();
        format!("{}\n{}\n", names.join(","), cells.join(","))
    };
    let read = Read::text(&wide(&|at| format!("{at}")));
    assert_eq!(read.types().await.len(), 300);
    assert_eq!(read.row("SELECT c0, c31, c32, c299 FROM t").await, ["0", "31", "32", "299"]);
    // A date on both sides of the boundary between two queries.
    let read = Read::text(&wide(&|at| if at % 31 == 1 { "31.12.2024".to_owned() } else { format!("{at}.5") }));
    let types = read.types().await;
    for at in [1, 32, 63, 280] {
        assert_eq!(types[at], format!("c{at} DATE"));
    }
    assert_eq!(read.row("SELECT c32, c33, c280 FROM t").await, ["2024-12-31", "33.5", "2024-12-31"]);
}

#[tokio::test]
async fn days_that_no_calendar_has_are_empty_and_named() {
    for (values, wrong) in [
        (["2024-01-31", "0000-00-00", "2024-02-29"], "'0000-00-00' (1)"),
        (["2024-01-31", "2023-02-29", "2024-02-29"], "'2023-02-29' (1)"),
        (["31.01.2024", "30.02.2024", "29.02.2024"], "'30.02.2024' (1)"),
        (["31.01.2024", "00.00.0000", "29.02.2024"], "'00.00.0000' (1)"),
        (["2024-01-31 10:00:00", "2024-01-31 25:61:00", "2024-02-29 12:30:00"], "'2024-01-31 25:61:00' (1)"),
    ] {
        let read = Read::text(&column(&values));
        let sql = "SELECT min(v)::DATE, max(v)::DATE, count(v), count(*) FROM t";
        assert_eq!(read.row(sql).await, ["2024-01-31", "2024-02-29", "2", "3"], "{values:?} {:?}", read.reading);
        assert_eq!(read.reading.doubts.len(), 1, "{:?}", read.reading.doubts);
        assert!(read.reading.doubts[0].ends_with(&format!("are empty: {wrong}.")), "{:?}", read.reading.doubts);
    }
    // If most values are impossible dates, the column contains something else.
    let read = Read::text(&column(&["2024-13-01", "2024-14-02", "2024-01-03"]));
    assert_eq!(read.types().await[1], "v VARCHAR");
    assert!(read.reading.doubts[0].contains("'2024-13-01'"), "{:?}", read.reading.doubts);
}

#[tokio::test]
async fn durations_beyond_a_day_are_seconds() {
    for (values, sum) in [
        // 36.5 h, 1 h and 12 h 15 min.
        (["36:30:00", "01:00:00", "12:15:00"], "179100"),
        (["-01:30:00", "00:45:00", "n/a"], "-2700"),
        (["1 day, 12:30:00", "0:00:30", "2 days, 0:00:00"], "304230"),
        (["100:00:00.5", "00:00:01,25", "-"], "360001.75"),
    ] {
        let read = Read::text(&column(&values));
        assert_eq!(read.row("SELECT sum(v) FROM t").await, [sum], "{values:?} {:?}", read.reading);
        assert!(read.reading.converted[0].how.contains("a duration in seconds"), "{:?}", read.reading);
    }
    let read = Read::text(&column(&["08:30:00", "17:45:00", "23:59:59"]));
    assert_eq!(read.types().await[1], "v TIME");
}

#[tokio::test]
async fn amounts_with_letters_before_the_dollar_sign_are_numbers() {
    for (values, sum) in [
        (["R$ 1.234,56", "R$ 99,00", "-R$ 5,06"], "1328.50"),
        (["US$1,234.50", "US$0.50", "US$ 5.00"], "1240.00"),
        (["5.25 CA$", "1.25 CA$", "1.00 CA$"], "7.50"),
        (["HK$10", "HK$20", "HK$30"], "60"),
    ] {
        let read = Read::text(&column(&values));
        assert_eq!(read.row("SELECT sum(v) FROM t").await, [sum], "{values:?} {:?}", read.reading);
    }
    // Amounts in several currencies stay text.
    let read = Read::text(&column(&["R$ 5,00", "US$ 5,00", "R$ 7,00"]));
    assert_eq!(read.types().await[1], "v VARCHAR");
    assert!(read.reading.doubts[0].contains("several units"), "{:?}", read.reading.doubts);
}

#[tokio::test]
async fn names_that_are_repeated_and_units_are_set_aside() {
    let read = Read::text(
        "Report January\n\nid;name;amount\n1;Ann;10\n2;Bob;20\nTotal;;30\nReport January\nid;name;amount\n3;Cid;5\n4;Dan;7\n",
    );
    assert_eq!(read.row("SELECT count(*), sum(amount), sum(id) FROM t").await, ["4", "42", "10"], "{:?}", read.reading);
    assert_eq!(read.aside(), [(6, SetAsideReason::Total), (7, SetAsideReason::Footnote), (8, SetAsideReason::Names)]);
    let read = Read::text("time,station,speed,price\ns,,m/s,EUR\n1,A,2.5,10\n2,B,3.5,20\n");
    assert_eq!(read.row("SELECT count(*), sum(time), sum(speed), sum(price) FROM t").await, ["2", "3", "6.0", "30"]);
    assert_eq!(read.aside(), [(2, SetAsideReason::Units)]);
    let how: Vec<String> =
        read.reading.converted.iter().map(|column| format!("{}: {}", column.column, column.how)).collect();
    assert_eq!(how, ["time: in s", "speed: in m/s", "price: in EUR"]);
    // Two exports, each with its own units.
    let read = Read::text("t;v\n[s];[m/s]\n1;2,5\nt;v\n[s];[m/s]\n2;3,5\n");
    assert_eq!(read.row("SELECT count(*), sum(t), sum(v) FROM t").await, ["2", "3", "6.0"]);
    // Data rows that resemble units.
    for (text, rows) in [
        ("name,score,age\nAnn,n/a,n/a\nBob,5,30\n", "2"),
        ("name,score,age\nAnn,absent,unknown\nBob,5,30\nCid,6,31\n", "3"),
        ("word,meaning\nword,Wort\ntable,Tisch\n", "2"),
        ("word\nhouse\nword\n", "2"),
        ("unit,factor\nm,1\nkm,1000\n", "2"),
    ] {
        let read = Read::text(text);
        assert_eq!(read.row("SELECT count(*) FROM t").await, [rows], "{text}: {:?}", read.reading);
        assert!(read.aside().is_empty(), "{text}");
    }
}

#[tokio::test]
async fn a_file_with_several_line_ends_or_a_backslash_before_a_quote_is_read() {
    for text in ["id,n\r\n1,10\r\n2,20\n3,30\r\n", "id,n\n1,10\r\n2,20\n3,30\n", "id,n\r\n1,10\n2,20\r\n3,30"] {
        for load_bytes in [0, u64::MAX] {
            let read = Read::sized(text, load_bytes);
            assert_eq!(read.row("SELECT count(*), sum(id), sum(n) FROM t").await, ["3", "6", "60"], "{text:?}");
        }
    }
    let read = Read::text("id,path\n3,\"D:\\data\\\"\n4,\"E:\\x\"\n");
    assert_eq!(read.rows("SELECT path FROM t ORDER BY id").await.concat(), ["D:\\data\\", "E:\\x"]);
    let read = Read::text("id,note\n3,\"say \\\"hi\\\", C:\\new\"\n4,\"\"\n");
    assert_eq!(read.row("SELECT note FROM t WHERE id = 3").await, ["say \"hi\", C:\\new"]);
}

/// Formats a number with groups of digits.
fn grouped(number: i64, sign: &str, indian: bool) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut groups = vec![&digits[digits.len().saturating_sub(3)..]];
    let mut rest = &digits[..digits.len().saturating_sub(3)];
    while !rest.is_empty() {
        let start = rest.len().saturating_sub(if indian { 2 } else { 3 });
        groups.insert(0, &rest[start..]);
        rest = &rest[..start];
    }
    format!("{}{}", if number < 0 { "-" } else { "" }, groups.join(sign))
}

mod written_and_read {
    use super::*;
    use proptest::prelude::*;

    type Style = fn(i64) -> String;

    fn negative(number: i64, wrapped: impl Fn(u64) -> String) -> String {
        if number < 0 { wrapped(number.unsigned_abs()) } else { number.to_string() }
    }

    const STYLES: [(&str, Style); 13] = [
        ("plain", |n| n.to_string()),
        ("point", |n| grouped(n, ".", false)),
        ("comma", |n| grouped(n, ",", false)),
        ("blank", |n| grouped(n, " ", false)),
        ("thin", |n| grouped(n, "\u{2009}", false)),
        ("narrow", |n| grouped(n, "\u{202f}", false)),
        ("wide", |n| grouped(n, "\u{a0}", false)),
        ("apostrophe", |n| grouped(n, "’", false)),
        ("indian", |n| grouped(n, ",", true)),
        ("brackets", |n| negative(n, |n| format!("({n})"))),
        ("behind", |n| negative(n, |n| format!("{n}-"))),
        ("minus", |n| negative(n, |n| format!("− {n}"))),
        ("plus", |n| format!("{n:+}")),
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2, ..ProptestConfig::default() })]

        #[test]
        fn an_integer_written_in_any_style_reads_back(numbers in prop::collection::vec(prop_oneof![-2_000_i64..2_000, any::<i64>().prop_map(|n| n / 16)], 1..30)) {
            // Numbers that determine the notation: small and large ones of both signs.
            let numbers: Vec<i64> = [&numbers[..], &[7, -8, 1_234, -12_345_678, 9_007_199_254_740_993]].concat();
            let names: Vec<&str> = STYLES.iter().map(|(name, _)| *name).collect();
            let mut text = format!("{}\n{}\n", names.join(";"), vec!["n/a"; STYLES.len()].join(";"));
            for number in &numbers {
                let cells: Vec<String> = STYLES.iter().map(|(_, style)| style(*number)).collect();
                text += &format!("{}\n", cells.join(";"));
            }
            let read = Read::text(&text);
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let rows = runtime.block_on(read.rows("SELECT * FROM t"));
            for (at, (name, _)) in STYLES.iter().enumerate() {
                let mut expected: Vec<String> = numbers.iter().map(i64::to_string).collect();
                let mut found: Vec<&str> = rows.iter().map(|row| row[at].as_str()).collect();
                expected.push("NULL".to_owned());
                expected.sort();
                found.sort_unstable();
                prop_assert_eq!(found, expected, "{}: {:?}", name, read.reading);
            }
        }
    }
}
