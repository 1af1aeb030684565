//! Reads the header of a GGUF file, to reject a broken file before llama.cpp reads it and to estimate its memory use.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use vitrine_words::{later, tr, translate_constant};

/// The contents of a model file's header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GgufInfo {
    /// The model's name, if stated.
    pub name: Option<String>,
    /// The name of the architecture, e.g. `qwen2`.
    pub architecture: String,
    /// The context length with which the model was trained, in tokens.
    pub context_tokens: u32,
    /// The total number of parameters of all tensors.
    pub parameters: u64,
    /// The licence as stated in the file.
    pub licence: Option<String>,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The size of the key-value cache per token at 16 bits, in bytes.
    pub kv_bytes_per_token: u64,
    /// True if the file contains a chat template.
    pub has_chat_template: bool,
}

/// The reason why a file is not a usable GGUF.
#[derive(Debug)]
pub enum GgufError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file has another format.
    NotGguf,
    /// The file has an unsupported version.
    Version(u32),
    /// The file ends too early.
    Truncated {
        /// The number of bytes according to the header.
        expected: u64,
        /// The actual number of bytes.
        found: u64,
    },
    /// The header has inconsistent contents.
    Damaged(&'static str),
}

impl GgufError {
    /// Returns the error message in the program's language.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::Io(error) => tr!("it cannot be read: {error}", error),
            Self::NotGguf => tr!("it is not a GGUF file (it does not begin with 'GGUF')"),
            Self::Version(version) => tr!("it is GGUF version {version}; versions 2 and 3 can be read", version),
            Self::Truncated { expected, found } => tr!(
                "it is cut off: {expected} bytes are expected, {found} are there. Pull or copy it again",
                expected,
                found
            ),
            Self::Damaged(what) => {
                tr!("its head is damaged: {what}. Pull or copy it again", what = translate_constant(what))
            }
        }
    }
}

/// Writes the message for users.
impl std::fmt::Display for GgufError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.in_words())
    }
}

impl std::error::Error for GgufError {}

impl From<io::Error> for GgufError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl GgufInfo {
    /// Reads and validates the header of a file.
    pub fn read_header(path: &Path) -> Result<Self, GgufError> {
        let file = File::open(path)?;
        let meta = file.metadata()?;
        if meta.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder").into());
        }
        let bytes = meta.len();
        Head { input: BufReader::with_capacity(1 << 16, file), at: 0 }.read_info(bytes)
    }
}

struct Head<R> {
    input: R,
    at: u64,
}

/// Upper bounds that no real file reaches; counts in a damaged header can be arbitrary.
const MOST_ENTRIES: u64 = 1 << 20;
const LONGEST_STRING: u64 = 1 << 24;

enum Value {
    Text(String),
    Number(u64),
    /// The maximum of an array of numbers: some models state the number of heads per layer.
    Numbers(u64),
    Other,
}

impl<R: Read> Head<R> {
    fn read_info(mut self, bytes: u64) -> Result<GgufInfo, GgufError> {
        self.parse_header(bytes).map_err(|error| match error {
            GgufError::Io(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
                GgufError::Truncated { expected: self.at + 1, found: bytes }
            }
            other => other,
        })
    }

