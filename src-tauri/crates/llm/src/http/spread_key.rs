//! Masks an API key that a server repeats in its reply, even if it is split over several chunks.

/// Masks the key in a text that arrives in chunks. A possible beginning of the key is held back until the next chunk.
#[derive(Debug, Clone)]
pub(super) struct SpreadKey {
    /// The API key; empty if there is none.
    key: String,
    kept: String,
}

impl SpreadKey {
    pub(super) fn new(key: Option<&str>) -> Self {
        Self { key: key.unwrap_or_default().to_owned(), kept: String::new() }
    }

    /// Adds the next chunk and returns the text that can be released.
    pub(super) fn push(&mut self, text: String) -> String {
        if self.key.is_empty() {
            return text;
        }
        let text = (std::mem::take(&mut self.kept) + &text).replace(&self.key, "***");
        let begins_key = |at: &usize| self.key.starts_with(&text[*at..]);
        let from = text.len().saturating_sub(self.key.len());
        let at = (from..text.len()).filter(|at| text.is_char_boundary(*at)).find(begins_key).unwrap_or(text.len());
        self.kept = text[at..].to_owned();
        text[..at].to_owned()
    }

    /// Returns the remaining text at the end of the stream.
    pub(super) fn finish(&mut self) -> String {
        std::mem::take(&mut self.kept)
    }
}

#[cfg(test)]
mod tests {
    use super::SpreadKey;

    /// Collects the released texts for these chunks, including the rest.
    fn collect_released(parts: &[&str]) -> Vec<String> {
        let mut text = SpreadKey::new(Some("sk-secret-key"));
        let mut given: Vec<String> = parts.iter().map(|part| text.push((*part).to_owned())).collect();
        given.push(text.finish());
        given
    }

    #[test]
    fn a_key_in_parts_is_never_given() {
        assert_eq!(collect_released(&["the key sk-sec", "ret", "-key failed"]), ["the key ", "", "*** failed", ""]);
        assert_eq!(collect_released(&["s", "k", "-secret-ke", "y"]), ["", "", "", "***", ""]);
        assert_eq!(collect_released(&["sk-sk-secret-", "key"]), ["sk-", "***", ""]);
        assert_eq!(collect_released(&["sk-secret-keysk-secret-key"]), ["******", ""]);
    }

    #[test]
    fn other_text_comes_whole_and_in_order() {
        assert_eq!(collect_released(&["SELECT a", "s b FROM t", " ask"]), ["SELECT a", "s b FROM t", " a", "sk"]);
        assert_eq!(collect_released(&["größe s", "é"]), ["größe ", "sé", ""]);
        assert_eq!(collect_released(&["sk-secret-", "code"]), ["", "sk-secret-code", ""]);
        let mut free = SpreadKey::new(None);
        assert_eq!((free.push("sk-".into()), free.finish()), ("sk-".into(), String::new()));
    }
}
