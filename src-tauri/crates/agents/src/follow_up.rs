//! A follow-up ("and for 2023?") rewritten with the question before it, as a question that stands alone. It is done before
//! a run begins, so that the user sees and edits what will be asked.

use crate::prompt::request::opening;
use crate::prompt::{FollowUpPrompt, Prompt};
use vitrine_domain::Dialect;
use vitrine_llm::Request;

/// Tokens of the longest question that is written.
const MOST_TOKENS: u32 = 400;

/// What a model is asked for to rewrite a follow-up. Of the database it is told nothing but its dialect.
pub fn follow_up(before: &str, text: &str, dialect: Dialect) -> Request {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, text) = (one_line(before), one_line(text));
    Request {
        tail: FollowUpPrompt { before: &before, text: &text }.render(),
        max_tokens: MOST_TOKENS,
        ..opening(dialect, "")
    }
}

/// The question in a model's reply; `None` where there is none.
pub fn followed_up(reply: &str) -> Option<String> {
    // A model that thinks aloud puts the question last; one that goes on with further examples puts it first.
    let labelled = |line: &str| line.strip_prefix("Question:").map(str::trim).map(str::to_owned);
    let lines = || reply.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines().find_map(labelled).or_else(|| lines().next().map(str::to_owned))?;
    let quotes = ['"', '\'', '“', '”', '„', '«', '»', '`', '*'];
    let bare = line.trim_matches(quotes).trim();
    (!bare.is_empty()).then(|| bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_found_in_what_models_write_around_it() {
        let asked = Some("How many in 2023?".to_owned());
        for reply in [
            "How many in 2023?",
            "Question: How many in 2023?",
            "\n\n\"How many in 2023?\"\n",
            "Sure, here it is:\nQuestion: **How many in 2023?**",
            "How many in 2023?\n\nBefore: What is next?\nFollow-up: x",
        ] {
            assert_eq!(followed_up(reply), asked, "{reply}");
        }
        assert_eq!(followed_up(" \n\"\"\n"), None);
    }

    #[test]
    fn the_prompt_holds_both_on_one_line_each() {
        let request = follow_up("How many\nin 2022?", " and\n2023 ", Dialect::Sqlite);
        assert!(
            request.tail.ends_with("Before: How many in 2022?\nFollow-up: and 2023\nQuestion:"),
            "{}",
            request.tail
        );
        assert_eq!(request.prefix, "");
    }
}
