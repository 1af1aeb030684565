//! Types that keep numbers exactly as written.

/// Maximum number of decimal places that are kept exactly as decimals; longer fractions are measurements.
pub(super) const LONGEST_FRACTION: u32 = 6;

/// Returns a better type for a column of numbers, if there is one. `code`: leading zeros occur; `plain`: no exponents.
pub(super) fn exact_type(sniffed: &str, code: bool, plain: bool, whole: u32, fraction: u32) -> Option<String> {
    if code {
        return Some("VARCHAR".to_owned());
    }
    if sniffed != "DOUBLE" || !plain {
        return None;
    }
    match (whole + fraction, fraction) {
        (digits, 0) if digits > 38 => Some("VARCHAR".to_owned()),
        (_, 0) => Some("DECIMAL(38,0)".to_owned()),
        (digits, fraction) if fraction <= LONGEST_FRACTION && digits <= 38 => {
            Some(format!("DECIMAL({},{fraction})", if digits > 18 { 38 } else { 18 }))
        }
        _ => None,
    }
}
