use super::super::tests::{file_and_text, judged, rendered, words};
use super::*;
use crate::prompt::Judge;
use crate::prompt::prospy::{Analyse, AnalystSystem, FetchFeedback, FetchSql, FetchViews, PlanFetch};
use vitrine_domain::ModelProfile;

const QUESTION: &str = "Which three regions sold most in 2023?";
const FACTS: &str = "Sales are net of returns.";

fn task<'a>(facts: &'a str, values: &'a [String]) -> Task<'a> {
    Task { question: QUESTION, facts, values, dialect: "DuckDB" }
}

fn full<P: Prompt>(prompt: &P) -> (&'static str, String) {
    (P::FULL_FILE, prompt.render_for(&ModelProfile::default()))
}

#[test]
fn prompts_for_a_model_that_deliberates_say_step_by_step_what_to_mind() {
    let values = words(&["orders.status = 'paid' (for 'Paid')"]);
    let queries = [judged("SELECT 1", &["(1, NULL)"]), judged("SELECT 2", &[])];
    let plan = words(&["Needed: sales", "Group a: orders (fact), stores (lookup); gives region, sales", "1. fetch a"]);
    let stays = words(&["orders.status"]);
    let exclude = |what, coarse, round, stays| {
        full(&Exclude { question: QUESTION, facts: FACTS, values: &values, what, coarse, round, stays })
    };
    let example =
        SyntheticExample { question: "How many stores are there?".into(), sql: "SELECT count(*) FROM stores".into() };
    let direct = Direct { question: QUESTION, facts: FACTS, values: &values, dialect: "DuckDB" };
    let views = words(&["sales(region, total) -- sales; cut off at 200000 rows; 4 rows: (North, 3)"]);
    insta::assert_snapshot!(super::super::tests::all(&[
        full(&Divide(task(FACTS, &values))),
        full(&QueryPlan(task(FACTS, &values))),
        full(&WriteExamples { count: 3, columns: &words(&["stores(region)"]), dialect: "DuckDB" }),
        full(&WriteExamples { count: 3, columns: &[], dialect: "DuckDB" }),
        full(&Judge {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            dialect: "DuckDB",
            a: &queries[0],
            b: &queries[1]
        }),
        full(&Rank { question: QUESTION, facts: FACTS, values: &values, dialect: "DuckDB", queries: &queries }),
        exclude("tables", true, 1, &[]),
        exclude("tables", false, 1, &[]),
        exclude("columns", true, 1, &[]),
        exclude("columns", false, 3, &stays),
        full(&PlanFetch { question: QUESTION, facts: FACTS, values: &values, most: 4, rows: 200_000 }),
        full(&FetchViews { question: QUESTION, facts: FACTS, values: &values, plan: &plan, views: &[] }),
        full(&FetchViews { question: QUESTION, facts: "", values: &[], plan: &[], views: &views }),
        full(&FetchSql {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            plan: &plan,
            views: &[],
            dialect: "DuckDB"
        }),
        full(&FetchSql { question: QUESTION, facts: "", values: &[], plan: &[], views: &views, dialect: "DuckDB" }),
        full(&FetchFeedback { problems: &words(&["View a, source: there is no table b."]) }),
        full(&ByExample { examples: &[example], task: direct.clone() }),
        full(&ByExample { examples: &[], task: direct }),
        full(&CarryOver {
            error: "no such column: x",
            wrong: "SELECT x",
            right: "SELECT y",
            others: &["SELECT x, z", "SELECT 1"]
        }),
        full(&AnalystSystem {}),
        full(&Analyse { question: QUESTION, facts: FACTS, values: &values, views: &views }),
    ]));
}

