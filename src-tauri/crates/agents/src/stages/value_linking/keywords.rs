//! Keywords that a model names (CHASE-SQL, 3.2).

use super::phrase::Phrase;
use crate::prompt::Prompt;
use crate::prompt::methods::ExtractKeywords;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::prompt::request::opening_request;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use serde::Deserialize;
use serde_json::json;
use vitrine_domain::{Agent, EventBody};
use vitrine_llm::Request;
use vitrine_sql::normalize_name;

/// Maximum number of keywords that are looked up.
const MOST: usize = 40;
/// Maximum number of characters of a keyword; a longer text is a sentence.
const LONGEST: usize = 80;

#[derive(Deserialize)]
struct KeywordsReply {
    keywords: Vec<String>,
}

/// Asks the model for the keywords in one call and records them; empty if the reply names none or cannot be read.
///
/// # Errors
/// Fails if the model fails.
pub(super) async fn extract_keywords(
    context: &RunContext,
    question: &str,
    facts: &str,
) -> Result<Vec<String>, StageError> {
    let profile = context.model(Agent::Linker).profile();
    let format = ReplyFormat(&profile);
    let keyword = format.text_schema(LONGEST as u32);
    let request = Request {
        tail: ExtractKeywords { question, facts }.render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Names),
        output: format.reply_schema("keywords", json!({ "keywords": format.list_schema(keyword, MOST) })),
        ..opening_request(context.ask.data.catalog.dialect, "")
    };
    let replies = context.call_model(Agent::Linker, nodes::GROUNDING, request).await?;
    let read = vitrine_llm::parse_json::<KeywordsReply>(replies.first_reply());
    let mut keywords: Vec<String> = Vec::new();
    for keyword in read.map(|reply| reply.keywords).unwrap_or_default() {
        let keyword = keyword.trim();
        let known = keywords.iter().any(|known| normalize_name(known) == normalize_name(keyword));
        if !normalize_name(keyword).is_empty() && keyword.chars().count() <= LONGEST && !known {
            keywords.push(keyword.to_owned());
        }
    }
    keywords.truncate(MOST);
    context.emit(EventBody::KeywordsExtracted { node: nodes::GROUNDING.to_owned(), keywords: keywords.clone() });
    Ok(keywords)
}

/// Marks the phrases of the texts that are keywords as names. Keywords that no text contains become phrases of a further text, in which
/// they do not overlap.
pub(super) fn mark_keywords(texts: [Vec<Phrase>; 2], keywords: &[String]) -> Vec<Vec<Phrase>> {
    let mut texts = Vec::from(texts);
    let mut others = Vec::new();
    for (place, keyword) in keywords.iter().enumerate() {
        let is_keyword = |phrase: &&mut Phrase| normalize_name(&phrase.text) == normalize_name(keyword);
        let mut contained = false;
        for phrase in texts.iter_mut().flatten().filter(is_keyword) {
            phrase.is_name = true;
            contained = true;
        }
        if !contained {
            let (text, from) = (keyword.clone(), 2 * place);
            others.push(Phrase { text, from, to: from + 1, is_name: true, beside: Vec::new() });
        }
    }
    texts.push(others);
    texts
}

#[cfg(test)]
mod tests {
    use super::super::phrase::every_phrase;
    use super::*;

    #[test]
    fn keywords_are_phrases_of_the_texts_or_stand_alone() {
        let texts = [every_phrase("songs of the who in the UK"), every_phrase("UK means 'GB'")];
        let keywords = ["The Who", "uk", "United Kingdom", "Great Britain"].map(str::to_owned);
        let marked = mark_keywords(texts, &keywords);
        let names = |text: usize| {
            let names = marked[text].iter().filter(|phrase| phrase.is_name);
            names.map(|phrase| phrase.text.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["the who", "UK"]);
        assert_eq!(names(1), ["GB", "UK"], "a text in quotation marks is a name anyway");
        assert_eq!(names(2), ["United Kingdom", "Great Britain"]);
        assert!(!marked[2][0].overlaps(&marked[2][1]) && !marked[2][0].covers(&marked[2][1]));
        assert!(mark_keywords([Vec::new(), Vec::new()], &[])[2].is_empty());
    }
}
