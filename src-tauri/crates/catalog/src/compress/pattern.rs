//! Name patterns with placeholders.

use std::cmp::Ordering;

/// Placeholder for a run of digits.
pub(crate) const NUM: &str = "{NUM}";
/// Placeholder for another varying part.
pub(crate) const VAR: &str = "{VAR}";

/// Replaces every run of digits by [`NUM`].
pub(crate) fn digits_to_num(name: &str) -> String {
    let mut pattern = String::with_capacity(name.len());
    let mut in_digits = false;
    for c in name.chars() {
        if c.is_ascii_digit() {
            if !in_digits {
                pattern.push_str(NUM);
            }
        } else {
            pattern.push(c);
        }
        in_digits = c.is_ascii_digit();
    }
    pattern
}

/// Compares names in natural order: digits by value, everything else by characters. The order is total: names that
/// differ only in leading zeros are compared as text.
pub(crate) fn compare_natural(a: &str, b: &str) -> Ordering {
    let (mut x, mut y) = (a, b);
    while !x.is_empty() && !y.is_empty() {
        let (px, rx) = split_digit_run(x);
        let (py, ry) = split_digit_run(y);
        let digits = px.as_bytes()[0].is_ascii_digit() && py.as_bytes()[0].is_ascii_digit();
        let order = if digits {
            let (px, py) = (px.trim_start_matches('0'), py.trim_start_matches('0'));
            px.len().cmp(&py.len()).then_with(|| px.cmp(py))
        } else {
            px.cmp(py)
        };
        if order != Ordering::Equal {
            return order;
        }
        (x, y) = (rx, ry);
    }
    x.len().cmp(&y.len()).then_with(|| a.cmp(b))
}

/// Splits off a run of digits or of other characters.
fn split_digit_run(text: &str) -> (&str, &str) {
    let digits = text.as_bytes()[0].is_ascii_digit();
    let end = text.bytes().position(|b| b.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

/// Returns the text that a member has for each placeholder of the pattern, in order; `None` if it does not match.
pub(crate) fn match_placeholders<'a>(pattern: &str, member: &'a str) -> Option<Vec<&'a str>> {
    let (mut pattern, mut member) = (pattern, member);
    let mut parts = Vec::new();
    loop {
        let next = [NUM, VAR].into_iter().filter_map(|p| pattern.find(p).map(|at| (at, p))).min();
        let Some((at, placeholder)) = next else {
            return (pattern == member).then_some(parts);
        };
        member = member.strip_prefix(&pattern[..at])?;
        pattern = &pattern[at + placeholder.len()..];
        let end = if placeholder == NUM {
            member.find(|c: char| !c.is_ascii_digit())
        } else {
            member.find(|c: char| !c.is_alphanumeric())
        }
        .unwrap_or(member.len());
        if end == 0 {
            return None;
        }
        let (part, rest) = member.split_at(end);
        parts.push(part);
        member = rest;
    }
}

/// Splits a pattern at separators and keeps these: `a_b-c` gives `a`, `_`, `b`, `-`, `c`. Placeholders stay whole.
pub(crate) fn split_pattern(pattern: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let inside = |c: char| c.is_alphanumeric() || c == '{' || c == '}';
        let end = if inside(c) { rest.find(|c| !inside(c)).unwrap_or(rest.len()) } else { c.len_utf8() };
        let (token, tail) = rest.split_at(end);
        tokens.push(token);
        rest = tail;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_become_one_placeholder_per_run() {
        assert_eq!(digits_to_num("ga_sessions_20170801"), "ga_sessions_{NUM}");
        assert_eq!(digits_to_num("q1_2019"), "q{NUM}_{NUM}");
        assert_eq!(digits_to_num("orders"), "orders");
    }

    #[test]
    fn ten_comes_after_two() {
        assert_eq!(compare_natural("t2", "t10"), Ordering::Less);
        assert_eq!(compare_natural("t02", "t2"), Ordering::Less);
        assert_eq!(compare_natural("t", "t1"), Ordering::Less);
        assert_eq!(compare_natural("a1b2", "a1b2"), Ordering::Equal);
    }

    #[test]
    fn parts_come_back_out_of_a_member() {
        assert_eq!(match_placeholders("s_{VAR}_{NUM}yr", "s_county_5yr"), Some(vec!["county", "5"]));
        assert_eq!(match_placeholders("s_{NUM}", "s_x"), None);
        assert_eq!(match_placeholders("s_{NUM}", "s_1_2"), None);
    }
}
