//! Answers requests with the loaded model: reads each prompt once, shares it among the samples, and generates the
//! samples of all requests in parallel batches. A token for ten samples costs little more than one, as the weights are
//! read only once.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use vitrine_llm::Request;

use crate::protocol::{Failure, Report};
use crate::worker::context::{Context, ContextSize, DecodeError, Interrupt, Item};
use crate::worker::grammar::Grammars;
use crate::worker::job::Job;
use crate::worker::pace::{self, Pace};
use crate::worker::prefixes::{Prefixes, WORTH_KEEPING};
use crate::worker::prompt;
use crate::worker::slots::{Slots, Step, Token, common_prefix_len};

/// Number of cache sequences, for requests in progress and remembered prompts.
const SEQUENCES: usize = 40;
/// Maximum number of tokens of other prompts in the cache. States of schemas are reloaded from disk; each cached token
/// slows down every computed token.
const REMEMBERED: usize = 2048;
/// Maximum batch size in tokens. Larger batches hardly speed up prompts and need more memory.
const BATCH: usize = 256;
/// Minimum reply length in tokens for which there must be room.
const LEAST_REPLY: u32 = 16;

type Tell<'a> = &'a mut dyn FnMut(Report);

/// A loaded model with its cache and requests.
pub(crate) struct Engine {
    model: Arc<LlamaModel>,
    context: Context,
    slots: Slots,
    grammars: Option<Grammars>,
    pace: Pace,
    prefixes: Option<Prefixes>,
    interrupt: Arc<Interrupt>,
    /// True if the model can return to an earlier position of a text; recurrent models cannot.
    goes_back: bool,
    /// Queued requests, first in, first out.
    waiting: VecDeque<Job>,
    /// Requests that are in progress.
    jobs: Vec<Job>,
}

/// The owner of a part of a batch.
enum BatchPart {
    /// Tokens of a job's prompt.
    Prompt { job: usize },
    /// A number of tokens that a job's writer generated.
    Written { job: usize, writer: usize, tokens: usize },
}

/// A part of a batch and the index of its last token.
struct Row {
    part: BatchPart,
    last: usize,
    /// True if the logits after the last token were requested.
    predict: bool,
}

impl Engine {
    /// Creates the cache for a model. `gguf` is used only in error messages.
    pub fn new(
        model: Arc<LlamaModel>,
        gguf: &Path,
        pace: Pace,
        context_tokens: u32,
        prefixes: Option<Prefixes>,
        interrupt: Arc<Interrupt>,
    ) -> Result<Self, Failure> {
        let (sequences, batch) = (SEQUENCES as u32, BATCH as u32);
        let size = ContextSize { tokens: context_tokens, sequences, batch, threads: pace.max_threads() };
        let context = Context::new(model.clone(), size, interrupt.clone()).ok_or_else(|| Failure::OutOfMemory {
            message: format!(
                "no room for a context of {context_tokens} tokens beside {}. Close other programs, or set a shorter \
                 context",
                gguf.display()
            ),
        })?;
        let slots = Slots::new(SEQUENCES, context_tokens as usize, REMEMBERED);
        let goes_back = !model.is_recurrent() && !model.is_hybrid();
        let (waiting, jobs) = (VecDeque::new(), Vec::new());
        Ok(Self { model, context, slots, grammars: None, pace, prefixes, interrupt, goes_back, waiting, jobs })
    }