    fn parse_header(&mut self, bytes: u64) -> Result<GgufInfo, GgufError> {
        let mut magic = [0; 4];
        match self.input.read_exact(&mut magic) {
            Ok(()) if &magic == b"GGUF" => self.at = 4,
            Ok(()) => return Err(GgufError::NotGguf),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Err(GgufError::NotGguf),
            Err(e) => return Err(e.into()),
        }
        let version = self.read_u32()?;
        if !(2..=3).contains(&version) {
            return Err(GgufError::Version(version));
        }
        let tensors = self.read_u64()?;
        let entries = self.read_u64()?;
        if tensors == 0 || tensors > MOST_ENTRIES || entries > MOST_ENTRIES {
            return Err(GgufError::Damaged(later!("it counts no tensors or too many")));
        }
        let mut keys: Vec<(String, Value)> = Vec::new();
        for _ in 0..entries {
            let key = self.read_string()?;
            let kind = self.read_u32()?;
            let value = self.read_value(kind, 0)?;
            if !matches!(value, Value::Other) {
                keys.push((key, value));
            }
        }
        let mut end = 0u64;
        let mut parameters = 0u64;
        for _ in 0..tensors {
            self.read_string()?;
            let dimensions = self.read_u32()?;
            if dimensions > 8 {
                return Err(GgufError::Damaged(later!("a tensor has too many dimensions")));
            }
            let mut elements = 1u64;
            for _ in 0..dimensions {
                elements = elements
                    .checked_mul(self.read_u64()?)
                    .ok_or(GgufError::Damaged(later!("a tensor is too large")))?;
            }
            parameters = parameters.saturating_add(elements);
            let kind = self.read_u32()?;
            let offset = self.read_u64()?;
            let size = tensor_bytes(kind, elements)?;
            end = end.max(offset.checked_add(size).ok_or(GgufError::Damaged(later!("a tensor lies too far away")))?);
        }
        let number = |name: &str| {
            keys.iter().find(|(k, _)| k == name).and_then(|(_, v)| match v {
                Value::Number(n) | Value::Numbers(n) => Some(*n),
                _ => None,
            })
        };
        let text = |name: &str| {
            keys.iter().find(|(k, _)| k == name).and_then(|(_, v)| match v {
                Value::Text(t) => Some(t.clone()),
                _ => None,
            })
        };
        let alignment = number("general.alignment").unwrap_or(32).max(1);
        let data = self.at.div_ceil(alignment).saturating_mul(alignment);
        let expected = data.saturating_add(end);
        if expected > bytes {
            return Err(GgufError::Truncated { expected, found: bytes });
        }
        let architecture =
            text("general.architecture").ok_or(GgufError::Damaged(later!("it names no architecture")))?;
        let of = |name: &str| number(&format!("{architecture}.{name}"));
        let layers = of("block_count").unwrap_or(0);
        let heads = of("attention.head_count").unwrap_or(1).max(1);
        let kv_heads = of("attention.head_count_kv").unwrap_or(heads);
        let width = of("embedding_length").unwrap_or(0) / heads;
        let key_width = of("attention.key_length").unwrap_or(width);
        let value_width = of("attention.value_length").unwrap_or(width);
        Ok(GgufInfo {
            name: text("general.name"),
            licence: text("general.license"),
            parameters,
            context_tokens: of("context_length").unwrap_or(2048).min(u64::from(u32::MAX)) as u32,
            kv_bytes_per_token: layers
                .saturating_mul(kv_heads)
                .saturating_mul(key_width.saturating_add(value_width))
                .saturating_mul(2),
            has_chat_template: text("tokenizer.chat_template").is_some(),
            architecture,
            bytes,
        })
    }

    fn read_bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut buffer = [0; N];
        self.input.read_exact(&mut buffer)?;
        self.at += N as u64;
        Ok(buffer)
    }

    fn read_u32(&mut self) -> io::Result<u32> {
        Ok(u32::from_le_bytes(self.read_bytes()?))
    }

    fn read_u64(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.read_bytes()?))
    }

    fn read_string(&mut self) -> Result<String, GgufError> {
        let length = self.read_u64()?;
        if length > LONGEST_STRING {
            return Err(GgufError::Damaged(later!("a text in it is too long")));
        }
        let mut buffer = vec![0; length as usize];
        self.input.read_exact(&mut buffer)?;
        self.at += length;
        Ok(String::from_utf8_lossy(&buffer).into_owned())
    }

    fn read_value(&mut self, kind: u32, depth: u32) -> Result<Value, GgufError> {
        Ok(match kind {
            0 | 1 | 7 => Value::Number(u64::from(self.read_bytes::<1>()?[0])),
            2 | 3 => Value::Number(u64::from(u16::from_le_bytes(self.read_bytes()?))),
            4 | 5 => Value::Number(u64::from(self.read_u32()?)),
            6 => {
                self.read_u32()?;
                Value::Other
            }
            8 => Value::Text(self.read_string()?),
            9 if depth < 4 => {
                let kind = self.read_u32()?;
                let count = self.read_u64()?;
                if count > 1 << 28 {
                    return Err(GgufError::Damaged(later!("a list in it is too long")));
                }
                let mut greatest = None;
                for _ in 0..count {
                    if let Value::Number(n) = self.read_value(kind, depth + 1)? {
                        greatest = greatest.max(Some(n));
                    }
                }
                greatest.map_or(Value::Other, Value::Numbers)
            }
            10 | 11 => Value::Number(self.read_u64()?),
            12 => {
                self.read_u64()?;
                Value::Other
            }
            _ => return Err(GgufError::Damaged(later!("a value in it has an unknown type"))),
        })
    }
}

