//! Snapshots of every prompt as a model reads it: changed wording shows in review, and a missing template field fails here.

use super::*;

pub(super) fn to_strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

fn sales_grounding() -> Grounding {
    Grounding {
        question: "Which three regions sold most in 2023?".into(),
        facts: "Sales are net of returns.".into(),
        task: "Find the regions that sold most in 2023".into(),
        filters: to_strings(&["the year is 2023"]),
        outputs: to_strings(&["region", "sales"]),
        ordering: "by sales, highest first, 3 rows".into(),
        selection: to_strings(&["stores(region)", "orders(store_id, total)"]),
        values: to_strings(&["orders.status = 'paid' (for 'Paid')"]),
        views: vec![ViewLine {
            name: "sales_2023".into(),
            rationale: "orders of 2023".into(),
            rows: "812 rows".into(),
            sql: "SELECT store_id, total FROM orders WHERE year = 2023".into(),
            sample: "store_id=4, total=12.50".into(),
            columns: to_strings(&["store_id whole number, 2 distinct: 4, 7", "total number, 640 distinct"]),
            shown: to_strings(&["(4, 12.50)", "(7, 3.00)"]),
        }],
    }
}

fn minimal_grounding() -> Grounding {
    Grounding {
        question: "How many stores are there?".into(),
        facts: String::new(),
        task: String::new(),
        filters: Vec::new(),
        outputs: Vec::new(),
        ordering: String::new(),
        selection: Vec::new(),
        values: Vec::new(),
        views: Vec::new(),
    }
}

pub(super) fn judged_query(sql: &str, only: &[&str]) -> JudgedQuery {
    let columns = to_strings(&["n whole number, 2 distinct: 1, 2"]);
    JudgedQuery { sql: sql.into(), rows: "2 rows".into(), columns, only: to_strings(only) }
}

/// Joins all files into one text, each below its name.
pub(super) fn join_prompts(prompts: &[(&str, String)]) -> String {
    prompts.iter().map(|(file, text)| format!("=== {file}\n{text}\n")).collect()
}

macro_rules! rendered {
    ($($prompt:expr),* $(,)?) => { $crate::prompt::tests::join_prompts(&[$(file_and_text(&$prompt)),*]) };
}
pub(super) use rendered;

pub(super) fn file_and_text<P: Prompt>(prompt: &P) -> (&'static str, String) {
    (P::FILE, prompt.render_for(&ModelProfile { deliberates: false, ..ModelProfile::default() }))
}

#[test]
fn prompts_with_everything_known() {
    let (known, rows) = (sales_grounding(), to_strings(&["region", "sales"]));
    let hints = ["A hint."];
    insta::assert_snapshot!(rendered![
        System { dialect: "DuckDB" },
        SchemaPrefix { schema: "CREATE TABLE stores (id INTEGER);", hints: &hints },
        RewriteTask {},
        Rewrite { question: &known.question, facts: &known.facts, values: &known.values, tables: &[] },
        CopyFacts { question: &known.question, part: 1, parts: 2, text: "A long text." },
        GenerateViews {
            question: &known.question,
            facts: &known.facts,
            task: &known.task,
            filters: &known.filters,
            outputs: &known.outputs,
            values: &known.values,
            dialect: "DuckDB",
            part: 1,
            parts: 3,
        },
        ViewFeedback { problems: &to_strings(&["view a: no such column"]), values: &known.values },
        Plan { grounding: &known },
        Generate { grounding: &known, plan: "Read sales_2023\nGroup by region", dialect: "DuckDB" },
        SqlFeedback {
            error: "no such column: x",
            ran: false,
            searches: &to_strings(&["LOWER(region) LIKE '%north%'"]),
            nested: &["Part of JSON: a->>'b'"],
            values: &known.values
        },
        SqlFeedback {
            error: "it does not use 2023, which the question names",
            ran: true,
            searches: &[],
            nested: &[],
            values: &[],
        },
        Revise {
            grounding: &known,
            sql: "SELECT region FROM stores",
            rows: "3 rows",
            columns: &rows,
            sample: "North\t12",
            doubts: &to_strings(&["1 columns instead of 2"]),
            probes: &to_strings(&["year = 2023 keeps 812 of 4000 rows of orders"]),
            dialect: "DuckDB",
        },
        Judge {
            question: &known.question,
            facts: &known.facts,
            values: &known.values,
            dialect: "DuckDB",
            a: &judged_query("SELECT 1", &["(1, NULL)", "(2, x)"]),
            b: &judged_query("SELECT 2", &[]),
            probes: &to_strings(&["year = 2023 keeps 812 of 4000 rows of orders"]),
        },
        Direct { question: &known.question, facts: &known.facts, values: &known.values, dialect: "DuckDB" },
        Asked(Direct { question: &known.question, facts: &known.facts, values: &known.values, dialect: "DuckDB" }),
        Restated(Direct { question: &known.question, facts: &known.facts, values: &known.values, dialect: "DuckDB" }),
        FollowUpPrompt { before: &known.question, text: "only in the north" },
        FollowUpAgain { text: "only in the north" },
        Retry { problem: "it is not JSON" },
    ]);
}

