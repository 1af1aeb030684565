//! Texts of numbers: patterns of the forms that users and programs write, and the expressions that parse them.

use vitrine_domain::{DecimalSign, MONEY};

/// Blanks of all widths, as a regex class.
pub(super) const BLANK: &str = r"[\s\x{00a0}\x{2007}\x{2008}\x{2009}\x{200a}\x{202f}]";
/// Apostrophes that separate groups of digits.
pub(super) const APOSTROPHE: &str = "['’ʼ]";
const MINUS: &str = "[-−–]";
const SIGN: &str = "[-+−–]";
const EXPONENT: &str = "[eE][-+−]?[0-9]{1,3}";

/// Matches a text that is negative by brackets or by a minus after the number.
pub(super) const WRAPPED: &str = r"^[^0-9]*[(]|[0-9][^0-9,.]*[-−][^0-9]*$";

/// Matches a number of another base, such as `0x1F`; longer ones are keys.
pub(super) const OTHER_BASE: &str = "0[xXoObB][0-9A-Fa-f]{1,16}";

/// Returns the condition that a number exceeds the range of a float and would be infinite: `1e400`.
pub(super) fn beyond_floats(text: &str) -> String {
    let number = format!("TRY_CAST(replace({text}, ',', '.') AS DOUBLE)");
    format!("(regexp_matches({text}, '[0-9][eE][+]?[0-9]{{3,}}$') AND coalesce(NOT isfinite({number}), true))")
}

/// Returns the pattern of a currency or percent sign.
pub(super) fn unit_pattern() -> String {
    format!(r"(?:\p{{Sc}}|%|‰|{})", MONEY.join("|").replace('$', r"\$"))
}

/// Returns the pattern of digits with one separator between groups, a fraction and an exponent.
fn digits_pattern(decimal: DecimalSign) -> String {
    // Indian numbers have groups of two digits before the last three and use a decimal point.
    let (group, decimal, indian) = match decimal {
        DecimalSign::Comma => ("[.]", ",", ""),
        DecimalSign::Point => (",", "[.]", "|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"),
    };
    let grouped = [group, BLANK, APOSTROPHE].map(|sign| format!("(?:{sign}[0-9]{{3}})+")).join("|");
    let whole = format!("(?:[1-9][0-9]{{0,2}}(?:{grouped}){indian}|[0-9]+)");
    // A dash may replace the cents of a whole amount: `5,-`.
    format!("(?:{whole}(?:{decimal}(?:[0-9]+|[-–—]{{1,2}}))?|{decimal}[0-9]+)(?:{EXPONENT})?")
}

/// Returns the pattern of a number with this decimal sign, its unit on either side, and one sign: before, behind, or
/// brackets.
pub(super) fn number_pattern(decimal: DecimalSign) -> String {
    let (unit, digits, blank) = (unit_pattern(), digits_pattern(decimal), format!("{BLANK}*"));
    let amount = format!("(?:{unit}{blank})?{digits}(?:{blank}{unit})?");
    let forms = [
        format!("(?:{SIGN}{blank})?{amount}"),
        format!("{unit}{blank}{SIGN}{blank}{digits}(?:{blank}{unit})?"),
        format!("{amount}{blank}[-−](?:{BLANK}{unit})?"),
        format!("(?:{unit}{blank})?[(]{blank}(?:{MINUS}{blank})?{amount}{blank}[)](?:{blank}{unit})?"),
    ];
    format!("(?:{})", forms.join("|"))
}

/// Returns the pattern of a number with either decimal sign.
pub(super) fn any_number_pattern() -> String {
    format!("{}|{}", number_pattern(DecimalSign::Comma), number_pattern(DecimalSign::Point))
}

/// Returns the expression that converts a text of [`number_pattern`] to a number; `exponents`: some texts have one.
pub(super) fn as_number(text: &str, decimal: DecimalSign, data_type: &str, cast: &str, exponents: bool) -> String {
    let (other, point) = match decimal {
        DecimalSign::Comma => ("[^0-9,]", "replace(x, ',', '.')"),
        DecimalSign::Point => ("[^0-9.]", "x"),
    };
    let mantissa = match exponents {
        true => format!(r"regexp_replace({text}, '([0-9]){EXPONENT}', '\1')"),
        false => text.to_owned(),
    };
    let digits = format!("nullif(regexp_replace({mantissa}, '{other}', '', 'g'), '')");
    let mut number = point.replace('x', &digits);
    if exponents {
        let exponent = format!("replace(regexp_extract({text}, '[0-9]([eE][-+−]?[0-9]{{1,3}})', 1), '−', '-')");
        number = format!("({number} || {exponent})");
    }
    let negative = format!("regexp_matches({text}, '^[^0-9]*{MINUS}|{WRAPPED}')");
    format!("CASE WHEN {negative} THEN -{cast}({number} AS {data_type}) ELSE {cast}({number} AS {data_type}) END")
}