/// Returns the size of a tensor in bytes; 0 for an unknown type.
fn tensor_bytes(kind: u32, elements: u64) -> Result<u64, GgufError> {
    // (elements per block, bytes per block), by ggml's type numbers.
    let (block, bytes) = match kind {
        0 | 26 => (1, 4),
        1 | 25 | 30 => (1, 2),
        2 => (32, 18),
        3 => (32, 20),
        6 => (32, 22),
        7 => (32, 24),
        8 => (32, 34),
        9 => (32, 36),
        10 => (256, 84),
        11 => (256, 110),
        12 => (256, 144),
        13 => (256, 176),
        14 => (256, 210),
        15 => (256, 292),
        24 => (1, 1),
        27 | 28 => (1, 8),
        _ => return Ok(0),
    };
    (elements / block).checked_mul(bytes).ok_or(GgufError::Damaged(later!("a tensor is too large")))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::io::Write;

    /// Builds a minimal GGUF file.
    pub(crate) fn small_gguf(tensor_data: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let text = |out: &mut Vec<u8>, t: &str| {
            out.extend((t.len() as u64).to_le_bytes());
            out.extend(t.as_bytes());
        };
        out.extend(b"GGUF");
        out.extend(3u32.to_le_bytes());
        out.extend(1u64.to_le_bytes());
        out.extend(4u64.to_le_bytes());
        for (key, value) in [("general.architecture", "toy"), ("general.name", "A Toy")] {
            text(&mut out, key);
            out.extend(8u32.to_le_bytes());
            text(&mut out, value);
        }
        for (key, value) in [("toy.context_length", 512u32), ("toy.block_count", 2)] {
            text(&mut out, key);
            out.extend(4u32.to_le_bytes());
            out.extend(value.to_le_bytes());
        }
        text(&mut out, "w");
        out.extend(1u32.to_le_bytes());
        out.extend(16u64.to_le_bytes());
        out.extend(0u32.to_le_bytes());
        out.extend(0u64.to_le_bytes());
        out.resize(out.len().div_ceil(32) * 32, 0);
        out.resize(out.len() + tensor_data, 0);
        out
    }

    fn parse_bytes(bytes: &[u8]) -> Result<GgufInfo, GgufError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        GgufInfo::read_header(file.path())
    }

    #[test]
    fn a_whole_file_tells_its_name_and_context() {
        let info = parse_bytes(&small_gguf(64)).unwrap();
        assert_eq!(info.name.as_deref(), Some("A Toy"));
        assert_eq!((info.context_tokens, info.parameters), (512, 16));
    }

    #[test]
    fn a_file_that_was_cut_off_anywhere_is_refused() {
        let whole = small_gguf(64);
        for length in 0..whole.len() {
            assert!(parse_bytes(&whole[..length]).is_err(), "cut at {length}");
        }
        let error = parse_bytes(&whole[..whole.len() - 1]).unwrap_err().to_string();
        assert!(error.contains("cut off") && error.contains("again"), "{error}");
    }

    #[test]
    fn other_files_are_named_as_such() {
        assert!(matches!(parse_bytes(b"<html>not found</html>"), Err(GgufError::NotGguf)));
        assert!(matches!(parse_bytes(b""), Err(GgufError::NotGguf)));
    }

    #[test]
    fn random_damage_never_panics() {
        let whole = small_gguf(64);
        for at in 0..whole.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                let _ = parse_bytes(&bytes);
            }
        }
    }
}
