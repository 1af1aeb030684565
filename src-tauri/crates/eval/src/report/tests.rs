use super::*;
use crate::metrics::fault::Fault;
use crate::metrics::linking::{Linking, Overlap};
use crate::metrics::{EVALUATOR_VERSION, Rule};
use crate::pack::EvalScope;
use crate::run::{Outcome, Run};
use std::collections::BTreeMap;
use std::path::Path;
use vitrine_domain::Usage;

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
    assert_eq!(lines[1], "base,q0,shop,hard,1,1,1,1,,,,2,2,2,2,2,2,2,3000,0,100,0,0,1.5,0");
    assert_eq!(lines[2], "base,q1,zoo,easy,0,0,0,1,,,wrong values,2,2,1,2,2,1,2,3000,0,100,0,0,1.5,0");
    assert!(!text.contains("SELECT") && !text.contains("more"), "{text}");
}
