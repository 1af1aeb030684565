//! `vitrine saved`: a library of answers, as plain files with their review status.

use crate::support::{Desk, Said};
use serde_json::Value;

const SQL: &str = "SELECT country, count(*) AS n FROM customers GROUP BY country";

fn added(desk: &Desk, title: &str, sql: &str, more: &[&str]) -> String {
    let shop = desk.shop();
    let mut all = vec!["saved", "add", "--warehouse", &shop, "--sql", sql, "--title", title];
    all.extend(more);
    let said = desk.run(&all);
    assert_eq!(said.status, 0, "{}", said.err);
    said.out.trim().to_owned()
}

fn shown(desk: &Desk, saved: &str) -> Value {
    serde_json::from_str(&desk.run(&["saved", "show", saved, "--json"]).out).unwrap()
}

fn titles(desk: &Desk, which: &[&str]) -> Vec<String> {
    let mut all = vec!["saved", "list", "--json"];
    all.extend(which);
    let listed: Vec<Value> = serde_json::from_str(&desk.run(&all).out).unwrap();
    let mut titles: Vec<String> = listed.iter().map(|saved| saved["title"].as_str().unwrap().to_owned()).collect();
    titles.sort();
    titles
}

fn change_the_shop(desk: &Desk, sql: &str) {
    rusqlite::Connection::open(desk.path("shop.db")).unwrap().execute_batch(sql).unwrap();
}

fn ok(said: Said) -> Said {
    assert_eq!(said.status, 0, "{}", said.err);
    said
}