#[test]
fn prompts_leave_out_what_is_not_known() {
    let bare = minimal_grounding();
    let none: &[String] = &[];
    insta::assert_snapshot!(rendered![
        SchemaPrefix { schema: "CREATE TABLE stores (id INTEGER);", hints: &[] },
        Rewrite { question: &bare.question, facts: "", values: none, tables: none },
        GenerateViews {
            question: &bare.question,
            facts: "",
            task: &bare.question,
            filters: none,
            outputs: none,
            values: none,
            dialect: "SQLite",
            part: 0,
            parts: 1,
        },
        ViewFeedback { problems: &to_strings(&["view a: no such column"]), values: none },
        Plan { grounding: &bare },
        Generate { grounding: &bare, plan: "", dialect: "SQLite" },
        SqlFeedback { error: "no such column: x", ran: false, searches: none, nested: &[], values: none },
        Revise {
            grounding: &bare,
            sql: "SELECT count(*) FROM stores",
            rows: "1 row",
            columns: &to_strings(&["count(*)"]),
            sample: "40",
            doubts: none,
            probes: none,
            dialect: "SQLite",
        },
        Judge {
            question: &bare.question,
            facts: "",
            values: none,
            dialect: "SQLite",
            a: &judged_query("SELECT 1", &[]),
            b: &judged_query("SELECT 2", &[]),
            probes: &to_strings(&["year = 2023 keeps 812 of 4000 rows of orders"]),
        },
        Direct { question: &bare.question, facts: "", values: none, dialect: "SQLite" },
        Asked(Direct { question: &bare.question, facts: "", values: none, dialect: "SQLite" }),
    ]);
}

fn render_full<P: Prompt>(prompt: &P) -> (&'static str, String) {
    (P::FULL_FILE, prompt.render_for(&ModelProfile::default()))
}

#[test]
fn prompts_for_a_model_that_deliberates() {
    let (known, columns) = (sales_grounding(), to_strings(&["region", "sales"]));
    let views = GenerateViews {
        question: &known.question,
        facts: &known.facts,
        task: &known.task,
        filters: &known.filters,
        outputs: &known.outputs,
        values: &known.values,
        dialect: "DuckDB",
        part: 1,
        parts: 3,
    };
    let direct = Direct { question: &known.question, facts: &known.facts, values: &known.values, dialect: "DuckDB" };
    let revise = Revise {
        grounding: &known,
        sql: "SELECT region FROM stores",
        rows: "at least 1,000 rows",
        columns: &columns,
        sample: "North\t12",
        doubts: &to_strings(&["1 columns instead of 2"]),
        probes: &to_strings(&["year = 2023 keeps 812 of 4000 rows of orders"]),
        dialect: "DuckDB",
    };
    let searches = to_strings(&["LOWER(region) LIKE '%north%'"]);
    let feedback = |error, ran| SqlFeedback {
        error,
        ran,
        searches: &searches,
        nested: &["Part of JSON: a->>'b'"],
        values: &known.values,
    };
    insta::assert_snapshot!(join_prompts(&[
        render_full(&Rewrite { question: &known.question, facts: &known.facts, values: &known.values, tables: &[] }),
        render_full(&CopyFacts { question: &known.question, part: 1, parts: 2, text: "A long text." }),
        render_full(&views),
        render_full(&ViewFeedback { problems: &to_strings(&["view a: no such column"]), values: &known.values }),
        render_full(&Plan { grounding: &known }),
        render_full(&Generate { grounding: &known, plan: "Read sales_2023\nGroup by region", dialect: "DuckDB" }),
        render_full(&revise),
        render_full(&direct.clone()),
        render_full(&Asked(direct.clone())),
        render_full(&Restated(direct)),
        render_full(&feedback("no such column: x", false)),
        render_full(&feedback("it does not use 2023, which the question names", true)),
    ]));
}

#[test]
fn prompts_for_a_model_that_deliberates_leave_out_what_is_not_known() {
    let bare = minimal_grounding();
    let none: &[String] = &[];
    let tables = to_strings(&["stores", "orders_2022"]);
    let direct = Direct { question: &bare.question, facts: "", values: none, dialect: "SQLite" };
    insta::assert_snapshot!(join_prompts(&[
        render_full(&Rewrite { question: &bare.question, facts: "", values: none, tables: &tables }),
        render_full(&Plan { grounding: &bare }),
        render_full(&Generate { grounding: &bare, plan: "", dialect: "SQLite" }),
        render_full(&direct.clone()),
        render_full(&Restated(direct)),
        render_full(&SqlFeedback { error: "no such column: x", ran: false, searches: none, nested: &[], values: none }),
    ]));
}
