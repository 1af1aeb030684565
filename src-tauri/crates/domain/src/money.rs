//! Money in millionths of a US dollar: whole numbers, so that sums are exact.

/// An amount as a user reads it: `$12.50`, `$0.0043`.
pub fn usd(micro_usd: u64) -> String {
    let dollars = micro_usd as f64 / 1e6;
    match micro_usd {
        0 => "$0".to_owned(),
        1..100 => "less than $0.0001".to_owned(),
        100..100_000 => format!("${dollars:.4}"),
        _ => format!("${dollars:.2}"),
    }
}

/// Reads an amount in US dollars: `0.05`, `$20`.
///
/// # Errors
/// Says how to write it.
pub fn parse_usd(text: &str) -> Result<u64, String> {
    let amount: Option<f64> = text.trim().trim_start_matches('$').parse().ok();
    amount
        .filter(|amount| amount.is_finite() && (0.0..=1e9).contains(amount))
        .map(|amount| (amount * 1e6).round() as u64)
        .ok_or_else(|| format!("'{text}' is no amount: write US dollars like 0.05"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_people_write_them() {
        let written = [0, 40, 4_300, 99_950, 120_000, 12_500_000].map(usd);
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
