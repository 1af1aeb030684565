//! Questions with two readings, and everyday questions with one.

use crate::fixtures::{catalog_with, rule_input, typed_table};
use crate::{QuestionFacts, Variant, find_readings};
use vitrine_domain::{Catalog, Dialect, Profile};
use vitrine_sql::ReadOnlySql;

fn gym_catalog() -> Catalog {
    let text = "TEXT";
    let gyms = typed_table("gyms", &[("gym_id", "INTEGER"), ("name", text), ("city", text)], &["gym_id"], &[]);
    let activities = typed_table("activities", &[("id", "INTEGER"), ("title", text), ("price", "REAL")], &["id"], &[]);
    let offers = typed_table(
        "gym_activities",
        &[("gym_id", "INTEGER"), ("activity_id", "INTEGER")],
        &[],
        &[("gym_id", "gyms", "gym_id"), ("activity_id", "activities", "id")],
    );
    let columns = [("id", "INTEGER"), ("name", text), ("genre", text), ("founded", "INTEGER"), ("city", text)];
    let bands = typed_table("music_bands", &columns, &["id"], &[]);
    let members = [("id", "INTEGER"), ("gym_id", "INTEGER"), ("name", text)];
    let members = typed_table("members", &members, &["id"], &[("gym_id", "gyms", "gym_id")]);
    catalog_with(Dialect::Sqlite, vec![gyms, activities, offers, bands, members])
}

fn find_reading(question: &str, sql: &str) -> Option<Variant> {
    let (catalog, profile) = (gym_catalog(), Profile::default());
    let facts = QuestionFacts::from_question(question, &catalog);
    let input = rule_input(&catalog, &profile, &facts);
    let mut found = find_readings(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap(), &input);
    assert!(found.len() < 2);
    found.pop()
}

fn other_reading_sql(question: &str, sql: &str) -> Option<String> {
    let found = find_reading(question, sql)?;
    let text = found.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    Some(text.replace("( ", "(").replace(" )", ")"))
}

const BOTH: &str = "SELECT name FROM music_bands WHERE genre IN ('Jazz', 'Rock') AND founded = 1985";

#[test]
fn a_condition_behind_two_nouns_may_belong_to_the_last() {
    let question = "Show jazz bands and rock bands founded in 1985";
    let found = find_reading(question, BOTH).unwrap();
    assert_eq!(found.rule, "A001");
    assert_eq!(found.as_written.as_deref(), Some("“1985” applies to “Jazz” and “Rock” alike"));
    assert_eq!(found.note, "“1985” applies only to “Rock”, and “Jazz” is without it");
    let wide = "SELECT name FROM music_bands WHERE genre = 'Jazz' OR (genre = 'Rock' AND founded = 1985)";
    assert_eq!(other_reading_sql(question, BOTH).as_deref(), Some(wide));
    let narrow = "SELECT name FROM music_bands WHERE (genre = 'Jazz' OR genre = 'Rock') AND founded = 1985";
    assert_eq!(other_reading_sql(question, wide).as_deref(), Some(narrow));
    assert_eq!(other_reading_sql(question, narrow).as_deref(), Some(wide));
    let countries =
        "SELECT name FROM music_bands WHERE city IN ('Wien', 'Graz') AND genre IN ('Jazz', 'Rock') AND founded = 1985";
    assert!(
        other_reading_sql(question, countries).is_some(),
        "values that the question does not name are none of its things"
    );
    // Words of other languages, and conditions that apply to both values.
    let german = "SELECT name FROM music_bands WHERE city = 'Köln' AND (genre = 'Rock' OR genre = 'Jazz') AND founded >= 1985 AND founded < 1990";
    assert_eq!(
        other_reading_sql("Welche Jazzbands und Rockbands, die seit 1985 bestehen, gibt es?", german).as_deref(),
        Some(
            "SELECT name FROM music_bands WHERE city = 'Köln' AND (genre = 'Jazz' OR (genre = 'Rock' AND founded >= 1985 AND founded < 1990))"
        )
    );
}

#[test]
fn where_or_was_written_without_brackets_both_readings_are_told() {
    let sql = "SELECT COUNT(*) FROM music_bands WHERE city = 'Berlin' OR city = 'Hamburg' AND founded = 1985";
    assert_eq!(
        other_reading_sql("How many bands from Berlin or Hamburg were founded in 1985?", sql).as_deref(),
        Some("SELECT COUNT(*) FROM music_bands WHERE (city = 'Berlin' OR city = 'Hamburg') AND founded = 1985")
    );
}

