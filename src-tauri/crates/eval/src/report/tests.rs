use super::*;
use crate::metrics::candidates::{EvaluatedCandidates, JudgedQuery, QueryOrigin};
use crate::metrics::error_class::ErrorClass;
use crate::metrics::fault::Fault;
use crate::metrics::linking::{Linking, Overlap};
use crate::metrics::{EVALUATOR_VERSION, Rule, Verdict};
use crate::pack::EvalScope;
use crate::run::{Outcome, Run};
use std::collections::BTreeMap;
use std::path::Path;
use vitrine_domain::{GenerationPath, Usage};

fn build_run(name: &str, right: &[bool]) -> Run {
    let outcome = |(index, &right): (usize, &bool)| {
        let usage =
            Usage { llm_calls: 2, prompt_tokens: 3000, completion_tokens: 100, wall_ms: 1500, ..Usage::default() };
        let tables = Overlap { gold: 2, predicted: 2, common: 1 + u32::from(right) };
        Outcome {
            id: format!("q{index}"),
            db_id: ["shop", "zoo"][index % 2].to_owned(),
            hardness: ["hard", "easy"][index % 2].to_owned(),
            question: "Which <script>alert('x')</script> & \"more\"?".to_owned(),
            spider: right,
            bird: right,
            spider2: Some(right),
            answered: true,
            sql: Some("SELECT '</pre><script>'".to_owned()),
            gold: "SELECT a < b".to_owned(),
            error: Some("no such column: <script>".to_owned()),
            fault: (!right).then_some(Fault::WrongValues),
            linking: Some(Linking { tables, columns: tables }),
            usage,
            by_agent: [("generator".to_owned(), usage), ("<agent>".to_owned(), usage)].into(),
            ..Outcome::default()
        }
    };
    Run {
        name: name.to_owned(),
        pack: "p<b>".to_owned(),
        scope: EvalScope::Answers,
        rule: Rule::Spider,
        evaluator: EVALUATOR_VERSION.to_owned(),
        every: 1,
        settings: None,
        outcomes: right.iter().enumerate().map(outcome).collect(),
        left_out: BTreeMap::new(),
        missing_documents: 0,
        folder: "nowhere".into(),
    }
}

#[test]
fn nothing_from_packs_and_models_becomes_part_of_the_page() {
    let known = KnownFailures { new_failures: vec!["q1".to_owned()], ..KnownFailures::default() };
    let runs = vec![build_run("<i>base", &[true, false, false]), build_run("new&", &[true, false, true])];
    let page = Report::new(runs, Some(known)).unwrap().to_html(Path::new("."));
    for tag in ["<script", "<b>", "<i>base", "<agent>", "new& "] {
        assert!(!page.contains(tag), "{tag}");
    }
    assert!(page.contains("Which &lt;script&gt;alert(&#x27;x&#x27;)&lt;&#x2f;script&gt; &amp; &quot;more&quot;?"));
    assert!(page.contains("<a href=\"events/q2.jsonl\">"), "a flipped question leads to its run");
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn only_questions_that_all_runs_have_are_compared() {
    let mut short = build_run("short", &[true, true, true]);
    short.outcomes.remove(0);
    let report = Report::new(vec![build_run("long", &[true, false, true, true]), short], None).unwrap();
    assert_eq!(report.questions, 2);
    assert_eq!((report.comparisons[0].all.wins, report.comparisons[0].flips[0].id.as_str()), (1, "q1"));
    let mut other = build_run("other", &[true]);
    other.outcomes[0].id = "elsewhere".to_owned();
    assert!(Report::new(vec![build_run("a", &[true]), other], None).is_err());
}

#[test]
fn the_summary_says_how_right_and_at_what_cost() {
    let text = Report::new(
        vec![build_run("a", &[true, false, false, false]), build_run("b", &[true, false, true, true])],
        None,
    )
    .unwrap()
    .to_markdown();
    for line in [
        "| right by Spider's rule | 25.0% (1) | 75.0% (3) |",
        "| tables, strict recall | 25.0% | 75.0% |",
        "| tables, recall | 62.5% | 87.5% |",
        "| median seconds | 1.5 | 1.5 |",
        "| easy | 2 | 0.0% (0) | 50.0% (1) |",
        "| wrong values | 3 | 1 |",
        "| generator | 2.0 | 3000 | 0 | 100 | 0.0 | 1.5 |",
        "b against a by Spider's rule: 2 wins, 0 losses (1 both right, 1 both wrong), +50.0 points",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(text.find("| easy").unwrap() < text.find("| hard").unwrap(), "from easy to hard");
}

#[test]
fn programs_get_the_same_figures() {
    let report = Report::new(vec![build_run("a", &[true, false]), build_run("b", &[true, true])], None).unwrap();
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["runs"][1]["right"]["spider"]["count"], 2);
    assert_eq!(json["runs"][0]["right"]["spider2"]["share"], 0.5);
    assert_eq!(json["runs"][0]["by_agent"][0]["completion_tokens"], 100.0);
    assert_eq!(json["runs"][0]["faults"]["wrong-values"], 1);
    assert_eq!(json["comparisons"][0]["all"]["wins"], 1);
    assert_eq!((&json["rule"], &json["evaluator"]), (&"spider".into(), &EVALUATOR_VERSION.into()));
}

#[test]
fn a_line_for_each_question_says_what_became_of_it_and_not_what_was_asked() {
    let text = Report::new(vec![build_run("base", &[true, false])], None).unwrap().to_csv();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with(
            "run,id,database,hardness,spider,bird,spider2,answered,certainty,probability,fault,gold_tables"
        ),
        "{text}"
    );
    assert_eq!(lines[1], "base,q0,shop,hard,1,1,1,1,,,,2,2,2,2,2,2,2,3000,0,100,0,0,1.5,0,,,,");
    assert_eq!(lines[2], "base,q1,zoo,easy,0,0,0,1,,,wrong values,2,2,1,2,2,1,2,3000,0,100,0,0,1.5,0,,,,");
    assert!(!text.contains("SELECT") && !text.contains("more"), "{text}");
}