    /// Checks that no request is queued or in progress.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.jobs.is_empty()
    }

    /// Queues a request; [`Engine::step`] processes it.
    pub fn queue_request(&mut self, id: u64, request: Request, tell: Tell) {
        match self.build_job(id, request) {
            Ok(job) => self.waiting.push_back(job),
            Err(failure) => tell(Report::Failed { id, failure }),
        }
    }

    /// Cancels a request if it is queued or in progress; an unknown id has already ended.
    pub fn cancel_request(&mut self, id: u64, tell: Tell) {
        if let Some(at) = self.waiting.iter().position(|job| job.id == id) {
            self.waiting.remove(at).into_iter().for_each(|job| job.tell_cancelled(tell));
        }
        if let Some(at) = self.jobs.iter().position(|job| job.id == id) {
            let job = self.jobs.remove(at);
            self.let_go(&job);
            job.tell_cancelled(tell);
        }
    }

    /// Computes one batch for all requests in progress: one token of every sample, then prompt tokens up to the batch
    /// size.
    pub fn compute_batch(&mut self, tell: Tell) {
        self.begin_what_fits(tell);
        self.interrupt.set_only_request(match self.jobs.as_slice() {
            [job] if self.waiting.is_empty() => Some(job.id),
            _ => None,
        });
        let (items, rows) = self.build_batch();
        if items.is_empty() {
            return;
        }
        match self.decode_items(&items) {
            Ok(()) => {}
            // The cancelled request is removed before the next step.
            Err(DecodeError::Aborted) => return,
            Err(DecodeError::Full) => return self.give_up_latest(tell),
            Err(DecodeError::Failed(code)) => {
                return self.fail_all(&format!("llama.cpp could not compute a batch (code {code}). Ask again"), tell);
            }
        }
        if let Err(failure) = self.go_on(&rows, tell) {
            return self.fail_all(&failure, tell);
        }
        let mut at = 0;
        while let Some(job) = self.jobs.get(at) {
            if !job.wave_is_written() {
                at += 1;
            } else if let Err(failure) = self.end_wave(at, tell) {
                return self.fail_all(&failure, tell);
            }
        }
    }

    fn build_job(&mut self, id: u64, request: Request) -> Result<Job, Failure> {
        let grammar = self.compile_grammar(&request)?;
        let prompt = prompt::tokenize_request(&self.model, &request);
        let room = self.context.size().tokens as usize;
        let needed = prompt.tokens.len() + LEAST_REPLY.min(request.max_tokens) as usize;
        if needed > room {
            return Err(Failure::ContextExceeded { needed: needed as u32, available: room as u32 });
        }
        Ok(Job::new(id, request, prompt, room, grammar))
    }

    /// Starts queued requests that fit next to those in progress, in order of arrival.
    fn begin_what_fits(&mut self, tell: Tell) {
        while self.waiting.front().is_some_and(|job| self.has_room_for(job)) {
            let Some(mut job) = self.waiting.pop_front() else { return };
            match self.start_job(&mut job) {
                Ok(()) => self.jobs.push(job),
                Err(message) => {
                    tell(Report::Failed { id: job.id, failure: Failure::Internal { message } });
                    return self.fail_all("the cache had to be given up for another request. Ask again", tell);
                }
            }
        }
    }

    /// Checks that a request fits. The first request always starts and may run out of room; further ones must not cause
    /// that.
    fn has_room_for(&self, next: &Job) -> bool {
        if self.jobs.is_empty() || !self.goes_back {
            return self.jobs.is_empty();
        }
        let tokens: usize = self.jobs.iter().map(Job::most_tokens).sum();
        let sequences: usize = self.jobs.iter().map(Job::most_sequences).sum();
        // A prefix that another request is reading need not be read twice.
        let known = self.slots.longest_match(&next.prompt);
        let soon = self
            .jobs
            .iter()
            .filter(|job| job.writers.is_empty())
            .map(|job| common_prefix_len(&job.prompt, &next.prompt));
        tokens + next.most_tokens() <= self.context.size().tokens as usize
            && sequences + next.most_sequences() <= SEQUENCES
            && soon.max().is_none_or(|soon| soon <= known + WORTH_KEEPING)
    }

    fn start_job(&mut self, job: &mut Job) -> Result<(), String> {
        if !self.goes_back {
            self.forget_all();
        }
        let admission = self.slots.admit_prompt(&job.prompt, job.longest).ok_or("no sequence is free. Ask again")?;
        self.context.apply_steps(&admission.steps)?;
        job.seq = admission.seq;
        let wanted = job.prompt.len() - job.stable + job.longest;
        job.cached = match self.restore_prefix(job.seq, admission.cached, &job.prompt[..job.stable], wanted) {
            true => job.stable,
            false => self.slots.len(job.seq),
        };
        job.usage.prompt_tokens = job.prompt.len() as u64;
        job.usage.cached_prompt_tokens = job.cached as u64;
        Ok(())
    }

    /// Loads the state after a stable prefix from disk if that saves reading it. On failure the sequence is unchanged
    /// or empty.
    fn restore_prefix(&mut self, seq: usize, cached: usize, stable: &[Token], wanted: usize) -> bool {
        let saves = stable.len() >= WORTH_KEEPING && stable.len() - cached.min(stable.len()) >= WORTH_KEEPING;
        let Some(path) = self.prefixes.as_ref().filter(|_| saves).and_then(|kept| kept.find_state(stable)) else {
            return false;
        };
        let mut steps = Vec::new();
        self.slots.clear_sequence(seq, &mut steps);
        let fits = self.slots.make_room(stable.len() + wanted, &mut steps);
        if self.context.apply_steps(&steps).is_err() || !fits {
            return false;
        }
        if self.context.load_sequence(&path, seq, stable) {
            self.slots.extend(seq, stable);
            return true;
        }
        // The file is damaged or of another version: the prefix is read again and saved.
        self.prefixes.iter().for_each(|kept| kept.delete_state(stable));
        let _ = self.context.apply_steps(&[Step::Clear { seq }]);
        false
    }

    /// Saves the state after a stable prefix that was just read.
    fn save_prefix(&mut self, job: &Job) {
        if !self.goes_back || job.stable < WORTH_KEEPING || job.cached >= job.stable {
            return;
        }
        let stable = &job.prompt[..job.stable];
        // A separate sequence contains only the prefix; it shares cells and needs no room.
        let Ok(alone) = self.fork_sequence(job.seq, job.stable) else { return };
        if let Some(kept) = &self.prefixes {
            kept.store_state(stable, |path| self.context.save_sequence(path, alone, stable));
        }
        let mut steps = Vec::new();
        self.slots.release_sequence(alone, &mut steps);
        let _ = self.context.apply_steps(&steps);
    }

    fn compile_grammar(&mut self, request: &Request) -> Result<Option<crate::worker::grammar::Grammar>, Failure> {
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

    /// Builds the next batch: first the tokens of samples, then prompts. Background requests are skipped while others
    /// are in progress.
    fn build_batch(&self) -> (Vec<Item>, Vec<Row>) {
        let mut items: Vec<Item> = Vec::new();
        let mut rows = Vec::new();
        let mut add =
            |seq: usize, tokens: &[Token], part: fn(usize, usize, usize) -> BatchPart, job: usize, writer: usize| {
                let taken = tokens.len().min(BATCH - items.len());
                if taken == 0 {
                    return;
                }
                let start = self.slots.len(seq);
                let predict = taken == tokens.len();
                items.extend(tokens[..taken].iter().enumerate().map(|(k, token)| Item {
                    token: *token,
                    position: start + k,
                    sequence: seq,
                    predict: predict && k + 1 == taken,
                }));
                rows.push(Row { part: part(job, writer, taken), last: items.len() - 1, predict });
            };
        let somebody_waits = self.jobs.iter().any(|job| !job.is_in_background());
        let now = || self.jobs.iter().enumerate().filter(|(_, job)| !(somebody_waits && job.is_in_background()));
        for (at, job) in now() {
            for (i, writer) in job.writers.iter().enumerate().filter(|(_, writer)| !writer.is_finished()) {
                let part = |job, writer, tokens| BatchPart::Written { job, writer, tokens };
                add(writer.seq(), writer.pending_tokens(), part, at, i);
            }
        }
        for (at, job) in now().filter(|(_, job)| job.writers.is_empty()) {
            add(job.seq, &job.prompt[self.slots.len(job.seq)..], |job, _, _| BatchPart::Prompt { job }, at, 0);
        }
        (items, rows)
    }

    /// Distributes the logits of the batch to prompts and samples.
    fn go_on(&mut self, rows: &[Row], tell: Tell) -> Result<(), String> {
        let model = self.model.clone();
        let vocab = model.vocab();
        let piece = |token: u32| vocab.token_to_piece(LlamaToken(token as i32), false, None);
        let ends = |token: u32| vocab.is_eog(LlamaToken(token as i32));
        let mut begun = Vec::new();
        for row in rows {
            let prediction = match row.predict {
                true => Some(self.context.logits(row.last).ok_or("llama.cpp gave no prediction. Ask again")?),
                false => None,
            };
            match (&row.part, prediction) {
                (BatchPart::Prompt { job }, Some(prediction)) => {
                    self.jobs[*job].prediction = prediction.to_vec();
                    begun.push(*job);
                }
                (BatchPart::Prompt { .. }, None) => {}
                (BatchPart::Written { job, writer, .. }, Some(prediction)) => {
                    let job = &mut self.jobs[*job];
                    let written = job.writers[*writer].go_on(prediction, &piece, &ends);
                    job.tell_written(*writer, written, tell);
                }
                (BatchPart::Written { job, writer, tokens }, None) => {
                    self.jobs[*job].writers[*writer].was_read(*tokens)
                }
            }
        }
        for job in begun {
            self.begin_wave(job, tell)?;
        }
        Ok(())
    }

    /// Starts the next samples of a job whose prompt has been read.
    fn begin_wave(&mut self, at: usize, tell: Tell) -> Result<(), String> {
        let model = self.model.clone();
        let vocab = model.vocab();
        let piece = |token: u32| vocab.token_to_piece(LlamaToken(token as i32), false, None);
        let ends = |token: u32| vocab.is_eog(LlamaToken(token as i32));
        let (seq, prompt) = (self.jobs[at].seq, self.jobs[at].prompt.len());
        for sample in self.jobs[at].next_wave() {
            let seq = if sample == 0 { seq } else { self.fork_sequence(seq, prompt)? };
            self.jobs[at].add_writer(sample, seq, &piece, &ends, tell);
        }
        Ok(())
    }

    /// Starts the next wave of samples, or ends the job, after all samples of a wave have finished.
    fn end_wave(&mut self, at: usize, tell: Tell) -> Result<(), String> {
        let job = &mut self.jobs[at];
        let mut steps = Vec::new();
        for writer in job.writers.drain(..).filter(|writer| writer.seq() != job.seq) {
            self.slots.release_sequence(writer.seq(), &mut steps);
        }
        self.context.apply_steps(&steps)?;
        if job.failure.is_none() && !job.next_wave().is_empty() {
            return self.begin_wave(at, tell);
        }
        let job = self.jobs.remove(at);
        self.save_prefix(&job);
        self.slots.mark_unused(job.seq);
        job.tell_done(tell);
        Ok(())
    }

    /// Makes room, computes the items and records them in the slots.
    fn decode_items(&mut self, items: &[Item]) -> Result<(), DecodeError> {
        let mut steps = Vec::new();
        let fits = self.slots.make_room(items.len(), &mut steps);
        self.context.apply_steps(&steps).map_err(|_| DecodeError::Failed(-1))?;
        if !fits {
            return Err(DecodeError::Full);
        }
        self.context.set_threads(self.pace.choose_threads(Instant::now(), pace::read_usage));
        loop {
            let result = self.context.decode_batch(items);
            if result == Err(DecodeError::Full) {
                // Unexpected, as room was made; drops remembered prompts one by one before failing.
                let mut steps = Vec::new();
                let capacity = self.context.size().tokens as usize;
                if self.slots.make_room(capacity + 1 - self.slots.used_cells(), &mut steps) || !steps.is_empty() {
                    self.context.apply_steps(&steps).map_err(|_| DecodeError::Failed(-1))?;
                    continue;
                }
            }
            if let Err(error) = result {
                // A part of the batch may be in the cache.
                let mut steps: Vec<Step> = items
                    .iter()
                    .map(|item| Step::Truncate { seq: item.sequence, tokens: self.slots.len(item.sequence) })
                    .collect();
                steps.dedup();
                return Err(match self.context.apply_steps(&steps) {
                    Ok(()) => error,
                    Err(_) => DecodeError::Failed(-1),
                });
            }
            for item in items {
                self.slots.extend(item.sequence, &[item.token]);
            }
            return Ok(());
        }
    }

    fn fork_sequence(&mut self, from: usize, tokens: usize) -> Result<usize, String> {
        let (seq, steps) = self.slots.fork_sequence(from, tokens).ok_or("no sequence is free for another sample")?;
        self.context.apply_steps(&steps)?;
        Ok(seq)
    }

    /// Ends or fails the most recent request when no room is left, so that the others can continue.
    fn give_up_latest(&mut self, tell: Tell) {
        let Some(job) = self.jobs.last_mut() else { return };
        if !job.writers.is_empty() {
            job.run_out(tell);
            let last = self.jobs.len() - 1;
            if let Err(failure) = self.end_wave(last, tell) {
                self.fail_all(&failure, tell);
            }
            return;
        }
        let Some(job) = self.jobs.pop() else { return };
        let needed = (self.slots.used_cells() + job.prompt.len() - self.slots.len(job.seq)) as u32;
        self.let_go(&job);
        let failure = Failure::ContextExceeded { needed, available: self.context.size().tokens };
        tell(Report::Failed { id: job.id, failure });
    }

    /// Frees the sequences of a job that ends early. The part of its prompt that was read stays for other requests.
    fn let_go(&mut self, job: &Job) {
        let mut steps = Vec::new();
        for writer in job.writers.iter().filter(|writer| writer.seq() != job.seq) {
            self.slots.release_sequence(writer.seq(), &mut steps);
        }
        self.slots.mark_unused(job.seq);
        if self.context.apply_steps(&steps).is_err() {
            self.forget_all();
        }
    }

    /// Fails all requests in progress and clears the cache, so that the next request starts from a known state.
    fn fail_all(&mut self, message: &str, tell: Tell) {
        for job in std::mem::take(&mut self.jobs) {
            tell(Report::Failed { id: job.id, failure: Failure::Internal { message: message.to_owned() } });
        }
        self.forget_all();
    }

    fn forget_all(&mut self) {
        self.context.clear();
        self.slots = Slots::new(SEQUENCES, self.context.size().tokens as usize, REMEMBERED);
    }
}
