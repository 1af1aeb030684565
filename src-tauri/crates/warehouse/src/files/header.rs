//! Detection of the row with the column names, and the names of the columns.

use super::cell::Shape;
use super::grid::Grid;
use super::missing_words::is_known;

/// Number of rows that are searched for the column names.
const TITLE_ROWS: usize = 50;

/// Returns the first row that names the columns in `columns`. Rows of titles above it fill fewer of them; a full row
/// with numbers or dates is data, so that the search ends there.
pub(super) fn find_header_row(grid: &Grid, columns: &[usize]) -> Option<usize> {
    let width = columns.len();
    let shapes = |row: usize| columns.iter().map(move |column| Shape::classify(grid.cell(row, *column)));
    let filled = |row: usize| shapes(row).filter(|shape| *shape != Shape::Empty).count();
    let looked_at = || 0..grid.height().min(TITLE_ROWS);
    let mut data = looked_at().end;
    for row in looked_at().filter(|row| !is_comment(grid, *row, columns)) {
        let filled_here = filled(row);
        // All but one of a few columns, or most of many.
        let full = filled_here == width || filled_here * 10 >= width * 8 && width > 1;
        let names_all = shapes(row).all(|shape| matches!(shape, Shape::Words | Shape::Empty));
        // Some programs write a column of row numbers without a name.
        let unnamed_first = width > 2
            && filled_here == width - 1
            && grid.cell(row, columns[0]).is_empty()
            && grid.cells_of(row) >= width
            && row + 1 < grid.height()
            && filled(row + 1) >= filled_here;
        if (full || unnamed_first) && (names_all || is_series(grid, row, columns) || has_year_names(grid, row, columns))
        {
            return Some(row);
        }
        let data_follows = row + 1 < grid.height() && !grid.is_apart(row + 1) && filled(row + 1) * 10 >= width * 8;
        // A line with cells beyond the table's columns is not its header.
        let beyond = grid.count_filled(row) > filled_here;
        if full
            && width > 1
            && !names_all
            && !beyond
            && !are_groups(grid, row, columns)
            && (data_follows || row + 1 == grid.height())
        {
            data = row;
            break;
        }
    }
    // If some columns have no name, the header is the first row with words above a number or a date.
    (0..data).find(|row| {
        let next = row + 1;
        filled(*row) * 10 >= width * 6
            && filled(*row) > 1
            && shapes(*row).all(|shape| matches!(shape, Shape::Words | Shape::Empty))
            && next < grid.height()
            && shapes(*row)
                .zip(shapes(next))
                .any(|(name, value)| name == Shape::Words && matches!(value, Shape::Number | Shape::Date))
    })
}

/// Returns true if a row is a comment above the names: `# made by a program, in May`. A lone sign is a column name.
fn is_comment(grid: &Grid, row: usize, columns: &[usize]) -> bool {
    let begins = |row: usize| grid.cell(row, 0).starts_with('#') && grid.cell(row, 0) != "#";
    if !begins(row) {
        return false;
    }
    let shape = |row: usize| columns.iter().map(move |column| Shape::classify(grid.cell(row, *column)));
    let next = (row + 1..grid.height()).find(|row| !begins(*row));
    next.is_some_and(|next| {
        shape(next).all(|shape| shape == Shape::Words)
            && next + 1 < grid.height()
            && shape(next + 1).any(|shape| matches!(shape, Shape::Number | Shape::Date))
    })
}

/// Returns true for words followed by consecutive years, or by distinct dates: `Region, 2022, 2023, 2024`.
fn is_series(grid: &Grid, row: usize, columns: &[usize]) -> bool {
    let shape = |column: &&usize| Shape::classify(grid.cell(row, **column));
    let rest: Vec<&usize> = columns.iter().skip_while(|column| shape(column) == Shape::Words).collect();
    if rest.len() == columns.len() || rest.len() < 2 {
        return false;
    }
    let texts: Vec<&str> = rest.iter().map(|column| grid.cell(row, **column)).collect();
    let numbers: Vec<i64> = texts.iter().filter_map(|text| text.parse().ok()).collect();
    let years = numbers.len() == texts.len()
        && numbers.iter().all(|year| (1900..2200).contains(year))
        && numbers
            .windows(2)
            .all(|pair| (pair[1] - pair[0]).abs() == 1 && pair[1] - pair[0] == numbers[1] - numbers[0]);
    // If the next row continues in the same way, both rows are data.
    let next_too = row + 1 < grid.height()
        && rest.iter().zip(&texts).all(|(column, text)| {
            grid.cell(row + 1, **column).len() == text.len() && years_like(grid.cell(row + 1, **column))
        });
    let mut distinct = texts.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let days =
        rest.len() > 2 && distinct.len() == texts.len() && rest.iter().all(|column| shape(column) == Shape::Date);
    (years && !next_too)
        || days && row + 1 < grid.height() && Shape::classify(grid.cell(row + 1, *rest[0])) == Shape::Number
}

