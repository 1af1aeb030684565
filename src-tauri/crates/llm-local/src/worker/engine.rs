//! Answers requests with the loaded model: reads the prompt, shares it among the samples, writes them side by side.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use vitrine_llm::{CallUsage, FinishReason, ModelEvent, Request};

use crate::protocol::Failure;
use crate::worker::context::{CancelFlag, Context, ContextSize, DecodeError, Item};
use crate::worker::grammar::Grammars;
use crate::worker::pace::{self, Pace};
use crate::worker::prefixes::{Prefixes, WORTH_KEEPING};
use crate::worker::prompt::{self, Prompt};
use crate::worker::sampler::Sampler;
use crate::worker::slots::{Slots, Step, Token};
use crate::worker::writer::{Writer, Written};

/// Sequences of the cache: those of the request in hand and those remembered.
const SEQUENCES: u32 = 40;
/// Tokens of other texts kept in the cache. States of schemas come back from disk; what is here costs time at every token.
const REMEMBERED: usize = 2048;
/// Samples written side by side; more than these are written in turns.
const WAVE: u32 = 16;
/// Tokens computed at once. Larger ones read prompts hardly faster and take more memory.
const BATCH: u32 = 256;
/// A reply shorter than this is not worth starting.
const LEAST_REPLY: u32 = 16;

/// One loaded model.
pub(crate) struct Engine {
    model: Arc<LlamaModel>,
    context: Context,
    slots: Slots,
    grammars: Option<Grammars>,
    pace: Pace,
    prefixes: Option<Prefixes>,
    cancel: Arc<CancelFlag>,
}

/// Why a request ended early, not by its own fault.
enum Stop {
    Cancelled,
    Failed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Failed(failure)
    }
}

impl Engine {
    /// Makes the cache for a model. `gguf` is for messages.
    pub fn new(
        model: Arc<LlamaModel>,
        gguf: &Path,
        pace: Pace,
        context_tokens: u32,
        prefixes: Option<Prefixes>,
        cancel: Arc<CancelFlag>,
    ) -> Result<Self, Failure> {
        let size = ContextSize { tokens: context_tokens, sequences: SEQUENCES, batch: BATCH, threads: pace.most() };
        let context = Context::new(model.clone(), size, cancel.clone()).ok_or_else(|| Failure::OutOfMemory {
            message: format!(
                "no room for a context of {context_tokens} tokens beside {}. Close other programs, or set a shorter \
                 context",
                gguf.display()
            ),
        })?;
        let slots = Slots::new(SEQUENCES as usize, context_tokens as usize, REMEMBERED);
        Ok(Self { model, context, slots, grammars: None, pace, prefixes, cancel })
    }

    /// Answers a request; every event goes to `emit` at once.
    pub fn answer(&mut self, request: &Request, emit: &mut dyn FnMut(ModelEvent)) -> Result<(), Failure> {
        let mut usage = CallUsage::default();
        let mut finished = vec![false; request.samples.max(1) as usize];
        let result = {
            let mut emit = |event: ModelEvent| {
                if let ModelEvent::Finished { sample, .. } = &event {
                    finished[*sample as usize] = true;
                }
                emit(event);
            };
            self.run(request, &mut usage, &mut emit)
        };
        self.slots.release_all();
        match result {
            Ok(()) => {}
            Err(Stop::Cancelled) => {
                for (sample, _) in finished.iter().enumerate().filter(|(_, done)| !**done) {
                    emit(ModelEvent::Finished { sample: sample as u32, reason: FinishReason::Cancelled });
                }
            }
            Err(Stop::Failed(failure)) => {
                // Whatever went wrong, the next request starts from a cache that is known.
                self.forget_all();
                return Err(failure);
            }
        }
        emit(ModelEvent::Usage(usage));
        Ok(())
    }

    fn run(&mut self, request: &Request, usage: &mut CallUsage, emit: &mut dyn FnMut(ModelEvent)) -> Result<(), Stop> {
        let grammar = self.grammar(request)?;
        let Prompt { tokens: prompt, stable } = prompt::read(&self.model, request);
        let room = self.context.size().tokens as usize;
        let needed = prompt.len() + LEAST_REPLY.min(request.max_tokens) as usize;
        if needed > room {
            let failure = Failure::ContextExceeded { needed: needed as u32, available: room as u32 };
            return Err(Stop::Failed(failure));
        }
        let longest = (request.max_tokens as usize).min(room - prompt.len());

        let mut admission = self.slots.admit(&prompt, longest);
        if self.context.apply(&admission.steps).is_err() {
            // Recurrent models cannot go back to the middle of a text: read all of it.
            self.forget_all();
            admission = self.slots.admit(&prompt, longest);
        }
        let first = admission.seq;
        let stable = &prompt[..stable];
        let cached = match self.restore(first, admission.cached, stable, prompt.len() - stable.len() + longest) {
            true => stable.len(),
            false => self.slots.len(first),
        };
        usage.prompt_tokens = prompt.len() as u64;
        usage.cached_prompt_tokens = cached as u64;
        let prediction = self.read(first, &prompt[cached..])?;

        let samples: Vec<u32> = (0..request.samples.max(1)).collect();
        for wave in samples.chunks(WAVE as usize) {
            let mut writers = Vec::with_capacity(wave.len());
            for (i, sample) in wave.iter().enumerate() {
                let seq = if i == 0 && *sample == 0 { first } else { self.fork(first, prompt.len())? };
                let sampler = Sampler::new(request, *sample);
                writers.push(Writer::new(request, *sample, seq, longest, sampler, grammar.clone()));
            }
            self.write(&mut writers, &prediction, usage, emit)?;
            let mut steps = Vec::new();
            for writer in writers.iter().filter(|w| w.seq() != first) {
                self.slots.release(writer.seq(), &mut steps);
            }
            self.apply(&steps)?;
        }
        self.keep(first, cached, stable);
        Ok(())
    }

