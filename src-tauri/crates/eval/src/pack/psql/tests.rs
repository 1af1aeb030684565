use super::*;
use crate::judge::PreparedDatabase;
use crate::metrics::Rule;
use crate::pack::{AmbiguityMode, EvalScope, GivenSchema};
use crate::run::{EvalEnvironment, EvalOptions, run_pack};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::Models;
use vitrine_domain::{AskSettings, MethodName};
use vitrine_llm::ScriptedModel;
use vitrine_test_servers::postgres_server::{self, PostgresServer};

const DUMP: &str = "
SELECT pg_catalog.set_config('search_path', '', false);
CREATE SCHEMA zoo;
CREATE TABLE zoo.animal (id integer NOT NULL, name text, weight numeric(6,2));
COPY zoo.animal (id, name, weight) FROM stdin;
1\tRex\t12.50
2\tTom\t4.00
\\.
ALTER TABLE ONLY zoo.animal ADD CONSTRAINT animal_pkey PRIMARY KEY (id);
";

const QUESTIONS: &str = r#"[
 {"db_name": "Small Zoo", "category": "easy", "question": "Who is heavy?", "instructions": "", "gold_expanded":
  ["SELECT id, name FROM animal WHERE weight > 10"], "gold_alternatives": ["SELECT {id, name} FROM animal WHERE weight > 10"]},
 {"db_name": "Small Zoo", "category": "easy", "question": "How many?", "instructions": "All of them", "gold_expanded":
  ["SELECT count(*) FROM animal"]},
 {"db_name": "gone", "question": "Nothing?", "gold_expanded": ["SELECT 1"]}
]"#;

