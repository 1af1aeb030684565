//! A key that a server repeats in its reply, spread over several of its parts, where no part holds all of it.

/// A text that comes in parts, without the key. What may be the beginning of the key is kept back until more is known.
#[derive(Debug, Clone)]
pub(super) struct SpreadKey {
    /// Empty where there is none.
    key: String,
    kept: String,
}

impl SpreadKey {
    pub(super) fn new(key: Option<&str>) -> Self {
        Self { key: key.unwrap_or_default().to_owned(), kept: String::new() }
    }

    /// Takes in the next part, and gives what of the text is certain by now.
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

    /// The rest, where nothing follows.
    pub(super) fn finish(&mut self) -> String {
        std::mem::take(&mut self.kept)
    }
}

#[cfg(test)]
mod tests {
    use super::SpreadKey;

    /// What is given of these parts, with the rest.
    fn given(parts: &[&str]) -> Vec<String> {
        let mut text = SpreadKey::new(Some("sk-secret-key"));
        let mut given: Vec<String> = parts.iter().map(|part| text.push((*part).to_owned())).collect();
        given.push(text.finish());
        given
    }

    #[test]
    fn a_key_in_parts_is_never_given() {
        assert_eq!(given(&["the key sk-sec", "ret", "-key failed"]), ["the key ", "", "*** failed", ""]);
        assert_eq!(given(&["s", "k", "-secret-ke", "y"]), ["", "", "", "***", ""]);
        assert_eq!(given(&["sk-sk-secret-", "key"]), ["sk-", "***", ""]);
        assert_eq!(given(&["sk-secret-keysk-secret-key"]), ["******", ""]);
    }

    #[test]
    fn other_text_comes_whole_and_in_order() {
        assert_eq!(given(&["SELECT a", "s b FROM t", " ask"]), ["SELECT a", "s b FROM t", " a", "sk"]);
        assert_eq!(given(&["größe s", "é"]), ["größe ", "sé", ""]);
        assert_eq!(given(&["sk-secret-", "code"]), ["", "sk-secret-code", ""]);
        let mut free = SpreadKey::new(None);
        assert_eq!((free.push("sk-".into()), free.finish()), ("sk-".into(), String::new()));
    }
}