    /// Takes the state after a stable beginning from disk, where that saves reading it. On failure the sequence holds
    /// what it held, or nothing.
    fn restore(&mut self, seq: usize, cached: usize, stable: &[Token], wanted: usize) -> bool {
        let saves = stable.len() >= WORTH_KEEPING && stable.len() - cached.min(stable.len()) >= WORTH_KEEPING;
        let Some(path) = self.prefixes.as_ref().filter(|_| saves).and_then(|kept| kept.find(stable)) else {
            return false;
        };
        let mut steps = Vec::new();
        self.slots.clear(seq, &mut steps);
        let fits = self.slots.make_room(stable.len() + wanted, &mut steps);
        if self.context.apply(&steps).is_err() || !fits {
            return false;
        }
        if self.context.load(&path, seq, stable) {
            self.slots.extend(seq, stable);
            return true;
        }
        // Of another version, or damaged: read it anew and keep that.
        self.prefixes.iter().for_each(|kept| kept.forget(stable));
        let _ = self.context.apply(&[Step::Clear { seq }]);
        false
    }

    /// Keeps the state after a stable beginning that was read just now.
    fn keep(&mut self, seq: usize, cached: usize, stable: &[Token]) {
        if stable.len() < WORTH_KEEPING || cached >= stable.len() || self.cancel.is_set() {
            return;
        }
        // A sequence of its own holds the beginning alone, and costs no room.
        let Ok(alone) = self.fork(seq, stable.len()) else { return };
        if let Some(kept) = &self.prefixes {
            kept.keep(stable, |path| self.context.save(path, alone, stable));
        }
        let mut steps = Vec::new();
        self.slots.release(alone, &mut steps);
        let _ = self.context.apply(&steps);
    }

    fn grammar(&mut self, request: &Request) -> Result<Option<crate::worker::grammar::Grammar>, Failure> {
        if request.output == vitrine_llm::OutputFormat::Text {
            return Ok(None);
        }
        let failed = |message: String| Failure::Output {
            message: format!("the form asked of the reply cannot be used: {message}"),
        };
        if self.grammars.is_none() {
            self.grammars = Some(Grammars::new(&self.model).map_err(failed)?);
        }
        match &mut self.grammars {
            Some(grammars) => grammars.compile(&request.output).map_err(failed),
            None => Ok(None),
        }
    }

    /// Reads tokens into a sequence; gives the prediction after the last.
    fn read(&mut self, seq: usize, tokens: &[Token]) -> Result<Vec<f32>, Stop> {
        let mut prediction = Vec::new();
        let mut left = tokens.len();
        for part in tokens.chunks(BATCH as usize) {
            left -= part.len();
            let start = self.slots.len(seq);
            let items: Vec<Item> = part
                .iter()
                .enumerate()
                .map(|(i, token)| Item {
                    token: *token,
                    position: start + i,
                    sequence: seq,
                    predict: left == 0 && i + 1 == part.len(),
                })
                .collect();
            self.decode(&items)?;
            if left == 0 {
                prediction = self.prediction(items.len() - 1)?.to_vec();
            }
        }
        Ok(prediction)
    }

