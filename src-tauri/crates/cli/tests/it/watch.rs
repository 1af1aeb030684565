//! Watched answers: scheduled, compared, written and reported once.

use crate::support::{Desk, Said};
use serde_json::Value;

const SQL: &str = "SELECT country, count(*) AS n FROM customers GROUP BY country";

fn ok(said: Said) -> Said {
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    said
}

fn add(desk: &Desk, title: &str, sql: &str) -> String {
    let shop = desk.shop();
    ok(desk.run(&["saved", "add", "--warehouse", &shop, "--sql", sql, "--title", title])).out.trim().to_owned()
}

fn change_shop(desk: &Desk, sql: &str) {
    rusqlite::Connection::open(desk.path("shop.db")).unwrap().execute_batch(sql).unwrap();
}

fn json(said: Said) -> Value {
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}{}", said.out, said.err))
}

/// Lets the scheduled times pass, so that everything watched is due.
fn pass_time(desk: &Desk) {
    let workspace = rusqlite::Connection::open(desk.path("data/vitrine.db")).unwrap();
    workspace.execute_batch("UPDATE watches SET since = '2020-01-01T00:00:00.000Z'").unwrap();
}

/// Runs what is watched at its next time.
fn run_due(desk: &Desk) -> Said {
    pass_time(desk);
    desk.run(&["saved", "run", "--due", "--no-notify"])
}

/// Returns the run of the only watched answer at its next time.
fn next_run(desk: &Desk) -> Value {
    pass_time(desk);
    let done = json(desk.run(&["saved", "run", "--due", "--no-notify", "--json"]));
    assert_eq!(done["runs"].as_array().unwrap().len(), 1, "{done}");
    done["runs"][0]["run"].clone()
}

#[test]
fn a_changed_result_is_reported_with_what_changed_and_an_equal_one_is_not() {
    let desk = Desk::new();
    add(&desk, "By country", SQL);
    let watched = ok(desk.run(&["saved", "watch", "By country", "--every", "day", "--at", "07:30"]));
    assert!(watched.out.contains("every day at 07:30, reported when it changes"), "{}", watched.out);
    assert!(watched.out.contains("Now: 3 rows"), "{}", watched.out);
    // It has run already and is not due before its next time.
    assert!(ok(desk.run(&["saved", "run", "--due", "--no-notify"])).err.contains("Nothing is due"));
    let same = ok(run_due(&desk));
    assert_eq!(same.out, "By country: unchanged\n");
    change_shop(&desk, "INSERT INTO customers VALUES (4, 'Kurt', 'DE'), (5, 'Emmy', 'UK')");
    let changed = ok(run_due(&desk));
    assert_eq!(changed.out, "By country: changed: 2 rows are new, 1 row is gone\n");
    let run = next_run(&desk);
    assert_eq!((&run["outcome"], &run["reported"], &run["rows"]), (&"unchanged".into(), &false.into(), &4.into()));
    // A time that has passed is not run twice.
    assert!(ok(desk.run(&["saved", "run", "--due", "--no-notify"])).err.contains("Nothing is due"));
    // A run ahead of its time does not change the schedule.
    let listed = |desk: &Desk| json(desk.run(&["saved", "watch", "--list", "--json"]))[0]["nextDue"].clone();
    let next = listed(&desk);
    assert_eq!(
        ok(desk.run(&["saved", "run", "--due", "--until", "2040-01-01T12:00", "--no-notify"])).out,
        "By country: unchanged\n"
    );
    assert_eq!(listed(&desk), next);
    assert_eq!(desk.run(&["saved", "run", "--due", "--until", "tomorrow"]).status, 2);
    // Each run is in the audit log.
    let audit = json(desk.run(&["audit", "list", "--json"]));
    let ran = audit.as_array().unwrap().iter().filter(|row| row["sql"].as_str().unwrap().contains("GROUP BY"));
    assert!(ran.count() >= 4, "{audit}");
}

