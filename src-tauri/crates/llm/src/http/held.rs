//! Removes the requested beginning from replies that repeat it.

/// The buffered beginning of a reply, held until it is clear if it repeats the requested prefix.
#[derive(Debug, Clone)]
pub(super) struct Held {
    prefix: String,
    text: String,
}

impl Held {
    pub(super) fn new(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned(), text: String::new() }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Checks if enough text has arrived to decide.
    pub(super) fn is_decided(&self) -> bool {
        self.text.trim_start().len() >= self.prefix.len()
    }

    /// Returns the reply without the prefix, or the last words of the prefix, if it repeats them.
    ///
    /// After "```sql
    /// WITH" a model may continue with "WITH a AS": only whole words are removed, so that a "T1" after "SELECT"
    /// is kept.
    pub(super) fn release_text(self) -> String {
        let text = self.text.trim_start();
        let starts = self.prefix.char_indices().filter(|(at, c)| {
            let before = self.prefix[..*at].chars().next_back();
            !c.is_whitespace() && before.is_none_or(|before| !before.is_alphanumeric() || !c.is_alphanumeric())
        });
        let mut starts = starts.map(|(at, _)| self.prefix[at..].trim_end());
        let ends_word = |repeated: &&str| {
            let next = text[repeated.len()..].chars().next();
            let last = repeated.chars().next_back();
            !(last.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric))
        };
        match starts.find(|suffix| text.starts_with(suffix)).filter(ends_word) {
            // The space at the end of a prefix may be repeated, too.
            Some(repeated) if self.prefix.ends_with(char::is_whitespace) => {
                text[repeated.len()..].trim_start().to_owned()
            }
            Some(repeated) => text[repeated.len()..].to_owned(),
            None => self.text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Held;

    fn release_reply(prefix: &str, reply: &str) -> String {
        let mut held = Held::new(prefix);
        held.push(reply);
        held.release_text()
    }

    #[test]
    fn a_reply_that_repeats_its_beginning_loses_it_once() {
        assert_eq!(release_reply("SELECT", "SELECT a FROM t"), " a FROM t");
        assert_eq!(release_reply("SELECT ", " SELECT  a"), "a");
        assert_eq!(release_reply("```sql\nWITH", "WITH a AS (x)"), " a AS (x)");
        assert_eq!(release_reply("```sql\nWITH", "```sql\nWITH a"), " a");
    }

    #[test]
    fn a_reply_that_goes_on_stays_as_it_is() {
        assert_eq!(release_reply("SELECT", " T1.name"), " T1.name");
        assert_eq!(release_reply("SELECT", "T1.name"), "T1.name");
        assert_eq!(release_reply("WITH a", "a1 AS"), "a1 AS");
        assert_eq!(release_reply("SELECT", ""), "");
    }
}
