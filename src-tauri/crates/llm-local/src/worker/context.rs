//! A thin layer over llama.cpp's context. The one of `llama-cpp-2` lacks the abort callback that interrupts a long
//! computation.
#![allow(unsafe_code)]

use llama_cpp_2::model::LlamaModel;
use llama_cpp_sys_2 as sys;
use std::ffi::{CString, c_void};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::worker::slots::{Step, Token};

/// Interrupts a long computation of a cancelled request. Works only if it is the only request in progress; otherwise
/// the batch, which other requests need, is completed.
#[derive(Debug, Default)]
pub(crate) struct Interrupt {
    /// The id of the only request in progress; 0 if there are several or none.
    alone: AtomicU64,
    raised: AtomicBool,
}

impl Interrupt {
    /// Sets the only request in progress, or `None` if there are several or none.
    pub fn set_only_request(&self, id: Option<u64>) {
        self.alone.store(id.unwrap_or(0), Ordering::SeqCst);
    }

    /// Interrupts the computation if the cancelled request is the only one.
    pub fn cancel(&self, id: u64) {
        if self.alone.load(Ordering::SeqCst) == id {
            self.raised.store(true, Ordering::SeqCst);
        }
    }

    /// Resets the flag. Must be called before cancel orders are read.
    pub fn reset_flag(&self) {
        self.raised.store(false, Ordering::SeqCst);
    }

    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }
}

/// Abort callback, which llama.cpp calls between any two matrix products.
unsafe extern "C" fn should_abort(data: *mut c_void) -> bool {
    // SAFETY: `data` is the `Interrupt` that the `Context` keeps alive for as long as llama.cpp's context lives.
    unsafe { &*data.cast::<Interrupt>() }.is_raised()
}

/// The reason why a batch was not computed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// The cache has no free cells.
    Full,
    /// The request was cancelled by its caller.
    Aborted,
    /// Any other error, with llama.cpp's code.
    Failed(i32),
}

/// The sizes of a context.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContextSize {
    pub tokens: u32,
    pub sequences: u32,
    pub batch: u32,
    pub threads: u32,
}

/// One token of a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    pub token: Token,
    pub position: usize,
    pub sequence: usize,
    /// Requests the logits after this token.
    pub predict: bool,
}

/// A key-value cache and the context that computes on it.
pub(crate) struct Context {
    raw: NonNull<sys::llama_context>,
    batch: sys::llama_batch,
    size: ContextSize,
    vocabulary: usize,
    // Kept alive for `raw`.
    _model: Arc<LlamaModel>,
    _interrupt: Arc<Interrupt>,
}

impl Context {
    /// Creates a context. Returns `None` if its memory cannot be allocated.
    pub fn new(model: Arc<LlamaModel>, size: ContextSize, interrupt: Arc<Interrupt>) -> Option<Self> {
        // SAFETY: `LlamaModel` is a transparent wrapper of the pointer that llama.cpp gave for it.
        let model_ptr = unsafe { *std::ptr::from_ref(model.as_ref()).cast::<*mut sys::llama_model>() };
        // SAFETY: the parameters are llama.cpp's own defaults with plain numbers changed; callback and data outlive the
        // context because `Self` keeps the flag.
        let raw = unsafe {
            let mut params = sys::llama_context_default_params();
            params.n_ctx = size.tokens;
            params.n_batch = size.batch;
            params.n_ubatch = size.batch;
            params.n_seq_max = size.sequences;
            // At most one prediction per sequence is requested; the default reserves one per token.
            params.n_outputs_max = size.sequences;
            params.n_threads = size.threads as i32;
            params.n_threads_batch = size.threads as i32;
            // All sequences share one pool of cells.
            params.kv_unified = true;
            // Skips cells of other sequences, which plain attention would compute and discard.
            params.flash_attn_type = sys::LLAMA_FLASH_ATTN_TYPE_ENABLED;
            params.no_perf = true;
            params.abort_callback = Some(should_abort);
            params.abort_callback_data = Arc::as_ptr(&interrupt).cast_mut().cast();
            NonNull::new(sys::llama_init_from_model(model_ptr, params))?
        };
        // SAFETY: plain allocation; freed in `drop`.
        let batch = unsafe { sys::llama_batch_init(size.batch as i32, 0, 1) };
        let vocabulary = model.n_vocab() as usize;
        Some(Self { raw, batch, size, vocabulary, _model: model, _interrupt: interrupt })
    }

    pub fn size(&self) -> ContextSize {
        self.size
    }

