//! Parses server-sent events from bytes that may be split within a line, a CRLF or a character.

/// Maximum number of bytes of an event; more without a line end are not valid events.
const LONGEST: usize = 16 << 20;

/// Buffers bytes and returns the data of each complete event.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Option<String>,
    after_cr: bool,
    begun: bool,
}

impl Events {
    /// Adds bytes and returns the events that they complete.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, String> {
        let mut events = Vec::new();
        for &byte in bytes {
            // CR, LF and CRLF each end a line, and a CRLF may be split.
            let second_half = std::mem::take(&mut self.after_cr) && byte == b'\n';
            match byte {
                _ if second_half => {}
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    events.extend(self.end_line()?);
                }
                _ => self.line.push(byte),
            }
        }
        if self.line.len() + self.data.as_ref().map_or(0, String::len) > LONGEST {
            return Err("an event is longer than 16 MB".to_owned());
        }
        Ok(events)
    }

    /// Returns the last event at the end of the connection, for servers that omit the final empty line.
    pub(super) fn finish(&mut self) -> Result<Option<String>, String> {
        if !self.line.is_empty() {
            self.end_line()?;
        }
        Ok(self.data.take())
    }

    fn end_line(&mut self) -> Result<Option<String>, String> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8(line).map_err(|_| "an event is not UTF-8".to_owned())?;
        let line = if std::mem::replace(&mut self.begun, true) { &line } else { line.trim_start_matches('\u{feff}') };
        if line.is_empty() {
            return Ok(self.data.take());
        }
        // Comments (`: ping`), `event:`, `id:` and `retry:` are not needed.
        if let Some(value) = line.strip_prefix("data:") {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::Events;
    use proptest::prelude::*;

    fn parse_events(chunks: &[&[u8]]) -> Vec<String> {
        let mut events = Events::default();
        let mut found: Vec<String> = chunks.iter().flat_map(|chunk| events.push(chunk).unwrap()).collect();
        found.extend(events.finish().unwrap());
        found
    }

    #[test]
    fn comments_ids_and_kinds_of_line_end_do_not_matter() {
        let text = b"\xef\xbb\xbf: hello\r\n\r\nevent: x\rid: 3\rdata: one\r\rdata:two\ndata: lines\n\ndata: last";
        assert_eq!(parse_events(&[text]), ["one", "two\nlines", "last"]);
    }

    #[test]
    fn a_stream_without_line_ends_is_given_up() {
        let mut events = Events::default();
        let chunk = vec![b'x'; 1 << 20];
        assert!((0..20).any(|_| events.push(&chunk).is_err()));
    }

    proptest! {
        #[test]
        fn the_cuts_between_chunks_do_not_matter(
            texts in proptest::collection::vec("[a-zé漢😀\"{} ]{0,12}", 0..6),
            ending in prop_oneof!["\n", "\r", "\r\n"],
            cuts in proptest::collection::vec(0usize..200, 0..20),
        ) {
            let stream: String = texts.iter().map(|text| format!("data: {text}{ending}{ending}")).collect();
            let bytes = stream.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).chain([0, bytes.len()]).collect();
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(parse_events(&chunks), texts);
        }
    }
}
