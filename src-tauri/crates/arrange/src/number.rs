//! Numbers as the database wrote them: exact digits, and keys whose byte order equals the order of the numbers.

/// A number with exact decimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exact {
    pub(crate) negative: bool,
    /// Digits without leading zeros; empty for zero.
    pub(crate) digits: String,
    /// Number of digits after the decimal point, at least 0.
    pub(crate) scale: usize,
}

/// Parses a number such as `-12.50` or `1e3`; `None` for other texts and for numbers that are not finite.
pub(crate) fn parse_exact(text: &str) -> Option<Exact> {
    let text = text.trim();
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
        None => (rest, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) {
        return None;
    }
    let mut all = format!("{whole}{part}");
    let scale = part.len() as i64 - exponent;
    if scale < 0 {
        all.extend(std::iter::repeat_n('0', scale.unsigned_abs() as usize));
    }
    let digits = all.trim_start_matches('0').to_owned();
    Some(Exact { negative: negative && !digits.is_empty(), digits, scale: scale.max(0) as usize })
}

fn exponent_of(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let fits = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

/// Parses a float in the notation of databases; NaN for other texts.
pub(crate) fn parse_float(text: &str) -> f64 {
    match text.trim().to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" | "+infinity" => f64::INFINITY,
        "-inf" | "-infinity" => f64::NEG_INFINITY,
        plain => plain.parse().ok().filter(|n: &f64| n.is_finite()).unwrap_or(f64::NAN),
    }
}

const LEAST: u8 = 0x00;
const NEGATIVE: u8 = 0x10;
const ZERO: u8 = 0x20;
const POSITIVE: u8 = 0x30;
const MOST: u8 = 0x40;
/// The first byte of keys without a defined position in the order.
pub(crate) const NO_PLACE: u8 = 0x50;

/// Returns a key whose byte order equals the order of numbers; NaN comes after all numbers.
pub(crate) fn sort_key(text: &str) -> Vec<u8> {
    let Some(Exact { negative, digits, scale }) = parse_exact(text) else {
        let n = parse_float(text);
        return match (n.is_nan(), n.is_infinite()) {
            (true, _) => vec![NO_PLACE],
            (_, true) => vec![if n > 0.0 { MOST } else { LEAST }],
            // Other notations such as `.5` are converted to digits in their shortest form.
            _ => sort_key(&format!("{n:e}")),
        };
    };
    if digits.is_empty() {
        return vec![ZERO];
    }
    // The decimal point is moved before the first digit: 0.digits × 10^exponent.
    let exponent = (digits.len() as i64 - scale as i64 + (1 << 31)) as u32;
    let digits = digits.trim_end_matches('0').bytes();
    let mut key = vec![if negative { NEGATIVE } else { POSITIVE }];
    if negative {
        key.extend((!exponent).to_be_bytes());
        key.extend(digits.map(|digit| !digit));
        // A shorter negative number is closer to zero, and therefore larger.
        key.push(u8::MAX);
    } else {
        key.extend(exponent.to_be_bytes());
        key.extend(digits);
    }
    key
}

/// Compares two numbers by their exact digits; `None` if one of the texts is not a number.
pub fn compare_numbers(one: &str, other: &str) -> Option<std::cmp::Ordering> {
    let (one, other) = (sort_key(one), sort_key(other));
    (one != [NO_PLACE] && other != [NO_PLACE]).then(|| one.cmp(&other))
}

/// Formats a float in JavaScript's notation.
pub(crate) fn float_text(n: f64) -> String {
    if n.is_nan() {
        return "NaN".to_owned();
    }
    if n.is_infinite() {
        return if n > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if n == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&n.abs()) {
        return n.to_string();
    }
    let text = format!("{n:e}");
    match text.split_once("e-") {
        Some(_) => text,
        None => text.replace('e', "e+"),
    }
}
