//! The window must give the same answers for results that are completely loaded (`ui/src/features/grid/same.test.ts`).

use super::*;
use serde::Deserialize;
use std::cell::Cell;
use vitrine_domain::{ErrorCode, ResultColumn};

/// Rows in memory, read in blocks of three.
struct Table {
    types: Vec<CellType>,
    rows: Vec<Vec<Option<String>>>,
}

impl Rows for Table {
    fn count(&self) -> u32 {
        self.rows.len() as u32
    }

    fn cell_type(&self, column: u32) -> Option<CellType> {
        self.types.get(column as usize).copied()
    }

    fn read_columns(&self, first: u32, columns: &[u32]) -> Result<Vec<Vec<Option<String>>>, AppError> {
        let rows = self.rows.iter().skip(first as usize).take(3);
        Ok(rows.map(|row| columns.iter().map(|column| row[*column as usize].clone()).collect()).collect())
    }
}

fn with_work<T>(locale: &str, act: impl FnOnce(&Work<'_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    act(&Work { folder: folder.path(), locale, go_on: &|| Ok(()) })
}

#[derive(Deserialize)]
struct ArrangeCase {
    name: String,
    column: ResultColumn,
    values: Vec<Option<String>>,
    up: Vec<u32>,
    down: Vec<u32>,
    filters: Vec<FilterCase>,
    searches: Vec<SearchCase>,
    figures: ColumnFigures,
}

#[derive(Deserialize)]
struct FilterCase {
    test: RowTest,
    passes: Vec<u32>,
}

#[derive(Deserialize)]
struct SearchCase {
    text: String,
    found: Vec<u32>,
}

fn load_cases() -> Vec<ArrangeCase> {
    serde_json::from_str(include_str!("same.json")).unwrap()
}

/// The form in which the window shows a column of a type in American English.
fn shown_as(cell_type: CellType) -> ShownAs {
    match cell_type {
        CellType::Integer | CellType::Decimal | CellType::Float => {
            let (group, point) = (",".to_owned(), ".".to_owned());
            ShownAs::Number { number: ShownNumber { group, point, first: 3, next: 3, least: 4 }, years: false }
        }
        CellType::Date | CellType::Timestamp => {
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
            ShownAs::Day { months: months.map(|month| format!("{month} {{d}}, {{y}}")).to_vec() }
        }
        _ => ShownAs::Exact,
    }
}

#[test]
fn rows_are_sorted_filtered_found_and_summed_as_the_window_does() {
    for case in load_cases() {
        let rows: Vec<_> = case.values.iter().map(|value| vec![value.clone()]).collect();
        let table = Table { types: vec![case.column.cell_type], rows };
        with_work("en-US", |work| {
            let arranged = |order: Option<RowOrder>, filters: Vec<RowFilter>| {
                arrange_rows(&table, &Arrangement { order, filters, locale: String::new() }, work).unwrap()
            };
            for (down, expected) in [(false, &case.up), (true, &case.down)] {
                let order = Some(RowOrder { column: 0, down });
                assert_eq!(&arranged(order, Vec::new()), expected, "{}, down: {down}", case.name);
            }
            for FilterCase { test, passes } in &case.filters {
                let filters = vec![RowFilter { column: 0, test: test.clone() }];
                assert_eq!(&arranged(None, filters), passes, "{}: {test:?}", case.name);
            }
            for SearchCase { text, found } in &case.searches {
                let columns = [SearchedColumn { column: 0, shown: shown_as(case.column.cell_type) }];
                let cells = find_cells(&table, None, text, &columns, 10, work).unwrap();
                assert_eq!(&cells.iter().map(|cell| cell.row).collect::<Vec<_>>(), found, "{}: {text}", case.name);
            }
            assert_eq!(column_figures(&table, None, 0, work).unwrap(), case.figures, "{}", case.name);
        });
    }
}

fn make_shop() -> Table {
    let row = |city: &str, sales: Option<&str>| vec![Some(city.to_owned()), sales.map(str::to_owned)];
    Table {
        types: vec![CellType::Text, CellType::Integer],
        rows: vec![
            row("Rome", Some("9")),
            row("Oslo", Some("10")),
            row("Rome", None),
            row("Rome", Some("30")),
            row("Bern", Some("1")),
        ],
    }
}

#[test]
fn order_filters_search_and_figures_work_together() {
    let rome = RowFilter { column: 0, test: RowTest::Same { text: "Rome".to_owned(), case: true } };
    let arrangement =
        Arrangement { order: Some(RowOrder { column: 1, down: true }), filters: vec![rome], locale: String::new() };
    with_work("en", |work| {
        let shown = arrange_rows(&make_shop(), &arrangement, work).unwrap();
        assert_eq!(shown, [3, 0, 2]);

        let figures = column_figures(&make_shop(), Some(&shown), 1, work).unwrap();
        assert_eq!((figures.rows, figures.nulls, figures.sum.as_deref()), (3, 1, Some("39")));
        assert_eq!((figures.least.as_deref(), figures.most.as_deref()), (Some("9"), Some("30")));

        let columns = [0, 1].map(|column| SearchedColumn { column, shown: ShownAs::Exact });
        let found = |text: &str, shown: Option<&[u32]>, most: usize| {
            let cells = find_cells(&make_shop(), shown, text, &columns, most, work).unwrap();
            cells.iter().map(|cell| (cell.row, cell.column)).collect::<Vec<_>>()
        };
        assert_eq!(found("o", None, 10), [(0, 0), (1, 0), (2, 0), (3, 0)]);
        assert_eq!(found("o", None, 2), [(0, 0), (1, 0)]);
        assert_eq!(found("9", Some(&shown), 10), [(1, 1)], "the second row that is shown");
        assert_eq!(found("rome", Some(&shown), 2), [(0, 0), (1, 0)]);
        assert_eq!(found(" ", None, 10), []);

        let selected = selection_figures(&make_shop(), Some(&shown), 0..2, &[0, 1], work).unwrap();
        assert_eq!((selected.cells, selected.count, selected.sum.as_deref()), (4, 4, Some("39")));
        let all = selection_figures(&make_shop(), None, 1..99, &[1], work).unwrap();
        assert_eq!(
            (all.cells, all.count, all.sum.as_deref(), all.mean.as_deref()),
            (4, 3, Some("41"), Some("13.6667"))
        );
        let texts = selection_figures(&make_shop(), None, 0..5, &[0], work).unwrap();
        assert_eq!((texts.count, texts.sum), (5, None));
    });
}

#[test]
fn work_that_is_stopped_ends_with_its_error() {
    let folder = tempfile::tempdir().unwrap();
    let left = Cell::new(1);
    let go_on = || match left.replace(left.get() - 1) {
        1.. => Ok(()),
        _ => Err(AppError::new(ErrorCode::Cancelled, "stopped")),
    };
    let work = Work { folder: folder.path(), locale: "en", go_on: &go_on };
    let arrangement = Arrangement { order: None, filters: Vec::new(), locale: String::new() };
    assert_eq!(arrange_rows(&make_shop(), &arrangement, &work).unwrap_err().code, ErrorCode::Cancelled);
}

#[test]
fn columns_and_ends_that_do_not_exist_are_refused() {
    with_work("en", |work| {
        let order = Some(RowOrder { column: 7, down: false });
        let arrangement = Arrangement { order, filters: Vec::new(), locale: String::new() };
        assert_eq!(arrange_rows(&make_shop(), &arrangement, work).unwrap_err().code, ErrorCode::Usage);
        let range =
            |column, from: &str| RowFilter { column, test: RowTest::Range { from: Some(from.to_owned()), to: None } };
        for filter in [range(0, "1"), range(1, "many")] {
            let arrangement = Arrangement { order: None, filters: vec![filter], locale: String::new() };
            assert_eq!(arrange_rows(&make_shop(), &arrangement, work).unwrap_err().code, ErrorCode::Usage);
        }
    });
}
