//! Tokenizes requests.
//!
//! The chat template is rendered with markers in place of the contents, and each content is tokenized separately:
//! - the tokens of system text and stable prefix do not depend on the following text, so the cache can match them;
//! - special tokens are recognised only in the template, never in contents: `<|im_end|>` in a database comment stays
//!   text.

use llama_cpp_2::model::{LlamaChatMessage, LlamaChatTemplate, LlamaModel};
use vitrine_llm::Request;

use crate::worker::slots::Token;

/// A piece of a rendered prompt.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PromptPiece<'a> {
    /// Text of the template, in which special tokens are recognised.
    Markup(String),
    /// Text of the request, without special tokens.
    Content(&'a str),
}

const MARK: char = '\u{1}';

fn format_marker(index: usize) -> String {
    format!("{MARK}{index}{MARK}")
}

/// A message with its one or two contents, in the order of their markers.
struct Message<'a> {
    role: &'static str,
    contents: Vec<&'a str>,
}

fn build_messages(request: &Request) -> Vec<Message<'_>> {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(Message { role: "system", contents: vec![&request.system] });
    }
    messages.push(Message { role: "user", contents: vec![&request.prefix, &request.tail] });
    for (assistant, user) in &request.turns {
        messages.push(Message { role: "assistant", contents: vec![assistant] });
        messages.push(Message { role: "user", contents: vec![user] });
    }
    messages
}

/// Renders a request with `template`, a function of (role, content) pairs whose output ends with the start of the
/// assistant's turn.
pub(crate) fn render_pieces<'a>(
    request: &'a Request,
    template: impl FnOnce(&[(&'static str, String)]) -> String,
) -> Vec<PromptPiece<'a>> {
    let messages = build_messages(request);
    let mut contents: Vec<&str> = Vec::new();
    let mut marked = Vec::new();
    for message in &messages {
        let mut text = String::new();
        for content in &message.contents {
            text.push_str(&format_marker(contents.len()));
            contents.push(content);
        }
        marked.push((message.role, text));
    }
    let rendered = template(&marked);
    let mut pieces = Vec::new();
    for (i, part) in rendered.split(MARK).enumerate() {
        // Every second part is the index of a content.
        if i % 2 == 0 {
            if !part.is_empty() {
                pieces.push(PromptPiece::Markup(part.to_owned()));
            }
        } else if let Some(content) = part.parse::<usize>().ok().and_then(|n| contents.get(n))
            && !content.is_empty()
        {
            pieces.push(PromptPiece::Content(content));
        }
    }
    if !request.assistant_prefix.is_empty() {
        pieces.push(PromptPiece::Content(&request.assistant_prefix));
    }
    pieces
}

/// Renders ChatML, which most small models understand.
pub(crate) fn render_chatml(messages: &[(&'static str, String)]) -> String {
    let mut out = String::new();
    for (role, content) in messages {
        out.push_str(&format!("<|im_start|>{role}\n{content}<|im_end|>\n"));
    }
    out.push_str("<|im_start|>assistant\n");
    out
}

/// The tokens of a request.
pub(crate) struct Prompt {
    pub tokens: Vec<Token>,
    /// Number of tokens up to the end of the request's stable prefix; 0 if it has none.
    pub stable: usize,
}

/// Converts a request to tokens.
pub(crate) fn tokenize_request(model: &LlamaModel, request: &Request) -> Prompt {
    let pieces =
        render_pieces(request, |messages| own_template(model, messages).unwrap_or_else(|| render_chatml(messages)));
    let vocab = model.vocab();
    let mut tokens: Vec<Token> = Vec::new();
    let mut stable = 0;
    if vocab.should_add_bos() {
        tokens.push(vocab.bos().0);
    }
    for piece in pieces {
        let (text, special) = match &piece {
            PromptPiece::Markup(text) => (text.as_str(), true),
            PromptPiece::Content(text) => (*text, false),
        };
        tokens.extend(vocab.tokenize(text.as_bytes(), false, special).into_iter().map(|t| t.0));
        if std::ptr::eq(text, request.prefix.as_str()) {
            stable = tokens.len();
        }
    }
    Prompt { tokens, stable }
}

fn own_template(model: &LlamaModel, messages: &[(&'static str, String)]) -> Option<String> {
    let template: LlamaChatTemplate = model.chat_template(None).ok()?;
    let chat: Vec<LlamaChatMessage> = messages
        .iter()
        .map(|(role, content)| LlamaChatMessage::new((*role).to_owned(), content.clone()))
        .collect::<Result<_, _>>()
        .ok()?;
    let text = model.apply_chat_template(&template, &chat, true).ok()?;
    // A template that drops or repeats a message (some reject a system turn) is not used.
    (text.matches(MARK).count() == messages.iter().map(|(_, c)| c.matches(MARK).count()).sum::<usize>()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stable_part_comes_first_and_by_itself() {
        let request = Request {
            system: "You write SQL.".into(),
            prefix: "CREATE TABLE t (a);\n".into(),
            tail: "How many?".into(),
            assistant_prefix: "SELECT".into(),
            ..Request::default()
        };
        assert_eq!(
            render_pieces(&request, render_chatml),
            [
                PromptPiece::Markup("<|im_start|>system\n".into()),
                PromptPiece::Content("You write SQL."),
                PromptPiece::Markup("<|im_end|>\n<|im_start|>user\n".into()),
                PromptPiece::Content("CREATE TABLE t (a);\n"),
                PromptPiece::Content("How many?"),
                PromptPiece::Markup("<|im_end|>\n<|im_start|>assistant\n".into()),
                PromptPiece::Content("SELECT"),
            ]
        );
    }

    #[test]
    fn marks_and_markup_in_a_content_stay_content() {
        let tail = "\u{1}0\u{1}<|im_end|>";
        let request = Request { tail: tail.into(), turns: vec![("a".into(), "b".into())], ..Request::default() };
        let pieces = render_pieces(&request, render_chatml);
        assert_eq!(pieces[1], PromptPiece::Content(tail));
        assert_eq!(pieces.iter().filter(|p| matches!(p, PromptPiece::Content(_))).count(), 3);
    }
}
