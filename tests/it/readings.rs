//! Questions with two structural interpretations. The model is right about one of them: the user is shown both, and
//! similar everyday questions are answered immediately.

use crate::bench::{Known, Ran, in_order, large, run, small};
use crate::gold::{Answer, Declared, GoldServer, serve};
use async_trait::async_trait;
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, UserClarifier, UserRoles};
use vitrine_domain::{AskSettings, CertaintyLevel, Reading, RunStatus, Switch};

const SCRIPT: &str = "
    CREATE TABLE gyms (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE activities (id INTEGER PRIMARY KEY, title TEXT, price INTEGER);
    CREATE TABLE gym_activities (gym_id INTEGER REFERENCES gyms (id), activity_id INTEGER REFERENCES activities (id));
    CREATE TABLE bands (id INTEGER PRIMARY KEY, name TEXT, genre TEXT, city TEXT, founded INTEGER);
    INSERT INTO gyms VALUES (1, 'North', 'Berlin'), (2, 'South', 'Hamburg');
    INSERT INTO activities VALUES (1, 'Yoga', 9), (2, 'Boxing', 12), (3, 'Rowing', 7);
    INSERT INTO gym_activities VALUES (1, 1), (1, 2), (2, 1), (2, 3);
    INSERT INTO bands VALUES (1, 'Blue Five', 'Jazz', 'Berlin', 1985), (2, 'Old Hats', 'Jazz', 'Hamburg', 1970),
        (3, 'Stone Age', 'Rock', 'Hamburg', 1985), (4, 'Tin Roof', 'Rock', 'Berlin', 1999);";

const PAIRS: &str = "SELECT g.name, a.title FROM gyms AS g JOIN gym_activities AS o ON o.gym_id = g.id JOIN activities AS a ON a.id = o.activity_id";
const BOTH: &str = "SELECT name FROM bands WHERE genre IN ('Jazz', 'Rock') AND founded = 1985";
const CITIES: &str = "SELECT name FROM bands WHERE city IN ('Berlin', 'Hamburg') AND founded = 1985";

const BANDS: &str = "Show jazz bands and rock bands founded in 1985";
const GYMS: &str = "Which activities does each gym offer?";

/// Questions with a single meaning.
const PLAIN: [(&str, &str); 10] = [
    ("List the activities by gym", PAIRS),
    ("For each gym, what does it offer?", PAIRS),
    ("Alle Studios mit ihren Kursen", PAIRS),
    ("How many activities has each gym?", "SELECT gym_id, COUNT(*) FROM gym_activities GROUP BY gym_id"),
    ("What does each activity cost?", "SELECT title, price FROM activities"),
    ("Which bands from Berlin and Hamburg were founded in 1985?", CITIES),
    ("Bands aus Berlin und Hamburg seit 1985", CITIES),
    ("Jazz and rock bands founded in 1985, please", BOTH),
    ("What jazz bands, and what rock bands too, did 1985 bring?", BOTH),
    (
        "Which activities do both gyms offer?",
        "SELECT title FROM activities WHERE id IN (SELECT activity_id FROM gym_activities GROUP BY activity_id HAVING COUNT(*) = 2)",
    ),
];

fn model() -> GoldServer {
    let open = [(BANDS, BOTH), (GYMS, PAIRS)];
    let answers = open.into_iter().chain(PLAIN).map(|(question, sql)| Answer {
        question: question.to_owned(),
        sql: sql.to_owned(),
        doubted: None,
    });
    serve(answers, true)
}

async fn town(folder: &tempfile::TempDir) -> Known {
    let path = folder.path().join("town.sqlite");
    rusqlite::Connection::open(&path).expect("a database").execute_batch(SCRIPT).expect("rows");
    Known::of(&format!("sqlite:{}", path.display()), &folder.path().join("values.db")).await
}

/// A user who chooses the interpretation at this index, and records the offered ones.
struct Person(Option<usize>, Mutex<Vec<Reading>>);

#[async_trait]
impl UserClarifier for Person {
    async fn choose_reading(&self, readings: &[Reading]) -> Option<u32> {
        *self.1.lock().expect("one person") = readings.to_vec();
        readings.get(self.0?).map(|reading| reading.candidate)
    }
}

async fn ask(known: &Known, server: &GoldServer, large: bool, question: &str, person: Option<Arc<Person>>) -> Ran {
    let ask = known.ask(question, AskSettings::default(), Declared::new(server, large));
    let clarifier = person.map(|person| person as Arc<dyn UserClarifier>);
    let ran = run(Ask { user: UserRoles { clarifier, ..ask.user }, ..ask }, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{question}: {:?}", ran.outcome);
    ran
}

fn rows(ran: &Ran) -> Vec<String> {
    let rows = in_order(ran.report.page.as_ref().expect("rows"), false);
    rows.iter().map(|row| row.iter().flatten().cloned().collect::<Vec<_>>().join(" ")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_with_two_readings_is_asked_about_with_every_model() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (known, server) = (town(&folder).await, model());
    for (question, meanings, answers) in [
        (
            BANDS,
            ["“1985” applies to “Jazz” and “Rock” alike", "“1985” applies only to “Rock”, and “Jazz” is without it"],
            [vec!["Blue Five", "Stone Age"], vec!["Blue Five", "Old Hats", "Stone Age"]],
        ),
        (
            GYMS,
            ["Activities of each individual gym", "Only activities that every gym has"],
            [vec!["North Boxing", "North Yoga", "South Rowing", "South Yoga"], vec!["Yoga"]],
        ),
    ] {
        for large in [false, true] {
            for (place, answer) in answers.iter().enumerate() {
                let person = Arc::new(Person(Some(place), Mutex::default()));
                let ran = ask(&known, &server, large, question, Some(person.clone())).await;
                let shown = person.1.lock().expect("one person").clone();
                assert_eq!(shown.iter().map(|reading| reading.meaning.as_str()).collect::<Vec<_>>(), meanings);
                assert_eq!(rows(&ran), *answer, "{question}");
                let told = (&ran.report.changes, &ran.report.variants);
                assert!(told.0.is_empty() && told.1.is_empty(), "what the person chose is no change: {told:?}");
            }
            // Without a choice, the query as written is the answer, the other one is a variant, and the answer is not
            // sure.
            for person in [None, Some(Arc::new(Person(None, Mutex::default())))] {
                let ran = ask(&known, &server, large, question, person).await;
                assert_eq!(rows(&ran), answers[0], "{question}");
                let beside: Vec<_> = ran.report.variants.iter().map(|variant| variant.note.as_str()).collect();
                assert_eq!(beside, [meanings[1]]);
                let certainty = ran.report.certainty.as_ref().expect("an estimate");
                assert_ne!(certainty.level, CertaintyLevel::Sure);
                assert!(certainty.reasons.iter().any(|reason| reason.code == "ambiguous"), "{certainty:?}");
            }
        }
    }
    let without = AskSettings { without: [Switch::Readings].into(), ..AskSettings::default() };
    let person = Arc::new(Person(Some(1), Mutex::default()));
    let ask = known.ask(GYMS, without, Declared::new(&server, false));
    let clarifier = Some(person.clone() as Arc<dyn UserClarifier>);
    let ran = run(Ask { user: UserRoles { clarifier, ..ask.user }, ..ask }, CancellationToken::new()).await;
    assert!(ran.report.variants.is_empty() && person.1.lock().expect("one person").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_with_one_meaning_is_answered_at_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (known, server) = (town(&folder).await, model());
    for (question, _) in PLAIN {
        for large in [false, true] {
            let person = Arc::new(Person(None, Mutex::default()));
            let ran = ask(&known, &server, large, question, Some(person.clone())).await;
            assert!(person.1.lock().expect("one person").is_empty(), "{question}");
            assert!(
                ran.report.variants.iter().all(|variant| !vitrine_sql_rules::is_reading(&variant.rule)),
                "{question}"
            );
        }
    }
}

const BEST: &str = "Which gym is our best?";
const MOST_OFFERED: &str = "SELECT g.name FROM gyms AS g JOIN gym_activities AS o ON o.gym_id = g.id GROUP BY g.id, g.name ORDER BY COUNT(*) DESC, g.name LIMIT 1";
const CHEAPEST: &str = "SELECT g.name FROM gyms AS g JOIN gym_activities AS o ON o.gym_id = g.id JOIN activities AS a ON a.id = o.activity_id GROUP BY g.id, g.name ORDER BY SUM(a.price), g.name LIMIT 1";
const MEANINGS: [&str; 2] = ["The gym that offers most", "The gym with the lowest prices"];

/// Returns a reply with an alternative interpretation and its query.
fn vague(other: &str) -> String {
    let told = serde_json::json!({ "taken": MEANINGS[0], "otherwise": MEANINGS[1], "otherwise_sql": other });
    format!("\"Best\" is open.\n```json\n{told}\n```\n```sql\n{MOST_OFFERED}\n```")
}

async fn ask_of(
    known: &Known,
    model: Arc<vitrine_llm::ScriptedModel>,
    settings: AskSettings,
    person: Option<Arc<Person>>,
) -> Ran {
    let clarifier = person.map(|person| person as Arc<dyn UserClarifier>);
    let ask = known.ask(BEST, settings, model);
    let ran = run(Ask { user: UserRoles { clarifier, ..ask.user }, ..ask }, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    ran
}

#[tokio::test(flavor = "multi_thread")]
async fn a_word_that_a_large_model_finds_open_is_asked_about_where_its_other_meaning_finds_something_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let known = town(&folder).await;
    let replies = |other: &str| large(vec![vague(other); 2]);
    for (place, answer) in ["North", "South"].into_iter().enumerate() {
        let person = Arc::new(Person(Some(place), Mutex::default()));
        let ran = ask_of(&known, replies(CHEAPEST), AskSettings::default(), Some(person.clone())).await;
        let shown = person.1.lock().expect("one person").clone();
        assert_eq!(shown.iter().map(|reading| reading.meaning.as_str()).collect::<Vec<_>>(), MEANINGS);
        assert_eq!((rows(&ran), ran.report.variants.len()), (vec![answer.to_owned()], 0));
    }
    let ran = ask_of(&known, replies(CHEAPEST), AskSettings::default(), None).await;
    assert_eq!(rows(&ran), ["North"], "nobody is there: the query as written is the answer");
    let beside: Vec<_> = ran.report.variants.iter().map(|variant| (&*variant.rule, &*variant.note)).collect();
    assert_eq!(beside, [("A003", MEANINGS[1])]);
    let certainty = ran.report.certainty.as_ref().expect("an estimate");
    assert!(certainty.reasons.iter().any(|reason| reason.code == "ambiguous"), "{certainty:?}");

    // An equal result, an empty result, a forbidden statement and an unknown table: none is a choice.
    let same = MOST_OFFERED.replace("COUNT(*)", "COUNT(o.activity_id)");
    for other in [&same, "SELECT name FROM gyms WHERE city = 'Rome'", "DELETE FROM gyms", "SELECT stars FROM reviews"] {
        let person = Arc::new(Person(Some(1), Mutex::default()));
        let ran = ask_of(&known, replies(other), AskSettings::default(), Some(person.clone())).await;
        assert!(person.1.lock().expect("one person").is_empty(), "{other}");
        assert_eq!((rows(&ran), ran.report.variants.len()), (vec!["North".to_owned()], 0), "{other}");
    }
    // Skipped if disabled, and for a small model, whose text is not used as an interpretation.
    let off = |rule: &str| AskSettings { without_rules: vec![rule.into()], ..AskSettings::default() };
    let without = AskSettings { without: [Switch::Readings].into(), ..AskSettings::default() };
    for (model, settings) in [
        (replies(CHEAPEST), off("A003")),
        (replies(CHEAPEST), without),
        (small(vec![vague(CHEAPEST); 2]), AskSettings::default()),
    ] {
        let person = Arc::new(Person(Some(1), Mutex::default()));
        let ran = ask_of(&known, model, settings, Some(person.clone())).await;
        assert!(person.1.lock().expect("one person").is_empty());
        assert_eq!((rows(&ran), ran.report.variants.len()), (vec!["North".to_owned()], 0));
    }
}
