//! Scalar values as exact text, without conversion to floating point.

use arrow::array::{Array, AsArray};
use arrow::datatypes::*;
use std::fmt::{Display, Write};

/// Appends a non-NULL scalar value.
pub(crate) fn write_scalar(out: &mut String, array: &dyn Array, row: usize) {
    use DataType as T;
    match array.data_type() {
        T::Boolean => write_display(out, array.as_boolean().value(row)),
        T::Int8 => write_display(out, array.as_primitive::<Int8Type>().value(row)),
        T::Int16 => write_display(out, array.as_primitive::<Int16Type>().value(row)),
        T::Int32 => write_display(out, array.as_primitive::<Int32Type>().value(row)),
        T::Int64 => write_display(out, array.as_primitive::<Int64Type>().value(row)),
        T::UInt8 => write_display(out, array.as_primitive::<UInt8Type>().value(row)),
        T::UInt16 => write_display(out, array.as_primitive::<UInt16Type>().value(row)),
        T::UInt32 => write_display(out, array.as_primitive::<UInt32Type>().value(row)),
        T::UInt64 => write_display(out, array.as_primitive::<UInt64Type>().value(row)),
        T::Float16 => write_float(out, f64::from(array.as_primitive::<Float16Type>().value(row).to_f32())),
        T::Float32 => write_single(out, array.as_primitive::<Float32Type>().value(row)),
        T::Float64 => write_float(out, array.as_primitive::<Float64Type>().value(row)),
        T::Decimal32(_, scale) => {
            write_decimal(out, &array.as_primitive::<Decimal32Type>().value(row).to_string(), *scale)
        }
        T::Decimal64(_, scale) => {
            write_decimal(out, &array.as_primitive::<Decimal64Type>().value(row).to_string(), *scale)
        }
        T::Decimal128(_, scale) => {
            write_decimal(out, &array.as_primitive::<Decimal128Type>().value(row).to_string(), *scale)
        }
        T::Decimal256(_, scale) => {
            write_decimal(out, &array.as_primitive::<Decimal256Type>().value(row).to_string(), *scale)
        }
        T::Utf8 => out.push_str(array.as_string::<i32>().value(row)),
        T::LargeUtf8 => out.push_str(array.as_string::<i64>().value(row)),
        T::Utf8View => out.push_str(array.as_string_view().value(row)),
        T::Binary => write_hex(out, array.as_binary::<i32>().value(row)),
        T::LargeBinary => write_hex(out, array.as_binary::<i64>().value(row)),
        T::BinaryView => write_hex(out, array.as_binary_view().value(row)),
        T::FixedSizeBinary(_) => write_hex(out, array.as_fixed_size_binary().value(row)),
        T::Date32 => write_date(out, i64::from(array.as_primitive::<Date32Type>().value(row)), i64::from(i32::MAX)),
        T::Date64 => write_date(out, array.as_primitive::<Date64Type>().value(row).div_euclid(86_400_000), i64::MAX),
        T::Time32(TimeUnit::Second) => {
            write_time(out, i64::from(array.as_primitive::<Time32SecondType>().value(row)), 1)
        }
        T::Time32(_) => write_time(out, i64::from(array.as_primitive::<Time32MillisecondType>().value(row)), 1_000),
        T::Time64(TimeUnit::Microsecond) => {
            write_time(out, array.as_primitive::<Time64MicrosecondType>().value(row), 1_000_000)
        }
        T::Time64(_) => write_time(out, array.as_primitive::<Time64NanosecondType>().value(row), 1_000_000_000),
        T::Timestamp(unit, zone) => {
            let (value, per_second) = match unit {
                TimeUnit::Second => (array.as_primitive::<TimestampSecondType>().value(row), 1),
                TimeUnit::Millisecond => (array.as_primitive::<TimestampMillisecondType>().value(row), 1_000),
                TimeUnit::Microsecond => (array.as_primitive::<TimestampMicrosecondType>().value(row), 1_000_000),
                TimeUnit::Nanosecond => (array.as_primitive::<TimestampNanosecondType>().value(row), 1_000_000_000),
            };
            write_timestamp(out, value, per_second, zone.as_deref());
        }
        T::Duration(unit) => {
            let (value, per_second) = match unit {
                TimeUnit::Second => (array.as_primitive::<DurationSecondType>().value(row), 1),
                TimeUnit::Millisecond => (array.as_primitive::<DurationMillisecondType>().value(row), 1_000),
                TimeUnit::Microsecond => (array.as_primitive::<DurationMicrosecondType>().value(row), 1_000_000),
                TimeUnit::Nanosecond => (array.as_primitive::<DurationNanosecondType>().value(row), 1_000_000_000),
            };
            write_interval(out, 0, 0, i128::from(value) * (1_000_000_000 / i128::from(per_second)));
        }
        T::Interval(IntervalUnit::YearMonth) => {
            write_interval(out, array.as_primitive::<IntervalYearMonthType>().value(row), 0, 0)
        }
        T::Interval(IntervalUnit::DayTime) => {
            let value = array.as_primitive::<IntervalDayTimeType>().value(row);
            write_interval(out, 0, value.days, i128::from(value.milliseconds) * 1_000_000);
        }
        T::Interval(IntervalUnit::MonthDayNano) => {
            let value = array.as_primitive::<IntervalMonthDayNanoType>().value(row);
            write_interval(out, value.months, value.days, i128::from(value.nanoseconds));
        }
        // Nested values are handled by `nested`.
        _ => {}
    }
}

