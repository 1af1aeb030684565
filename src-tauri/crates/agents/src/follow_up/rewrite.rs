//! Rewrites a follow-up with a model that reads the previous question.

use super::complete::{is_joined, is_same_text, words_with_digits};
use crate::prompt::reply::{Writing, max_reply_tokens};
use crate::prompt::{FollowUpAgain, FollowUpPrompt, OneForAll};
use crate::run::calls::more_room;
use tokio_util::sync::CancellationToken;
use vitrine_domain::ModelProfile;
use vitrine_llm::{CallUsage, ChatModel, FinishReason, LlmError, Request, complete_request, strip_reasoning};
use vitrine_sql::normalize_name;

/// Result of rewriting a follow-up with a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewriting {
    /// A complete question, understandable without the previous one.
    Question(String),
    /// The model repeated the previous question, or only joined the two texts.
    Repeated,
    /// The model omitted a number or a value of the follow-up.
    Incomplete(String),
    /// The reply contained no question.
    Missing,
}

/// A follow-up with the question that it continues.
#[derive(Debug, Clone, Copy)]
pub struct FollowUpInput<'a> {
    /// Previous question.
    pub before: &'a str,
    /// Text of the follow-up.
    pub text: &'a str,
    /// Stored values that the follow-up names.
    pub values: &'a [String],
}

/// Asks a model to rewrite a follow-up, without any information about the database. If the reply of a model that thinks is cut off, the
/// request is repeated with twice the room, because the question follows the thinking. A model that repeats the previous question is asked
/// once again. A rewritten question must contain the follow-up's numbers, and the stored values that it names. `spent` receives the usage of
/// every call.
///
/// # Errors
/// Fails if the model fails or `cancel` stops it.
pub async fn follow_up(
    model: &dyn ChatModel,
    asked: FollowUpInput<'_>,
    cancel: CancellationToken,
    mut spent: impl FnMut(&CallUsage),
) -> Result<Rewriting, LlmError> {
    let profile = model.profile();
    let FollowUpInput { before, text, .. } = asked;
    let mut request = build_request(before, text, &profile);
    let mut told = false;
    loop {
        let done = complete_request(model, request.clone(), cancel.clone(), |_| {}).await?;
        spent(&done.usage);
        if profile.writes_at_length() && done.reasons.first() == Some(&FinishReason::Length) {
            match more_room(request.max_tokens, profile.reply_tokens) {
                Some(more) => request.max_tokens = more,
                None => return Ok(Rewriting::Missing),
            }
            continue;
        }
        match followed_up(done.first_reply()) {
            Some(repeated) if is_same_text(&repeated, before) && !told => {
                told = true;
                request.turns.push((repeated, FollowUpAgain { text: &one_line(text) }.render()));
            }
            reply => return Ok(check_rewriting(reply, asked)),
        }
    }
}

/// Checks that a reply is a different question from the previous one and contains the numbers and values of the follow-up.
fn check_rewriting(reply: Option<String>, FollowUpInput { before, text, values }: FollowUpInput<'_>) -> Rewriting {
    let Some(question) = reply else { return Rewriting::Missing };
    if is_same_text(&question, before) || is_joined(&question, before, text) {
        return Rewriting::Repeated;
    }
    let (numbers, normal) = (words_with_digits(&question), normalize_name(&question));
    let number = words_with_digits(text).into_iter().find(|number| !numbers.contains(number));
    let value = || values.iter().find(|value| !normal.contains(&normalize_name(value))).cloned();
    match number.or_else(value) {
        Some(missing) => Rewriting::Incomplete(missing),
        None => Rewriting::Question(question),
    }
}

/// Builds the request. The prompt's task is the system text and its examples are turns of the conversation, because small models follow
/// them best in this form.
fn build_request(before: &str, text: &str, profile: &ModelProfile) -> Request {
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
        max_tokens: max_reply_tokens(profile, Writing::Question),
        ..Request::default()
    }
}

