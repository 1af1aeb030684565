use super::*;
use std::fs;

/// Creates a folder with these files; databases can have any content here.
fn create_folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

#[test]
fn an_own_pack_may_use_the_databases_of_the_pack_beside_it() {
    let root = create_folder(&[
        (
            "bird_small/questions.jsonl",
            r#"{"id":"1","db_id":"a","question":"Q?","gold_sql":["SELECT 1"],"evidence":"","gold_ok":true,"gold_trivial":false}
{"id":"2","db_id":"b","question":"R?","gold_sql":["SELECT 1"],"evidence":"E","hardness":"easy"}
{"id":"3","db_id":"a","question":"","gold_sql":["x"],"gold_ok":false}
{"id":"4","db_id":"a","question":"","gold_sql":["x"],"gold_ok":true,"gold_trivial":true}
{"id":"5","db_id":"nowhere","question":"","gold_sql":["x"]}
{"id":"6","db_id":"sample","question":"S?","gold_sql":["SELECT 1"]}
"#,
        ),
        ("bird_small/databases/a.sqlite", ""),
        ("other/databases/b.sqlite", ""),
    ]);
    let pack = Pack::load(&root.path().join("bird_small"), EvalScope::Answers).unwrap();
    assert_eq!((pack.name.as_str(), pack.rule), ("bird_small", Rule::Bird));
    let [first, second, sample] = pack.questions.as_slice() else { panic!() };
    assert_eq!(sample.warehouse, "sample");
    assert_eq!((first.judged, first.evidence.as_deref()), (true, None));
    assert_eq!(
        (second.judged, second.evidence.as_deref(), second.hardness.as_deref()),
        (false, Some("E"), Some("easy"))
    );
    assert!(second.warehouse.ends_with("other/databases/b.sqlite"));
    let reasons = [SkipReason::GoldFails, SkipReason::GoldTrivial, SkipReason::NoDatabase];
    assert_eq!(pack.left_out, reasons.map(|reason| (reason, 1)).into());
}

