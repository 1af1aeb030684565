//! The columns of a table made from text: which of them are dates, numbers and codes.

use super::column::Column;
use super::exact::exact_type;
use super::{dates, numbers};
use crate::duck::quoted;
use ::duckdb::{Connection, Result};
use vitrine_domain::{ConvertedColumn, FileOptions, FileReading};

/// Settles the types. `raw` is read from to get all columns as text; what was understood is told in the reading.
pub(super) fn settle(
    connection: &Connection,
    raw: &str,
    columns: &mut [Column],
    options: &FileOptions,
    reading: &mut FileReading,
) -> Result<()> {
    let stays_text = |name: &str| options.as_text.iter().any(|kept| kept.eq_ignore_ascii_case(name));
    let mut open: Vec<&mut Column> = Vec::new();
    for column in columns.iter_mut() {
        match stays_text(&column.name) {
            true => column.keep_text(),
            false if column.is_settled => {}
            false => open.push(column),
        }
    }
    dates::settle(connection, raw, &mut open, options.date_order, reading)?;
    open.retain(|column| column.value.is_none());
    numbers::settle(connection, raw, &mut open, options.decimal, reading)?;
    open.retain(|column| column.value.is_none());
    keep_digits(connection, raw, &mut open)?;
    let converted = columns.iter().filter_map(|column| {
        Some(ConvertedColumn { column: column.name.clone(), how: column.how.as_ref()?.said.clone() })
    });
    reading.converted = converted.collect();
    Ok(())
}

/// Looks at the text of every column of numbers and settles for a type that keeps it.
fn keep_digits(connection: &Connection, raw: &str, columns: &mut [&mut Column]) -> Result<()> {
    let mut numeric: Vec<&mut &mut Column> = columns
        .iter_mut()
        .filter(|column| matches!(column.data_type.as_str(), "BIGINT" | "DOUBLE" | "HUGEINT"))
        .collect();
    if numeric.is_empty() {
        return Ok(());
    }
    let looks: Vec<String> = numeric
        .iter()
        .map(|column| {
            let text = format!("trim({})", quoted(&column.name));
            format!(
                "coalesce(bool_or(regexp_matches({text}, '^[+-]?0[0-9]')), false),
                 coalesce(bool_and({text} = '' OR regexp_full_match({text}, '[+-]?[0-9]+([.][0-9]*)?')), false),
                 coalesce(max(length(regexp_extract({text}, '^[+-]?([0-9]*)', 1))), 0)::INTEGER,
                 coalesce(max(length(regexp_extract({text}, '[.]([0-9]*)', 1))), 0)::INTEGER"
            )
        })
        .collect();
    let sql = format!("SELECT {} FROM {raw}", looks.join(", "));
    let mended: Vec<Option<String>> = connection.query_row(&sql, [], |row| {
        numeric
            .iter()
            .enumerate()
            .map(|(at, column)| {
                let look = |part: usize| at * 4 + part;
                let code: bool = row.get(look(0))?;
                let plain: bool = row.get(look(1))?;
                let (whole, fraction) =
                    (row.get::<_, i32>(look(2))?.unsigned_abs(), row.get::<_, i32>(look(3))?.unsigned_abs());
                Ok(exact_type(&column.data_type, code, plain, whole, fraction))
            })
            .collect()
    })?;
    for (column, mended) in numeric.iter_mut().zip(mended) {
        if let Some(data_type) = mended {
            column.data_type = data_type;
        }
    }
    Ok(())
}