/// Returns the question in a model's reply; `None` if there is none.
fn followed_up(reply: &str) -> Option<String> {
    // A model that explains first puts the question last; one that continues with further examples puts it first.
    let labelled = |line: &str| line.strip_prefix("Question:").map(str::trim).map(str::to_owned);
    let lines = || strip_reasoning(reply).lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines().find_map(labelled).or_else(|| lines().next().map(str::to_owned))?;
    let quotes = ['"', '\'', '“', '”', '„', '«', '»', '`', '*'];
    let bare = line.trim_matches(quotes).trim();
    (!bare.is_empty()).then(|| bare.to_owned())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Reasoning;
    use vitrine_llm::{Line, ScriptedModel};

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

    #[tokio::test]
    async fn a_model_that_repeats_the_question_before_is_told_so_once() {
        let followed = async |lines: &[&str], text: &str| {
            let model = ScriptedModel::new(lines.to_vec());
            let asked = FollowUpInput { before: "What was sold\nmost?", text, values: &[] };
            let question = follow_up(&model, asked, CancellationToken::new(), |_| {}).await;
            (question.unwrap(), model.requests())
        };
        let (question, asked) = followed(&["what was sold most?", "What was sold most in 2023?"], "and in 2023?").await;
        assert_eq!(question, Rewriting::Question("What was sold most in 2023?".to_owned()));
        let (replied, told) = asked[1].turns.last().unwrap();
        assert_eq!(replied, "what was sold most?");
        assert!(told.contains("go on with \"and in 2023?\""), "{told}");
        assert_eq!(asked[1].tail, asked[0].tail, "what was asked before stays");
        let (question, asked) = followed(&["What was sold most?"; 2], "and in 2023?").await;
        assert_eq!((question, asked.len()), (Rewriting::Repeated, 2));
    }

    #[test]
    fn a_reply_holds_the_numbers_of_the_follow_up_and_is_not_both_texts() {
        let before = "Compare revenue in 2022 and 2023";
        let judged = |reply: &str, text: &str| {
            let asked = FollowUpInput { before, text, values: &["Spain".to_owned()] };
            check_rewriting(Some(reply.to_owned()), asked)
        };
        let whole = "Compare revenue in Spain in 2022, 2023 and 2024";
        assert_eq!(judged(whole, "and for 2024?"), Rewriting::Question(whole.to_owned()));
        let left_out = judged("Compare the revenue of 2022 and 2023", "and for 2024?");
        assert_eq!(left_out, Rewriting::Incomplete("2024".to_owned()));
        assert_eq!(judged("Compare revenue in 2022 and 2023 (and for 2024?)", "and for 2024?"), Rewriting::Repeated);
        assert_eq!(judged("compare revenue in 2022 and 2023?", "only Spain"), Rewriting::Repeated);
        let left_out = judged("Compare revenue in 2022, 2023 and 2024", "and for Spain?");
        assert_eq!(left_out, Rewriting::Incomplete("Spain".to_owned()));
        let own = "How many stores are there in Spain?";
        assert_eq!(judged(own, own), Rewriting::Question(own.to_owned()), "a question of its own is repeated");
    }

    #[test]
    fn the_examples_are_turns_and_the_last_one_asks() {
        let small = ModelProfile { deliberates: false, ..ModelProfile::default() };
        let request = build_request("How many\n\nin 2022?", " and\n2023 ", &small);
        assert!(request.system.starts_with("Somebody asked") && !request.system.contains("Before:"));
        assert!(request.tail.starts_with("Before: How many bicycles"), "{}", request.tail);
        assert_eq!(request.turns.len(), 5);
        assert_eq!(request.turns[0].0, "How many scooters did each shop sell in May 2021?");
        assert_eq!(request.turns[4].1, "Before: How many in 2022?\nFollow-up: and 2023");
        assert_eq!((request.prefix.as_str(), request.max_tokens), ("", 400));
    }

    async fn ask_model(profile: ModelProfile, lines: Vec<Line>) -> (Rewriting, Vec<u32>, u32) {
        let model = ScriptedModel::new(lines).with_profile(profile);
        let mut calls = 0;
        let asked = FollowUpInput { before: "How many in 2022?", text: "and 2023?", values: &[] };
        let question = follow_up(&model, asked, CancellationToken::new(), |_| calls += 1);
        let question = question.await.unwrap();
        (question, model.requests().iter().map(|request| request.max_tokens).collect(), calls)
    }

    #[tokio::test]
    async fn the_question_stands_behind_the_thinking_and_a_reply_that_was_cut_off_is_asked_again() {
        let thinks = ModelProfile { reasoning: Reasoning::Text, reply_tokens: 16_000, ..ModelProfile::default() };
        let cut = Line::CutOff("<think>They want to know".to_owned());
        let whole = Line::from("<think>They want to know\nhow many</think>\n\nHow many in 2023?");
        let right = Rewriting::Question("How many in 2023?".to_owned());
        assert_eq!(
            ask_model(thinks.clone(), vec![cut.clone(), whole.clone()]).await,
            (right.clone(), vec![8_000, 16_000], 2)
        );
        assert_eq!(
            ask_model(thinks.clone(), vec![cut.clone(), cut.clone()]).await,
            (Rewriting::Missing, vec![8_000, 16_000], 2)
        );
        let little = ModelProfile { deliberates: false, ..thinks };
        assert_eq!(ask_model(little, vec![cut, whole]).await, (right.clone(), vec![8_400, 16_000], 2));

        let small = ModelProfile { deliberates: false, ..ModelProfile::default() };
        let goes_on = Line::CutOff("How many in 2023?\n\nBefore: What".to_owned());
        assert_eq!(ask_model(small, vec![goes_on]).await, (right, vec![400], 1), "what stands first is whole");
    }
}