#[test]
fn spiders_layout_brings_the_databases_of_its_test_suite() {
    let root = create_folder(&[
        ("dev.json", r#"[{"db_id": "pets", "question": "How many?", "query": "SELECT 1 WHERE 2 > = 1"}]"#),
        ("database/pets/pets.sqlite", ""),
        ("database/pets/pets_1.sqlite", ""),
        ("database/pets/schema.sql", ""),
        ("test_database/pets/pets_2.sqlite", ""),
    ]);
    let pack = Pack::load(root.path(), EvalScope::Answers).unwrap();
    let question = &pack.questions[0];
    assert_eq!((pack.rule, question.id.as_str(), question.judged), (Rule::Spider, "dev_0000", false));
    assert_eq!(question.gold_sql, ["SELECT 1 WHERE 2 >= 1"]);
    let suite: Vec<_> =
        question.test_databases.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(suite, ["pets_1.sqlite", "pets_2.sqlite"]);
}

#[test]
fn birds_layout_is_told_from_spiders_by_its_keys() {
    let row = r#"[{"question_id": 7, "db_id": "d", "question": "Q", "evidence": "E", "SQL": "SELECT 1", "difficulty": "simple"}]"#;
    for (file, databases) in [("dev.json", "dev_databases"), ("mini_dev_sqlite.json", "databases")] {
        let database = format!("{databases}/d/d.sqlite");
        let root = create_folder(&[(file, row), ("mini_dev_mysql.json", "[]"), (&database, "")]);
        let pack = Pack::load(root.path(), EvalScope::Answers).unwrap();
        let question = &pack.questions[0];
        assert_eq!((pack.rule, question.id.as_str()), (Rule::Bird, "bird_0007"));
        assert_eq!((question.evidence.as_deref(), question.hardness.as_deref()), (Some("E"), Some("simple")));
    }
}

#[test]
fn spider2_takes_gold_from_files_and_leaves_out_what_has_only_a_schema() {
    let root = create_folder(&[
        (
            "spider2-lite.jsonl",
            r#"{"instance_id": "bq1", "db": "x", "question": "Q", "external_knowledge": null}
{"instance_id": "local1", "db": "shop", "question": "Q", "external_knowledge": "rfm.md"}
{"instance_id": "local2", "db": "shop", "question": "Q", "external_knowledge": null}
{"instance_id": "local12", "db": "shop", "question": "no gold", "external_knowledge": null}
{"instance_id": "local3", "db": "port", "question": "Q", "external_knowledge": null}
{"instance_id": "local4", "db": "gone", "question": "Q", "external_knowledge": null}
"#,
        ),
        ("resource/databases/spider2-localdb/shop.sqlite", ""),
        ("resource/documents/rfm.md", "Recency"),
        ("evaluation_suite/gold/exec_result/local1_a.csv", "name,n\nAnn,1\nBen,\n"),
        ("evaluation_suite/gold/exec_result/local1_b.csv", "n\n1.5\n"),
        ("evaluation_suite/gold/sql/local2.sql", "SELECT 2"),
        ("evaluation_suite/gold/sql/local3.sql", "SELECT 3"),
        ("evaluation_suite/gold/sql/local4.sql", "SELECT 4"),
        ("resource/databases/sqlite/port/DDL.csv", "table_name,DDL\nship,\"CREATE TABLE ship (name)\"\n"),
        (
            "evaluation_suite/gold/spider2lite_eval.jsonl",
            "{\"instance_id\": \"local1\", \"condition_cols\": [[1], [0]], \"ignore_order\": false}\n",
        ),
    ]);
    let pack = Pack::load(root.path(), EvalScope::Answers).unwrap();
    let left_out = [(SkipReason::SchemaOnly, 2), (SkipReason::NoGold, 1), (SkipReason::NoDatabase, 1)];
    assert_eq!(pack.left_out, left_out.into());
    let linked = Pack::load(root.path(), EvalScope::Linking).unwrap();
    assert_eq!(linked.questions.iter().map(|q| q.id.as_str()).collect::<Vec<_>>(), ["local2", "local3"]);
    let [first, second] = pack.questions.as_slice() else { panic!() };
    assert_eq!((first.evidence.as_deref(), first.judged, second.judged), (Some("Recency"), true, false));
    let [a, b] = first.gold_tables.as_slice() else { panic!() };
    assert_eq!((a.required.as_slice(), b.required.as_slice(), a.ordered), ([1].as_slice(), [0].as_slice(), true));
    assert_eq!(a.page.columns.iter().map(|c| c.cell_type).collect::<Vec<_>>(), [CELL_TEXT, CELL_INTEGER]);
    assert_eq!(a.page.rows[1], [Some("Ben".to_owned()), None]);
    assert_eq!((second.gold_sql.as_slice(), second.gold_tables.len()), (["SELECT 2".to_owned()].as_slice(), 0));
}
#[test]
fn spider2_snow_has_its_own_settings_and_may_use_the_documents_beside_it() {
    let root = create_folder(&[
        (
            "snow/spider2-snow.jsonl",
            r#"{"instance_id": "sf_1", "db_id": "SHOP", "instruction": "Q", "external_knowledge": "rfm.md"}
{"instance_id": "sf_2", "db_id": "SHOP", "instruction": "Q", "external_knowledge": "gone.md"}
{"instance_id": "sf_3", "db_id": "SHOP", "instruction": "Q", "external_knowledge": ""}
{"instance_id": "shop_1", "instruction": "Complete it", "type": "DBT"}
"#,
        ),
        ("snow/resource/databases/SHOP/PUBLIC/DDL.csv", ""),
        ("spider2-lite/resource/documents/rfm.md", "Recency"),
        ("spider2-dbt/examples/spider2-dbt.jsonl", "{\"instance_id\": \"a\"}\n{\"instance_id\": \"b\"}\n"),
        ("snow/evaluation_suite/gold/exec_result/sf_1.csv", "n\n1\n"),
        ("snow/evaluation_suite/gold/exec_result/sf_1_a.csv", "n\n2\n"),
        ("snow/evaluation_suite/gold/exec_result/sf_10.csv", "n\n3\n"),
        ("snow/evaluation_suite/gold/exec_result/sf_2_b.csv", "n,m\n1,2\n"),
        ("snow/evaluation_suite/gold/exec_result/sf_2_a.csv", "n,m\n3,4\n"),
        (
            "snow/evaluation_suite/gold/spider2snow_eval.jsonl",
            r#"{"instance_id": "sf_1", "condition_cols": [], "ignore_order": true, "temporal": true}
{"instance_id": "sf_2", "condition_cols": [1], "ignore_order": true}
"#,
        ),
    ]);
    let folder = root.path().join("snow");
    let own = |pattern: &str| PackConnection {
        pattern: pattern.parse().unwrap(),
        address: "snowflake://ann@acme/ANY/PUBLIC?warehouse=W".to_owned(),
    };
    let pack = Pack::load_connected(&folder, EvalScope::Answers, &[own("*")]).unwrap();
    let [first, second] = pack.questions.as_slice() else { panic!("{:?}", pack.questions) };
    assert_eq!((first.evidence.as_deref(), second.missing_document.as_deref()), (Some("Recency"), Some("gone.md")));
    assert_eq!(pack.count_missing_documents(), 1);
    assert_eq!(first.warehouse, "snowflake://ann@acme/SHOP?warehouse=W");
    assert_eq!(first.gold_tables.len(), 1, "a result without a letter is the only one");
    assert!(first.gold_terms.as_ref().unwrap().replaces_tables);
    let required = second.gold_tables.iter().map(|table| table.required.as_slice());
    assert_eq!(required.collect::<Vec<_>>(), [[1], [1]], "one list counts for all results");
    assert_eq!(second.gold_tables[0].page.rows[0][0].as_deref(), Some("3"));
    assert_eq!(pack.left_out, [(SkipReason::NoGold, 1), (SkipReason::DbtTask, 3)].into());

    let unconnected = Pack::load(&folder, EvalScope::Answers).unwrap_err();
    assert!(unconnected.hint.unwrap().contains("--connection"));
    let tasks = Pack::load(&root.path().join("spider2-dbt"), EvalScope::Answers).unwrap_err();
    assert!(tasks.detail.unwrap().contains("dbt project: 2"));
}

const CELL_TEXT: vitrine_domain::CellType = vitrine_domain::CellType::Text;
const CELL_INTEGER: vitrine_domain::CellType = vitrine_domain::CellType::Integer;

#[test]
fn a_sample_is_taken_after_the_databases_are_chosen() {
    let lines: String = (0..10)
        .map(|i| format!(r#"{{"id":"{i}","db_id":"{}","question":"Q","gold_sql":["x"]}}"#, ["a", "b"][i % 2]) + "\n")
        .collect();
    let root =
        create_folder(&[("p/questions.jsonl", &lines), ("p/databases/a.sqlite", ""), ("p/databases/b.sqlite", "")]);
    let pack = Pack::load(&root.path().join("p"), EvalScope::Answers).unwrap();
    let ids = |sample: Sample| pack.select_questions(&sample).unwrap().into_iter().map(|q| q.id).collect::<Vec<_>>();
    assert_eq!(ids(Sample { every: 3, offset: 1, limit: Some(2), ..Sample::default() }), ["1", "4"]);
    assert_eq!(ids(Sample { every: 2, databases: vec!["b".to_owned()], ..Sample::default() }), ["1", "5", "9"]);
    let unknown = pack.select_questions(&Sample { databases: vec!["c".to_owned()], ..Sample::default() }).unwrap_err();
    assert_eq!(unknown.hint.as_deref(), Some("It has a, b"));
    assert!(
        pack.select_questions(&Sample { offset: 10, ..Sample::default() }).is_err(),
        "an empty sample is a mistake"
    );
}

#[test]
fn what_is_no_pack_says_what_one_is() {
    let root = create_folder(&[("twice/questions.jsonl", "{\"id\":1}\n"), ("empty/readme.md", "")]);
    let error = Pack::load(&root.path().join("empty"), EvalScope::Answers).unwrap_err();
    assert!(error.hint.unwrap().contains("questions.jsonl"));
    let error = Pack::load(&root.path().join("twice"), EvalScope::Answers).unwrap_err();
    assert!(error.message.contains("line 1"), "{error}");
}

#[test]
fn names_in_a_pack_lead_to_no_file_outside_of_it() {
    let root = create_folder(&[
        (
            "pack/spider2-lite.jsonl",
            r#"{"instance_id": "local1", "db": "shop", "question": "Q", "external_knowledge": "../../../secret.md"}
{"instance_id": "local2", "db": "../../../../outside", "question": "Q", "external_knowledge": null}
"#,
        ),
        ("pack/resource/databases/spider2-localdb/shop.sqlite", ""),
        ("pack/resource/documents/other.md", ""),
        ("pack/evaluation_suite/gold/sql/local1.sql", "SELECT 1"),
        ("pack/evaluation_suite/gold/sql/local2.sql", "SELECT 1"),
        ("secret.md", "a private key"),
        ("outside.sqlite", ""),
        ("own/questions.jsonl", r#"{"id":"1","db_id":"../../outside","question":"Q?","gold_sql":["SELECT 1"]}"#),
        ("own/databases/a.sqlite", ""),
    ]);
    let pack = Pack::load(&root.path().join("pack"), EvalScope::Answers).unwrap();
    let [only] = pack.questions.as_slice() else { panic!("{:?}", pack.questions) };
    assert_eq!((only.id.as_str(), only.evidence.as_deref()), ("local1", None));
    assert_eq!(pack.left_out, [(SkipReason::NoDatabase, 1)].into());
    let error = Pack::load(&root.path().join("own"), EvalScope::Answers).unwrap_err();
    assert!(error.message.contains("no question to ask"), "{error}");
}
