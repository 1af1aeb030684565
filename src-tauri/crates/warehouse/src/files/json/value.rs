//! JSON values in their original form: numbers keep their digits, objects the order of their keys.

use std::borrow::Cow;
use std::collections::HashMap;
use vitrine_words::tr;

/// Maximum nesting depth of parsed values; deeper values are kept as text.
const DEEPEST: usize = 64;

/// A parsed JSON value, borrowed from its text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'t> {
    Null,
    Bool(bool),
    /// The number in its original notation.
    Number(&'t str),
    Text(Cow<'t, str>),
    List(Vec<Value<'t>>),
    /// The members in order, with unique keys.
    Object(Vec<(Cow<'t, str>, Value<'t>)>),
    /// The text of a value that is nested too deeply.
    Deep(&'t str),
}

/// The offset of a byte at which the text is not JSON, and the reason.
#[derive(Debug, PartialEq)]
pub(super) struct NoValue {
    pub at: usize,
    pub problem: String,
}

/// A parser for one text.
pub(super) struct Parser<'t> {
    text: &'t str,
    at: usize,
    /// A key that occurs twice in one object.
    pub repeated: Option<String>,
}

type Parsed<T> = Result<T, NoValue>;

impl<'t> Parser<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0, repeated: None }
    }

    /// Parses the whole text as one value.
    ///
    /// # Errors
    /// The position at which the text is not a value.
    pub fn parse_document(&mut self) -> Parsed<Value<'t>> {
        let value = self.parse_value(0)?;
        self.skip_whitespace();
        if self.at < self.text.len() { Err(self.syntax_error()) } else { Ok(value) }
    }

    /// Parses the members of an object, with each value as text.
    ///
    /// # Errors
    /// The position at which the text is not an object.
    pub fn parse_members(&mut self) -> Parsed<Vec<(Cow<'t, str>, &'t str)>> {
        let mut members = Vec::new();
        self.skip_whitespace();
        self.expect_byte(b'{')?;
        let mut first = true;
        while !self.consume_comma_or_end(b'}', &mut first)? {
            let key = self.parse_key()?;
            let from = self.at;
            self.skip_value()?;
            members.push((key, self.text[from..self.at].trim()));
        }
        Ok(members)
    }

    fn parse_value(&mut self, depth: usize) -> Parsed<Value<'t>> {
        self.skip_whitespace();
        let from = self.at;
        match self.peek_byte() {
            Some(b'{' | b'[') if depth == DEEPEST => {
                self.skip_value()?;
                Ok(Value::Deep(&self.text[from..self.at]))
            }
            Some(b'{') => self.parse_object(depth),
            Some(b'[') => {
                self.at += 1;
                let (mut items, mut first) = (Vec::new(), true);
                while !self.consume_comma_or_end(b']', &mut first)? {
                    items.push(self.parse_value(depth + 1)?);
                }
                Ok(Value::List(items))
            }
            Some(b'"') => self.parse_string().map(Value::Text),
            Some(_) => self.parse_bare_word(),
            None => Err(self.syntax_error()),
        }
    }

    fn parse_object(&mut self, depth: usize) -> Parsed<Value<'t>> {
        /// Number of keys up to which duplicates are found by comparing all pairs.
        const FEW: usize = 16;
        self.at += 1;
        let mut members: Vec<(Cow<'t, str>, Value<'t>)> = Vec::new();
        let (mut places, mut first) = (HashMap::new(), true);
        while !self.consume_comma_or_end(b'}', &mut first)? {
            let key = self.parse_key()?;
            let value = self.parse_value(depth + 1)?;
            if members.len() == FEW && places.is_empty() {
                places = members.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)).collect();
            }
            let known = match members.len() < FEW {
                true => members.iter().position(|(known, _)| *known == key),
                false => places.get(&key).copied(),
            };
            match known {
                Some(at) => {
                    self.repeated.get_or_insert_with(|| key.to_string());
                    members[at].1 = value;
                }
                None => {
                    if members.len() >= FEW {
                        places.insert(key.clone(), members.len());
                    }
                    members.push((key, value));
                }
            }
        }
        Ok(Value::Object(members))
    }

    /// Parses a key and the colon after it.
    fn parse_key(&mut self) -> Parsed<Cow<'t, str>> {
        self.skip_whitespace();
        let key = self.parse_string()?;
        self.skip_whitespace();
        self.expect_byte(b':')?;
        Ok(key)
    }

    /// Consumes the comma before each element except the first. Returns true if the list or object ends here; a comma
    /// before the end is accepted.
    fn consume_comma_or_end(&mut self, closing: u8, first: &mut bool) -> Parsed<bool> {
        self.skip_whitespace();
        if self.peek_byte() != Some(closing) {
            if std::mem::take(first) {
                return Ok(false);
            }
            self.expect_byte(b',')?;
            self.skip_whitespace();
        }
        let ends = self.peek_byte() == Some(closing);
        self.at += usize::from(ends);
        Ok(ends)
    }

    fn parse_bare_word(&mut self) -> Parsed<Value<'t>> {
        let rest = &self.text[self.at..];
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.'))).unwrap_or(rest.len());
        let word = &rest[..end];
        let value = match word {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ if is_number(word) => Value::Number(word),
            _ => return Err(self.syntax_error()),
        };
        self.at += end;
        Ok(value)
    }

    fn parse_string(&mut self) -> Parsed<Cow<'t, str>> {
        self.expect_byte(b'"')?;
        let from = self.at;
        let Some(end) = self.text[from..].find(['"', '\\']) else { return Err(self.syntax_error()) };
        if self.text.as_bytes()[from + end] == b'"' {
            self.at = from + end + 1;
            return Ok(Cow::Borrowed(&self.text[from..from + end]));
        }
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find(['"', '\\']) else { return Err(self.syntax_error()) };
            text.push_str(&rest[..end]);
            self.at += end + 1;
            if rest.as_bytes()[end] == b'"' {
                return Ok(Cow::Owned(text));
            }
            text.push(self.parse_escape()?);
        }
    }

    /// Parses the character of an escape after its backslash.
    fn parse_escape(&mut self) -> Parsed<char> {
        let Some(byte) = self.peek_byte() else { return Err(self.syntax_error()) };
        self.at += 1;
        Ok(match byte {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'"' | b'\\' | b'/' => char::from(byte),
            b'u' => {
                let first = self.parse_code_unit()?;
                let pair = (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with("\\u");
                if !pair {
                    return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                let before = self.at;
                self.at += 2;
                let second = self.parse_code_unit()?;
                if (0xdc00..0xe000).contains(&second) {
                    let letter = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                    return Ok(char::from_u32(letter).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                self.at = before;
                char::REPLACEMENT_CHARACTER
            }
            _ => return Err(self.syntax_error()),
        })
    }

    /// Parses the four hex digits of a `\u` escape.
    fn parse_code_unit(&mut self) -> Parsed<u32> {
        let digits = self.text.get(self.at..self.at + 4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).ok_or_else(|| self.syntax_error())?;
        self.at += 4;
        Ok(unit)
    }

    /// Skips a value without building it.
    fn skip_value(&mut self) -> Parsed<()> {
        let mut depth = 0_usize;
        loop {
            self.skip_whitespace();
            match self.peek_byte() {
                Some(b'"') => drop(self.parse_string()?),
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b':') if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                Some(_) => drop(self.parse_bare_word()?),
                None => return Err(self.syntax_error()),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn skip_whitespace(&mut self) {
        while matches!(self.peek_byte(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn peek_byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn expect_byte(&mut self, byte: u8) -> Parsed<()> {
        if self.peek_byte() != Some(byte) {
            return Err(self.syntax_error());
        }
        self.at += 1;
        Ok(())
    }

    fn syntax_error(&self) -> NoValue {
        const SHOWN: usize = 30;
        let place: String = self.text[self.at.min(self.text.len())..].chars().take(SHOWN).collect();
        NoValue { at: self.at, problem: tr!("no valid JSON at `{place}`", place) }
    }
}

/// Returns true if a word is a JSON number, or one of the three non-standard numbers.
fn is_number(word: &str) -> bool {
    if is_no_figure(word) {
        return true;
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)))
}

/// Returns true for numbers without digits.
pub(super) fn is_no_figure(word: &str) -> bool {
    matches!(word, "NaN" | "Infinity" | "-Infinity")
}

/// Writes a text as a JSON string.
pub(super) fn write_string(text: &str, out: &mut String) {
    // Serializing a text cannot fail.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

impl Value<'_> {
    /// Writes the value as JSON with all digits of its numbers.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(text) if is_no_figure(text) => write_string(text, out),
            Self::Number(text) | Self::Deep(text) => out.push_str(text),
            Self::Text(text) => write_string(text, out),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    item.write_json(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (at, (key, value)) in members.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    write_string(key, out);
                    out.push(':');
                    value.write_json(out);
                }
                out.push('}');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewrite_json(text: &str) -> Result<String, usize> {
        let mut out = String::new();
        Parser::new(text).parse_document().map_err(|fault| fault.at)?.write_json(&mut out);
        Ok(out)
    }

    #[test]
    fn every_digit_and_letter_is_kept() {
        for (text, kept) in [
            ("{ \"a\" : 0.12345678901234567890 , \"b\":[ 12345678901234567890,-1e-7 ] }", None),
            ("[true,false,null,\"\\u00e9\\ud83d\\ude00\\n\"]", Some("[true,false,null,\"é😀\\n\"]")),
            ("[\"\\ud800x\"]", Some("[\"\u{fffd}x\"]")),
            ("[1,]", Some("[1]")),
            ("{\"a\":NaN,}", Some("{\"a\":\"NaN\"}")),
            ("{}", None),
            ("[[],{}]", None),
            ("[\"[\",1]", None),
        ] {
            let plain = text.replace(' ', "");
            assert_eq!(rewrite_json(text).as_deref(), Ok(kept.unwrap_or(&plain)), "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            "{",
            "[1 2]",
            "{\"a\" 1}",
            "{a: 1}",
            "01",
            "+1",
            "1.",
            ".5",
            "1e",
            "tru",
            "\"a",
            "[,1]",
            "{,}",
            "\"\\x\"",
            "{} {}",
        ] {
            assert!(rewrite_json(text).is_err(), "{text}");
        }
    }

    #[test]
    fn of_a_key_that_occurs_twice_the_last_value_counts() {
        let mut parser = Parser::new("{\"a\":1,\"b\":2,\"a\":3}");
        let value = parser.parse_document().unwrap();
        assert_eq!(value, Value::Object(vec![("a".into(), Value::Number("3")), ("b".into(), Value::Number("2"))]));
        assert_eq!(parser.repeated.as_deref(), Some("a"));
        let many: String = (0..40).map(|at| format!("\"k{}\":{at},", at % 30)).collect();
        let text = format!("{{{many}\"z\":1}}");
        let mut parser = Parser::new(&text);
        let Ok(Value::Object(members)) = parser.parse_document() else { panic!("an object") };
        assert_eq!((members.len(), &members[5].1), (31, &Value::Number("35")));
    }

    #[test]
    fn depth_is_bounded() {
        let text = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(rewrite_json(&text), Ok(text));
    }
}