#[test]
fn a_limit_is_reported_when_it_is_crossed_and_when_the_number_returns() {
    let desk = Desk::new();
    add(&desk, "Customers", "SELECT count(*) AS n FROM customers");
    ok(desk.run(&["saved", "watch", "Customers", "--every", "hour", "--above", "3"]));
    assert_eq!(ok(run_due(&desk)).out, "Customers: unchanged\n");
    change_shop(&desk, "INSERT INTO customers VALUES (4, 'Kurt', 'DE')");
    let crossed = next_run(&desk).clone();
    assert_eq!((&crossed["outcome"], &crossed["reported"]), (&"crossed".into(), &true.into()));
    assert_eq!(crossed["notes"], serde_json::json!(["4 is above the limit of 3", "3 before, 4 now"]));
    change_shop(&desk, "INSERT INTO customers VALUES (5, 'Emmy', 'DE')");
    // It is known that the number is above the limit.
    assert_eq!(next_run(&desk)["reported"], false);
    change_shop(&desk, "DELETE FROM customers WHERE id > 2");
    let back = next_run(&desk).clone();
    assert_eq!((&back["outcome"], &back["reported"]), (&"returned".into(), &true.into()));
    let listed = json(desk.run(&["saved", "watch", "--list", "--json"]));
    assert_eq!((&listed[0]["watch"]["state"]["value"], &listed[0]["title"]), (&"2".into(), &"Customers".into()));
}

#[test]
fn an_ambiguous_limit_is_refused_and_a_named_column_is_compared() {
    let desk = Desk::new();
    add(&desk, "Two", "SELECT country, count(*) AS n, max(id) AS newest FROM customers GROUP BY country");
    let ambiguous = desk.run(&["saved", "watch", "Two", "--every", "day", "--above", "1", "--column", "country"]);
    assert!(ambiguous.status == 2 && ambiguous.err.contains("n and newest"), "{}", ambiguous.err);
    let unknown = desk.run(&["saved", "watch", "Two", "--every", "day", "--above", "1", "--column", "x"]);
    assert!(unknown.status == 2 && unknown.err.contains("--column"), "{}", unknown.err);
    // The largest digits are compared exactly.
    let watch = |limit: &str| {
        json(ok(
            desk.run(&["saved", "watch", "Two", "--every", "day", "--above", limit, "--column", "newest", "--json"])
        ))
    };
    assert_eq!(watch("9007199254740992")["watch"]["state"]["crossed"], true);
    assert_eq!(watch("9007199254740993")["watch"]["state"]["crossed"], false);
    let text = desk.run(&["saved", "watch", "Two", "--every", "day", "--below", "many"]);
    assert!(text.status == 2 && text.err.contains("not a number"), "{}", text.err);
    for wrong in [
        &["--every", "hour", "--at", "08:00"][..],
        &["--every", "day", "--on", "friday"],
        &["--every", "day", "--at", "24:00"],
        &["--every", "day", "--to", "nowhere"],
        &["--every", "day", "--above", "1", "--below", "0"],
        &["--at", "08:00"],
        &[],
    ] {
        assert_eq!(desk.run(&[&["saved", "watch", "Two"][..], wrong].concat()).status, 2, "{wrong:?}");
    }
}

#[test]
fn an_error_is_reported_once_and_names_what_changed_of_the_schema() {
    let desk = Desk::new();
    add(&desk, "By country", SQL);
    ok(desk.run(&["saved", "watch", "By country", "--every", "week", "--on", "friday"]));
    change_shop(&desk, "ALTER TABLE customers RENAME COLUMN country TO land");
    let first = run_due(&desk);
    assert!(
        first.status == 3 && first.out.contains("The column customers.country no longer exists"),
        "{}{}",
        first.out,
        first.err
    );
    let again = ok(run_due(&desk));
    assert!(again.out.is_empty() && again.err.contains("failed again"), "{}{}", again.out, again.err);
    change_shop(&desk, "ALTER TABLE customers RENAME COLUMN land TO country");
    let fixed = ok(run_due(&desk));
    assert!(fixed.out.contains("It works again"), "{}", fixed.out);
}

#[test]
fn another_shape_of_the_result_is_reported() {
    let desk = Desk::new();
    let id = add(&desk, "All", "SELECT * FROM customers");
    ok(desk.run(&["saved", "watch", &id, "--every", "day"]));
    change_shop(&desk, "ALTER TABLE customers ADD COLUMN city TEXT");
    let drifted = ok(run_due(&desk));
    assert!(
        drifted.out.contains("the data has another shape: ") && drifted.out.contains("new column city"),
        "{}",
        drifted.out
    );
    assert_eq!(ok(run_due(&desk)).out, "All: unchanged\n");
}

