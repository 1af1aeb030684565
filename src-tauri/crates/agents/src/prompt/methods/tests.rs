use super::super::tests::{file_and_text, judged_query, rendered, to_strings};
use super::*;
use crate::prompt::Judge;
use crate::prompt::prospy::{Analyse, AnalystSystem, FetchFeedback, FetchSql, FetchViews, PlanFetch};
use vitrine_domain::ModelProfile;

const QUESTION: &str = "Which three regions sold most in 2023?";
const FACTS: &str = "Sales are net of returns.";

fn make_task<'a>(facts: &'a str, values: &'a [String]) -> Direct<'a> {
    Direct { question: QUESTION, facts, values, dialect: "DuckDB" }
}

fn render_full<P: Prompt>(prompt: &P) -> (&'static str, String) {
    (P::FULL_FILE, prompt.render_for(&ModelProfile::default()))
}

#[test]
fn prompts_for_a_model_that_deliberates_say_step_by_step_what_to_mind() {
    let values = to_strings(&["orders.status = 'paid' (for 'Paid')"]);
    let queries = [judged_query("SELECT 1", &["(1, NULL)"]), judged_query("SELECT 2", &[])];
    let probes = to_strings(&["year = 2023 keeps 812 of 4000 rows of orders"]);
    let plan =
        to_strings(&["Needed: sales", "Group a: orders (fact), stores (lookup); gives region, sales", "1. fetch a"]);
    let stays = to_strings(&["orders.status"]);
    let about = to_strings(&["Central tables: orders (joined with 3)"]);
    let exclude = |what, coarse, round, stays| {
        render_full(&Exclude {
            question: QUESTION,
            facts: FACTS,
            about: &about,
            values: &values,
            what,
            coarse,
            round,
            stays,
        })
    };
    let example =
        SyntheticExample { question: "How many stores are there?".into(), sql: "SELECT count(*) FROM stores".into() };
    let direct = make_task(FACTS, &values);
    let views = to_strings(&["sales(region, total) -- sales; cut off at 200000 rows; 4 rows: (North, 3)"]);
    insta::assert_snapshot!(super::super::tests::join_prompts(&[
        render_full(&Divide(make_task(FACTS, &values))),
        render_full(&QueryPlan(make_task(FACTS, &values))),
        render_full(&WriteExamples { count: 3, columns: &to_strings(&["stores(region)"]), dialect: "DuckDB" }),
        render_full(&WriteExamples { count: 3, columns: &[], dialect: "DuckDB" }),
        render_full(&Judge {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            dialect: "DuckDB",
            a: &queries[0],
            b: &queries[1],
            probes: &probes,
        }),
        render_full(&Rank {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            dialect: "DuckDB",
            queries: &queries,
            probes: &probes
        }),
        exclude("tables", true, 1, &[]),
        exclude("tables", false, 1, &[]),
        exclude("columns", true, 1, &[]),
        exclude("columns", false, 3, &stays),
        render_full(&PlanFetch {
            question: QUESTION,
            facts: FACTS,
            about: &about,
            values: &values,
            most: 4,
            rows: 200_000
        }),
        render_full(&FetchViews {
            question: QUESTION,
            facts: FACTS,
            about: &about,
            values: &values,
            plan: &plan,
            views: &[]
        }),
        render_full(&FetchViews { question: QUESTION, facts: "", about: &[], values: &[], plan: &[], views: &views }),
        render_full(&FetchSql {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            plan: &plan,
            views: &[],
            dialect: "DuckDB"
        }),
        render_full(&FetchSql {
            question: QUESTION,
            facts: "",
            values: &[],
            plan: &[],
            views: &views,
            dialect: "DuckDB"
        }),
        render_full(&FetchFeedback { problems: &to_strings(&["View a, source: there is no table b."]) }),
        render_full(&ByExample { examples: &[example], task: direct.clone() }),
        render_full(&ByExample { examples: &[], task: direct }),
        render_full(&CarryOver {
            error: "no such column: x",
            wrong: "SELECT x",
            right: "SELECT y",
            others: &["SELECT x, z", "SELECT 1"]
        }),
        render_full(&AnalystSystem {}),
        render_full(&Analyse { question: QUESTION, facts: FACTS, values: &values, views: &views }),
    ]));
}

