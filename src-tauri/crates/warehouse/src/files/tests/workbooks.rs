//! Workbooks as users maintain them. The expected figures are added up by hand.

use super::super::*;
use super::open::{cells, workbook};
use crate::engine::Engine;
use crate::{Limits, Warehouse, read_page};
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook, Worksheet};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{FileOptions, FileReading, SetAsideReason};
use vitrine_sql::ReadOnlySql;

struct Book {
    warehouse: DuckWarehouse,
    readings: Vec<FileReading>,
}

impl Book {
    fn of(fill: impl Fn(&mut Workbook), options: &[(&str, FileOptions)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.xlsx");
        let mut workbook = Workbook::new();
        fill(&mut workbook);
        workbook.save(&path).unwrap();
        let tables = options.iter().map(|(table, options)| ((*table).to_owned(), options.clone())).collect();
        let warehouse = open_files(&path, &OpenOptions { tables, ..OpenOptions::default() }).unwrap();
        let readings = Engine::readings(&warehouse);
        Self { warehouse, readings }
    }

    /// Creates a workbook with one sheet, filled by a function.
    fn sheet(fill: impl Fn(&mut Worksheet)) -> Self {
        Self::of(|book| fill(book.add_worksheet().set_name("Sheet1").unwrap()), &[])
    }

    async fn row(&self, sql: &str) -> Vec<String> {
        let sql = ReadOnlySql::parse(sql, self.warehouse.dialect()).unwrap();
        let batches = self.warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.unwrap();
        let rows = read_page(batches, u64::MAX).await.unwrap().rows;
        rows.into_iter().flatten().map(|cell| cell.unwrap_or_else(|| "NULL".into())).collect()
    }

    async fn columns(&self, table: &str) -> Vec<String> {
        let catalog = self.warehouse.load_catalog().await.unwrap();
        let table = catalog.find_table(table).unwrap_or_else(|| panic!("no {table} in {:?}", catalog.tables));
        table.columns.iter().map(|column| format!("{} {}", column.name, column.data_type)).collect()
    }

    fn aside(&self) -> Vec<(u32, SetAsideReason)> {
        self.readings[0].set_aside.iter().map(|row| (row.row, row.reason)).collect()
    }
}

/// Writes texts and numbers; a cell that parses as a number is one, unless it starts with `'`.
fn fill(sheet: &mut Worksheet, row: u32, column: u16, cells: &[&str]) {
    for (at, cell) in cells.iter().enumerate() {
        let column = column + at as u16;
        match (cell.strip_prefix('\''), cell.parse::<f64>()) {
            (Some(text), _) => drop(sheet.write_string(row, column, text).unwrap()),
            (None, Ok(number)) => drop(sheet.write_number(row, column, number).unwrap()),
            (None, Err(_)) if cell.is_empty() => {}
            (None, Err(_)) => drop(sheet.write_string(row, column, *cell).unwrap()),
        }
    }
}

fn day(sheet: &mut Worksheet, row: u32, column: u16, date: &str) {
    let format = Format::new().set_num_format(if date.contains(':') { "dd.mm.yyyy hh:mm" } else { "dd.mm.yyyy" });
    sheet.write_datetime_with_format(row, column, ExcelDateTime::parse_from_str(date).unwrap(), &format).unwrap();
}

#[tokio::test]
async fn a_german_report_with_title_merged_names_total_and_note() {
    let book = Book::sheet(|sheet| {
        sheet.merge_range(0, 0, 0, 4, "Umsatzbericht 2024", &Format::new()).unwrap();
        fill(sheet, 1, 0, &["Stand: 31.12.2024"]);
        sheet.merge_range(3, 0, 4, 0, "Filiale", &Format::new()).unwrap();
        sheet.merge_range(3, 1, 3, 2, "Januar", &Format::new()).unwrap();
        sheet.merge_range(3, 3, 3, 4, "Februar", &Format::new()).unwrap();
        fill(sheet, 4, 1, &["Umsatz", "Kosten", "Umsatz", "Kosten"]);
        fill(sheet, 5, 0, &["Köln", "1200.5", "300", "1100", "310.25"]);
        fill(sheet, 6, 0, &["Bonn", "800", "150.75", "", "149"]);
        fill(sheet, 7, 0, &["Gesamt", "2000.5", "450.75", "1100", "459.25"]);
        fill(sheet, 9, 0, &["* vorläufige Zahlen"]);
    });
    assert_eq!(
        book.columns("book").await,
        [
            "Filiale VARCHAR",
            "Januar Umsatz DECIMAL(18,1)",
            "Januar Kosten DECIMAL(18,2)",
            "Februar Umsatz BIGINT",
            "Februar Kosten DECIMAL(18,2)"
        ]
    );
    let sums = "SELECT count(*), sum(\"Januar Umsatz\"), sum(\"Februar Kosten\") FROM book";
    assert_eq!(book.row(sums).await, ["2", "2000.5", "459.25"]);
    assert_eq!(book.aside(), [(8, SetAsideReason::Total), (10, SetAsideReason::Footnote)]);
    assert_eq!(book.readings[0].skipped.len(), 2);
}

#[tokio::test]
async fn an_english_survey_with_dates_times_and_percent() {
    let book = Book::sheet(|sheet| {
        fill(sheet, 0, 0, &["Submitted", "Day", "Score", "Share", "Comment"]);
        let percent = Format::new().set_num_format("0.0%");
        for (row, (moment, date, share)) in
            [("2024-02-29T10:15:00", "2024-02-29", 0.125), ("2024-12-31T23:59:30", "2024-12-31", 0.5)]
                .into_iter()
                .enumerate()
        {
            let row = row as u32 + 1;
            day(sheet, row, 0, moment);
            day(sheet, row, 1, date);
            sheet.write_number(row, 2, f64::from(row)).unwrap();
            sheet.write_number_with_format(row, 3, share, &percent).unwrap();
            fill(sheet, row, 4, &["fine"]);
        }
    });
    assert_eq!(
        book.columns("book").await,
        ["Submitted TIMESTAMP", "Day DATE", "Score BIGINT", "Share DECIMAL(18,3)", "Comment VARCHAR"]
    );
    assert_eq!(
        book.row("SELECT max(Submitted), max(Day), sum(Share) FROM book").await,
        ["2024-12-31 23:59:30", "2024-12-31", "0.625"]
    );
    assert_eq!(book.readings[0].converted[0].how, "a share of 1 that the workbook shows in percent, such as 0.125");
}

#[tokio::test]
async fn codes_keep_the_zeros_that_the_workbook_shows() {
    let book = Book::sheet(|sheet| {
        fill(sheet, 0, 0, &["Town", "Zip", "SSN", "Stores", "Units"]);
        let formats = ["00000", "000\\-00\\-0000", "00", "0"].map(|format| Format::new().set_num_format(format));
        for (row, (town, numbers)) in [
            ("Dresden", [1067.0, 78_051_120.0, 12.0, 7.0]),
            ("Berlin", [10115.0, 219_099_999.0, 30.0, 8.0]),
            ("Boston", [2139.0, 1.0, 25.0, 9.0]),
        ]
        .into_iter()
        .enumerate()
        {
            let row = row as u32 + 1;
            fill(sheet, row, 0, &[town]);
            for (at, number) in numbers.into_iter().enumerate() {
                sheet.write_number_with_format(row, at as u16 + 1, number, &formats[at]).unwrap();
            }
        }
    });
    // Two digits fill the format of the stores, so that they stay numbers.
    assert_eq!(
        book.columns("book").await,
        ["Town VARCHAR", "Zip VARCHAR", "SSN VARCHAR", "Stores BIGINT", "Units BIGINT"]
    );
    assert_eq!(
        book.row("SELECT Zip, SSN FROM book ORDER BY Zip").await,
        ["01067", "078-05-1120", "02139", "000-00-0001", "10115", "219-09-9999"]
    );
    let how: Vec<&str> = book.readings[0].converted.iter().map(|column| column.how.as_str()).collect();
    assert_eq!(
        how,
        ["codes as the workbook shows them, such as 01067", "codes as the workbook shows them, such as 078-05-1120"]
    );
}

#[tokio::test]
async fn midnight_is_a_time_and_a_day_that_never_was_is_empty() {
    let cells = |format: &'static str, numbers: [f64; 3]| {
        Book::sheet(move |sheet| {
            fill(sheet, 0, 0, &["id", "v"]);
            for (row, number) in numbers.into_iter().enumerate() {
                let row = row as u32 + 1;
                sheet.write_number(row, 0, f64::from(row)).unwrap();
                sheet.write_number_with_format(row, 1, number, &Format::new().set_num_format(format)).unwrap();
            }
        })
    };
    let times = cells("hh:mm:ss", [0.0, 0.5, 0.75]);
    assert_eq!(times.columns("book").await[1], "v TIME");
    assert_eq!(times.row("SELECT min(v), max(v), count(v) FROM book").await, ["00:00:00", "18:00:00", "3"]);
    assert!(times.readings[0].doubts.is_empty(), "{:?}", times.readings[0].doubts);
    // 59 is 1900-02-28 and 61 is 1900-03-01.
    for (no_day, format) in [(60.0, "yyyy-mm-dd"), (60.25, "yyyy-mm-dd hh:mm"), (-1.0, "yyyy-mm-dd")] {
        let days = cells(format, [59.0, no_day, 61.0]);
        let sql = "SELECT min(v)::DATE, max(v)::DATE, count(v), count(*) FROM book";
        assert_eq!(days.row(sql).await, ["1900-02-28", "1900-03-01", "2", "3"], "{no_day}");
        assert_eq!(days.readings[0].doubts.len(), 1, "{:?}", days.readings[0].doubts);
        assert!(days.readings[0].doubts[0].starts_with("1 cell holds a day"), "{:?}", days.readings[0].doubts);
    }
}