#[test]
fn each_run_writes_a_file_of_the_same_rows() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("out")).unwrap();
    add(&desk, "../By <country>", SQL);
    for format in ["csv", "html", "xlsx"] {
        ok(desk.run(&["saved", "watch", "../By <country>", "--every", "day", "--to", "out", "--format", format]));
        let run = next_run(&desk).clone();
        let file = std::path::PathBuf::from(run["file"].as_str().unwrap_or_else(|| panic!("{run}")));
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name.starts_with("by-country-") && name.ends_with(format), "{name}");
        assert_eq!(file.parent().unwrap(), desk.path("out"));
        let bytes = std::fs::read(&file).unwrap();
        match format {
            "csv" => assert!(String::from_utf8(bytes).unwrap().contains("UK,1")),
            "html" => {
                let html = String::from_utf8(bytes).unwrap();
                assert!(html.contains("../By &lt;country&gt;") || html.contains("By &lt;country&gt;"), "{html}");
                assert!(html.contains("default-src 'none'") && html.contains(">UK<"), "{html}");
            }
            _ => assert!(bytes.starts_with(b"PK")),
        }
    }
    // Without its folder the change is reported all the same, with the error; later only the file is missing.
    std::fs::remove_dir_all(desk.path("out")).unwrap();
    change_shop(&desk, "DELETE FROM customers WHERE id = 1");
    let without = next_run(&desk);
    assert_eq!((&without["outcome"], &without["reported"]), (&"changed".into(), &true.into()), "{without}");
    assert!(without["notes"].to_string().contains("does not exist"), "{without}");
    assert!(ok(run_due(&desk)).err.contains("failed again"));
    std::fs::create_dir(desk.path("out")).unwrap();
    let late = next_run(&desk);
    assert_eq!((&late["outcome"], &late["reported"]), (&"unchanged".into(), &true.into()), "{late}");
    assert!(late["notes"].to_string().contains("It works again") && late["file"].is_string(), "{late}");
}

#[test]
fn a_limit_that_is_crossed_without_the_folder_is_reported_once() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("out")).unwrap();
    add(&desk, "Customers", "SELECT count(*) AS n FROM customers");
    ok(desk.run(&["saved", "watch", "Customers", "--every", "hour", "--above", "3", "--to", "out"]));
    std::fs::remove_dir_all(desk.path("out")).unwrap();
    assert_eq!(run_due(&desk).status, 3);
    change_shop(&desk, "INSERT INTO customers VALUES (4, 'Kurt', 'DE')");
    let crossed = next_run(&desk);
    assert_eq!((&crossed["outcome"], &crossed["reported"]), (&"crossed".into(), &true.into()), "{crossed}");
    assert_eq!(next_run(&desk)["reported"], false);
}

#[test]
fn a_number_that_is_missing_is_not_replaced_by_another_column() {
    let desk = Desk::new();
    add(&desk, "Newest", "SELECT max(id) AS newest, 1 AS one FROM customers WHERE id BETWEEN 100 AND 200");
    let arguments = ["saved", "watch", "Newest", "--every", "hour", "--above", "3", "--column", "newest"];
    ok(desk.run(&arguments));
    let none = next_run(&desk);
    assert_eq!(none["outcome"], "unchanged", "{none}");
    change_shop(&desk, "INSERT INTO customers VALUES (101, 'Kurt', 'DE')");
    assert_eq!(next_run(&desk)["outcome"], "crossed");
    change_shop(&desk, "DELETE FROM customers WHERE id = 101");
    let back = next_run(&desk);
    assert!(back["outcome"] == "returned" && back["notes"].to_string().contains("no number"), "{back}");
    // Without a named column, the column with numbers could be another one each time.
    add(&desk, "Either", "SELECT max(id) AS newest, 1 AS one FROM customers WHERE id BETWEEN 100 AND 200");
    let unnamed = desk.run(&["saved", "watch", "Either", "--every", "hour", "--above", "3"]);
    assert!(unnamed.status == 2 && unnamed.err.contains("--column"), "{}{}", unnamed.out, unnamed.err);
}

