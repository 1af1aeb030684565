//! Constrains replies to a JSON Schema or a grammar, with llguidance.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{InferenceCapabilities, SimpleVob, TokEnv, TokTrie, TokenId, TokenizerEnv};
use llguidance::{Matcher, ParserFactory};
use serde_json::{Value, json};
use std::sync::Arc;
use vitrine_llm::OutputFormat;

/// Compiles grammars for one model. Created once per model, because its token trie takes a moment to build.
pub(crate) struct Grammars {
    factory: ParserFactory,
    /// The most recent grammars, since agents repeatedly request the same outputs.
    compiled: Vec<(OutputFormat, Matcher)>,
}

const REMEMBERED: usize = 16;

impl Grammars {
    pub fn new(model: &Arc<LlamaModel>) -> Result<Self, String> {
        let trie = LlamaSampler::llguidance_tok_env(model).tok_trie().clone();
        let env: TokEnv = Arc::new(ModelTokens { trie, model: model.clone() });
        let capabilities = InferenceCapabilities { ff_tokens: true, ..InferenceCapabilities::default() };
        let slices = llguidance::earley::SlicedBiasComputer::general_slices();
        let mut factory = ParserFactory::new(&env, capabilities, &slices).map_err(|e| e.to_string())?;
        factory.quiet();
        Ok(Self { factory, compiled: Vec::new() })
    }

    /// Returns a new grammar state for an output; `None` if the output is unconstrained.
    pub fn compile(&mut self, output: &OutputFormat) -> Result<Option<Grammar>, String> {
        let grammar = match output {
            OutputFormat::Text => return Ok(None),
            OutputFormat::JsonSchema { schema, .. } => TopLevelGrammar::from_json_schema(disable_whitespace(schema)?),
            OutputFormat::Lark(text) => TopLevelGrammar::from_lark(text.clone()),
        };
        if let Some(at) = self.compiled.iter().position(|(o, _)| o == output) {
            let known = self.compiled.remove(at);
            let matcher = known.1.clone();
            self.compiled.push(known);
            return Ok(Some(Grammar(matcher)));
        }
        let matcher = Matcher::new(self.factory.create_parser(grammar));
        if let Some(error) = matcher.get_error() {
            return Err(error);
        }
        if self.compiled.len() == REMEMBERED {
            self.compiled.remove(0);
        }
        self.compiled.push((output.clone(), matcher.clone()));
        Ok(Some(Grammar(matcher)))
    }
}

/// Disables flexible white space: small models waste tokens on it, or never stop.
fn disable_whitespace(schema: &Value) -> Result<Value, String> {
    let mut schema = schema.clone();
    let Some(object) = schema.as_object_mut() else {
        return Err("a JSON Schema must be an object".into());
    };
    object
        .entry("x-guidance")
        .or_insert_with(|| json!({ "whitespace_flexible": false, "item_separator": ", ", "key_separator": ": " }));
    Ok(schema)
}

/// The position of one reply in its grammar.
#[derive(Clone)]
pub(crate) struct Grammar(Matcher);

impl Grammar {
    /// Checks if a token may come next.
    pub fn allows_token(&mut self, token: u32) -> Result<bool, String> {
        let env = self.0.tok_env().map_err(|e| e.to_string())?;
        if env.tok_trie().eos_tokens().contains(&token) {
            return self.0.is_accepting().map_err(|e| e.to_string());
        }
        Ok(self.0.validate_tokens(&[token]).map_err(|e| e.to_string())? == 1)
    }

    /// Computes the mask of all tokens that may come next.
    pub fn compute_mask(&mut self) -> Result<SimpleVob, String> {
        self.0.compute_mask_or_eos().map_err(|e| e.to_string())
    }

    /// Advances the state by a token.
    pub fn advance_by(&mut self, token: u32) -> Result<(), String> {
        self.0.consume_token(token).map_err(|e| e.to_string())
    }

    /// Consumes and returns the tokens that must come next, which need not be sampled.
    pub fn take_forced_tokens(&mut self) -> Vec<u32> {
        self.0.consume_ff_tokens()
    }

    /// Checks if the grammar allows no further tokens.
    pub fn is_done(&self) -> bool {
        self.0.is_stopped()
    }
}

/// The model's own tokenizer, so that forced text is tokenized as the model would have done.
struct ModelTokens {
    trie: TokTrie,
    model: Arc<LlamaModel>,
}

impl TokenizerEnv for ModelTokens {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<TokenId> {
        // Forced bytes may end within a character, but llama.cpp requires valid UTF-8.
        let valid = match std::str::from_utf8(bytes) {
            Ok(_) => bytes.len(),
            Err(error) => error.valid_up_to(),
        };
        let mut tokens: Vec<TokenId> = self
            .model
            .vocab()
            .tokenize(&bytes[..valid], false, false)
            .into_iter()
            .map(|t| t.0.cast_unsigned())
            .collect();
        if valid < bytes.len() {
            tokens.extend(self.trie.greedy_tokenize(&bytes[valid..]));
        }
        tokens
    }
}