#[tokio::test]
async fn numbers_and_dates_that_are_texts() {
    let book = Book::sheet(|sheet| {
        fill(sheet, 0, 0, &["Fecha", "Importe", "Unidades", "Código postal"]);
        fill(sheet, 1, 0, &["31/01/2024", "1.200,50 €", "'3", "'08001"]);
        fill(sheet, 2, 0, &["02/03/2024", "99,00 €", "'12", "'28013"]);
    });
    assert_eq!(
        book.columns("book").await,
        ["Fecha DATE", "Importe DECIMAL(18,2)", "Unidades BIGINT", "Código postal VARCHAR"]
    );
    assert_eq!(
        book.row("SELECT max(Fecha), sum(Importe), sum(Unidades) FROM book").await,
        ["2024-03-02", "1299.50", "15"]
    );
}

#[tokio::test]
async fn several_tables_in_a_sheet_and_a_hidden_sheet() {
    let book = Book::of(
        |book| {
            let sheet = book.add_worksheet().set_name("Vendite").unwrap();
            fill(sheet, 0, 0, &["Regione", "Importo"]);
            fill(sheet, 1, 0, &["Lazio", "10.5"]);
            fill(sheet, 2, 0, &["Veneto", "20"]);
            fill(sheet, 3, 0, &["Totale", "30.5"]);
            fill(sheet, 5, 0, &["Dipendenti"]);
            fill(sheet, 6, 0, &["Nome", "Città"]);
            fill(sheet, 7, 0, &["Anna", "Forlì"]);
            fill(sheet, 0, 4, &["Codice", "Prezzo"]);
            fill(sheet, 1, 4, &["A1", "5"]);
            let hidden = book.add_worksheet().set_name("Parametri").unwrap();
            fill(hidden, 0, 0, &["Chiave", "Valore"]);
            fill(hidden, 1, 0, &["iva", "22"]);
            hidden.set_hidden(true);
        },
        &[],
    );
    let tables: Vec<&str> = book.readings.iter().map(|reading| reading.table.as_str()).collect();
    assert_eq!(tables, ["Vendite", "Vendite_2", "Vendite_3", "Parametri"], "{:?}", book.readings);
    assert_eq!(book.row("SELECT count(*), sum(Importo) FROM Vendite").await, ["2", "30.5"]);
    let others: Vec<String> = [book.columns("Vendite_2").await, book.columns("Vendite_3").await].concat();
    assert!(others.contains(&"Nome VARCHAR".to_owned()) && others.contains(&"Prezzo BIGINT".to_owned()), "{others:?}");
    assert!(book.readings[3].doubts[0].contains("hidden"), "{:?}", book.readings[3]);
}

