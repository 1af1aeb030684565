//! Embeddings: the meaning of a text as a unit vector.
//!
//! The model is all-MiniLM-L6-v2 (384 dimensions), executed by candle on the CPU. The vector is the mean over the
//! tokens of its last layer, normalized to length one, so that a dot product is the cosine. It processes about 480
//! short texts per second in batches on two cores, which is sufficient for small columns and the candidates of a
//! search, but not for millions of values.

use crate::ValuesError;
use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use tokenizers::{PaddingParams, Tokenizer, TruncationParams};

/// Converts texts to unit vectors of the same dimension.
pub trait Embedder: Send + Sync {
    /// Returns one unit vector per text, in order.
    fn embed_texts(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ValuesError>;

    /// Returns an identifier of the model. Vectors of different models are never compared.
    fn id(&self) -> &str {
        "unnamed"
    }
}

/// Number of texts per forward pass.
const BATCH: usize = 32;
/// Maximum number of tokens per text; indexed values are far shorter.
const MAX_TOKENS: usize = 64;
/// Number of cached vectors, about 6 MB.
const REMEMBERED: usize = 4_096;

/// The model all-MiniLM-L6-v2. Its files are opened at the first text to embed.
pub struct MiniLm {
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    model: Option<Model>,
    vectors: HashMap<String, Vec<f32>>,
    order: VecDeque<String>,
}

struct Model {
    bert: BertModel,
    tokenizer: Tokenizer,
}

impl MiniLm {
    /// Files that the model's folder must contain.
    pub const FILES: [&str; 3] = ["model.safetensors", "tokenizer.json", "config.json"];

    /// Creates the embedder for a folder after checking that the model's files exist.
    pub fn load(folder: &Path) -> Result<Self, ValuesError> {
        for file in Self::FILES {
            let path = folder.join(file);
            if !path.is_file() {
                return Err(ValuesError::ModelMissing { path });
            }
        }
        Ok(Self { folder: folder.to_owned(), state: Mutex::default() })
    }

    fn model_error(&self, error: impl std::fmt::Display) -> ValuesError {
        ValuesError::Model { path: self.folder.clone(), message: error.to_string() }
    }

    fn load_model(&self) -> Result<Model, ValuesError> {
        let [weights, tokenizer, config] = Self::FILES.map(|file| self.folder.join(file));
        let config = std::fs::read(config).map_err(|e| self.model_error(e))?;
        let config: Config = serde_json::from_slice(&config).map_err(|e| self.model_error(e))?;
        let mut tokenizer = Tokenizer::from_file(tokenizer).map_err(|e| self.model_error(e))?;
        tokenizer.with_padding(Some(PaddingParams::default()));
        let truncation = TruncationParams { max_length: MAX_TOKENS, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).map_err(|e| self.model_error(e))?;
        // SAFETY: the map is sound as long as the file is not changed. Model files are written once, under another
        // name, and renamed into place; they are never written again.
        #[allow(unsafe_code)]
        let weights = unsafe { VarBuilder::from_mmaped_safetensors(&[weights], DType::F32, &Device::Cpu) };
        let bert = weights.and_then(|weights| BertModel::load(weights, &config)).map_err(|e| self.model_error(e))?;
        Ok(Model { bert, tokenizer })
    }
}

impl Embedder for MiniLm {
    fn embed_texts(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ValuesError> {
        let mut state = self.state.lock();
        let mut unknown: Vec<&str> = texts.iter().copied().filter(|t| !state.vectors.contains_key(*t)).collect();
        // Groups texts of similar length to reduce padding.
        unknown.sort_unstable_by_key(|t| (t.len(), *t));
        unknown.dedup();
        if !unknown.is_empty() && state.model.is_none() {
            state.model = Some(self.load_model()?);
        }
        let mut fresh = HashMap::new();
        for batch in unknown.chunks(BATCH) {
            let model = state.model.as_ref().expect("opened above");
            let vectors = model.compute_vectors(batch).map_err(|e| self.model_error(e))?;
            fresh.extend(batch.iter().map(|t| (*t).to_owned()).zip(vectors));
        }
        let found = texts
            .iter()
            .map(|t| fresh.get(*t).or_else(|| state.vectors.get(*t)).cloned().expect("embedded or remembered"));
        let found = found.collect();
        for (text, vector) in unknown.iter().filter_map(|t| fresh.remove_entry(*t)) {
            if state.order.len() >= REMEMBERED
                && let Some(oldest) = state.order.pop_front()
            {
                state.vectors.remove(&oldest);
            }
            state.order.push_back(text.clone());
            state.vectors.insert(text, vector);
        }
        Ok(found)
    }

    fn id(&self) -> &str {
        "all-MiniLM-L6-v2"
    }
}

impl Model {
    fn compute_vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Box<dyn std::error::Error + Send + Sync>> {
        let encoded = self.tokenizer.encode_batch(texts.to_vec(), true)?;
        let width = encoded.first().map_or(0, |e| e.get_ids().len());
        let tensor = |rows: Vec<u32>| Tensor::from_vec(rows, (texts.len(), width), &Device::Cpu);
        let ids = tensor(encoded.iter().flat_map(|e| e.get_ids().to_vec()).collect())?;
        let mask = tensor(encoded.iter().flat_map(|e| e.get_attention_mask().to_vec()).collect())?;
        let tokens = self.bert.forward(&ids, &ids.zeros_like()?, Some(&mask))?;
        let mask = mask.to_dtype(DType::F32)?.unsqueeze(2)?;
        let mean = tokens.broadcast_mul(&mask)?.sum(1)?.broadcast_div(&mask.sum(1)?)?;
        let unit = mean.broadcast_div(&mean.sqr()?.sum_keepdim(1)?.sqrt()?)?;
        Ok(unit.to_vec2::<f32>()?)
    }
}

/// Returns the cosine of two unit vectors, or 0 if their lengths differ.
pub(crate) fn cosine_similarity(a: &[f32], b: &[f32]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    // Eight independent sums allow the compiler to use vector registers.
    let (a_chunks, a_rest) = a.as_chunks::<8>();
    let (b_chunks, b_rest) = b.as_chunks::<8>();
    let mut sums = [0_f32; 8];
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for i in 0..8 {
            sums[i] += x[i] * y[i];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    f64::from(sums.iter().sum::<f32>() + rest)
}