    fn write(
        &mut self,
        writers: &mut [Writer],
        prediction: &[f32],
        usage: &mut CallUsage,
        emit: &mut dyn FnMut(ModelEvent),
    ) -> Result<(), Stop> {
        let model = self.model.clone();
        let vocab = model.vocab();
        let piece = |token: u32| vocab.token_to_piece(LlamaToken(token as i32), false, None);
        let ends = |token: u32| vocab.is_eog(LlamaToken(token as i32));
        for writer in writers.iter_mut() {
            let written = writer.begin(prediction, &piece, &ends).map_err(broken_form)?;
            report(writer, written, usage, emit);
        }
        loop {
            if self.cancel.is_set() {
                return Err(Stop::Cancelled);
            }
            // As many writers as fit into one batch: a prediction lives only until the next batch.
            let mut items: Vec<Item> = Vec::new();
            let mut rows = Vec::new();
            for (i, writer) in writers.iter().enumerate() {
                if writer.is_finished() || items.len() + writer.pending().len() > BATCH as usize {
                    continue;
                }
                let start = self.slots.len(writer.seq());
                let last = writer.pending().len() - 1;
                items.extend(writer.pending().iter().enumerate().map(|(k, token)| Item {
                    token: *token,
                    position: start + k,
                    sequence: writer.seq(),
                    predict: k == last,
                }));
                rows.push((i, items.len() - 1));
            }
            if items.is_empty() {
                match writers.iter_mut().find(|w| !w.is_finished()) {
                    None => return Ok(()),
                    // Forced text longer than a batch: read all but its end first.
                    Some(writer) => {
                        let (seq, tokens) = (writer.seq(), writer.take_all_but_last());
                        self.read(seq, &tokens)?;
                        continue;
                    }
                }
            }
            match self.decode(&items) {
                Ok(()) => {}
                Err(Stop::Failed(Failure::ContextExceeded { .. })) => {
                    for writer in writers.iter_mut().filter(|w| !w.is_finished()) {
                        let written = writer.run_out();
                        report(writer, written, usage, emit);
                    }
                    return Ok(());
                }
                Err(stop) => return Err(stop),
            }
            for (i, row) in rows {
                let prediction = self.prediction(row)?;
                let written = writers[i].go_on(prediction, &piece, &ends).map_err(broken_form)?;
                report(&writers[i], written, usage, emit);
            }
        }
    }

    /// Computes items and notes them; makes room first.
    fn decode(&mut self, items: &[Item]) -> Result<(), Stop> {
        let mut steps = Vec::new();
        let fits = self.slots.make_room(items.len(), &mut steps);
        self.apply(&steps)?;
        let full = Failure::ContextExceeded {
            needed: (self.slots.taken() + items.len()) as u32,
            available: self.context.size().tokens,
        };
        if !fits {
            return Err(Stop::Failed(full));
        }
        self.context.set_threads(self.pace.threads(Instant::now(), pace::usage));
        loop {
            let result = self.context.decode(items);
            if result == Err(DecodeError::Full) {
                // Should not happen, as room was made; give up remembered texts one by one before giving up.
                let mut steps = Vec::new();
                let capacity = self.context.size().tokens as usize;
                if self.slots.make_room(capacity + 1 - self.slots.taken(), &mut steps) || !steps.is_empty() {
                    self.apply(&steps)?;
                    continue;
                }
            }
            return match result {
                Ok(()) => {
                    for item in items {
                        self.slots.extend(item.sequence, &[item.token]);
                    }
                    Ok(())
                }
                Err(error) => {
                    // A part of the batch may be in the cache.
                    let mut steps: Vec<Step> = items
                        .iter()
                        .map(|item| Step::Truncate { seq: item.sequence, tokens: self.slots.len(item.sequence) })
                        .collect();
                    steps.dedup();
                    if self.context.apply(&steps).is_err() {
                        self.forget_all();
                    }
                    Err(match error {
                        DecodeError::Aborted => Stop::Cancelled,
                        DecodeError::Full => Stop::Failed(full),
                        DecodeError::Failed(code) => Stop::Failed(Failure::Internal {
                            message: format!("llama.cpp could not compute a batch (code {code}). Ask again"),
                        }),
                    })
                }
            };
        }
    }

    fn prediction(&mut self, row: usize) -> Result<&[f32], Stop> {
        self.context.logits(row).ok_or_else(|| {
            Stop::Failed(Failure::Internal { message: "llama.cpp gave no prediction. Ask again".to_owned() })
        })
    }

    fn fork(&mut self, from: usize, tokens: usize) -> Result<usize, Stop> {
        let (seq, steps) = self.slots.fork(from, tokens).ok_or_else(|| {
            Stop::Failed(Failure::Internal { message: "no sequence is free for another sample".to_owned() })
        })?;
        self.apply(&steps)?;
        Ok(seq)
    }

    fn apply(&mut self, steps: &[Step]) -> Result<(), Stop> {
        self.context.apply(steps).map_err(|message| Stop::Failed(Failure::Internal { message: message.to_owned() }))
    }

    fn forget_all(&mut self) {
        self.context.clear();
        self.slots = Slots::new(SEQUENCES as usize, self.context.size().tokens as usize, REMEMBERED);
    }
}

fn broken_form(message: String) -> Stop {
    Stop::Failed(Failure::Output { message: format!("the form asked of the reply could not be kept: {message}") })
}

fn report(writer: &Writer, written: Written, usage: &mut CallUsage, emit: &mut dyn FnMut(ModelEvent)) {
    usage.completion_tokens += u64::from(written.tokens);
    if !written.text.is_empty() {
        emit(ModelEvent::Token { sample: writer.sample(), text: written.text });
    }
    if let Some(reason) = written.finished {
        emit(ModelEvent::Finished { sample: writer.sample(), reason });
    }
}
