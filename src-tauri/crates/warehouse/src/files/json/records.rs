//! Splits JSON text into records without building them: the elements of arrays, and consecutive values.

use std::io::Read;
use vitrine_words::tr;

/// Maximum size of a record in bytes.
pub(super) const LARGEST: usize = 128 << 20;
/// Number of bytes per read operation.
const READ: usize = 1 << 20;

/// A position at which the text is not JSON.
#[derive(Debug)]
pub(super) struct Fault {
    pub line: u64,
    pub problem: String,
    /// True if the text ends inside a value that is not in an array.
    pub is_cut: bool,
}

impl Fault {
    pub fn new(line: u64, problem: String) -> Self {
        Self { line, problem, is_cut: false }
    }
}

/// The text of one record and its line.
#[derive(Debug)]
pub(super) struct Record<'b> {
    pub text: &'b str,
    /// The line of its first character, from 1.
    pub line: u64,
}

/// Reads records one by one.
pub(super) struct Records<R> {
    input: R,
    buffer: Vec<u8>,
    /// The offset of the first unconsumed byte.
    at: usize,
    line: u64,
    inside: bool,
    is_over: bool,
    /// Number of arrays at the outermost level.
    pub arrays: u64,
}

impl<R: Read> Records<R> {
    pub fn new(input: R) -> Self {
        Self { input, buffer: Vec::new(), at: 0, line: 1, inside: false, is_over: false, arrays: 0 }
    }

    /// Returns the next record; `None` at the end.
    ///
    /// # Errors
    /// If the text ends inside a value, brackets do not match, or a record is too large.
    pub fn next(&mut self) -> Result<Option<Record<'_>>, Fault> {
        loop {
            let Some(byte) = self.peek_byte(0)? else {
                return if self.inside { Err(self.truncation_fault()) } else { Ok(None) };
            };
            match byte {
                b'\n' => self.line += 1,
                // Some programs separate records by this character (RFC 8142).
                b' ' | b'\t' | b'\r' | 0x1e | b',' => {}
                b'[' if !self.inside => {
                    self.inside = true;
                    self.arrays += 1;
                }
                b']' if self.inside => self.inside = false,
                _ => break,
            }
            self.at += 1;
        }
        let (line, length) = (self.line, self.value_length()?);
        let from = self.at;
        self.at += length;
        let bytes = &self.buffer[from..self.at];
        self.line += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        match std::str::from_utf8(bytes) {
            Ok(text) if length > 0 => Ok(Some(Record { text, line })),
            Ok(_) => Err(Fault::new(line, tr!("a bracket closes what is not open"))),
            Err(_) => Err(Fault::new(line, tr!("some bytes are no letters in {encoding}", encoding = "UTF-8"))),
        }
    }

    /// Returns the length of the value that begins here, in bytes.
    fn value_length(&mut self) -> Result<usize, Fault> {
        let (mut depth, mut offset) = (0_usize, 0);
        loop {
            let Some(byte) = self.peek_byte(offset)? else {
                return if depth == 0 && offset > 0 { Ok(offset) } else { Err(self.truncation_fault()) };
            };
            offset += 1;
            match byte {
                b'"' => {
                    offset = self.end_of_string(offset)?;
                    if depth == 0 {
                        return Ok(offset);
                    }
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => return Ok(offset - 1),
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(offset);
                    }
                }
                b',' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return Ok(offset - 1),
                _ => {}
            }
        }
    }

    /// Returns the offset after a string whose first character is at `offset`.
    fn end_of_string(&mut self, mut offset: usize) -> Result<usize, Fault> {
        loop {
            match self.peek_byte(offset)? {
                None => return Err(self.truncation_fault()),
                Some(b'"') => return Ok(offset + 1),
                Some(b'\\') => offset += 2,
                Some(_) => offset += 1,
            }
        }
    }

    fn truncation_fault(&self) -> Fault {
        Fault { line: self.line, problem: tr!("the file ends inside of a value"), is_cut: self.arrays == 0 }
    }

    /// Returns the byte at this offset ahead.
    #[inline]
    fn peek_byte(&mut self, offset: usize) -> Result<Option<u8>, Fault> {
        while self.at + offset >= self.buffer.len() {
            if self.is_over {
                return Ok(None);
            }
            self.fill_buffer()?;
        }
        Ok(Some(self.buffer[self.at + offset]))
    }

    fn fill_buffer(&mut self) -> Result<(), Fault> {
        self.buffer.drain(..self.at);
        self.at = 0;
        if self.buffer.len() > LARGEST {
            let megabytes = LARGEST >> 20;
            return Err(Fault::new(self.line, tr!("one record has more than {megabytes} MB", megabytes)));
        }
        let before = self.buffer.len();
        // Doubled, to avoid moving a large record at each read.
        let wanted = READ.max(before);
        let read = (&mut self.input).take(wanted as u64).read_to_end(&mut self.buffer);
        let read = read.map_err(|error| Fault::new(self.line, error.to_string()))?;
        self.is_over = read == 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_records(text: &str) -> Result<Vec<(String, u64)>, String> {
        let mut records = Records::new(text.as_bytes());
        let mut found = Vec::new();
        loop {
            match records.next() {
                Ok(Some(record)) => found.push((record.text.to_owned(), record.line)),
                Ok(None) => return Ok(found),
                Err(fault) => return Err(format!("{}: {} {}", fault.line, fault.problem, fault.is_cut)),
            }
        }
    }

    #[test]
    fn records_are_elements_lines_or_values_in_a_row() {
        let of = |records: &[(&str, u64)]| Ok(records.iter().map(|(text, line)| ((*text).to_owned(), *line)).collect());
        assert_eq!(split_records("{\"a\": 1}\n\n{\"a\": [2]}\n"), of(&[("{\"a\": 1}", 1), ("{\"a\": [2]}", 3)]));
        assert_eq!(split_records("[{\"a\": \"]}\"},\n 5, [1]]"), of(&[("{\"a\": \"]}\"}", 1), ("5", 2), ("[1]", 2)]));
        assert_eq!(split_records("{\"a\":\n1}{\"b\":\"\\\"}\"}"), of(&[("{\"a\":\n1}", 1), ("{\"b\":\"\\\"}\"}", 2)]));
        assert_eq!(split_records("\u{1e}{}\n\u{1e}{}\n"), of(&[("{}", 1), ("{}", 2)]));
        assert_eq!(split_records(" \n [ ] "), of(&[]));
        assert_eq!(split_records("12"), of(&[("12", 1)]));
    }

    #[test]
    fn what_is_cut_or_does_not_match_is_told_with_its_line() {
        assert_eq!(split_records("{}\n{\"a\": \"x").unwrap_err(), "2: the file ends inside of a value true");
        assert_eq!(split_records("[{}\n,{}").unwrap_err(), "2: the file ends inside of a value false");
        assert!(split_records("{}\n}").unwrap_err().starts_with("2: a bracket"));
    }

    #[test]
    fn a_record_may_be_larger_than_what_is_read_at_a_time() {
        let long = format!("{{\"a\": \"{}\"}}", "x".repeat(3 * READ));
        let text = format!("[{long},{long}]");
        assert_eq!(split_records(&text).unwrap().len(), 2);
    }
}
