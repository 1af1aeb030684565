//! Scales of axes: round ticks and short labels.

use vitrine_words::{format_decimal, localize_decimal_mark, tr};

/// A linear scale from values to positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Scale {
    /// Creates a scale whose ends are round numbers around these values.
    pub(super) fn new((low, high): (f64, f64), from: f64, to: f64) -> Self {
        // Tiny differences are below the precision of the shapes.
        let span = if high - low > 1e-200 { high - low } else { 1.0 };
        let step = round_step(span / 5.0);
        let (mut low, mut high) = ((low / step).floor() * step, (high / step).ceil() * step);
        if low >= high {
            (low, high) = (low - step.max(1.0), high + step.max(1.0));
        }
        Self { low, high, from, to }
    }

    /// Returns the position of a value.
    pub(super) fn position(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns round values along the scale.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let step = round_step((self.high - self.low) / 5.0);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).take(20).map(|at| at as f64 * step).collect()
    }
}

/// Returns the next round number: 1, 2, 2.5 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let round = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|round| round * power >= step * 0.999_999);
    round.unwrap_or(10.0) * power
}

/// Formats a value of an axis: large ones in thousands, millions or billions.
pub(super) fn format_tick(value: f64, largest: f64) -> String {
    let largest = largest.abs();
    let (divisor, unit): (f64, fn(String) -> String) = if largest >= 1e9 {
        (1e9, |n| tr!(context "billions", "{n}B", n))
    } else if largest >= 1e6 {
        (1e6, |n| tr!(context "millions", "{n}M", n))
    } else if largest >= 1e5 {
        (1e3, |n| tr!(context "thousands", "{n}K", n))
    } else {
        (1.0, |n| n)
    };
    if value == 0.0 {
        return "0".to_owned();
    }
    let short = value / divisor;
    // Twelve digits hide the rounding errors of steps such as 0.1.
    let rounded = format!("{short:.10}");
    let text = rounded.trim_end_matches('0').trim_end_matches('.');
    let text = match text.split_once('.') {
        Some((_, fraction)) if short.abs() < 1e-6 || fraction.len() > 8 => format!("{short:.1e}"),
        Some((_, fraction)) => format_decimal(short, fraction.len()),
        None => crate::values::group_digits(text).unwrap_or_else(|| localize_decimal_mark(text)),
    };
    unit(text)
}