/// A written query of a generator, right by Spider's rule or not.
fn judged(node: &str, candidate: u32, prompt: Option<u32>, right: bool) -> JudgedQuery {
    let verdict = Some(Verdict { spider: right, ..Verdict::default() });
    JudgedQuery { node: node.to_owned(), candidate, prompt, rows: Some(1), verdict, ..JudgedQuery::default() }
}

/// Four questions: right, not chosen, not linked, not generated.
fn build_evaluated_run() -> Run {
    let mut run = build_run("m", &[true, false, false, false]);
    let correction = JudgedQuery { attempt: 1, ..judged("b", 4, None, true) };
    let variant = JudgedQuery { origin: QueryOrigin::Variant, ..judged("a", 1, None, true) };
    let all = [
        // All three candidates are right; the variant is not a candidate.
        EvaluatedCandidates {
            queries: vec![judged("a", 1, Some(1), true), judged("a", 2, Some(2), true), judged("b", 3, Some(1), true)],
            path: Some(GenerationPath::Straightforward),
            ..EvaluatedCandidates::default()
        },
        // Only a correction by `b` and a variant are right.
        EvaluatedCandidates {
            queries: vec![judged("a", 1, Some(1), false), variant, judged("b", 3, Some(1), false), correction],
            errors: [ErrorClass::Filter, ErrorClass::Join].into(),
            linked: Some(false),
            path: Some(GenerationPath::Exploratory),
        },
        EvaluatedCandidates {
            queries: vec![judged("a", 1, Some(1), false)],
            errors: [ErrorClass::Schema].into(),
            linked: Some(false),
            path: Some(GenerationPath::Straightforward),
        },
        // A query without a verdict is neither right nor wrong.
        EvaluatedCandidates {
            queries: vec![
                judged("a", 1, Some(2), false),
                JudgedQuery { verdict: None, ..judged("b", 3, Some(1), false) },
            ],
            linked: Some(true),
            ..EvaluatedCandidates::default()
        },
    ];
    for (outcome, candidates) in run.outcomes.iter_mut().zip(all) {
        outcome.candidates = Some(candidates);
    }
    run
}

