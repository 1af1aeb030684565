//! Matches by meaning, with the real model.

use crate::common::World;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::SemanticKind::{Dimension, Text};
use vitrine_values::{Embedder, MiniLm, SearchOptions, SearchTerm, ValueIndex, ValuesError};

fn model() -> Arc<MiniLm> {
    let cache = std::env::var_os("VITRINE_CACHE")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").expect("HOME is set")).join(".cache/vitrine"));
    let folder = cache.join("models/minilm-l6-v2");
    Arc::new(MiniLm::load(&folder).unwrap_or_else(|e| panic!("{e}\nThe tests need the embedding model: run `npm test`, which pulls it, or `vitrine models pull minilm-l6-v2`.")))
}

async fn countries(model: &Arc<MiniLm>) -> (World, ValueIndex) {
    let world = World::new(&[
        (
            "customers",
            vec![
                ("country", "TEXT", Dimension, vec!["USA", "Germany", "France", "United Kingdom", "Japan"]),
                ("department", "TEXT", Dimension, vec!["Human Resources", "Accounting", "Marketing"]),
            ],
        ),
        ("people", vec![("name", "TEXT", Text, vec!["Ann Lee", "Bob Ray"])]),
    ])
    .await;
    let index = world.index().await;
    let embedder: Arc<dyn Embedder> = model.clone();
    index.embed_domains(embedder, |_, _| {}, CancellationToken::new()).await.unwrap();
    (world, index)
}

#[tokio::test]
async fn vectors_tell_like_from_unlike() {
    let model = model();
    let vectors = model.embed_texts(&["USA", "United States", "Germany", "USA"]).unwrap();
    let cosine = |a: usize, b: usize| vectors[a].iter().zip(&vectors[b]).map(|(x, y)| x * y).sum::<f32>();
    assert_eq!(vectors[0].len(), 384);
    assert!((cosine(0, 0) - 1.0).abs() < 1e-4);
    assert!((cosine(0, 1) - 0.89).abs() < 0.02, "USA ~ United States: {}", cosine(0, 1));
    assert!((cosine(0, 2) - 0.67).abs() < 0.02, "USA ~ Germany: {}", cosine(0, 2));
    assert_eq!(vectors[0], vectors[3]);
    let alone = model.embed_texts(&["Germany"]).unwrap();
    assert_eq!(alone[0], vectors[2], "a remembered vector does not depend on its neighbours");
}

#[tokio::test]
async fn united_states_finds_usa_and_staff_finds_human_resources() {
    let model = model();
    let (_world, index) = countries(&model).await;
    let terms = [
        SearchTerm::new("United States").in_column("country"),
        SearchTerm::new("United States of America"),
        SearchTerm::new("Great Britain").in_column("country"),
        SearchTerm::new("HR personnel").in_column("department"),
    ];
    let matches = index.search(&terms, SearchOptions::default(), Some(model.as_ref())).unwrap();
    let best = |literal: &str| {
        matches.iter().find(|m| m.literal == literal).unwrap_or_else(|| panic!("{literal} found nothing"))
    };
    assert_eq!(best("United States").value, "USA");
    assert!(best("United States").semantic.unwrap() > 0.8);
    assert_eq!(best("United States of America").value, "USA");
    assert_eq!(best("Great Britain").value, "United Kingdom");
    assert_eq!(best("HR personnel").value, "Human Resources");
}

#[tokio::test]
async fn what_is_merely_of_one_kind_is_not_offered() {
    let model = model();
    let (_world, index) = countries(&model).await;
    let matches =
        index.search(&[SearchTerm::new("United States")], SearchOptions::default(), Some(model.as_ref())).unwrap();
    assert!(matches.iter().all(|m| m.value != "Japan" && m.value != "Accounting"), "{matches:?}");
}

#[tokio::test]
async fn the_columns_own_value_is_offered_beside_a_namesake() {
    let model = model();
    let world = World::new(&[(
        "drivers",
        vec![
            ("nationality", "TEXT", Dimension, vec!["British", "Brazilian", "Japanese"]),
            ("surname", "TEXT", Text, vec!["England", "Senna", "Nakajima"]),
        ],
    )])
    .await;
    let index = world.index().await;
    let embedder: Arc<dyn Embedder> = model.clone();
    index.embed_domains(embedder, |_, _| {}, CancellationToken::new()).await.unwrap();
    let term = SearchTerm::new("England").in_column("nationality");
    let matches = index.search(&[term], SearchOptions::default(), Some(model.as_ref())).unwrap();
    assert!(matches.iter().any(|m| m.value == "British"), "{matches:?}");
    assert!(matches.iter().all(|m| m.value != "Japanese"), "{matches:?}");
}

#[tokio::test]
async fn texts_are_embedded_once() {
    let model = model();
    let (world, index) = countries(&model).await;
    let embedded = index.size().unwrap().embedded;
    assert_eq!(embedded, 10);
    let embedder: Arc<dyn Embedder> = model.clone();
    let again = index.embed_domains(embedder, |_, _| {}, CancellationToken::new()).await.unwrap();
    assert_eq!(again, 0);
    drop(world);
}

#[test]
fn a_missing_model_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let Err(ValuesError::ModelMissing { path }) = MiniLm::load(folder.path()) else { panic!("loaded from nothing") };
    assert!(path.ends_with("model.safetensors"));
}

#[test]
fn a_damaged_model_is_an_error_and_not_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    for file in MiniLm::FILES {
        std::fs::write(folder.path().join(file), "damaged").unwrap();
    }
    let error = MiniLm::load(folder.path()).unwrap().embed_texts(&["x"]).unwrap_err();
    assert!(matches!(error, ValuesError::Model { .. }), "{error}");
}
