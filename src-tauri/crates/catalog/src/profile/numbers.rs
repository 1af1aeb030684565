//! Compares and aggregates numbers given as text.

use std::cmp::Ordering;

/// Rounds a number to six significant digits. Engines add in parallel, so that the last digits are not stable.
pub(super) fn round_significant(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let places = (5 - number.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{number:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Compares by value. If the floating-point values are equal, the remaining digits decide.
pub(super) fn by_value(a: &str, b: &str) -> Ordering {
    let float = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
    float(a).total_cmp(&float(b)).then_with(|| match (split_decimal(a), split_decimal(b)) {
        (Some((whole, part)), Some((other_whole, other_part))) => {
            let further = part.cmp(other_part);
            whole.cmp(&other_whole).then(if a.starts_with('-') { further.reverse() } else { further })
        }
        _ => Ordering::Equal,
    })
}

/// Splits a number into its whole part and its decimals.
fn split_decimal(text: &str) -> Option<(i128, &str)> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    Some((whole.parse().ok()?, part.trim_end_matches('0')))
}

/// Returns mean and sample standard deviation by Welford's recurrence, which is stable even if the mean is much larger
/// than the deviation.
pub(super) fn mean_and_deviation(numbers: impl Iterator<Item = f64>) -> Option<(f64, Option<f64>)> {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for number in numbers {
        count += 1.0;
        let away = number - mean;
        mean += away / count;
        squares += away * (number - mean);
    }
    (count > 0.0).then(|| (mean, sample_deviation(count, squares)))
}

/// Returns the sample standard deviation for a sum of squared distances from the mean.
pub(super) fn sample_deviation(count: f64, squares: f64) -> Option<f64> {
    let deviation = (squares.max(0.0) / (count - 1.0)).sqrt();
    (count > 1.0 && deviation.is_finite()).then_some(deviation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_six_digits_that_say_something() {
        assert_eq!(round_significant(100.25), "100.25");
        assert_eq!(round_significant(0.123_456_789), "0.123457");
        assert_eq!(round_significant(1_234_567.9), "1234568");
        assert_eq!(round_significant(0.0), "0");
    }

    #[test]
    fn numbers_are_compared_by_all_their_digits() {
        let mut numbers = [
            "10",
            "9",
            "-1.5",
            "9007199254740993",
            "9007199254740992",
            "12345678901234567890.25",
            "12345678901234567890.125",
            "-12345678901234567890.25",
            "-12345678901234567890.125",
            "1e3",
        ];
        numbers.sort_by(|a, b| by_value(a, b));
        let expected = [
            "-12345678901234567890.25",
            "-12345678901234567890.125",
            "-1.5",
            "9",
            "10",
            "1e3",
            "9007199254740992",
            "9007199254740993",
            "12345678901234567890.125",
            "12345678901234567890.25",
        ];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn deviations_survive_a_large_mean() {
        let (mean, deviation) = mean_and_deviation([1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0].into_iter()).unwrap();
        assert_eq!((mean, deviation), (1e9 + 10.0, Some(30f64.sqrt())));
        assert_eq!(mean_and_deviation([5.0].into_iter()), Some((5.0, None)));
        assert_eq!(mean_and_deviation(std::iter::empty()), None);
    }
}