#[test]
fn all_candidates_of_a_run_are_summed_up() {
    let run = build_evaluated_run();
    let summary = CandidateSummary::from_outcomes(&run.outcomes, Rule::Spider).unwrap();
    let counts = |share: summary::Share| (share.count, share.of);
    assert_eq!((counts(summary.evaluated), summary.not_judged), ((4, 4), 1));
    // Candidates: 3, 3, 1 and 1; right: 3, 1, 0 and 0.
    assert_eq!((summary.mean_candidates, summary.pass_at_k.k, counts(summary.pass_at_k.share)), (2.0, 3, (2, 4)));
    let pass: Vec<_> = summary.pass_at.iter().map(|at| (at.k, (1200.0 * at.share).round())).collect();
    assert_eq!(pass, [(1, 400.0), (2, 500.0), (3, 600.0)], "(1 + 1/3) / 4, (1 + 2/3) / 4, (1 + 1) / 4");
    let recall: Vec<_> = summary.recall_at.iter().map(|at| at.share.count).collect();
    assert_eq!(recall, [1, 1, 2], "the right candidate of the second question is its third");
    assert_eq!((counts(summary.upper_bound), counts(summary.lower_bound)), ((2, 4), (1, 4)));
    assert_eq!(counts(summary.right_not_chosen), (1, 4));
    assert_eq!(summary.losses, [(Loss::NotLinked, 1), (Loss::NotGenerated, 1), (Loss::NotChosen, 1)].into());
    assert_eq!(
        (summary.errors, summary.unclassified),
        ([(ErrorClass::Filter, 1), (ErrorClass::Join, 1), (ErrorClass::Schema, 1)].into(), 1)
    );
    let generators: Vec<_> = summary
        .generators
        .iter()
        .map(|g| (g.generator.as_str(), g.prompt.as_deref(), g.right.count, g.right.of, g.unique))
        .collect();
    assert_eq!(
        generators,
        [
            ("a", None, 1, 4, 0),
            ("a", Some("1"), 1, 3, 0),
            ("a", Some("2"), 1, 2, 0),
            ("b", None, 2, 2, 0),
            ("b", Some("1"), 1, 2, 0),
            ("b", Some("corrections"), 1, 1, 0),
            ("variant", None, 1, 1, 0),
        ]
    );
    let paths: Vec<_> = summary.paths.iter().map(|p| (p.path, counts(p.right))).collect();
    assert_eq!(paths, [(GenerationPath::Straightforward, (1, 2)), (GenerationPath::Exploratory, (0, 1))]);
}

#[test]
fn a_question_that_one_generator_alone_has_right_is_its_own_win() {
    let mut run = build_evaluated_run();
    run.outcomes[1].candidates.as_mut().unwrap().queries.retain(|query| query.origin == QueryOrigin::Written);
    let summary = CandidateSummary::from_outcomes(&run.outcomes, Rule::Spider).unwrap();
    let unique: Vec<_> = summary.generators.iter().map(|g| g.unique).collect();
    assert_eq!(unique, [0, 0, 0, 1, 0, 1], "{:?}", summary.generators);
}

#[test]
fn reports_show_side_by_side_where_each_method_loses() {
    let mut old = build_run("old", &[true, false, false, false]);
    old.outcomes.remove(0);
    let report = Report::new(vec![build_evaluated_run(), old], None).unwrap();
    let text = report.to_markdown();
    for line in [
        "|  | m | old |",
        "| right | 0.0% (0) | not evaluated |",
        "| not linked | 33.3% (1) | not evaluated |",
        "| not generated | 33.3% (1) | not evaluated |",
        "| generated, not chosen | 33.3% (1) | not evaluated |",
        "| error: filter | 1 | not evaluated |",
        "| error: no gold SQL | 1 | not evaluated |",
        "| pass@1 | 11.1% | not evaluated |",
        "| upper bound | 33.3% (1) | not evaluated |",
        "| b, corrections | 1 | 100.0% (1) | 0 |",
        "| exploratory | 0.0% (0 of 1) | – |",
        "old: the candidates were not evaluated.",
        "m: queries beyond the limits, without a verdict: 1.",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let csv = report.to_csv();
    assert!(
        csv.lines().nth(1).is_some_and(|line| line.ends_with(",3,1,\"generated, not chosen\",filter join")),
        "{csv}"
    );
    let page = report.to_html(Path::new("."));
    assert!(page.contains("<h2>Where answers are lost</h2>") && page.contains("not evaluated"), "{page}");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(
        (&json["runs"][0]["candidates"]["rightNotChosen"]["count"], json["runs"][1]["candidates"].is_null()),
        (&1.into(), true)
    );
    let linking = Run { scope: EvalScope::Linking, ..build_run("linking", &[true]) };
    let text = Report::new(vec![linking], None).unwrap().to_markdown();
    assert!(!text.contains("candidates") && !text.contains("lost"), "{text}");
}