#[tokio::test]
async fn sums_that_the_workbook_computed_are_totals_and_what_looks_alike_stays() {
    let computed = |last: &'static str, third: f64| {
        Book::sheet(move |sheet| {
            fill(sheet, 0, 0, &["Posten", "Betrag", "Gewicht"]);
            for (row, (amount, weight)) in
                [(0.1, 33.333_333_333_333_336), (0.2, 66.666_666_666_666_67)].into_iter().enumerate()
            {
                fill(sheet, row as u32 + 1, 0, &["a"]);
                sheet.write_number(row as u32 + 1, 1, amount).unwrap();
                sheet.write_number(row as u32 + 1, 2, weight).unwrap();
            }
            fill(sheet, 3, 0, &[last]);
            sheet.write_number(3, 1, third).unwrap();
            sheet.write_number(3, 2, 100.0).unwrap();
        })
    };
    assert_eq!(computed("Summe", 0.1 + 0.2).aside(), [(4, SetAsideReason::Total)]);
    assert!(computed("Summe", 0.4).aside().is_empty());
    assert!(computed("c", 0.4).aside().is_empty());
}

#[tokio::test]
async fn blank_columns_errors_and_options_of_a_sheet() {
    let rows = |book: &mut Workbook| {
        let sheet = book.add_worksheet().set_name("Sheet1").unwrap();
        fill(sheet, 1, 1, &["k", "", "v", "k"]);
        fill(sheet, 2, 1, &["a", "", "1", "x"]);
        fill(sheet, 4, 1, &["b", "", "2", "y"]);
        fill(sheet, 5, 1, &["Total", "", "3", ""]);
    };
    let book = Book::of(rows, &[]);
    assert_eq!(book.columns("book").await, ["k VARCHAR", "v BIGINT", "k_2 VARCHAR"]);
    assert_eq!(
        (book.row("SELECT sum(v) FROM book").await, book.readings[0].header_row),
        (vec!["3".to_owned()], Some(2))
    );
    let keep = FileOptions { keep_rows: true, as_text: vec!["v".to_owned()], ..FileOptions::default() };
    let book = Book::of(rows, &[("book", keep)]);
    assert_eq!(book.row("SELECT max(v), count(*) FROM book").await, ["3", "3"]);
}