#[test]
fn prompts_of_the_methods_with_everything_known() {
    let values = words(&["orders.status = 'paid' (for 'Paid')"]);
    let example =
        SyntheticExample { question: "How many stores are there?".into(), sql: "SELECT count(*) FROM stores".into() };
    let step = StepLine {
        number: 1,
        action: "extend".into(),
        aim: "orders of 2023".into(),
        sql: "SELECT * FROM orders".into(),
        outcome: "2 rows: (1, 4.5); (2, NULL)".into(),
    };
    let queries = [judged("SELECT 1", &["(1, NULL)"]), judged("SELECT 2", &[])];
    let direct = Direct { question: QUESTION, facts: FACTS, values: &values, dialect: "DuckDB" };
    insta::assert_snapshot!(rendered![
        Divide(task(FACTS, &values)),
        QueryPlan(task(FACTS, &values)),
        WriteExamples { count: 3, columns: &words(&["stores(region)"]), dialect: "DuckDB" },
        ByExample { examples: &[example], task: direct },
        Probes {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            doubts: &words(&["SELECT 1", "SELECT 2"]),
            count: 5,
            rows: 20,
            dialect: "DuckDB",
        },
        CarryOver {
            error: "no such column: x",
            wrong: "SELECT x",
            right: "SELECT y",
            others: &["SELECT x, z", "SELECT 1"]
        },
        Summary {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            shown: &words(&["regions: SELECT region FROM stores -> 1 row: (North)"])
        },
        LinkTables { question: QUESTION, facts: FACTS, values: &values, part: 1, parts: 3 },
        NextStep {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            domain: &words(&["region is in stores"]),
            steps: &[step],
            actions: &["extend", "revise", "finalize", "explore"],
            searches: &words(&["LOWER(region) LIKE '%north%'"]),
            dialect: "DuckDB",
        },
        Rank { question: QUESTION, facts: FACTS, values: &values, dialect: "DuckDB", queries: &queries },
        FetchViews {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            plan: &[],
            views: &words(&["sales(region, total)"])
        },
        FetchSql { question: QUESTION, facts: FACTS, values: &values, plan: &[], views: &[], dialect: "DuckDB" },
        FetchFeedback { problems: &words(&["View a, source: there is no table b."]) },
        Analyse { question: QUESTION, facts: FACTS, values: &values, views: &words(&["sales: region (text), 4 rows"]) },
    ]);
}

#[test]
fn prompts_of_the_methods_leave_out_what_is_not_known() {
    let none: &[String] = &[];
    insta::assert_snapshot!(rendered![
        Divide(task("", none)),
        QueryPlan(task("", none)),
        WriteExamples { count: 3, columns: none, dialect: "SQLite" },
        ByExample { examples: &[], task: Direct { question: QUESTION, facts: "", values: none, dialect: "SQLite" } },
        Probes { question: QUESTION, facts: "", values: none, doubts: none, count: 5, rows: 20, dialect: "SQLite" },
        Summary { question: QUESTION, facts: "", values: none, shown: none },
        LinkTables { question: QUESTION, facts: "", values: none, part: 1, parts: 1 },
        NextStep {
            question: QUESTION,
            facts: "",
            values: none,
            domain: none,
            steps: &[],
            actions: &["extend", "revise", "finalize", "explore"],
            searches: none,
            dialect: "SQLite"
        },
        FetchViews { question: QUESTION, facts: "", values: none, plan: none, views: none },
        FetchSql { question: QUESTION, facts: "", values: none, plan: none, views: none, dialect: "SQLite" },
        Analyse { question: QUESTION, facts: "", values: none, views: &words(&["sales: region (text), 4 rows"]) },
    ]);
}

#[test]
fn what_was_looked_at_is_summed_up_for_whoever_writes_the_query() {
    let values = words(&["stores.region = 'North' (for 'north')"]);
    let shown = words(&["regions: SELECT region FROM stores -> 2 rows: (region)\n  (North)\n  (South)"]);
    insta::assert_snapshot!(super::super::tests::all(&[
        full(&Summary { question: QUESTION, facts: FACTS, values: &values, shown: &shown }),
        full(&Summary { question: QUESTION, facts: "", values: &[], shown: &[] }),
    ]));
}

/// What a model that deliberates reads instead.
#[test]
fn prompts_of_the_methods_for_a_model_that_deliberates() {
    let profile = ModelProfile::default();
    let values = words(&["orders.status = 'paid' (for 'Paid')"]);
    let domain = words(&["region is in stores", "status is 'paid' or 'open'"]);
    let step = StepLine {
        number: 1,
        action: "extend".into(),
        aim: "orders of 2023".into(),
        sql: "SELECT * FROM orders".into(),
        outcome: "2 rows: (id, total)\n  (1, 4.5)\n  (2, NULL)".into(),
    };
    let next = NextStep {
        question: QUESTION,
        facts: FACTS,
        values: &values,
        domain: &domain,
        steps: &[step],
        actions: &["extend", "revise", "finalize", "explore"],
        searches: &words(&["LOWER(region) LIKE '%north%'"]),
        dialect: "DuckDB",
    };
    let doubts = words(&["SELECT 1", "SELECT 2"]);
    let probes = Probes {
        question: QUESTION,
        facts: FACTS,
        values: &values,
        doubts: &doubts,
        count: 10,
        rows: 20,
        dialect: "DuckDB",
    };
    let judge = LinkTables { question: QUESTION, facts: FACTS, values: &values, part: 2, parts: 3 };
    let texts = [next.render_for(&profile), probes.render_for(&profile), judge.render_for(&profile)];
    insta::assert_snapshot!(texts.join("\n----\n"));
}
