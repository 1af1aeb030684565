use super::*;
use crate::compress_catalog;
use vitrine_domain::{Catalog, Column, Dialect, ForeignKey, SchemaSelection, Table, TableKind, TableName};

fn make_table(name: &str, columns: usize, refers_to: &[&str]) -> Table {
    let column =
        |name: String| Column { name, data_type: "INTEGER".into(), nullable: true, comment: Some("c ".repeat(40)) };
    let key = |target: &&str| ForeignKey {
        columns: vec![format!("{target}_ref")],
        ref_table: TableName::from_unqualified(*target),
        ref_columns: vec!["id".into()],
    };
    let plain = (0..columns).map(|n| format!("{name}_{}", ["a", "b", "c", "d"].map(|l| l.repeat(n + 1))[n % 4]));
    let keys = refers_to.iter().map(|t| format!("{t}_ref"));
    Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: std::iter::once("id".to_owned()).chain(plain).chain(keys).map(column).collect(),
        primary_key: vec!["id".into()],
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: refers_to.iter().map(key).collect(),
    }
}

fn make_schema(tables: Vec<Table>) -> Compressed {
    compress_catalog(&Catalog {
        database: "db".into(),
        dialect: Dialect::Duckdb,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".repeat(32),
        tables,
    })
}

fn estimate_tokens(text: &str) -> u32 {
    // Not additive, like real tokenizers.
    (text.len() as u32).div_ceil(4) + 1
}

async fn split_schema(schema: &Compressed, budget: u32) -> Vec<Chunk> {
    let count = async |texts: &[&str]| texts.iter().map(|t| estimate_tokens(t)).collect();
    chunk_schema(schema, None, Budget { chunk: budget, table: u32::MAX }, count, &RenderOptions::default()).await
}

fn table_indices(chunks: &[Chunk]) -> Vec<Vec<usize>> {
    chunks.iter().map(|c| c.tables.clone()).collect()
}

#[tokio::test]
async fn a_schema_within_the_budget_is_one_chunk_and_the_whole_text() {
    let schema = make_schema(vec![make_table("a", 2, &[]), make_table("b", 2, &["a"])]);
    let chunks = split_schema(&schema, 10_000).await;
    assert_eq!(table_indices(&chunks), [[0, 1]]);
    let whole = crate::render_schema(&schema, None, None::<&SchemaSelection>, &RenderOptions::default());
    assert_eq!(chunks[0].text, whole);
    assert_eq!(chunks[0].tokens, estimate_tokens(&whole));
    assert!(split_schema(&super::tests::make_schema(Vec::new()), 100).await.is_empty());
}

#[tokio::test]
async fn tables_that_refer_to_each_other_stay_together() {
    // Two groups of two tables, interleaved; each fits alone, both together do not.
    let schema = make_schema(vec![
        make_table("a", 3, &[]),
        make_table("b", 3, &[]),
        make_table("c", 3, &["a"]),
        make_table("d", 3, &["b"]),
    ]);
    let chunks = split_schema(&schema, 260).await;
    assert_eq!(table_indices(&chunks), [[0, 2], [1, 3]]);
    assert_eq!(chunks.iter().map(|c| c.index).collect::<Vec<_>>(), [1, 2]);
}

#[tokio::test]
async fn every_table_is_in_exactly_one_chunk_below_the_budget() {
    let names: Vec<String> = (0..40).map(|n| format!("t{}", "x".repeat(n))).collect();
    let tables = names.iter().enumerate().map(|(n, name)| {
        let target = (n % 3 == 0 && n > 0).then(|| names[n - 1].as_str());
        make_table(name, n % 7, &target.into_iter().collect::<Vec<_>>())
    });
    let schema = make_schema(tables.collect());
    for budget in [60, 200, 500, 3_000] {
        let chunks = split_schema(&schema, budget).await;
        let mut all: Vec<usize> = chunks.iter().flat_map(|c| c.tables.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..schema.tables.len()).collect::<Vec<_>>());
        for chunk in &chunks {
            assert_eq!(chunk.tokens, estimate_tokens(&chunk.text));
            assert!(chunk.tokens <= budget || chunk.tables.len() == 1);
            assert!(chunk.tables.is_sorted());
        }
        assert_eq!(chunks, split_schema(&schema, budget).await, "the same again");
    }
}

#[tokio::test]
async fn a_table_that_is_too_large_says_less_before_it_goes_over() {
    let schema = make_schema(vec![make_table("large", 12, &[]), make_table("small", 1, &[])]);
    let chunks = split_schema(&schema, 110).await;
    assert_eq!(table_indices(&chunks), [[0], [1]]);
    assert!(!chunks[0].text.contains("c c c"), "comments went first");
    assert!(chunks[1].text.contains("c c c"), "the small one keeps its own");
    let tiny = split_schema(&schema, 10).await;
    assert!(tiny[0].tokens > 10, "the count is told as it is");
}

#[tokio::test]
async fn chunks_can_be_made_on_another_thread_and_without_a_working_tokenizer() {
    let schema = make_schema(vec![make_table("a", 2, &[])]);
    let task = tokio::spawn(async move {
        let count = async |texts: &[&str]| {
            tokio::task::yield_now().await;
            vec![0; texts.len() + 1]
        };
        chunk_schema(&schema, None, Budget::new(1_000, 0), count, &RenderOptions::default()).await
    });
    assert!(task.await.unwrap()[0].tokens > 10, "a guess in place of the count");
}

#[tokio::test]
async fn a_table_that_no_budget_holds_is_taken_apart_by_columns() {
    let mut wide = make_table("wide", 0, &[]);
    // Names without digits or a common pattern, so that they are not merged into one line.
    let letters = |n: usize| [n / 26, n % 26].map(|at| char::from(b'a' + at as u8)).iter().collect::<String>();
    wide.columns.extend((0..400).map(|n| Column {
        name: format!("{}_measured", letters(n)),
        data_type: "INTEGER".into(),
        nullable: true,
        comment: None,
    }));
    let schema = make_schema(vec![make_table("a", 2, &[]), wide, make_table("b", 2, &["a"])]);
    let count = async |texts: &[&str]| texts.iter().map(|t| estimate_tokens(t)).collect();
    let chunks = chunk_schema(&schema, None, Budget::new(1_000, 3_000), count, &RenderOptions::default()).await;
    assert_eq!(chunks.iter().map(|c| c.index).collect::<Vec<_>>(), (1..=chunks.len() as u32).collect::<Vec<_>>());
    assert!(chunks.iter().all(|chunk| chunk.tokens <= 1_000), "{:?}", chunks.iter().map(|c| c.tokens));
    let (parts, others): (Vec<_>, Vec<_>) = chunks.iter().partition(|chunk| chunk.columns.is_some());
    assert_eq!(others.iter().map(|c| c.tables.clone()).collect::<Vec<_>>(), [[0, 2]]);
    let columns: Vec<&String> = parts.iter().flat_map(|part| part.columns.iter().flatten()).collect();
    let all: Vec<&String> = schema.tables[1].columns.iter().flat_map(|c| &c.members).collect();
    assert_eq!(columns, all, "every column is in exactly one part");
    assert!(parts.iter().all(|part| part.text.contains("id INTEGER PRIMARY KEY")), "{}", parts[1].text);
    assert!(parts[1].text.starts_with("-- Columns of wide, part 2 of "), "{}", parts[1].text);
    // A table within the model's table limit stays in one piece.
    assert!(split_schema(&schema, 1_000).await.iter().all(|chunk| chunk.columns.is_none()));
}
