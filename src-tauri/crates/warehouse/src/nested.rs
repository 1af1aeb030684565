//! Values as text: lists, structs, maps and unions as JSON, others by `scalars`. Numbers keep all their digits, because
//! the text is written directly without a JSON number type.

use crate::scalars;
use arrow::array::{Array, AsArray, RunArray, cast::as_run_array};
use arrow::datatypes::*;

/// Appends one value; returns false and appends nothing if it is NULL.
pub(crate) fn write_cell(out: &mut String, array: &dyn Array, row: usize) -> bool {
    use DataType as T;
    if array.is_null(row) {
        return false;
    }
    match array.data_type() {
        T::Null => return false,
        T::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            return write_cell(out, dictionary.values(), dictionary.normalized_keys()[row]);
        }
        T::RunEndEncoded(ends, _) => {
            return match ends.data_type() {
                T::Int16 => write_run_value(out, as_run_array::<Int16Type>(array), row),
                T::Int32 => write_run_value(out, as_run_array::<Int32Type>(array), row),
                _ => write_run_value(out, as_run_array::<Int64Type>(array), row),
            };
        }
        // The active member, formatted like a value of its type.
        T::Union(..) => {
            let union = array.as_union();
            return write_cell(out, union.child(union.type_id(row)), union.value_offset(row));
        }
        data_type if data_type.is_nested() => write_json(out, array, row),
        _ => scalars::write_scalar(out, array, row),
    }
    true
}

fn write_run_value<T: RunEndIndexType>(out: &mut String, array: &RunArray<T>, row: usize) -> bool {
    write_cell(out, array.values(), array.get_physical_index(row))
}

/// Appends a value of any type as JSON.
fn write_json(out: &mut String, array: &dyn Array, row: usize) {
    use DataType as T;
    if array.is_null(row) {
        return out.push_str("null");
    }
    match array.data_type() {
        T::List(_) => write_json_list(out, &array.as_list::<i32>().value(row)),
        T::LargeList(_) => write_json_list(out, &array.as_list::<i64>().value(row)),
        T::FixedSizeList(..) => write_json_list(out, &array.as_fixed_size_list().value(row)),
        T::ListView(_) => write_json_list(out, &array.as_list_view::<i32>().value(row)),
        T::LargeListView(_) => write_json_list(out, &array.as_list_view::<i64>().value(row)),
        T::Struct(fields) => {
            let parts = array.as_struct();
            out.push('{');
            for (index, field) in fields.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_json_string(out, field.name());
                out.push(':');
                write_json(out, parts.column(index), row);
            }
            out.push('}');
        }
        T::Map(..) => {
            let entries = array.as_map().value(row);
            out.push('{');
            for entry in 0..entries.len() {
                if entry > 0 {
                    out.push(',');
                }
                write_json_string(out, &format_cell(entries.column(0), entry).unwrap_or_default());
                out.push(':');
                write_json(out, entries.column(1), entry);
            }
            out.push('}');
        }
        T::Union(..) => {
            let union = array.as_union();
            write_json(out, union.child(union.type_id(row)), union.value_offset(row));
        }
        T::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            write_json(out, dictionary.values(), dictionary.normalized_keys()[row]);
        }
        data_type => {
            let Some(text) = format_cell(array, row) else { return out.push_str("null") };
            // JSON has no numbers for NaN and infinity.
            let bare = data_type.is_numeric() && !text.contains(['N', 'i']) || matches!(data_type, T::Boolean);
            if bare { out.push_str(&text) } else { write_json_string(out, &text) }
        }
    }
}

fn write_json_list(out: &mut String, values: &dyn Array) {
    out.push('[');
    for index in 0..values.len() {
        if index > 0 {
            out.push(',');
        }
        write_json(out, values, index);
    }
    out.push(']');
}

fn write_json_string(out: &mut String, text: &str) {
    // Serializing a str as JSON cannot fail.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

fn format_cell(array: &dyn Array, row: usize) -> Option<String> {
    let mut text = String::new();
    write_cell(&mut text, array, row).then_some(text)
}