/// Returns true for names among which are years: words over numbers or dates, and years over other values.
fn has_year_names(grid: &Grid, row: usize, columns: &[usize]) -> bool {
    /// Number of rows below that are examined.
    const BELOW: usize = 20;
    let (years, words): (Vec<usize>, Vec<usize>) =
        columns.iter().copied().partition(|column| years_like(grid.cell(row, *column)));
    let below = |column: usize| {
        let rows = row + 1..grid.height().min(row + 1 + BELOW);
        rows.map(move |row| grid.cell(row, column)).filter(|text| !text.is_empty())
    };
    let is_value = |text: &str| matches!(Shape::classify(text), Shape::Number | Shape::Date);
    let is_over_values = |column: &usize| {
        let mut texts = below(*column).peekable();
        !is_known(grid.cell(row, *column)) && texts.peek().is_some() && texts.all(is_value)
    };
    !years.is_empty()
        && words.iter().all(|column| Shape::classify(grid.cell(row, *column)) == Shape::Words)
        && words.iter().any(is_over_values)
        && years.iter().all(|column| below(*column).any(|text| !years_like(text)))
}

/// Returns true for years that each span several columns, above the names of these columns.
fn are_groups(grid: &Grid, row: usize, columns: &[usize]) -> bool {
    let texts: Vec<&str> = columns.iter().map(|column| grid.cell(row, *column)).collect();
    let repeated = texts.windows(2).any(|pair| pair[0] == pair[1] && years_like(pair[0]));
    let is_name = |text: &&str| Shape::classify(text) == Shape::Words;
    repeated
        && texts.iter().all(|text| text.is_empty() || is_name(text) || years_like(text))
        && row + 1 < grid.height()
        && columns.iter().all(|column| is_name(&grid.cell(row + 1, *column)))
}

fn years_like(text: &str) -> bool {
    text.parse().is_ok_and(|year: i64| (1900..2200).contains(&year))
}

/// Returns unique column names; columns without a name are numbered.
pub(super) fn unique_column_names(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    for (index, text) in texts.into_iter().enumerate() {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let base = if text.is_empty() { format!("column{}", index + 1) } else { text };
        let mut column = base.clone();
        let mut number = 2;
        while columns.iter().any(|taken| taken.eq_ignore_ascii_case(&column)) {
            column = format!("{base}_{number}");
            number += 1;
        }
        columns.push(column);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::records::{self, Dialect};

    fn parse_grid(text: &str) -> (Grid, Vec<usize>) {
        let grid = records::parse_grid(text, Dialect { delimiter: b';', quote: Some(b'"'), escape: None });
        let columns = grid.usual_columns();
        (grid, columns)
    }

    #[test]
    fn the_names_stand_below_titles_and_above_data() {
        for (text, row) in [
            ("a;b\n1;2\n", Some(0)),
            ("Report\n\na;b\n1;2\n", Some(1)),
            ("Konto:;DE12;;\nSaldo:;5,00;;\n\nDatum;Text;Betrag;EUR\n1.1.2024;x;2,00;EUR\n", Some(2)),
            ("Konto:;DE12\nSaldo:;5,00\n\nDatum;Text;Betrag\n1.1.2024;x;2,00\n", Some(2)),
            ("Region;2022;2023;2024\nNord;1;2;3\n", Some(0)),
            ("Konto;2024;Anzahl\nx;1,50;2\ny;3,00;4\n", Some(0)),
            (";a;b\n0;x;y\n1;z;w\n", Some(0)),
            ("name;;amount\nx;y;1,00\nz;w;2,00\n", Some(0)),
            ("name;city\nAnn;Paris\n", Some(0)),
            ("# made in May; by hand\nid;v\n1;2\n", Some(1)),
            ("#;name\n1;Ann\n", Some(0)),
            ("#id;v\n1;2\n#3;4\n", Some(0)),
            ("X;700;21;a;13;b\nUmsatz;Kz;Konto\n1,00;S;7\n2,00;H;8\n", Some(1)),
            // Files without a header row.
            ("1;2\n3;4\n", None),
            ("Ann;5\nBob;n/a\nCid;none\n", None),
            ("2022;2023;2024\n5;6;7\n", None),
            ("Ann;2001;2002\nBob;2003;2004\n", None),
            ("Ann;2001;n/a\nBob;2003;5\n", None),
            ("Ann;2001;x\nBob;2003;5\n", None),
        ] {
            let (grid, columns) = parse_grid(text);
            assert_eq!(find_header_row(&grid, &columns), row, "{text}");
        }
    }

    #[test]
    fn names_occur_once() {
        let names = unique_column_names(["a", "A ", "", " b  c ", "a_2"].map(str::to_owned));
        assert_eq!(names, ["a", "A_2", "column3", "b c", "a_2_2"]);
    }
}
