//! Converts the bytes of tokens to the text of a reply: only complete characters, and no part of a stop text.

/// The text of one reply during generation.
#[derive(Debug, Default)]
pub(crate) struct TextOut {
    stops: Vec<String>,
    /// Bytes of an incomplete character.
    bytes: Vec<u8>,
    /// Text that may be the start of a stop text.
    held: String,
}

/// The text that can be released after a token.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub text: String,
    /// True if a stop text was found; it is not part of `text`.
    pub stopped: bool,
}

impl TextOut {
    pub fn new(stops: &[String]) -> Self {
        Self { stops: stops.iter().filter(|s| !s.is_empty()).cloned().collect(), ..Self::default() }
    }

    /// Adds the bytes of a token.
    pub fn push(&mut self, bytes: &[u8]) -> Shown {
        self.bytes.extend_from_slice(bytes);
        self.move_whole_characters();
        if let Some(at) = self.stops.iter().filter_map(|stop| self.held.find(stop.as_str())).min() {
            self.held.truncate(at);
            self.bytes.clear();
            return Shown { text: std::mem::take(&mut self.held), stopped: true };
        }
        let keep = self.stops.iter().map(|stop| beginning_of(stop, &self.held)).max().unwrap_or(0);
        let rest = self.held.split_off(self.held.len() - keep);
        Shown { text: std::mem::replace(&mut self.held, rest), stopped: false }
    }

    /// Returns the text still held when the reply ends without a stop text.
    pub fn finish(&mut self) -> String {
        self.bytes.clear();
        std::mem::take(&mut self.held)
    }

    fn move_whole_characters(&mut self) {
        loop {
            match std::str::from_utf8(&self.bytes) {
                Ok(text) => {
                    self.held.push_str(text);
                    self.bytes.clear();
                    return;
                }
                Err(error) => {
                    let valid = error.valid_up_to();
                    self.held.push_str(&String::from_utf8_lossy(&self.bytes[..valid]));
                    let Some(broken) = error.error_len() else {
                        self.bytes.drain(..valid);
                        return;
                    };
                    self.held.push(char::REPLACEMENT_CHARACTER);
                    self.bytes.drain(..valid + broken);
                }
            }
        }
    }
}

/// Returns the length of the longest suffix of `text` that is a prefix of `stop`.
fn beginning_of(stop: &str, text: &str) -> usize {
    (1..=stop.len().min(text.len()))
        .rev()
        .find(|n| stop.as_bytes()[..*n] == text.as_bytes()[text.len() - n..])
        .unwrap_or(0)
}

/// Checks if a reply repeats one short piece endlessly, as small models do. Such a reply only wastes time.
pub(crate) fn is_stuck(tokens: &[i32]) -> bool {
    const LONGEST_PIECE: usize = 48;
    const LEAST_TOKENS: usize = 128;
    const LEAST_REPEATS: usize = 6;
    (1..=LONGEST_PIECE).any(|piece| {
        let span = LEAST_TOKENS.max(piece * LEAST_REPEATS);
        tokens.len() >= span && {
            let tail = &tokens[tokens.len() - span..];
            tail[piece..] == tail[..span - piece]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn collect_output(stops: &[&str], pieces: &[&[u8]]) -> (String, bool) {
        let mut out = TextOut::new(&stops.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
        let mut text = String::new();
        for piece in pieces {
            let shown = out.push(piece);
            text.push_str(&shown.text);
            if shown.stopped {
                return (text, true);
            }
        }
        text.push_str(&out.finish());
        (text, false)
    }

    #[test]
    fn a_character_split_over_tokens_appears_whole() {
        let mut out = TextOut::new(&[]);
        assert_eq!(out.push(&[b'a', 0xe2, 0x82]).text, "a");
        assert_eq!(out.push(&[0xac, b'b']).text, "€b");
    }

    #[test]
    fn a_stop_text_split_over_tokens_is_never_shown() {
        assert_eq!(collect_output(&[";\n"], &[b"SELECT 1", b";", b"\nmore"]), ("SELECT 1".into(), true));
        assert_eq!(collect_output(&[";\n"], &[b"a;", b"b", b";"]), ("a;b;".into(), false));
    }

    #[test]
    fn the_first_of_several_stop_texts_counts() {
        assert_eq!(collect_output(&["two", "one"], &[b"zero one two"]), ("zero ".into(), true));
    }

    #[test]
    fn bytes_that_are_no_text_become_a_mark() {
        assert_eq!(collect_output(&[], &[&[b'a', 0xff, b'b']]), ("a\u{fffd}b".into(), false));
    }

    #[test]
    fn only_endless_repetition_is_stuck() {
        let long: Vec<i32> = (0..500).collect();
        assert!(!is_stuck(&long));
        let mut looped = long.clone();
        looped.extend([7, 8, 9].repeat(60));
        assert!(is_stuck(&looped));
        let mut listed = long;
        listed.extend([1, 2].repeat(40));
        assert!(!is_stuck(&listed), "a list of forty NULLs is still a reply");
    }

    proptest! {
        #[test]
        fn cut_anywhere_the_text_is_the_same(text in "\\PC{0,40}", cuts in prop::collection::vec(0..160usize, 0..8)) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(bytes.len())).chain([0, bytes.len()]).collect();
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            prop_assert_eq!(collect_output(&[";;"], &pieces).0, text.split(";;").next().unwrap());
        }
    }
}
