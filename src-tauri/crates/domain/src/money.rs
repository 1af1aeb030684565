//! Amounts in millionths of a US dollar, as integers so that sums are exact.

use vitrine_words::{Language, current_language, format_decimal, tr};

/// Formats an amount for users: `$12.50`, `$0.0043`; `12,50 $` in German and French.
pub fn format_usd(micro_usd: u64) -> String {
    let amount = |places| in_dollars(micro_usd as f64 / 1e6, places);
    match micro_usd {
        0 => amount(0),
        1..100 => tr!("less than {amount}", amount = in_dollars(0.0001, 4)),
        100..100_000 => amount(4),
        _ => amount(2),
    }
}

fn in_dollars(dollars: f64, places: usize) -> String {
    let amount = format_decimal(dollars, places);
    match current_language() {
        Language::English => format!("${amount}"),
        Language::German | Language::French => format!("{amount}\u{a0}$"),
    }
}

/// Parses an amount in US dollars: `0.05`, `$20`.
///
/// # Errors
/// Returns a message with the expected format.
pub fn parse_usd(text: &str) -> Result<u64, String> {
    let amount: Option<f64> = text.trim().trim_start_matches('$').parse().ok();
    amount
        .filter(|amount| amount.is_finite() && (0.0..=1e9).contains(amount))
        .map(|amount| (amount * 1e6).round() as u64)
        .ok_or_else(|| tr!("'{text}' is not an amount: write US dollars like 0.05", text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_people_write_them() {
        let written = [0, 40, 4_300, 99_950, 120_000, 12_500_000].map(format_usd);
        assert_eq!(written, ["$0", "less than $0.0001", "$0.0043", "$0.0999", "$0.12", "$12.50"]);
    }

    #[test]
    fn amounts_are_read_to_the_millionth() {
        assert_eq!((parse_usd("0.05"), parse_usd("$20"), parse_usd(" 0.000001 ")), (Ok(50_000), Ok(20_000_000), Ok(1)));
        for wrong in ["", "-1", "much", "nan", "inf"] {
            assert!(parse_usd(wrong).unwrap_err().contains("US dollars"), "{wrong}");
        }
    }
}