fn write_display(out: &mut String, value: impl Display) {
    let _ = write!(out, "{value}");
}

/// Appends the shortest text that is parsed as the same number.
pub(crate) fn write_float(out: &mut String, value: f64) {
    let _ = write!(out, "{value:?}");
}

fn write_single(out: &mut String, value: f32) {
    let _ = write!(out, "{value:?}");
}

fn write_decimal(out: &mut String, unscaled: &str, scale: i8) {
    let digits = unscaled.strip_prefix('-').unwrap_or(unscaled);
    if digits.len() < unscaled.len() {
        out.push('-');
    }
    if scale <= 0 {
        out.push_str(digits);
        if digits != "0" {
            out.extend(std::iter::repeat_n('0', usize::from(scale.unsigned_abs())));
        }
        return;
    }
    let scale = scale as usize;
    let whole = digits.len().saturating_sub(scale);
    out.push_str(if whole == 0 { "0" } else { &digits[..whole] });
    out.push('.');
    out.extend(std::iter::repeat_n('0', scale.saturating_sub(digits.len())));
    out.push_str(&digits[whole..]);
}

fn write_hex(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
}

/// Appends a date from its days since 1970-01-01; the maximum and minimum represent infinity in DuckDB.
fn write_date(out: &mut String, days: i64, infinity: i64) {
    if days == infinity || days == -infinity {
        out.push_str(if days > 0 { "infinity" } else { "-infinity" });
        return;
    }
    // Converts days to year, month and day in the Gregorian calendar, by eras of 400 years; valid for all years.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let _ = if year < 0 {
        write!(out, "-{:04}-{month:02}-{day:02}", -year)
    } else {
        write!(out, "{year:04}-{month:02}-{day:02}")
    };
}

fn write_time(out: &mut String, value: i64, per_second: i64) {
    let seconds = value.div_euclid(per_second);
    let _ = write!(out, "{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    write_fraction(out, value.rem_euclid(per_second), per_second);
}

fn write_fraction(out: &mut String, part: i64, per_second: i64) {
    if part > 0 {
        let digits = format!("{part:0width$}", width = per_second.ilog10() as usize);
        out.push('.');
        out.push_str(digits.trim_end_matches('0'));
    }
}

fn write_timestamp(out: &mut String, value: i64, per_second: i64, zone: Option<&str>) {
    if value == i64::MAX || value == -i64::MAX {
        out.push_str(if value > 0 { "infinity" } else { "-infinity" });
        return;
    }
    // A named zone would need a time zone database; engines are set to UTC, so that only fixed offsets occur.
    let offset = zone.map(|zone| fixed_offset(zone).unwrap_or(0));
    let value = value.saturating_add(offset.unwrap_or(0).saturating_mul(per_second));
    let day = 86_400 * per_second;
    write_date(out, value.div_euclid(day), i64::MAX);
    out.push(' ');
    write_time(out, value.rem_euclid(day), per_second);
    if let Some(offset) = offset {
        let _ = write!(
            out,
            "{}{:02}:{:02}",
            if offset < 0 { '-' } else { '+' },
            offset.abs() / 3_600,
            offset.abs() / 60 % 60
        );
    }
}

fn fixed_offset(zone: &str) -> Option<i64> {
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: String = zone[1..].chars().filter(|c| *c != ':').collect();
    let number: i64 = digits.parse().ok().filter(|_| digits.len() <= 4)?;
    Some(sign * if digits.len() > 2 { number / 100 * 3_600 + number % 100 * 60 } else { number * 3_600 })
}

fn write_interval(out: &mut String, months: i32, days: i32, nanoseconds: i128) {
    let start = out.len();
    let mut part = |number: i32, name: &str| {
        if number != 0 {
            let space = if out.len() > start { " " } else { "" };
            let _ = write!(out, "{space}{number} {name}{}", if number.abs() == 1 { "" } else { "s" });
        }
    };
    part(months / 12, "year");
    part(months % 12, "month");
    part(days, "day");
    if nanoseconds != 0 || out.len() == start {
        if out.len() > start {
            out.push(' ');
        }
        if nanoseconds < 0 {
            out.push('-');
        }
        let nanoseconds = nanoseconds.abs();
        let seconds = nanoseconds / 1_000_000_000;
        let _ = write!(out, "{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
        write_fraction(out, (nanoseconds % 1_000_000_000) as i64, 1_000_000_000);
    }
}