#[tokio::test]
async fn formulas_without_a_stored_result_are_told_with_their_column() {
    let book = Book::sheet(|sheet| {
        fill(sheet, 0, 0, &["item", "n", "total", "tax", "note"]);
        for (row, n) in [(1, "2"), (2, "3"), (3, "4")] {
            fill(sheet, row, 0, &["a", n]);
            let formula = |text: &str, result: &str| Formula::new(format!("{text}{}", row + 1)).set_result(result);
            sheet.write_formula(row, 2, formula("=B", "")).unwrap();
            sheet.write_formula(row, 3, formula("=0*B", "0")).unwrap();
            sheet.write_formula(row, 4, formula("=\"x\"&B", "x")).unwrap();
        }
    });
    // As written by a program that computes no results.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.xlsx");
    let row = |at: u32, n: u32| {
        format!(
            r#"<row r="{at}"><c r="A{at}"><v>{n}</v></c><c r="B{at}"><f>A{at}*2</f><v></v></c><c r="C{at}"><f>A{at}*3</f></c><c r="D{at}"><f>A{at}</f><v>{n}</v></c><c r="E{at}" t="str"><f>""</f><v></v></c></row>"#
        )
    };
    let names =
        cells(1, &[("A", "text:n"), ("B", "text:twice"), ("C", "text:thrice"), ("D", "text:same"), ("E", "text:none")]);
    std::fs::write(&path, workbook(&[("Data", &[names, row(2, 5), row(3, 7)].concat())])).unwrap();
    let warehouse = open_files(&path, &OpenOptions::default()).unwrap();
    let doubts = Engine::readings(&warehouse).remove(0).doubts;
    let told = |column: &str| {
        doubts
            .iter()
            .filter(|doubt| {
                doubt.contains(&format!("2 formulas of the column {column} in the sheet Data have no stored result"))
            })
            .count()
    };
    assert_eq!((told("twice"), told("thrice"), doubts.len()), (1, 1, 2), "{doubts:?}");
    assert_eq!(book.row("SELECT sum(n) FROM book").await, ["9"]);
    let zeros =
        book.readings[0].doubts.iter().filter(|doubt| doubt.contains("All 3 formulas of the column tax")).count();
    assert_eq!((zeros, book.readings[0].doubts.iter().any(|doubt| doubt.contains("note"))), (1, false));
}