/// Returns the only file of the library.
fn only_file(desk: &Desk, folder: &str) -> std::path::PathBuf {
    let files: Vec<_> = std::fs::read_dir(desk.path(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

#[test]
fn questions_are_found_by_folder_tag_words_status_and_warehouse() {
    let desk = Desk::new();
    added(&desk, "By country", SQL, &["--folder", "Sales/2023", "--tag", "finance"]);
    added(&desk, "All", "SELECT * FROM customers", &["--folder", "Salesmen", "--tag", "people"]);
    assert_eq!(
        titles(&desk, &["--folder", "sales"]),
        ["By country"],
        "a folder is not the beginning of another's name"
    );
    assert_eq!(titles(&desk, &["--tag", "PEOPLE"]), ["All"]);
    assert_eq!(titles(&desk, &["--search", "finance group"]), ["By country"]);
    assert_eq!(titles(&desk, &["--search", "folder tags"]), [""; 0], "only what people wrote is searched");
    assert_eq!(titles(&desk, &["--warehouse", &desk.shop()]).len(), 2);
    assert_eq!(titles(&desk, &["--warehouse", "sample"]), [""; 0]);
    assert_eq!(titles(&desk, &["--status", "verified"]), [""; 0]);
    ok(desk.run(&["saved", "edit", "all", "--folder", "", "--tag", "x", "--untag", "people"]));
    let all = shown(&desk, "All");
    assert_eq!((&all["filing"]["folder"], &all["filing"]["tags"][0]), (&"".into(), &"x".into()));
    assert_eq!(desk.run(&["saved", "edit", "all", "--folder", "../up"]).status, 2);
    ok(desk.run(&["saved", "rm", "all"]));
    let gone = desk.run(&["saved", "show", "all"]);
    assert!(gone.status == 2 && gone.err.contains("vitrine saved list"), "{}", gone.err);
}

#[test]
fn a_verified_question_keeps_its_result_and_loses_its_word_with_its_query() {
    let desk = Desk::new();
    let id = added(&desk, "By country", SQL, &[]);
    ok(desk.run(&["saved", "verify", &id, "--by", "ann"]));
    let checked = shown(&desk, &id);
    assert_eq!((&checked["status"], &checked["filing"]["checked"]["by"]), (&"verified".into(), &"ann".into()));
    assert_eq!(checked["filing"]["checked"]["result"]["rows"], 3);
    assert!(ok(desk.run(&["saved", "show", &id])).out.contains("verified by ann on "));
    assert!(ok(desk.run(&["saved", "verify", &id])).err.contains("the same as when it was checked before"));
    change_the_shop(&desk, "INSERT INTO customers VALUES (4, 'Kurt', 'DE')");
    assert!(ok(desk.run(&["saved", "verify", &id])).err.contains("not the same"));
    // A new title does not change the query.
    ok(desk.run(&["saved", "edit", &id, "--title", "Countries"]));
    assert_eq!(shown(&desk, &id)["status"], "verified");
    let edited = ok(desk.run(&["saved", "edit", &id, "--sql", "SELECT count(*) AS n FROM customers"]));
    assert!(edited.err.contains("draft again"), "{}", edited.err);
    let draft = shown(&desk, &id);
    assert_eq!((&draft["status"], &draft["filing"]["checked"]), (&"draft".into(), &Value::Null));
    assert_eq!(desk.run(&["saved", "edit", &id, "--sql", "DELETE FROM customers"]).status, 2);
    assert_eq!(ok(desk.run(&["saved", "run", &id, "--json"])).out.matches("\"row_count\": 1").count(), 1);
}

#[test]
fn what_changed_of_the_schema_is_said_by_name_and_other_changes_are_not() {
    let desk = Desk::new();
    let id = added(&desk, "By country", SQL, &[]);
    change_the_shop(&desk, "ALTER TABLE customers ADD COLUMN city TEXT; CREATE TABLE other (id INTEGER)");
    assert_eq!(shown(&desk, &id)["drift"], serde_json::json!([]));
    assert_eq!(ok(desk.run(&["saved", "list", "--drift"])).err, "");
    change_the_shop(&desk, "ALTER TABLE customers RENAME COLUMN country TO land");
    let drift = shown(&desk, &id)["drift"].clone();
    assert_eq!(drift, serde_json::json!(["The column customers.country no longer exists"]));
    let listed = ok(desk.run(&["saved", "list", "--drift"]));
    assert!(listed.err.contains("By country: The column customers.country"), "{}", listed.err);
    let run = desk.run(&["saved", "run", &id]);
    assert!(run.status == 3 && run.err.contains("customers.country no longer exists"), "{}", run.err);
}

#[test]
fn the_library_is_files_that_live_in_version_control() {
    let desk = Desk::new();
    ok(desk.run(&["connections", "add", "Shop", &desk.shop()]));
    let id = added(&desk, "By country", SQL, &["--folder", "Sales", "--tag", "finance"]);
    ok(desk.run(&["saved", "verify", &id, "--by", "ann"]));
    ok(desk.run(&["saved", "export", "lib"]));
    let file = only_file(&desk, "lib/Sales");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("-- connection: \"Shop\"\n-- status: \"verified\"") && text.ends_with(&format!("\n\n{SQL}\n")),
        "{text}"
    );
    assert!(text.contains("-- uses: [\"customers\",{\"country\":\"TEXT\"}]") && !text.contains("shop.db"), "{text}");
    assert!(ok(desk.run(&["saved", "export", "lib"])).err.contains("0 files written"), "nothing changed");
    assert!(ok(desk.run(&["saved", "import", "lib"])).err.contains("0 new, 0 changed, 1 unchanged"));

    // A colleague imports it, with a connection of the same name.
    let other = Desk::new();
    ok(other.run(&["connections", "add", "Shop", &other.shop()]));
    let path = desk.path("lib").display().to_string();
    assert!(ok(other.run(&["saved", "import", &path])).err.contains("1 new"));
    let taken = shown(&other, "By country");
    assert_eq!((&taken["status"], &taken["filing"]["folder"]), (&"verified".into(), &"Sales".into()));
    assert_eq!(taken["filing"]["checked"]["by"], "ann");
    assert!(ok(other.run(&["saved", "run", "By country"])).out.contains("UK"));

    // A user edits the query in the file, and moves the file.
    std::fs::create_dir(desk.path("lib/Moved")).unwrap();
    let moved = desk.path("lib/Moved").join(file.file_name().unwrap());
    std::fs::write(&moved, text.replace("count(*)", "count(name)")).unwrap();
    std::fs::remove_file(&file).unwrap();
    let edited = ok(desk.run(&["saved", "import", "lib"]));
    assert!(edited.err.contains("so it is a draft") && edited.err.contains("1 changed"), "{}", edited.err);
    let changed = shown(&desk, &id);
    assert_eq!((&changed["status"], &changed["filing"]["folder"]), (&"draft".into(), &"Moved".into()));
    // The next export results in a single file.
    ok(desk.run(&["saved", "edit", &id, "--folder", "", "--title", "Named"]));
    let exported = ok(desk.run(&["saved", "export", "lib"]));
    assert!(exported.err.contains("removed") && !moved.exists(), "{}", exported.err);
}

#[test]
fn a_later_change_here_stays_and_a_broken_file_is_refused_by_name() {
    let desk = Desk::new();
    let id = added(&desk, "By country", SQL, &[]);
    ok(desk.run(&["saved", "export", "lib"]));
    ok(desk.run(&["saved", "edit", &id, "--notes", "looked at"]));
    let kept = ok(desk.run(&["saved", "import", "lib"]));
    assert!(kept.err.contains("changed here later"), "{}", kept.err);
    assert_eq!(shown(&desk, &id)["notes"], "looked at");
    ok(desk.run(&["saved", "import", "lib", "--overwrite"]));
    assert_eq!(shown(&desk, &id)["notes"], "");

    std::fs::write(desk.path("lib/note.sql"), "SELECT 1").unwrap();
    std::fs::write(desk.path("lib/broken.sql"), "-- vitrine saved question, format 1\n-- id: \"x\"\n\nSELECT 1")
        .unwrap();
    let refused = desk.run(&["saved", "import", "lib"]);
    assert!(refused.status == 2 && refused.err.contains("broken.sql: `id` is not a UUID"), "{}", refused.err);
    assert!(!refused.err.contains("note.sql"), "other SQL is none of ours");
    assert_eq!(desk.run(&["saved", "import", "nowhere"]).status, 2);
}

#[test]
fn verified_questions_are_a_benchmark_of_ones_own() {
    let desk = Desk::new();
    let shop = desk.shop();
    let none = desk.run(&["eval", "--saved", &shop]);
    assert!(none.status == 2 && none.err.contains("verified"), "{}", none.err);
    let id = added(
        &desk,
        "US",
        "SELECT count(*) AS customers FROM customers WHERE country = 'US'",
        &["--question", crate::ask::QUESTION],
    );
    ok(desk.run(&["saved", "verify", &id]));
    let model = crate::ask::recorded(&desk);
    let measured = desk.run(&["eval", "--saved", &shop, "--strategy", "direct", "--model", &model, "--json"]);
    assert_eq!(measured.status, 0, "{}", measured.err);
    assert!(measured.err.contains("1 question"), "{}", measured.err);
}

#[test]
fn the_answer_of_a_run_is_saved_and_taken_in_from_one_file_where_nothing_is_known_of_its_data() {
    let desk = Desk::new();
    let model = crate::ask::recorded(&desk);
    let shop = desk.shop();
    let question = crate::ask::QUESTION;
    ok(desk.run(&["ask", "--warehouse", &shop, "--strategy", "direct", "--model", &model, question]));
    let id = ok(desk.run(&["saved", "add", "--run", "last", "--folder", "Sales"])).out.trim().to_owned();
    let saved = shown(&desk, &id);
    assert_eq!((&saved["title"], &saved["status"]), (&question.into(), &"draft".into()));
    assert!(saved["runId"].is_string() && saved["filing"]["schema"]["customers"]["country"] == "TEXT", "{saved}");
    ok(desk.run(&["saved", "export", "lib"]));
    let file = only_file(&desk, "lib/Sales");
    let text = std::fs::read_to_string(&file).unwrap().replace(&shop, "sqlite:/nowhere/shop.db");
    let other = Desk::new();
    std::fs::write(other.path("one.sql"), text).unwrap();
    let taken = ok(other.run(&["saved", "import", "one.sql"]));
    assert!(taken.err.contains("connection 'sqlite:/nowhere/shop.db' not found"), "{}", taken.err);
    // A database that the user has not opened here stays closed.
    let run = other.run(&["saved", "run", question]);
    assert!(run.status == 4 && run.err.contains("not been opened here"), "{} {}", run.status, run.err);
    assert_eq!(shown(&other, question)["drift"], Value::Null);
    let nothing = desk.run(&["saved", "add", "--run", "0190b5a0-0000-7000-8000-000000000000"]);
    assert_eq!(nothing.status, 2, "{}", nothing.err);
}

#[test]
fn a_saved_question_runs_with_other_values() {
    let desk = Desk::new();
    let id = added(&desk, "UK", "SELECT name FROM customers WHERE country = 'UK'", &[]);
    let rows = |more: &[&str]| {
        let said = desk.run(&[&["saved", "run", &id, "--json"][..], more].concat());
        (said.status, said.out, said.err)
    };
    let own = rows(&[]);
    let other = rows(&["--param", "country=Atlantis"]);
    assert_eq!((own.0, other.0), (0, 0), "{}{}", own.2, other.2);
    assert!(other.1.contains("country = 'Atlantis'") && other.1.contains("\"row_count\": 0"), "{}", other.1);
    assert_eq!(rows(&["--param", "country"]).0, 2);
    let (status, _, err) = rows(&["--param", "city=x"]);
    assert!(status == 2 && err.contains("It has: country"), "{err}");
    assert!(ok(desk.run(&["saved", "show", &id])).out.contains("country=UK"));

    // The requested parameters are a line of the file.
    ok(desk.run(&["saved", "edit", &id, "--ask-for", "country"]));
    ok(desk.run(&["saved", "export", "lib"]));
    let text = std::fs::read_to_string(only_file(&desk, "lib")).unwrap();
    assert!(text.contains("-- parameters: [\"country\"]\n"), "{text}");
    ok(desk.run(&["saved", "rm", &id]));
    ok(desk.run(&["saved", "import", "lib"]));
    assert_eq!(shown(&desk, &id)["filing"]["parameters"], serde_json::json!(["country"]));
}