#[test]
fn what_everybody_reads_one_way_is_not_asked() {
    let cities = "SELECT name FROM music_bands WHERE city IN ('Berlin', 'Hamburg') AND founded = 1985";
    for (question, sql) in [
        ("Which bands from Berlin and Hamburg were founded in 1985?", cities),
        ("Welche Bands aus Berlin und Hamburg gibt es seit 1985?", cities),
        ("Bands of 1985 in Berlin and Hamburg", cities),
        ("Jazz and rock bands founded in 1985", BOTH),
        ("In 1985, which jazz bands and rock bands were founded?", BOTH),
        ("What jazz bands were founded in 1985 and what rock bands in the same year?", BOTH),
        ("Jazz oder Rock, gegründet 1985", BOTH),
        ("Show jazz bands and rock bands", "SELECT name FROM music_bands WHERE genre IN ('Jazz', 'Rock')"),
        ("Show jazz bands and rock bands founded before the gym", BOTH),
        (
            "List all jazz bands and also provide a list of the rock bands founded in 1985",
            "SELECT name FROM music_bands WHERE genre = 'Jazz' OR (genre = 'Rock' AND founded = 1985)",
        ),
        ("Rock bands founded in 1985", "SELECT name FROM music_bands WHERE genre = 'Rock' AND founded = 1985"),
    ] {
        assert_eq!(other_reading_sql(question, sql), None, "{question}");
    }
}

const PAIRS: &str = "SELECT g.name, a.title FROM gyms g JOIN gym_activities o ON g.gym_id = o.gym_id \
    JOIN activities a ON o.activity_id = a.id";
const COMMON: &str = "SELECT a.title FROM activities a WHERE a.id IN (SELECT activity_id FROM gym_activities \
    GROUP BY activity_id HAVING COUNT(DISTINCT gym_id) = (SELECT COUNT(*) FROM gyms))";

#[test]
fn what_each_has_may_be_what_all_have() {
    let question = "What activities does each gym offer?";
    let found = find_reading(question, PAIRS).unwrap();
    assert_eq!(found.rule, "A002");
    assert_eq!(found.as_written.as_deref(), Some("Activities of each individual gym"));
    assert_eq!(found.note, "Only activities that every gym has");
    assert_eq!(other_reading_sql(question, PAIRS).as_deref(), Some(COMMON));
    assert_eq!(other_reading_sql("Give me the activities that all the gyms have", PAIRS).as_deref(), Some(COMMON));
    assert_eq!(other_reading_sql("Quelles activités propose chaque salle ?", PAIRS).as_deref(), Some(COMMON));
    let grouped = other_reading_sql(question, &format!("{PAIRS} GROUP BY g.name, a.title"));
    assert_eq!(grouped, Some(COMMON.replace("SELECT a.title", "SELECT DISTINCT a.title")));
    let short = "SELECT DISTINCT a.title FROM gym_activities o JOIN activities a ON o.activity_id = a.id WHERE a.price > 5 ORDER BY a.title";
    assert_eq!(
        other_reading_sql("List the titles of activities above 5 for every gym", short).as_deref(),
        Some(
            "SELECT DISTINCT a.title FROM activities a WHERE a.price > 5 AND a.id IN (SELECT activity_id FROM gym_activities \
             GROUP BY activity_id HAVING COUNT(DISTINCT gym_id) = (SELECT COUNT(*) FROM gyms)) ORDER BY a.title"
        )
    );
}

#[test]
fn what_is_plainly_one_by_one_is_not_asked() {
    let counted = "SELECT g.name, COUNT(*) FROM gyms g JOIN gym_activities o ON g.gym_id = o.gym_id \
        JOIN activities a ON o.activity_id = a.id GROUP BY g.name";
    let of_one = format!("{PAIRS} WHERE g.city = 'Berlin'");
    let first = format!("{PAIRS} LIMIT 10");
    for (question, sql) in [
        ("For each gym, list its activities", PAIRS),
        ("Show for every gym the activities", PAIRS),
        ("Which gyms have which activities?", PAIRS),
        ("List all gyms and their activities", PAIRS),
        ("List all activities and the gyms that offer them", PAIRS),
        ("Activities by gym", PAIRS),
        ("Für jede Filiale das Angebot", PAIRS),
        ("How many activities does each gym offer?", counted),
        ("What activities does each gym in Berlin offer?", of_one.as_str()),
        ("The first ten activities of each gym", first.as_str()),
        (
            "Which members does each gym have?",
            "SELECT g.name, m.name FROM gyms g JOIN members m ON m.gym_id = g.gym_id",
        ),
        ("What is the price of each activity?", "SELECT title, price FROM activities"),
    ] {
        assert_eq!(other_reading_sql(question, sql), None, "{question}");
    }
}