#[tokio::test]
async fn what_a_merged_cell_covers_does_not_count_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("merged.xlsx");
    let rows = [
        cells(1, &[("A", "text:region"), ("B", "text:n"), ("C", "text:price")]),
        cells(2, &[("A", "text:North"), ("B", "1"), ("C", "10")]),
        cells(3, &[("A", "text:Old name"), ("B", "2"), ("C", "99")]),
        cells(4, &[("A", "text:South"), ("B", "3"), ("C", "5")]),
    ]
    .concat();
    let merged =
        r#"</sheetData><mergeCells count="2"><mergeCell ref="A2:A3"/><mergeCell ref="C2:C3"/></mergeCells><sheetData>"#;
    // The merged ranges follow the rows.
    let text = format!("{rows}{merged}");
    std::fs::write(&path, workbook(&[("Data", &text)])).unwrap();
    let warehouse = open_files(&path, &OpenOptions::default()).unwrap();
    let book = Book { readings: Engine::readings(&warehouse), warehouse };
    assert_eq!(
        book.row("SELECT region, sum(n), sum(price) FROM merged GROUP BY ALL ORDER BY region").await,
        ["North", "3", "10", "South", "3", "5"]
    );
    let doubts = &book.readings[0].doubts;
    assert!(
        doubts
            .iter()
            .any(|doubt| doubt.contains("2 cells lie under merged cells") && doubt.contains("A3 holds Old name")),
        "{doubts:?}"
    );
}

#[tokio::test]
async fn numbers_with_more_digits_than_a_workbook_keeps_are_told() {
    let book = Book::sheet(|sheet| {
        fill(sheet, 0, 0, &["card", "small"]);
        fill(sheet, 1, 0, &["4111111111111111", "123456789012345"]);
    });
    let doubts = &book.readings[0].doubts;
    assert_eq!(doubts.iter().filter(|doubt| doubt.contains("more than 15 digits")).count(), 1, "{doubts:?}");
    assert!(doubts[0].starts_with("card "), "{doubts:?}");
}

#[tokio::test]
async fn hidden_rows_and_columns_are_in_the_table_and_told() {
    let book = Book::sheet(|sheet| {
        fill(sheet, 0, 0, &["item", "price", "cost"]);
        fill(sheet, 1, 0, &["a", "10", "4"]);
        fill(sheet, 2, 0, &["b", "20", "5"]);
        fill(sheet, 3, 0, &["c", "30", "6"]);
        sheet.set_row_hidden(2).unwrap();
        sheet.set_column_hidden(2).unwrap();
    });
    assert_eq!(book.row("SELECT sum(price), sum(cost) FROM book").await, ["60", "15"]);
    assert_eq!(
        book.readings[0].doubts,
        [
            "1 row is hidden in the workbook, and is in the table: row 3.",
            "Hidden in the workbook, and columns of the table: cost."
        ]
    );
}
