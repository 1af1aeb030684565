//! DSR-SQL, CHASE-SQL, ReFoRCE and ProSPy with scripted replies: each step appears in the run log, and invalid replies
//! end within bounds.

use crate::bench::{Ran, Shop, run};
use crate::described::kept_its_promise;
use async_trait::async_trait;
use futures::stream::BoxStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::{METHODS, parameters};
use vitrine_agents::run::sandbox::{Analysed, AnalysisError, AnalysisSandbox};
use vitrine_domain::page::CellType;
use vitrine_domain::{
    AskSettings, Confidence, EventBody, GenerationAction, LinkingPass, ModelProfile, Page, Reasoning, ResultColumn,
    RunStatus, Switch,
};
use vitrine_llm::{ChatModel, Line, LlmError, ModelEvent, Request, ScriptedModel};

const QUESTION: &str = "How many customers live in each country?";
const BY_COUNTRY: &str = "SELECT country, COUNT(*) FROM customer GROUP BY country";
const ALL: &str = "SELECT COUNT(*) FROM customer";
const NAMES: &str = "SELECT name FROM customer";

pub fn settings(method: &str, set: &[(&str, &str)], without: &[Switch]) -> AskSettings {
    let mut settings = AskSettings { strategy: method.into(), without: without.to_vec(), ..AskSettings::default() };
    set.iter().for_each(|(key, value)| parameters::set_parameter(&mut settings.methods, key, value).unwrap());
    settings
}

async fn ask(settings: AskSettings, lines: Vec<Line>) -> (Ran, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::new(lines));
    let shop = Shop::new();
    let ask = shop.ask(QUESTION, settings, model.clone()).await;
    (run(ask, CancellationToken::new()).await, model)
}

fn say(text: &str) -> Line {
    Line::Say(text.to_owned())
}

fn samples(texts: &[&str]) -> Line {
    Line::Samples(texts.iter().map(|text| (*text).to_owned()).collect())
}

fn fenced(sql: &str) -> String {
    format!("1. countries\n```sql\n{sql}\n```")
}

fn rows(ran: &Ran) -> u64 {
    ran.report.page.as_ref().map_or(0, |page| page.row_count)
}

/// The relevant definition within pages of unrelated text.
const MEANT: &str = "A country is where a customer lives.";

#[tokio::test]
async fn definitions_that_fit_into_no_prompt_are_read_in_parts_whatever_the_method() {
    let long = format!("{}{MEANT}\n", "Nothing that matters is said here.\n".repeat(400));
    let thinking = format!("<think>\n\nLet me see.\n\n</think>\n{MEANT}");
    let reasons = |reasoning| ModelProfile {
        reasoning,
        deliberates: false,
        context_tokens: 16_384,
        chunk_budget: 2_500,
        ..ModelProfile::default()
    };
    for (method, profile, fact) in [
        ("auto", reasons(Reasoning::None), MEANT),
        ("direct", reasons(Reasoning::None), MEANT),
        ("reforce", reasons(Reasoning::None), MEANT),
        ("direct", reasons(Reasoning::Text), thinking.as_str()),
    ] {
        let lines: Vec<Line> = [fact, fact].into_iter().chain([BY_COUNTRY; 8]).map(say).collect();
        let model = Arc::new(ScriptedModel::new(lines).with_profile(profile));
        let shop = Shop::new();
        let ask = shop.ask_with_all(QUESTION, &long, settings(method, &[], &[]), model.clone()).await;
        let ran = run(ask, CancellationToken::new()).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{method}: {:?}", ran.outcome);
        let (parts, others): (Vec<_>, Vec<_>) =
            model.requests().into_iter().partition(|request| request.tail.contains("<document>"));
        assert_eq!(parts.len(), 2, "{method}");
        // Models that reason in their text separate thoughts by blank lines.
        assert_eq!(parts[0].stop.is_empty(), fact != MEANT, "{method}: {:?}", parts[0].stop);
        let read = |request: &Request| format!("{}{}{}", request.system, request.prefix, request.tail);
        assert!(others.iter().any(|request| read(request).contains(MEANT)), "{method}");
        assert!(others.iter().all(|request| !read(request).contains("Nothing that matters")), "{method}");
        assert!(others.iter().all(|request| !read(request).contains("Let me see")), "{method}");
    }
    // Knowledge that fits into the prompt is shown unchanged.
    let model = Arc::new(ScriptedModel::new([BY_COUNTRY; 8].map(say).to_vec()));
    let shop = Shop::new();
    let ask = shop.ask_with_all(QUESTION, MEANT, settings("auto", &[], &[]), model.clone()).await;
    assert!(run(ask, CancellationToken::new()).await.outcome.is_ok());
    assert!(model.requests()[0].tail.contains(MEANT));
}