#[test]
fn prompts_of_the_methods_with_everything_known() {
    let values = to_strings(&["orders.status = 'paid' (for 'Paid')"]);
    let example =
        SyntheticExample { question: "How many stores are there?".into(), sql: "SELECT count(*) FROM stores".into() };
    let step = StepLine {
        number: 1,
        action: "extend".into(),
        aim: "orders of 2023".into(),
        sql: "SELECT * FROM orders".into(),
        outcome: "2 rows: (1, 4.5); (2, NULL)".into(),
    };
    let queries = [judged_query("SELECT 1", &["(1, NULL)"]), judged_query("SELECT 2", &[])];
    let probes = to_strings(&["year = 2023 keeps 812 of 4000 rows of orders"]);
    let direct = make_task(FACTS, &values);
    insta::assert_snapshot!(rendered![
        Divide(make_task(FACTS, &values)),
        QueryPlan(make_task(FACTS, &values)),
        WriteExamples { count: 3, columns: &to_strings(&["stores(region)"]), dialect: "DuckDB" },
        ByExample { examples: &[example], task: direct },
        Probes {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            doubts: &to_strings(&["SELECT 1", "SELECT 2"]),
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
            shown: &to_strings(&["regions: SELECT region FROM stores -> 1 row: (North)"])
        },
        LinkTables { question: QUESTION, facts: FACTS, values: &values, part: 1, parts: 3 },
        NextStep {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            domain: &to_strings(&["region is in stores"]),
            steps: &[step],
            actions: &["extend", "revise", "finalize", "explore"],
            searches: &to_strings(&["LOWER(region) LIKE '%north%'"]),
            dialect: "DuckDB",
        },
        Rank {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            dialect: "DuckDB",
            queries: &queries,
            probes: &probes
        },
        FetchViews {
            question: QUESTION,
            facts: FACTS,
            about: &[],
            values: &values,
            plan: &[],
            views: &to_strings(&["sales(region, total)"])
        },
        FetchSql { question: QUESTION, facts: FACTS, values: &values, plan: &[], views: &[], dialect: "DuckDB" },
        FetchFeedback { problems: &to_strings(&["View a, source: there is no table b."]) },
        Analyse {
            question: QUESTION,
            facts: FACTS,
            values: &values,
            views: &to_strings(&["sales: region (text), 4 rows"])
        },
    ]);
}

#[test]
fn prompts_of_the_methods_leave_out_what_is_not_known() {
    let none: &[String] = &[];
    insta::assert_snapshot!(rendered![
        Divide(make_task("", none)),
        QueryPlan(make_task("", none)),
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
        FetchViews { question: QUESTION, facts: "", about: none, values: none, plan: none, views: none },
        FetchSql { question: QUESTION, facts: "", values: none, plan: none, views: none, dialect: "SQLite" },
        Analyse { question: QUESTION, facts: "", values: none, views: &to_strings(&["sales: region (text), 4 rows"]) },
    ]);
}

#[test]
fn what_was_looked_at_is_summed_up_for_whoever_writes_the_query() {
    let values = to_strings(&["stores.region = 'North' (for 'north')"]);
    let shown = to_strings(&["regions: SELECT region FROM stores -> 2 rows: (region)\n  (North)\n  (South)"]);
    insta::assert_snapshot!(super::super::tests::join_prompts(&[
        render_full(&Summary { question: QUESTION, facts: FACTS, values: &values, shown: &shown }),
        render_full(&Summary { question: QUESTION, facts: "", values: &[], shown: &[] }),
    ]));
}

/// Snapshots the prompts for a model that deliberates.
#[test]
fn prompts_of_the_methods_for_a_model_that_deliberates() {
    let profile = ModelProfile::default();
    let values = to_strings(&["orders.status = 'paid' (for 'Paid')"]);
    let domain = to_strings(&["region is in stores", "status is 'paid' or 'open'"]);
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
        searches: &to_strings(&["LOWER(region) LIKE '%north%'"]),
        dialect: "DuckDB",
    };
    let doubts = to_strings(&["SELECT 1", "SELECT 2"]);
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
