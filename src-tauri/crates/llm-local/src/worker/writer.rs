//! One sample of a reply during generation.

use vitrine_domain::TokenProbability;
use vitrine_llm::{FinishReason, Request};

use crate::worker::grammar::Grammar;
use crate::worker::sampler::{Sampler, log_probability};
use crate::worker::slots::Token;
use crate::worker::text::{TextOut, is_stuck};

/// The state of one sample.
pub(crate) struct Writer {
    sample: u32,
    seq: usize,
    sampler: Sampler,
    grammar: Option<Grammar>,
    text: TextOut,
    /// Chosen or forced tokens that the model has not read yet.
    pending: Vec<Token>,
    tokens: Vec<Token>,
    longest: usize,
    finished: bool,
    probability: TokenProbability,
}

/// The output of one step.
#[derive(Debug, Default)]
pub(crate) struct WriterOutput {
    pub text: String,
    pub tokens: u32,
    pub finished: Option<FinishReason>,
}

/// Returns the bytes of a token.
pub(crate) type Pieces<'a> = &'a dyn Fn(u32) -> Vec<u8>;
/// Checks if a token ends a reply.
pub(crate) type Ends<'a> = &'a dyn Fn(u32) -> bool;

impl Writer {
    pub fn new(
        request: &Request,
        sample: u32,
        seq: usize,
        longest: usize,
        sampler: Sampler,
        grammar: Option<Grammar>,
    ) -> Self {
        Self {
            sample,
            seq,
            sampler,
            grammar,
            text: TextOut::new(&request.stop),
            pending: Vec::new(),
            tokens: Vec::new(),
            longest,
            finished: false,
            probability: TokenProbability::default(),
        }
    }

    pub fn sample_index(&self) -> u32 {
        self.sample
    }

    pub fn seq(&self) -> usize {
        self.seq
    }

    /// Returns the probability of the tokens that the model chose: excludes forced text, includes the end token.
    pub fn probability(&self) -> Option<TokenProbability> {
        (self.probability.tokens > 0).then(|| self.probability.clone())
    }

    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Returns the tokens that the model must read next; never empty until finished.
    pub fn pending_tokens(&self) -> &[Token] {
        &self.pending
    }

    /// Removes the first pending tokens after they were read: forced text may exceed one batch.
    pub fn was_read(&mut self, tokens: usize) {
        self.pending.drain(..tokens);
    }

    /// Takes the first step from the logits after the prompt; a grammar may force the first tokens.
    pub fn start_reply(&mut self, prediction: &[f32], piece: Pieces, ends: Ends) -> Result<WriterOutput, String> {
        let mut written = WriterOutput::default();
        if self.longest == 0 {
            self.finish_reply(FinishReason::Length, &mut written);
            return Ok(written);
        }
        self.take_forced(piece, &mut written);
        if self.pending.is_empty() && !self.finished {
            self.choose_token(prediction, piece, ends, &mut written)?;
        }
        Ok(written)
    }

    /// Takes the next step after all pending tokens have been read.
    pub fn go_on(&mut self, prediction: &[f32], piece: Pieces, ends: Ends) -> Result<WriterOutput, String> {
        let mut written = WriterOutput::default();
        self.pending.clear();
        self.choose_token(prediction, piece, ends, &mut written)?;
        Ok(written)
    }

    /// Ends the sample for lack of room.
    pub fn run_out(&mut self) -> WriterOutput {
        let mut written = WriterOutput::default();
        self.finish_reply(FinishReason::Length, &mut written);
        written
    }

    fn choose_token(
        &mut self,
        prediction: &[f32],
        piece: Pieces,
        ends: Ends,
        written: &mut WriterOutput,
    ) -> Result<(), String> {
        let chosen = self.sampler.next(prediction, self.grammar.as_mut())?;
        if let Some(token) = chosen {
            self.probability.add_log_probability(log_probability(prediction, token));
        }
        match chosen {
            Some(token) if !ends(token) => {
                if let Some(grammar) = &mut self.grammar {
                    grammar.advance_by(token)?;
                }
                self.push_token(token, piece, written);
                self.take_forced(piece, written);
            }
            _ => self.finish_reply(FinishReason::Stop, written),
        }
        Ok(())
    }

    fn take_forced(&mut self, piece: Pieces, written: &mut WriterOutput) {
        let Some(grammar) = &mut self.grammar else { return };
        let forced = if grammar.is_done() { Vec::new() } else { grammar.take_forced_tokens() };
        for token in forced {
            if self.finished {
                return;
            }
            self.push_token(token, piece, written);
        }
        if !self.finished && self.grammar.as_ref().is_some_and(Grammar::is_done) {
            self.finish_reply(FinishReason::Stop, written);
        }
    }

    fn push_token(&mut self, token: u32, piece: Pieces, written: &mut WriterOutput) {
        self.pending.push(token as Token);
        self.tokens.push(token as Token);
        written.tokens += 1;
        let shown = self.text.push(&piece(token));
        written.text.push_str(&shown.text);
        if shown.stopped {
            self.finished = true;
            written.finished = Some(FinishReason::Stop);
        } else if self.tokens.len() >= self.longest || is_stuck(&self.tokens) {
            // A grammar that is complete at exactly this token gives a regular end.
            let whole = self.grammar.as_ref().is_some_and(Grammar::is_done);
            self.finish_reply(if whole { FinishReason::Stop } else { FinishReason::Length }, written);
        }
    }

    fn finish_reply(&mut self, reason: FinishReason, written: &mut WriterOutput) {
        written.text.push_str(&self.text.finish());
        written.finished = Some(reason);
        self.finished = true;
    }
}