#[test]
fn a_time_that_is_wrong_delays_only_its_own_watch() {
    let desk = Desk::new();
    for (title, since) in
        [("Future", "2999-01-01T00:00:00.000Z"), ("Odd", "yesterday"), ("Right", "2020-01-01T00:00:00.000Z")]
    {
        let id = add(&desk, title, SQL);
        ok(desk.run(&["saved", "watch", &id, "--every", "hour"]));
        let workspace = rusqlite::Connection::open(desk.path("data/vitrine.db")).unwrap();
        workspace.execute("UPDATE watches SET since = ?1 WHERE saved_id = ?2", [since, id.as_str()]).unwrap();
    }
    let listed = json(ok(desk.run(&["saved", "watch", "--list", "--json"])));
    assert!(listed.as_array().unwrap().iter().all(|one| one["nextDue"].as_str().unwrap() < "2999"), "{listed}");
    assert_eq!(ok(desk.run(&["saved", "run", "--due", "--no-notify"])).out, "Right: unchanged\n");
    let listed = json(ok(desk.run(&["saved", "watch", "--list", "--json"])));
    let is_corrected =
        |one: &Value| one["watch"]["since"].as_str().unwrap() < "2999" && one["watch"]["since"] != "yesterday";
    assert!(listed.as_array().unwrap().iter().all(is_corrected), "{listed}");
}

#[test]
fn two_processes_do_not_run_the_same_watch_twice() {
    let desk = Desk::new();
    add(&desk, "By country", SQL);
    ok(desk.run(&["saved", "watch", "By country", "--every", "day"]));
    pass_time(&desk);
    let arguments = ["saved", "run", "--due", "--no-notify", "--json"];
    let start = || {
        let mut command = desk.command(&arguments);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    let processes: Vec<_> = (0..4).map(|_| start()).collect();
    let runs: usize = processes
        .into_iter()
        .map(|process| json(ok(process.wait_with_output().unwrap().into()))["runs"].as_array().unwrap().len())
        .sum();
    assert_eq!(runs, 1);
}

#[test]
fn a_watch_is_removed_alone_and_with_its_question() {
    let desk = Desk::new();
    let id = add(&desk, "By country", SQL);
    assert_eq!(desk.run(&["saved", "watch", &id, "--remove"]).status, 2);
    ok(desk.run(&["saved", "watch", &id, "--every", "day"]));
    ok(desk.run(&["saved", "watch", &id, "--remove"]));
    assert_eq!(json(desk.run(&["saved", "watch", "--list", "--json"])), serde_json::json!([]));
    ok(desk.run(&["saved", "watch", &id, "--every", "day"]));
    ok(desk.run(&["saved", "rm", &id]));
    assert_eq!(json(desk.run(&["saved", "watch", "--list", "--json"])), serde_json::json!([]));
    assert!(ok(run_due(&desk)).err.contains("Nothing is due"));
}

#[test]
fn the_timer_is_shown_before_it_is_installed() {
    let desk = Desk::new();
    let shown = |arguments: &[&str]| {
        let all = [&["saved", "timer", "install", "--print"][..], arguments].concat();
        let said = desk.command(&all).env("XDG_CONFIG_HOME", desk.path("config")).output().unwrap();
        ok(Said::from(said)).out
    };
    let systemd = shown(&["--scheduler", "systemd"]);
    for part in [
        "OnCalendar=*:0/5",
        "saved run --due",
        "VITRINE_HOME=",
        "VITRINE_CACHE=",
        "vitrine-watches.timer",
        "config/systemd/user",
    ] {
        assert!(systemd.contains(part), "{part} is missing in\n{systemd}");
    }
    assert!(shown(&["--scheduler", "launchd"]).contains("<key>ProgramArguments</key>"));
    // A task has no variables, so it would use other folders than this program.
    let task = desk.run(&["saved", "timer", "install", "--print", "--scheduler", "task-scheduler"]);
    assert!(task.status == 2 && task.err.contains("VITRINE_HOME"), "{}{}", task.out, task.err);
    assert!(!desk.path("config").exists(), "nothing is written");
    let missing =
        desk.command(&["saved", "timer", "remove"]).env("XDG_CONFIG_HOME", desk.path("config")).output().unwrap();
    let missing = Said::from(missing);
    assert!(missing.status == 2 && missing.err.contains("not installed"), "{}", missing.err);
}