fn nodes(ran: &Ran) -> Vec<String> {
    ran.pick(|b| match b {
        EventBody::StageStarted { node, .. } => Some(node.to_string()),
        _ => None,
    })
}

#[tokio::test]
async fn chase_writes_three_ways_fixes_and_compares_every_two_results() {
    let examples = r#"{"examples":[{"question":"How many purchases are there?","sql":"SELECT COUNT(*) FROM purchase"},{"question":"Bad","sql":"SELECT nothing FROM nowhere"}]}"#;
    let set = [("chase-sql.candidates", "2"), ("chase-sql.examples", "2"), ("chase-sql.select", "pairwise")];
    let chase = settings("chase-sql", &set, &[]);
    let lines = vec![
        samples(&[&fenced(BY_COUNTRY), &fenced("SELECT nothing FROM customer")]),
        say(ALL), // the fixer
        samples(&[&fenced(BY_COUNTRY), &fenced(ALL)]),
        say(examples),
        samples(&[BY_COUNTRY, NAMES]),
        say(r#"{"better":"A"}"#), // three results: six comparisons, the earlier one preferred in either position
        say(r#"{"better":"A"}"#),
        say(r#"{"better":"B"}"#),
        say(r#"{"better":"A"}"#),
        say(r#"{"better":"B"}"#),
        say(r#"{"better":"B"}"#),
    ];
    let (ran, model) = ask(chase, lines).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    assert_eq!((rows(&ran), model.unused_lines()), (3, 0));
    assert_eq!(
        nodes(&ran),
        ["schema", "grounding", "divide-and-conquer", "query-plan", "examples", "synthetic", "choice", "result"]
    );
    let shuffled = ran.pick(|b| match b {
        EventBody::SchemaShuffled { seed, tables, .. } => Some((*seed, tables.len())),
        _ => None,
    });
    assert_eq!(shuffled, [(43, 2), (44, 2)], "two generators read the schema in an order of their own");
    let kept = ran.pick(|b| match b {
        EventBody::ExamplesWritten { examples, dropped, .. } => Some((examples.len(), *dropped)),
        _ => None,
    });
    assert_eq!(kept, [(1, 1)], "an example that does not run is no example");
    let compared = ran.pick(|b| match b {
        EventBody::Compared { clusters, wins, scores, .. } => Some((clusters.clone(), wins.clone(), scores.clone())),
        _ => None,
    });
    let (clusters, wins, scores) = &compared[0];
    assert_eq!(clusters.iter().map(|c| c.candidates.clone()).collect::<Vec<_>>(), [vec![1, 3, 5], vec![2, 4], vec![6]]);
    assert_eq!(wins, &[[0, 2, 2], [0, 0, 2], [0, 0, 0]], "the same preference both ways round");
    assert_eq!(scores, &[2 + 2 * 2 + 2, 1 + 2, 0]);
    assert_eq!(ran.report.warnings, ["Not sure: only 3 of 6 queries agree on this result"]);
    let fixes = ran.pick(|b| match b {
        EventBody::SqlAttempted { candidate: 2, attempt, error, .. } => Some((*attempt, error.is_some())),
        _ => None,
    });
    assert_eq!(fixes, [(0, true), (1, false)]);
}

#[tokio::test]
async fn chase_can_go_without_its_parts() {
    let parts = [Switch::QueryPlan, Switch::Examples, Switch::Values, Switch::SqlFeedback];
    let set = [("chase-sql.candidates", "3"), ("chase-sql.select", "self-consistency")];
    let lines = vec![samples(&[&fenced(NAMES), &fenced(BY_COUNTRY), &fenced(BY_COUNTRY)])];
    let (ran, _) = ask(settings("chase-sql", &set, &parts), lines).await;
    assert_eq!(rows(&ran), 3, "the most common result, though it is not the first");
    assert_eq!(nodes(&ran), ["schema", "grounding", "divide-and-conquer", "choice", "result"]);
}

#[tokio::test]
async fn a_small_model_is_not_asked_to_choose_unless_told_to() {
    let parts = [Switch::QueryPlan, Switch::Examples];
    let three = || samples(&[&fenced(NAMES), &fenced(BY_COUNTRY), &fenced(BY_COUNTRY)]);
    let set = [("chase-sql.candidates", "3")];
    let (ran, model) = ask(settings("chase-sql", &set, &parts), vec![three()]).await;
    assert_eq!((rows(&ran), model.unused_lines()), (3, 0));
    assert!(ran.report.warnings.is_empty(), "{:?}", ran.report.warnings);
    let set = [("chase-sql.candidates", "3"), ("chase-sql.select", "pairwise")];
    let lines = vec![three(), say(r#"{"better":"B"}"#), say(r#"{"better":"A"}"#)];
    let (ran, model) = ask(settings("chase-sql", &set, &parts), lines).await;
    assert_eq!((rows(&ran), model.unused_lines()), (4, 0), "the names, which were preferred twice");
    assert_eq!(ran.report.warnings, ["Not sure: only 1 of 3 queries agree on this result"]);
}

#[tokio::test]
async fn reforce_explores_only_where_the_vote_is_tied() {
    let reforce = || settings("reforce", &[("reforce.votes", "3"), ("reforce.probes", "4")], &[]);
    let (sure, _) = ask(reforce(), vec![samples(&[BY_COUNTRY, ALL, BY_COUNTRY])]).await;
    assert_eq!(nodes(&sure), ["schema", "generator", "vote-1", "result"]);
    assert_eq!(rows(&sure), 3);

    let probes = r#"{"probes":[
        {"purpose":"countries","sql":"SELECT DISTINCT land FROM customer"},
        {"purpose":"more","sql":"SELECT land, name FROM customer"},
        {"purpose":"other","sql":"SELECT amount FROM purchase"}]}"#;
    let lines = vec![
        samples(&[BY_COUNTRY, ALL, NAMES]),
        say(probes),
        say("SELECT DISTINCT country FROM customer"),
        say(r#"{"sql":["SELECT country, name FROM customer"]}"#),
        samples(&[BY_COUNTRY, BY_COUNTRY, ALL]),
    ];
    let (tied, model) = ask(reforce(), lines).await;
    assert_eq!(tied.report.status(), RunStatus::Answered, "{:?}", tied.outcome);
    assert_eq!(nodes(&tied), ["schema", "generator", "vote-1", "exploration", "generator-2", "vote-2", "result"]);
    let probed = tied.pick(|b| match b {
        EventBody::Probed { probe, .. } => Some((probe.fixes, probe.carried_from, probe.error.is_none())),
        _ => None,
    });
    assert_eq!(probed, [(1, None, true), (0, Some(1), true), (0, None, true)], "the correction is carried over");
    assert!(model.requests()[4].tail.contains("countries: SELECT DISTINCT country"), "what was seen is told");
    let votes = tied.pick(|b| match b {
        EventBody::Voted { round, confidence, .. } => Some((*round, *confidence)),
        _ => None,
    });
    assert_eq!(votes, [(1, Confidence::Low), (2, Confidence::High)]);
}

#[tokio::test]
async fn reforce_says_that_its_last_resort_is_one() {
    let set = [("reforce.votes", "2")];
    let lines = vec![samples(&[BY_COUNTRY, ALL])];
    let (ran, _) = ask(settings("reforce", &set, &[Switch::Exploration]), lines).await;
    assert_eq!(ran.report.status(), RunStatus::Answered);
    assert!(ran.report.warnings.iter().any(|w| w.contains("last resort")), "{:?}", ran.report.warnings);
}

fn step(action: &str, sql: &str) -> Line {
    say(&format!(r#"{{"action":"{action}","aim":"next","sql":"{sql}"}}"#))
}

fn dsr(set: &[(&str, &str)]) -> AskSettings {
    let mut all = vec![("dsr-sql.samples", "1"), ("dsr-sql.probes", "5")];
    all.extend_from_slice(set);
    settings("dsr-sql", &all, &[])
}

const PROBES: &str = r#"{"probes":[{"purpose":"countries","sql":"SELECT DISTINCT country FROM customer"}]}"#;
const FACTS: &str = r#"{"facts":["country holds 'US' and 'DE'","country holds 'Atlantis'"]}"#;

#[tokio::test]
async fn dsr_grows_a_query_and_never_returns_what_it_only_looked_at() {
    let lines = vec![
        say(ALL), // drafted for the selection; the first state of the run
        say(PROBES),
        say(FACTS),
        step("explore", "SELECT * FROM customer"),
        step("revise", BY_COUNTRY),
        step("finalize", BY_COUNTRY),
    ];
    let (ran, model) = ask(dsr(&[]), lines).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    assert_eq!(rows(&ran), 3);
    let actions = ran.pick(|b| match b {
        EventBody::StateReached { action, .. } => Some(*action),
        _ => None,
    });
    use GenerationAction::{Explore, Extend, Finalize, Revise};
    assert_eq!(actions, [Extend, Explore, Revise, Finalize]);
    let inputs = ran.pick(|b| match b {
        EventBody::StageStarted { node, inputs, .. } if node == "step-3" => Some(inputs.clone()),
        _ => None,
    });
    assert_eq!(inputs, [["step-1", "step-2"]], "it grows from the query, with the side branch in view");
    let facts = ran.pick(|b| match b {
        EventBody::Summarised { facts, .. } => Some(facts.clone()),
        _ => None,
    });
    assert_eq!(facts, [["country holds 'US' and 'DE'"]], "a fact that quotes what nobody saw is dropped");
    assert!(model.requests()[3].tail.contains("country holds 'US'"));

    // Without steps left after an Explore, its query is the answer, with a warning.
    let lines = vec![say(BY_COUNTRY), say(PROBES), say(FACTS), step("explore", NAMES), say("no step"), say("no step")];
    let (ran, _) = ask(dsr(&[("dsr-sql.steps", "3")]), lines).await;
    assert_eq!(rows(&ran), 3);
    assert!(ran.report.warnings.iter().any(|w| w.contains("no query was declared final")), "{:?}", ran.report.warnings);

    // A result with rows is not replaced by one without rows.
    let nobody = "SELECT country, COUNT(*) FROM customer WHERE country = 'Atlantis' GROUP BY country";
    let lines = vec![say(BY_COUNTRY), say(PROBES), say(FACTS), step("finalize", nobody)];
    let (ran, _) = ask(dsr(&[("dsr-sql.steps", "2")]), lines).await;
    assert_eq!((rows(&ran), ran.report.status()), (3, RunStatus::Answered), "{:?}", ran.outcome);
}

#[tokio::test]
async fn dsr_brings_back_what_it_left_out_and_writes_at_once_where_no_step_runs() {
    let shop =
        Shop::with("CREATE TABLE season (id INTEGER PRIMARY KEY, label TEXT); INSERT INTO season VALUES (1,'May');");
    let wrong = "SELECT labels FROM customer";
    let lines = vec![
        say(wrong), // no initial draft
        say(PROBES),
        say(FACTS),
        step("extend", wrong),
        say(wrong), // the fix repeats the mistake
        step("extend", wrong),
        say(wrong),
        step("extend", wrong),
        say(wrong),
        samples(&[BY_COUNTRY, BY_COUNTRY, ALL]),
    ];
    let model = Arc::new(ScriptedModel::new(lines));
    let ran = run(shop.ask(QUESTION, dsr(&[]), model.clone()).await, CancellationToken::new()).await;
    assert_eq!((rows(&ran), model.unused_lines()), (3, 0), "{:?}", ran.outcome);
    let back = ran.pick(|b| match b {
        EventBody::SchemaLinked { pass: LinkingPass::BroughtBack, changed, .. } => Some(changed.clone()),
        _ => None,
    });
    assert_eq!(back, [["season"]], "it has a column called nearly so");
    assert!(!model.requests()[3].prefix.contains("season") && model.requests()[5].prefix.contains("season"));
}

/// A sandbox that returns prepared results instead of running code.
pub struct Written {
    folder: tempfile::TempDir,
    lines: Mutex<Vec<Result<Analysed, AnalysisError>>>,
}

impl Written {
    pub fn new(lines: Vec<Result<Analysed, AnalysisError>>) -> Arc<Self> {
        Arc::new(Self { folder: tempfile::tempdir().unwrap(), lines: Mutex::new(lines) })
    }
}

#[async_trait]
impl AnalysisSandbox for Written {
    fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    async fn run_code(
        &self,
        _: &str,
        views: &[String],
        _: u64,
        _: CancellationToken,
    ) -> Result<Analysed, AnalysisError> {
        for view in views {
            let file = self.folder.path().join(format!("{view}.parquet"));
            assert!(std::fs::metadata(&file).is_ok_and(|m| m.len() > 0), "{view} is kept");
        }
        self.lines.lock().unwrap().remove(0)
    }
}

const VIEW: &str = r#"{"views":[{"name":"by_country","rationale":"customers","source":[{"table":"customer"}],
  "dimensions":[{"column":"customer.country"}],"metrics":[{"name":"n","agg":"count"}]}]}"#;

fn prunings() -> Vec<Line> {
    // Coarse and fine. Columns of foreign keys are kept in the coarse pass.
    let needed = r#"{"tables":[{"name":"customer","columns":["id"]}]}"#;
    vec![say(needed), say(needed)]
}

#[tokio::test]
async fn prospy_prunes_fetches_and_analyses() {
    let table = Page {
        columns: vec![ResultColumn::new("n", CellType::Integer)],
        rows: vec![vec![Some("7".into())]],
        row_count: 1,
        truncated: false,
    };
    let sandbox = Written::new(vec![
        Err(AnalysisError::of_code("KeyError: 'nn', line 1")),
        Ok(Analysed { page: table, printed: "hello".into() }),
    ]);
    let mut lines = prunings();
    lines.extend([
        say(VIEW),
        say("result = by_country.nn"),
        say("result = by_country[['n']]"),
        say("SELECT 7"),
        say("SELECT 7"),
    ]);
    let model = Arc::new(ScriptedModel::new(lines));
    let shop = Shop::new();
    let mut asked = shop.ask(QUESTION, settings("prospy", &[], &[]), model.clone()).await;
    asked.data.sandbox = Some(sandbox);
    let ran = run(asked, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    assert_eq!(nodes(&ran), ["schema", "grounding", "linking", "fetch", "analysis", "generator", "result"]);
    kept_its_promise(&ran, true);
    assert_eq!(ran.report.code.as_deref(), Some("result = by_country[['n']]"));
    assert!(ran.report.sql.as_ref().unwrap().contains("by_country"));
    assert!(model.requests()[4].turns[0].1.contains("KeyError"), "the error is told");
    let passes = ran.pick(|b| match b {
        EventBody::SchemaLinked { pass, kept, .. } => Some((*pass, kept.tables.len())),
        _ => None,
    });
    assert_eq!(passes, [(LinkingPass::FineTables, 1), (LinkingPass::FineColumns, 1)]);
    let kept = ran.report.selection.tables[0].columns.clone();
    assert_eq!(kept, ["id", "country"], "the question speaks of countries, and not of names");
    let fetched = ran.pick(|b| match b {
        EventBody::ViewFetched { spec, sql, bytes, page, .. } => {
            Some((spec.is_some(), sql.contains("GROUP BY"), bytes.is_some(), page.as_ref().map(|p| p.row_count)))
        }
        _ => None,
    });
    assert_eq!(fetched, [(true, true, true, Some(3))], "aggregated by the database, and kept");
}

#[tokio::test]
async fn prospy_is_told_of_an_empty_view_and_runs_the_same_code_once() {
    let sandbox = Written::new(vec![Err(AnalysisError::of_code("KeyError: 'nn', line 1"))]);
    let empty = VIEW.replace(
        "\"metrics\"",
        "\"conditions\":[{\"column\":\"customer.country\",\"op\":\"=\",\"values\":[\"Nowhere\"]}],\"metrics\"",
    );
    assert_ne!(empty, VIEW);
    let mut lines = prunings();
    lines.extend([
        say(&empty),
        say(VIEW),
        say("result = by_country.nn"),
        say("result = by_country.nn"),
        say(BY_COUNTRY),
    ]);
    lines.push(say(BY_COUNTRY));
    let model = Arc::new(ScriptedModel::new(lines));
    let shop = Shop::new();
    let mut asked = shop.ask(QUESTION, settings("prospy", &[], &[]), model.clone()).await;
    asked.data.sandbox = Some(sandbox);
    let ran = run(asked, CancellationToken::new()).await;
    assert_eq!((rows(&ran), model.unused_lines()), (3, 0), "{:?}", ran.outcome);
    let fetched = ran.pick(|b| match b {
        EventBody::ViewFetched { page, attempt, .. } => Some((*attempt, page.as_ref().map(|p| p.row_count))),
        _ => None,
    });
    assert_eq!(fetched, [(0, Some(0)), (1, Some(3))]);
    assert!(model.requests()[3].turns[0].1.contains("no row is left"));
    let executions = ran.pick(|b| match b {
        EventBody::Analysed { execution, .. } => Some(*execution),
        _ => None,
    });
    assert_eq!(executions, [1]);
}

#[tokio::test]
async fn prospy_prunes_to_a_fixed_point_with_a_model_that_deliberates() {
    let shop =
        Shop::with("CREATE TABLE season (id INTEGER PRIMARY KEY, label TEXT); INSERT INTO season VALUES (1,'May');");
    let lines = vec![
        say(r#"{"exclude":["season"]}"#),
        say(r#"{"exclude":["purchase"]}"#), // the second and last round; one table of three columns is left
        say(
            r#"{"needs":[],"groups":[{"name":"g","tables":[{"table":"customer","role":"fact"}],"gives":"n"}],"order":[]}"#,
        ),
        say(VIEW), // which completes the plan
        say("SELECT n FROM by_country"),
        say("SELECT n FROM by_country"),
    ];
    let scripted = ScriptedModel::new(lines);
    let profile = ModelProfile { deliberates: true, ..scripted.profile() };
    let model = Arc::new(scripted.with_profile(profile));
    let ran =
        run(shop.ask(QUESTION, settings("prospy", &[], &[]), model.clone()).await, CancellationToken::new()).await;
    assert_eq!((rows(&ran), model.unused_lines()), (3, 0), "{:?}", ran.outcome);
    let rounds = ran.pick(|b| match b {
        EventBody::SchemaLinked { pass, round, changed, .. } => Some((*pass, *round, changed.clone())),
        _ => None,
    });
    assert_eq!(
        rounds,
        [
            (LinkingPass::CoarseTables, 1, vec!["season".to_owned()]),
            (LinkingPass::CoarseTables, 2, vec!["purchase".to_owned()]),
        ]
    );
}

#[tokio::test]
async fn prospy_analyses_in_sql_where_no_python_can_be_run() {
    let mut lines = prunings();
    lines.extend([say(VIEW), say("SELECT n FROM by_country"), say("SELECT n FROM by_country")]);
    let (ran, _) = ask(settings("prospy", &[], &[]), lines).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    assert_eq!(rows(&ran), 3);
    assert!(ran.report.sql.as_ref().unwrap().to_lowercase().contains("with"), "the view is put in front");
    assert_eq!(ran.report.code, None);
}

/// A model with the same reply to every request, so that only the method's own bounds end the run.
struct Parrot {
    text: String,
    profile: ModelProfile,
    calls: AtomicU32,
}

#[async_trait]
impl ChatModel for Parrot {
    fn id(&self) -> &str {
        "parrot"
    }
    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }
    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        Ok(texts.iter().map(|text| text.len() as u32 / 4).collect())
    }
    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        ScriptedModel::new(vec![self.text.as_str()]).stream(request, cancel).await
    }
}

#[tokio::test]
async fn whatever_a_model_says_each_method_ends_and_names_what_is_wrong() {
    let endless = r#"{"action":"explore","aim":"look again","sql":"SELECT * FROM customer"}"#;
    let foreign = "SELECT TOP 3 [name] FROM customer WITH (NOLOCK)";
    let says =
        ["", "I am sorry, I cannot.", "{\"probes\": [", "请提供更多信息", endless, foreign, "DROP TABLE customer"];
    let profiles = [ScriptedModel::new(Vec::<&str>::new()).profile(), ModelProfile::default()];
    let cases = profiles.iter().flat_map(|profile| METHODS.iter().map(move |method| (profile, method.info.name)));
    for (profile, method) in cases {
        for text in says {
            let ask = async |votes: u32| {
                let calls = AtomicU32::new(0);
                let model = Arc::new(Parrot { text: text.to_owned(), profile: profile.clone(), calls });
                let many = votes.to_string();
                let set = [("reforce.votes", many.as_str()), ("chase-sql.candidates", many.as_str())];
                let settings = AskSettings { candidates: votes, ..settings(method, &set, &[]) };
                let asked = Shop::new().ask_with_all(QUESTION, "Cleo is a customer.", settings, model.clone()).await;
                (run(asked, CancellationToken::new()).await, model.calls.load(Ordering::Relaxed))
            };
            let ((ran, calls), (_, with_few)) = (ask(16).await, ask(4).await);
            // If samples cost money, candidates are requested one at a time until the vote is decided.
            let one_by_one = profile.deliberates && ["auto", "av-sql", "vote"].contains(&method);
            let more = if one_by_one { 16 - 4 } else { 0 };
            assert!(
                calls <= with_few + more,
                "{method} asks {calls} times, not {with_few}, for more of the same {text:?}"
            );
            match &ran.outcome {
                Ok(()) => assert_eq!(ran.report.status(), RunStatus::Answered),
                Err(error) => assert!(error.hint.is_some(), "{method} {text:?}: {error:?}"),
            }
            assert!(matches!(ran.events.last().unwrap().body, EventBody::RunFinished { .. }));
            if text != endless {
                assert!(ran.outcome.is_err(), "{method} answered {text:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_query_that_misses_something_brings_it_back_whatever_the_method() {
    let only = r#"{"tables":[{"name":"purchase","columns":["id"]}]}"#;
    let reforce = settings("reforce", &[("reforce.votes", "1"), ("reforce.link_above", "0")], &[]);
    let chase = AskSettings {
        chunk_budget: Some(40),
        ..settings(
            "chase-sql",
            &[("chase-sql.candidates", "1"), ("chase-sql.select", "self-consistency")],
            &[Switch::QueryPlan, Switch::Examples],
        )
    };
    let none = say(r#"{"tables":[]}"#);
    let unbound = "SELECT country_code FROM purchase";
    let cases = [
        (reforce, vec![say(only), say(unbound), say(BY_COUNTRY)]),
        (chase, vec![say(only), none, say(&fenced(unbound)), say(BY_COUNTRY)]),
    ];
    for (settings, lines) in cases {
        let name = settings.strategy.clone();
        let (ran, model) = ask(settings, lines).await;
        assert_eq!((rows(&ran), model.unused_lines()), (3, 0), "{name:?}: {:?}", ran.outcome);
        let back = ran.pick(|b| match b {
            EventBody::SchemaLinked { pass: LinkingPass::BroughtBack, changed, .. } => Some(changed.clone()),
            _ => None,
        });
        assert_eq!(back, [["customer"]], "{name:?}");
        let requests = model.requests();
        let [.., written, corrected] = requests.as_slice() else { panic!("{name:?}: too few requests") };
        assert!(!written.prefix.contains("country"), "{name:?}: {}", written.prefix);
        assert!(corrected.prefix.contains("country"), "{name:?}: {}", corrected.prefix);
    }
}
