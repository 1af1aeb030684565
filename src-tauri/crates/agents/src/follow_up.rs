//! A follow-up ("and for 2023?") rewritten with the question before it, as a question that stands alone. It is done before
//! a run begins, so that the user sees and edits what will be asked.

use crate::prompt::{FollowUpPrompt, Prompt};
use vitrine_llm::Request;

/// Tokens of the longest question that is written.
const MOST_TOKENS: u32 = 400;

/// What a model is asked for to rewrite a follow-up. Of the database it is told nothing. The prompt's task is the system
/// text and its examples are turns of the talk: small models follow them best so.
pub fn follow_up(before: &str, text: &str) -> Request {
    let (before, text) = (one_line(before), one_line(text));
    let prompt = FollowUpPrompt { before: &before, text: &text }.render();
    let mut parts = prompt.split("\n\n");
    let system = parts.next().unwrap_or_default().to_owned();
    let mut asked: Vec<&str> = Vec::new();
    let mut replies: Vec<&str> = Vec::new();
    for (question, reply) in parts.filter_map(|part| part.split_once("\nQuestion:")) {
        asked.push(question);
        replies.push(reply.trim());
    }
    let turns = replies.iter().zip(asked.iter().skip(1)).map(|(reply, next)| ((*reply).to_owned(), (*next).to_owned()));
    Request {
        system,
        turns: turns.collect(),
        tail: asked.first().copied().unwrap_or_default().to_owned(),
        max_tokens: MOST_TOKENS,
        ..Request::default()
    }
}

/// The question in a model's reply; `None` where there is none. A reply that only repeats the question before says that the
/// follow-up changes nothing of it: then it is a question of its own.
pub fn followed_up(before: &str, text: &str, reply: &str) -> Option<String> {
    // A model that thinks aloud puts the question last; one that goes on with further examples puts it first.
    let labelled = |line: &str| line.strip_prefix("Question:").map(str::trim).map(str::to_owned);
    let lines = || reply.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines().find_map(labelled).or_else(|| lines().next().map(str::to_owned))?;
    let quotes = ['"', '\'', '“', '”', '„', '«', '»', '`', '*'];
    let bare = line.trim_matches(quotes).trim();
    if one_line(bare).eq_ignore_ascii_case(&one_line(before)) {
        return Some(one_line(text));
    }
    (!bare.is_empty()).then(|| bare.to_owned())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
            assert_eq!(followed_up("How many in 2022?", "and 2023?", reply), asked, "{reply}");
        }
        assert_eq!(followed_up("How many?", "and 2023?", " \n\"\"\n"), None);
    }

    #[test]
    fn a_reply_that_repeats_the_question_before_leaves_the_follow_up_as_it_is() {
        let own = followed_up("What was sold\nmost?", " How many stores? ", "what was sold most?");
        assert_eq!(own.as_deref(), Some("How many stores?"));
    }

    #[test]
    fn the_examples_are_turns_and_the_last_one_asks() {
        let request = follow_up("How many\n\nin 2022?", " and\n2023 ");
        assert!(request.system.starts_with("Somebody asked") && !request.system.contains("Before:"));
        assert!(request.tail.starts_with("Before: How many bicycles"), "{}", request.tail);
        assert_eq!(request.turns.len(), 5);
        assert_eq!(request.turns[0].0, "How many scooters did each shop sell in May 2021?");
        assert_eq!(request.turns[4].1, "Before: How many in 2022?\nFollow-up: and 2023");
        assert_eq!(request.prefix, "");
    }
}