/// Opens the database at an address, adding the password that the address omits.
fn create_environment(replies: &[&str]) -> Arc<EvalEnvironment> {
    let prepare = |address: String| {
        let open = async move {
            let uri = WarehouseUri::parse(&address)?;
            let server =
                uri.server_address().unwrap().clone().with_password(Some(postgres_server::PASSWORD.to_owned()));
            let warehouse = vitrine_warehouse::open_warehouse(&WarehouseUri::of_server(server)).await?;
            let catalog = Arc::new(warehouse.load_catalog().await?);
            Ok(PreparedDatabase {
                warehouse,
                catalog,
                standing: Vec::new(),
                metrics: None,
                allowed: Default::default(),
                profile: Arc::default(),
                values: None,
                embedder: None,
                budgeted: None,
            })
        };
        Box::pin(open) as futures::future::BoxFuture<'static, Result<PreparedDatabase, AppError>>
    };
    let model = Arc::new(ScriptedModel::new(replies.to_vec()));
    Arc::new(EvalEnvironment {
        prepare: Box::new(prepare),
        release: Box::new(|_| {}),
        clock: Arc::new(|| 0),
        models: Models { default: model, by_agent: Default::default() },
        meter: None,
        sandbox: Box::new(|| None),
        calibration: Arc::new(vitrine_agents::certainty::Calibration::cautious_default()),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn dumps_are_loaded_once_and_questions_judged_on_them() {
    let server = PostgresServer::start();
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("animals");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("questions.json"), QUESTIONS).unwrap();
    std::fs::write(folder.join("Small Zoo.sql"), DUMP).unwrap();
    let mut pack = Pack::load(&folder, EvalScope::Answers).unwrap();
    assert_eq!((pack.rule, pack.questions.len(), pack.left_out.len()), (Rule::Spider, 2, 1));
    assert_eq!(pack.questions[1].evidence.as_deref(), Some("All of them"));
    let sample = Sample::default();
    assert!(pack.select_questions(&sample).unwrap_err().hint.unwrap().contains("--server"));

    let uri = WarehouseUri::parse(&server.address("postgres")).unwrap();
    let mut loaded = Vec::new();
    for _ in 0..2 {
        pack = Pack::load(&folder, EvalScope::Answers).unwrap();
        load_dumps(&mut pack, &sample, uri.server_address().unwrap(), |name| loaded.push(name.to_owned()))
            .await
            .unwrap();
    }
    assert_eq!(loaded, ["vitrine_eval_small_zoo"]);
    let address = &pack.questions[0].warehouse;
    assert!(address.ends_with("/vitrine_eval_small_zoo") && !address.contains("pass-word"), "{address}");

    let settings = AskSettings { strategy: MethodName::from("direct"), ..AskSettings::default() };
    let out = root.path().join("out");
    let options = EvalOptions {
        settings,
        sample: sample.clone(),
        meaning: AmbiguityMode::Any,
        schema: GivenSchema::Whole,
        jobs: 1,
        out,
        resume: false,
        replies: None,
    };
    // Both golds are accepted; `animal` is found without its schema.
    let environment =
        create_environment(&["SELECT name FROM animal WHERE weight > 10", "SELECT count(*) + 1 FROM animal"]);
    let run = run_pack(&pack, environment, options, CancellationToken::new(), |_| {}).await.unwrap();
    assert_eq!(run.outcomes.iter().map(|o| o.is_right(Rule::Spider)).collect::<Vec<_>>(), [true, false]);

    std::fs::write(folder.join("Small Zoo.sql"), DUMP.replace("Tom", "Tim")).unwrap();
    let mut pack = Pack::load(&folder, EvalScope::Answers).unwrap();
    load_dumps(&mut pack, &sample, uri.server_address().unwrap(), |name| loaded.push(name.to_owned())).await.unwrap();
    assert_eq!(loaded.len(), 2);
    assert_eq!(server.psql("vitrine_eval_small_zoo", "SELECT name FROM animal WHERE id = 2"), "Tim");

    std::fs::write(folder.join("Small Zoo.sql"), "CREATE TABLE t (a int); SELECT broken;").unwrap();
    let mut pack = Pack::load(&folder, EvalScope::Answers).unwrap();
    let error = load_dumps(&mut pack, &sample, uri.server_address().unwrap(), |_| {}).await.unwrap_err();
    assert!(
        error.detail.clone().unwrap().contains("broken") && !format!("{error:?}").contains("pass-word"),
        "{error:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dump_can_run_nothing_on_this_machine() {
    let server = PostgresServer::start();
    let root = tempfile::tempdir().unwrap();
    let (folder, trace) = (root.path().join("animals"), root.path().join("it-ran"));
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("questions.json"), QUESTIONS).unwrap();
    let uri = WarehouseUri::parse(&server.address("postgres")).unwrap();
    let load = async |dump: &[u8]| {
        std::fs::write(folder.join("Small Zoo.sql"), dump).unwrap();
        let mut pack = Pack::load(&folder, EvalScope::Answers).unwrap();
        load_dumps(&mut pack, &Sample::default(), uri.server_address().unwrap(), |_| {}).await
    };
    let touch = format!("\\! touch {}", trace.display());

    let error = load(format!("{DUMP}\nSELECT 1; {touch}\n").as_bytes()).await.unwrap_err();
    assert!(error.message.contains("Small Zoo.sql, line 11, contains a psql command"), "{error}");
    assert!(error.code == ErrorCode::Usage && error.detail.unwrap().contains("touch"));
    assert_eq!(server.psql("postgres", "SELECT count(*) FROM pg_database WHERE datname LIKE 'vitrine%'"), "0");

    // In this encoding 0x83 consumes the quote, so that `psql` finds a command that a UTF-8 parser does not see.
    let mut sly =
        format!("{DUMP}\nDO $$BEGIN EXECUTE 'SET client_' || 'encoding = SJIS'; END$$;\nSELECT 1 ").into_bytes();
    sly.extend(b"\x83'");
    sly.extend(format!(" {touch}\n';\n").bytes());
    let error = load(&sly).await.unwrap_err();
    assert!(error.detail.as_deref().unwrap().contains("backslash commands are restricted"), "{error:?}");
    assert!(!trace.exists());

    // The commands that newer versions of pg_dump write.
    load(format!("\\restrict aB3\n{DUMP}\n\\unrestrict aB3\n").as_bytes()).await.unwrap();
    assert_eq!(server.psql("vitrine_eval_small_zoo", "SELECT count(*) FROM zoo.animal"), "2");
}
