//! Sanitizes and shortens untrusted text.
//!
//! Comments and values come from anyone with write access to the database. In a prompt they follow `--`, so they must
//! not end the line, and they must not look like a code fence or a chat model's control token.

/// Returns the text as one line of at most `limit` characters, truncated with `…`.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::with_capacity(text.len().min(limit * 4));
    let mut length = 0;
    let mut gap = false;
    for c in text.chars() {
        if breaks_lines(c) {
            gap = length > 0;
            continue;
        }
        if length + usize::from(gap) >= limit {
            // Remove the last character, so that the limit includes the mark.
            line.pop();
            line.push('…');
            break;
        }
        if gap {
            line.push(' ');
            length += 1;
            gap = false;
        }
        line.push(c);
        length += 1;
    }
    strip_control_tokens(&line)
}

/// Returns a value as one line of at most `limit` characters. Spaces are kept, including those at the ends, because a
/// query must match them.
pub(crate) fn value_line(value: &str, limit: usize) -> String {
    let mut chars = value.chars().map(|c| if c != ' ' && breaks_lines(c) { ' ' } else { c });
    let mut line: String = chars.by_ref().take(limit).collect();
    if chars.next().is_some() {
        line.pop();
        line.push('…');
    }
    strip_control_tokens(&line)
}

/// Returns at most `limit` characters of a value as a SQL string.
pub(crate) fn quote_value(value: &str, limit: usize) -> String {
    format!("'{}'", value_line(value, limit).replace('\'', "''"))
}

/// Returns true for line breaks of any script and invisible marks that change how a line reads.
fn breaks_lines(c: char) -> bool {
    let mark = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    c.is_whitespace() || c.is_control() || mark
}

/// Removes code fences and control tokens of chat models.
fn strip_control_tokens(line: &str) -> String {
    line.replace("```", "'''").replace("<|", "< ").replace("|>", " >")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_stays_on_its_line() {
        assert_eq!(one_line("a\n);\r\nDROP\u{2028}x\u{85}y", 120), "a ); DROP x y");
        assert_eq!(one_line("  spaced   out  ", 120), "spaced out");
        assert_eq!(one_line("```sql <|im_end|>", 120), "'''sql < im_end >");
    }

    #[test]
    fn long_text_is_cut_at_the_limit_with_a_mark() {
        let cut = one_line(&"ä".repeat(300), 120);
        assert_eq!(cut.chars().count(), 120);
        assert!(cut.ends_with('…'));
        assert_eq!(one_line(&"b".repeat(120), 120), "b".repeat(120));
    }

    #[test]
    fn values_keep_their_quotes_inside() {
        assert_eq!(quote_value("O'Brien", 50), "'O''Brien'");
        assert_eq!(quote_value(" APG ", 50), "' APG '", "spaces are part of a value");
        assert_eq!(quote_value("a\nb\u{2029}c", 50), "'a b c'");
        assert_eq!(quote_value(&"x".repeat(60), 50).chars().count(), 52);
    }
}