    /// Sets the number of compute threads.
    pub fn set_threads(&mut self, threads: u32) {
        if threads != self.size.threads {
            self.size.threads = threads;
            // SAFETY: the context is alive and computes nothing now.
            unsafe { sys::llama_set_n_threads(self.raw.as_ptr(), threads as i32, threads as i32) }
        }
    }

    /// Computes a batch of at most `size().batch` tokens.
    pub fn decode_batch(&mut self, items: &[Item]) -> Result<(), DecodeError> {
        assert!(items.len() <= self.size.batch as usize, "a batch is longer than was reserved");
        for (i, item) in items.iter().enumerate() {
            // SAFETY: `i` is below the number of tokens that the batch was allocated for, with one sequence a token.
            unsafe {
                *self.batch.token.add(i) = item.token;
                *self.batch.pos.add(i) = item.position as i32;
                *self.batch.n_seq_id.add(i) = 1;
                **self.batch.seq_id.add(i) = item.sequence as i32;
                *self.batch.logits.add(i) = i8::from(item.predict);
            }
        }
        self.batch.n_tokens = items.len() as i32;
        // SAFETY: context and batch are alive and ours alone.
        match unsafe { sys::llama_decode(self.raw.as_ptr(), self.batch) } {
            0 => Ok(()),
            1 => Err(DecodeError::Full),
            2 => Err(DecodeError::Aborted),
            // Some backends report an abort within the computation as a failure.
            _ if self._interrupt.is_raised() => Err(DecodeError::Aborted),
            other => Err(DecodeError::Failed(other)),
        }
    }

    /// Returns the logits after the `index`th item of the last batch, which must have requested them.
    pub fn logits(&mut self, index: usize) -> Option<&[f32]> {
        // SAFETY: llama.cpp gives null for an item without prediction, else as many numbers as the vocabulary has.
        unsafe {
            let data = sys::llama_get_logits_ith(self.raw.as_ptr(), index as i32);
            (!data.is_null()).then(|| std::slice::from_raw_parts(data, self.vocabulary))
        }
    }

    /// Applies steps to the cache.
    pub fn apply_steps(&mut self, steps: &[Step]) -> Result<(), &'static str> {
        // SAFETY: the cache belongs to the living context; sequence numbers are below `size.sequences`.
        unsafe {
            let memory = sys::llama_get_memory(self.raw.as_ptr());
            for step in steps {
                let done = match *step {
                    Step::Clear { seq } => sys::llama_memory_seq_rm(memory, seq as i32, -1, -1),
                    Step::Truncate { seq, tokens } => sys::llama_memory_seq_rm(memory, seq as i32, tokens as i32, -1),
                    Step::Share { from, to, tokens } => {
                        sys::llama_memory_seq_cp(memory, from as i32, to as i32, 0, tokens as i32);
                        true
                    }
                };
                if !done {
                    return Err("this kind of model cannot forget a part of a text");
                }
            }
        }
        Ok(())
    }

    /// Saves the cached state of a sequence with the given tokens to a file.
    pub fn save_sequence(&self, path: &Path, seq: usize, tokens: &[Token]) -> bool {
        let Some(name) = c_path(path) else { return false };
        // SAFETY: the context is alive and computes nothing now; the tokens are read only.
        unsafe {
            sys::llama_state_seq_save_file(self.raw.as_ptr(), name.as_ptr(), seq as i32, tokens.as_ptr(), tokens.len())
                > 0
        }
    }

    /// Loads an empty sequence from a file; fails unless the file contains exactly these tokens.
    pub fn load_sequence(&mut self, path: &Path, seq: usize, tokens: &[Token]) -> bool {
        let Some(name) = c_path(path) else { return false };
        let mut read = vec![0; tokens.len()];
        let mut count = 0usize;
        // SAFETY: as in `save`; llama.cpp writes at most `read.len()` tokens and gives their number.
        let bytes = unsafe {
            sys::llama_state_seq_load_file(
                self.raw.as_ptr(),
                name.as_ptr(),
                seq as i32,
                read.as_mut_ptr(),
                read.len(),
                &raw mut count,
            )
        };
        bytes > 0 && count == tokens.len() && read == tokens
    }

    /// Clears all sequences of the cache.
    pub fn clear(&mut self) {
        // SAFETY: as in `apply`.
        unsafe { sys::llama_memory_clear(sys::llama_get_memory(self.raw.as_ptr()), false) }
    }
}

fn c_path(path: &Path) -> Option<CString> {
    CString::new(path.as_os_str().as_encoded_bytes()).ok()
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: both were made in `new` and are freed once.
        unsafe {
            sys::llama_batch_free(self.batch);
            sys::llama_free(self.raw.as_ptr());
        }
    }
}
