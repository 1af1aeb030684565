//! Definitions that always apply, with every method: rows that a definition excludes are not in the answer, unless the
//! question or its query asks for them. The model is always right but does not know the definition.

use crate::bench::{Known, Ran, Shop, in_order, run, small};
use crate::gold::{Answer, Declared, serve};
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::METHODS;
use vitrine_agents::{Ask, AskData};
use vitrine_domain::{AskSettings, CertaintyLevel, Definition, DefinitionSource, EventBody, RunStatus};

const SCRIPT: &str = "
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), status TEXT, amount INTEGER);
    INSERT INTO customer VALUES (1, 'Ada'), (2, 'Bert'), (3, 'Cleo');
    INSERT INTO purchase VALUES (1, 1, 'paid', 10), (2, 1, 'cancelled', 500), (3, 2, 'cancelled', 70), (4, 2, 'open', 20);";

/// A question, its query as a model writes it, and the expected rows.
type Asked = (&'static str, &'static str, &'static [&'static [&'static str]]);

/// Questions for which the excluded rows are left out.
const KEPT: [Asked; 4] = [
    ("What did we sell?", "SELECT SUM(amount) FROM purchase", &[&["30"]]),
    (
        "Umsatz je Kunde?",
        "SELECT c.name, SUM(p.amount) FROM purchase AS p JOIN customer AS c ON c.id = p.customer_id GROUP BY c.name",
        &[&["Ada", "10"], &["Bert", "20"]],
    ),
    (
        "How many purchases has each customer, those without any too?",
        "SELECT c.name, COUNT(p.id) FROM customer AS c LEFT JOIN purchase AS p ON p.customer_id = c.id GROUP BY c.name",
        &[&["Ada", "1"], &["Bert", "1"], &["Cleo", "0"]],
    ),
    (
        "Who never bought anything for more than 100?",
        "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM purchase WHERE amount > 100)",
        &[&["Ada"], &["Bert"], &["Cleo"]],
    ),
];

/// Questions that the definition would spoil: their queries are unchanged.
const ASKED_FOR: [Asked; 10] = [
    ("How many purchases were called off?", "SELECT COUNT(*) FROM purchase WHERE status = 'cancelled'", &[&["2"]]),
    ("Sum with cancelled ones?", "SELECT SUM(amount) FROM purchase", &[&["600"]]),
    (
        "Purchases by state?",
        "SELECT status, COUNT(*) FROM purchase GROUP BY status",
        &[&["cancelled", "2"], &["open", "1"], &["paid", "1"]],
    ),
    ("Which states are there?", "SELECT DISTINCT status FROM purchase", &[&["cancelled"], &["open"], &["paid"]]),
    (
        "Welcher Anteil wurde storniert?",
        "SELECT 100 * SUM(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) FROM purchase",
        &[&["50"]],
    ),
    (
        "Who called something off?",
        "SELECT DISTINCT c.name FROM customer AS c JOIN purchase AS p ON p.customer_id = c.id WHERE p.status LIKE 'cancel%'",
        &[&["Ada"], &["Bert"]],
    ),
    ("How much is lost?", "SELECT SUM(amount) FROM purchase WHERE status IN ('cancelled')", &[&["570"]]),
    ("What is open?", "SELECT SUM(amount) FROM purchase WHERE status = 'open'", &[&["20"]]),
    ("Without cancelled ones?", "SELECT SUM(amount) FROM purchase WHERE status <> 'cancelled'", &[&["30"]]),
    ("How many customers?", "SELECT COUNT(*) FROM customer", &[&["3"]]),
];

fn not_cancelled(condition: &str) -> Definition {
    Definition {
        term: "purchase".to_owned(),
        synonyms: Vec::new(),
        meaning: "called-off purchases do not count".to_owned(),
        condition: Some(condition.to_owned()),
        always: true,
        subject: Some("purchase".to_owned()),
        source: DefinitionSource::User,
    }
}

async fn shop(folder: &tempfile::TempDir) -> Known {
    let path = folder.path().join("shop.sqlite");
    rusqlite::Connection::open(&path).expect("a database").execute_batch(SCRIPT).expect("rows");
    Known::of(&format!("sqlite:{}", path.display()), &folder.path().join("values.db")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wanted_always_holds_by_every_method_unless_it_is_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let known = shop(&folder).await;
    let all = || KEPT.iter().map(|asked| (asked, true)).chain(ASKED_FOR.iter().map(|asked| (asked, false)));
    let answers = all().map(|((question, sql, _), _)| Answer {
        question: (*question).to_owned(),
        sql: (*sql).to_owned(),
        doubted: None,
    });
    let server = serve(answers, true);
    for method in METHODS.iter().map(|method| method.info.name) {
        for ((question, sql, right), kept) in all() {
            let settings = AskSettings { strategy: method.into(), ..AskSettings::default() };
            let ask = known.ask(question, settings, Declared::new(&server, true));
            let standing = vec![not_cancelled("status <> 'cancelled'")];
            let ran =
                run(Ask { data: AskData { definitions: standing, ..ask.data }, ..ask }, CancellationToken::new()).await;
            let asked = format!("{method}: {question}");
            assert_eq!(ran.report.status(), RunStatus::Answered, "{asked}: {:?}", ran.outcome);
            let right: Vec<Vec<Option<String>>> =
                right.iter().map(|row| row.iter().map(|cell| Some((*cell).to_owned())).collect()).collect();
            let answer = ran.report.sql.as_deref().unwrap_or_default();
            assert_eq!(in_order(ran.report.page.as_ref().expect("rows"), false), right, "{asked}\n{answer}");
            let told = ran.report.changes.iter().filter(|change| change.rule == "D001").count();
            assert_eq!(told, usize::from(kept), "{asked}\n{answer}");
            // The question may mean the missing rows without the definition: that query is a variant.
            let beside = ran.report.variants.iter().any(|variant| variant.rule == "D002");
            if ["auto", "av-sql", "chase-sql"].contains(&method) {
                assert_eq!(beside, kept && question.contains("never"), "{asked}");
            }
            let aside = ran.pick(|body| match body {
                EventBody::Warning { message, .. } if message.contains("is defined for every answer about") => {
                    Some(message.clone())
                }
                _ => None,
            });
            let (reads, lacks) = (sql.contains("purchase"), !answer.contains("<> 'cancelled'"));
            let is_same = question == &"What is open?";
            assert_eq!(aside.len(), usize::from(reads && lacks && !is_same), "{asked}\n{answer}\n{aside:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_longer_fits_the_schema_is_told_and_the_question_is_answered() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let known = shop(&folder).await;
    let (question, sql) = ("What did we sell?", "SELECT SUM(amount) FROM purchase");
    let server = serve([Answer { question: question.to_owned(), sql: sql.to_owned(), doubted: None }], true);
    let ask = known.ask(question, AskSettings::default(), Declared::new(&server, true));
    let standing = vec![not_cancelled("state <> 'cancelled'")];
    let ran = run(Ask { data: AskData { definitions: standing, ..ask.data }, ..ask }, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered);
    let told = ran.pick(|body| match body {
        EventBody::Warning { message, .. } => Some(message.clone()),
        _ => None,
    });
    assert!(told.iter().any(|told| told.contains("could not be applied") && told.contains("state")), "{told:?}");
}

/// Asks one query on the shop with more customers from the US.
async fn with_writings(sql: &str, standing: Vec<Definition>) -> Ran {
    let more = "INSERT INTO customer VALUES (5,'Eve','USA'),(6,'Fay','U.S.'),(7,'Gus','Germany')";
    let settings = AskSettings { strategy: "auto".into(), candidates: 4, ..AskSettings::default() };
    let ask = Shop::with(more).ask("Customers by country?", settings, small(vec![sql; 6])).await;
    run(Ask { data: AskData { definitions: standing, ..ask.data }, ..ask }, CancellationToken::new()).await
}

fn rows(ran: &Ran) -> Vec<Vec<String>> {
    let rows = in_order(ran.report.page.as_ref().expect("rows"), false);
    rows.into_iter().map(|row| row.into_iter().flatten().collect()).collect()
}

#[tokio::test]
async fn one_thing_in_several_ways_is_told_beside_the_answer_and_counts_as_one_where_that_is_defined() {
    let sql = "SELECT country, COUNT(*) FROM customer GROUP BY country";
    let ran = with_writings(sql, Vec::new()).await;
    let apart = [["DE", "1"], ["FR", "1"], ["Germany", "1"], ["U.S.", "1"], ["US", "2"], ["USA", "1"]];
    assert_eq!(rows(&ran), apart, "the answer itself stays as it was asked");
    let [variant] = ran.report.variants.as_slice() else { panic!("{:?}", ran.report.variants) };
    assert_eq!((variant.rule.as_str(), variant.row_count), ("V005", Some(3)), "{}", variant.sql);
    assert_ne!(ran.report.certainty.as_ref().map(|certainty| certainty.level), Some(CertaintyLevel::Sure));
    let terms: Vec<&str> = variant.always.iter().map(|definition| definition.term.as_str()).collect();
    assert_eq!(terms, ["US", "Germany"], "{:?}", variant.always);

    let kept = with_writings(sql, variant.always.clone()).await;
    assert_eq!(rows(&kept), [["FR", "1"], ["Germany", "2"], ["US", "4"]]);
    assert!(kept.report.changes.iter().all(|change| change.rule == "D003"), "{:?}", kept.report.changes);
    assert!(kept.report.variants.is_empty() && kept.report.findings.is_empty(), "{:?}", kept.report.variants);

    // A definition of one value does not affect other values.
    let one = variant.always[..1].to_vec();
    let partly = with_writings(sql, one).await;
    assert_eq!(rows(&partly), [["DE", "1"], ["FR", "1"], ["Germany", "1"], ["US", "4"]]);
    assert_eq!(partly.report.variants.iter().map(|v| v.row_count).collect::<Vec<_>>(), [Some(3)]);
}

#[tokio::test]
async fn a_filter_by_one_of_several_ways_is_told_with_the_rows_that_it_leaves_out() {
    let ran = with_writings("SELECT COUNT(*) FROM customer WHERE country = 'USA'", Vec::new()).await;
    assert_eq!(rows(&ran), [["1"]]);
    let [variant] = ran.report.variants.as_slice() else { panic!("{:?}", ran.report.variants) };
    assert_eq!((variant.rule.as_str(), &variant.first_row[..]), ("V005", &[Some("4".to_owned())][..]));
    assert!(variant.note.ends_with("this adds 3 rows") && !variant.note.contains("Germany"), "{}", variant.note);
    let kept = with_writings("SELECT COUNT(*) FROM customer WHERE country = 'USA'", variant.always.clone()).await;
    assert_eq!(rows(&kept), [["4"]]);

    for sql in [
        "SELECT name FROM customer WHERE country IN ('US', 'USA', 'U.S.')",
        "SELECT name, country FROM customer",
        "SELECT COUNT(*) FROM customer WHERE country = 'FR'",
        "SELECT country, COUNT(*) FROM customer WHERE country IN ('FR', 'USA', 'US', 'U.S.') AND name < 'Cz' GROUP BY country",
        "SELECT name, COUNT(*) FROM customer GROUP BY name",
    ] {
        let ran = with_writings(sql, Vec::new()).await;
        let told = ran.report.variants.iter().any(|variant| variant.rule == "V005");
        assert!(!told && ran.report.findings.iter().all(|finding| finding.rule != "V005"), "{sql}");
    }
}
