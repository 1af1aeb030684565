//! One request in progress: its prompt, its samples and its reports to the caller.

use std::ops::Range;

use vitrine_llm::{CallUsage, FinishReason, ModelEvent, Request};

use crate::protocol::{Failure, Report};
use crate::worker::grammar::Grammar;
use crate::worker::prompt::Prompt;
use crate::worker::sampler::Sampler;
use crate::worker::slots::Token;
use crate::worker::writer::{Ends, Pieces, Writer, WriterOutput};

/// Maximum number of samples of one request that are generated in parallel; more are generated in waves.
const WAVE: u32 = 16;

/// A request, from its arrival to its last report.
pub(crate) struct Job {
    pub id: u64,
    request: Request,
    grammar: Option<Grammar>,
    pub prompt: Vec<Token>,
    /// Number of prompt tokens that do not depend on the question.
    pub stable: usize,
    /// Maximum number of tokens of a sample.
    pub longest: usize,
    /// The sequence that reads the prompt; its first sample continues in it.
    pub seq: usize,
    /// Number of prompt tokens that came from the cache.
    pub cached: usize,
    /// The logits after the prompt; empty until it has been read.
    pub prediction: Vec<f32>,
    /// The samples of the current wave; empty while the prompt is read.
    pub writers: Vec<Writer>,
    /// Number of samples started, including the current wave.
    begun: u32,
    pub usage: CallUsage,
    /// The error that ended the job.
    pub failure: Option<Failure>,
}

impl Job {
    /// Creates a job. `room` is the context size in tokens, which must exceed the prompt.
    pub fn new(id: u64, request: Request, prompt: Prompt, room: usize, grammar: Option<Grammar>) -> Self {
        let Prompt { tokens: prompt, stable } = prompt;
        Self {
            id,
            longest: (request.max_tokens as usize).min(room - prompt.len()),
            request,
            grammar,
            prompt,
            stable,
            seq: 0,
            cached: 0,
            prediction: Vec::new(),
            writers: Vec::new(),
            begun: 0,
            usage: CallUsage::default(),
            failure: None,
        }
    }

    /// Returns true if no user waits for the request.
    pub fn is_in_background(&self) -> bool {
        self.request.background
    }

    fn sample_count(&self) -> u32 {
        self.request.samples.max(1)
    }

    /// Returns the maximum number of cells that the job needs if it shares none with the cache.
    pub fn most_tokens(&self) -> usize {
        self.prompt.len() + self.longest * self.sample_count().min(WAVE) as usize
    }

    /// Returns the maximum number of sequences that the job needs, including one for its stable prefix.
    pub fn most_sequences(&self) -> usize {
        self.sample_count().min(WAVE) as usize + 1
    }

    /// Returns the samples to start next.
    pub fn next_wave(&self) -> Range<u32> {
        self.begun..self.sample_count().min(self.begun + WAVE)
    }

    /// Starts a sample in a sequence that contains the prompt.
    pub fn add_writer(&mut self, sample: u32, seq: usize, piece: Pieces, ends: Ends, tell: &mut dyn FnMut(Report)) {
        let sampler = Sampler::new(&self.request, sample);
        let mut writer = Writer::new(&self.request, sample, seq, self.longest, sampler, self.grammar.clone());
        let written = writer.start_reply(&self.prediction, piece, ends);
        self.writers.push(writer);
        self.begun += 1;
        self.tell_written(self.writers.len() - 1, written, tell);
    }

    /// Checks if all samples of the wave have finished or the job has failed.
    pub fn wave_is_written(&self) -> bool {
        let written = !self.writers.is_empty() && self.writers.iter().all(Writer::is_finished);
        written || self.failure.is_some()
    }

    /// Ends every sample for lack of room and starts no more.
    pub fn run_out(&mut self, tell: &mut dyn FnMut(Report)) {
        for at in 0..self.writers.len() {
            if !self.writers[at].is_finished() {
                let written = self.writers[at].run_out();
                self.tell_written(at, Ok(written), tell);
            }
        }
        for sample in self.begun..self.sample_count() {
            let reason = FinishReason::Length;
            self.tell_event(ModelEvent::Finished { sample, reason, probability: None }, tell);
        }
        self.begun = self.sample_count();
    }

    /// Reports the result of one step of a writer.
    pub fn tell_written(&mut self, writer: usize, written: Result<WriterOutput, String>, tell: &mut dyn FnMut(Report)) {
        let sample = self.writers[writer].sample_index();
        match written {
            Err(message) => {
                let message = format!("the form asked of the reply could not be kept: {message}");
                self.failure = Some(Failure::Output { message });
            }
            Ok(written) => {
                self.usage.completion_tokens += u64::from(written.tokens);
                if !written.text.is_empty() {
                    self.tell_event(ModelEvent::Token { sample, text: written.text }, tell);
                }
                if let Some(reason) = written.finished {
                    let probability = self.writers[writer].probability();
                    self.tell_event(ModelEvent::Finished { sample, reason, probability }, tell);
                }
            }
        }
    }

    /// Sends the last reports of a job whose samples have finished or that failed.
    pub fn tell_done(self, tell: &mut dyn FnMut(Report)) {
        match self.failure {
            Some(failure) => tell(Report::Failed { id: self.id, failure }),
            None => {
                self.tell_event(ModelEvent::Usage(self.usage), tell);
                tell(Report::Done { id: self.id });
            }
        }
    }

    /// Sends the last reports of a cancelled job.
    pub fn tell_cancelled(self, tell: &mut dyn FnMut(Report)) {
        let open = self.writers.iter().filter(|writer| !writer.is_finished()).map(Writer::sample_index);
        for sample in open.chain(self.begun..self.sample_count()) {
            let reason = FinishReason::Cancelled;
            self.tell_event(ModelEvent::Finished { sample, reason, probability: None }, tell);
        }
        self.tell_done(tell);
    }

    fn tell_event(&self, event: ModelEvent, tell: &mut dyn FnMut(Report)) {
        tell(Report::Event { id: self.id, event });
    }
}
