//! All constants of a query with their positions, for checks that no constant is overlooked.

use super::parameters::parameter_ranges;
use crate::parse::{Offsets, tokenize_sql};
use crate::read_only::ReadOnlySql;
use sqlparser::tokenizer::Token;
use std::ops::Range;

/// A number or text in a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedConstant {
    /// The range of bytes in the query.
    pub range: Range<usize>,
    /// The digits, or the content of the text.
    pub text: String,
    /// True for a number without quotes.
    pub is_number: bool,
    /// The name of the parameter to which the constant belongs, if a user may replace it.
    pub parameter: Option<String>,
}

/// Returns the constants in text order, also those that are not parameters. `None` if the text has no tokens.
pub fn list_constants(sql: &ReadOnlySql) -> Option<Vec<PlacedConstant>> {
    let tokens = tokenize_sql(sql.as_str(), sql.dialect()).ok()?;
    let places = parameter_ranges(sql);
    let offsets = Offsets::new(sql.as_str());
    let constants = tokens.into_iter().filter_map(|token| {
        let (text, is_number) = match token.token {
            Token::Number(digits, _) => (digits, true),
            Token::SingleQuotedString(text)
            | Token::DoubleQuotedString(text)
            | Token::TripleSingleQuotedString(text)
            | Token::TripleDoubleQuotedString(text)
            | Token::SingleQuotedRawStringLiteral(text)
            | Token::DoubleQuotedRawStringLiteral(text)
            | Token::NationalStringLiteral(text)
            | Token::EscapedStringLiteral(text)
            | Token::UnicodeStringLiteral(text) => (text, false),
            Token::DollarQuotedString(text) => (text.value, false),
            _ => return None,
        };
        let range = offsets.byte_offset_at(token.span.start)..offsets.byte_offset_at(token.span.end);
        let own = places.iter().find(|(_, ranges)| ranges.iter().any(|place| place.contains(&range.start)));
        Some(PlacedConstant { parameter: own.map(|(name, _)| name.clone()), range, text, is_number })
    });
    Some(constants.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    #[test]
    fn constants_are_listed_with_their_parameters() {
        let text = "SELECT SUM(x) * 2 FROM t WHERE d >= DATE '2024-03-01' AND y = make_date(2024, 3, 1) LIMIT 7";
        let constants = list_constants(&ReadOnlySql::parse(text, Dialect::Duckdb).unwrap()).unwrap();
        let shown: Vec<(&str, Option<&str>)> =
            constants.iter().map(|constant| (&text[constant.range.clone()], constant.parameter.as_deref())).collect();
        assert_eq!(
            shown,
            [
                ("2", None),
                ("'2024-03-01'", Some("d_from")),
                ("2024", None),
                ("3", None),
                ("1", None),
                ("7", Some("limit"))
            ]
        );
    }
}
