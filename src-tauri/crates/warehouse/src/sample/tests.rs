use super::calendar::Day;
use super::*;

fn open_sample() -> (tempfile::TempDir, Connection) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("shop.duckdb");
    create_database(&path, |_| {}).unwrap();
    let db = Connection::open(&path).unwrap();
    (dir, db)
}

fn query_rows(db: &Connection, sql: &str) -> Vec<Vec<String>> {
    let mut statement = db.prepare(&format!("SELECT COLUMNS(*)::VARCHAR FROM ({sql}) AS answer")).unwrap();
    let mut rows = statement.query([]).unwrap();
    let width = rows.as_ref().unwrap().column_count();
    let mut all = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        all.push((0..width).map(|i| row.get::<_, Option<String>>(i).unwrap().unwrap_or_default()).collect());
    }
    all
}

fn query_number(db: &Connection, sql: &str) -> i64 {
    db.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Computes a digest of all rows of all tables in insertion order.
fn content_digest(db: &Connection) -> String {
    let mut hasher = blake3::Hasher::new();
    for name in query_rows(db, "SELECT table_name FROM duckdb_tables() ORDER BY table_name") {
        hasher.update(name[0].as_bytes());
        for row in query_rows(db, &format!("SELECT * FROM {}", name[0])) {
            hasher.update(row.join("\u{1f}").as_bytes());
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

#[test]
fn the_sample_is_what_its_version_says_and_asks_what_it_can_answer() {
    let (_dir, db) = open_sample();
    assert_eq!((VERSION, content_digest(&db).as_str()), (1, "eaad64dee6900e89"), "new content needs a new VERSION");

    let tables = query_number(&db, "SELECT count(*) FROM duckdb_tables()");
    assert_eq!(tables, 16);
    let total: i64 = query_rows(&db, "SELECT table_name FROM duckdb_tables()")
        .iter()
        .map(|t| query_number(&db, &format!("SELECT count(*) FROM {}", t[0])))
        .sum();
    assert!((280_000..330_000).contains(&total), "{total} rows");

    for question in QUESTIONS {
        let answer = query_rows(&db, question.sql);
        assert!(!answer.is_empty(), "{}", question.question);
        assert!(answer.len() <= 40, "{} has {} rows", question.question, answer.len());
        assert!(answer.iter().flatten().all(|cell| !cell.is_empty()), "{}: {answer:?}", question.question);
    }
    assert!(QUESTIONS.is_sorted_by_key(|q| q.level as u8), "from easy to hard");
    // A LIMIT must not fall within a tie, or two correct answers could differ.
    for (question, more) in [(1, "LIMIT 6"), (5, "LIMIT 11")] {
        let (sql, _) = QUESTIONS[question].sql.split_once("LIMIT").unwrap();
        let answer = query_rows(&db, &format!("{sql} {more}"));
        let last = answer.len() - 1;
        assert_ne!(answer[last][1], answer[last - 1][1], "{}", QUESTIONS[question].question);
    }

    // Difficulties of real databases.
    assert_eq!(query_number(&db, "SELECT count(DISTINCT country) FROM customers"), 8);
    assert!(query_number(&db, "SELECT count(*) FROM customers WHERE state = 'New York'") > 50);
    assert!(query_number(&db, "SELECT count(*) FROM customers WHERE state = 'NY'") > 500);
    assert_eq!(query_number(&db, "SELECT count(*) FROM tmp_price_import"), 0);
    assert_eq!(
        query_number(&db, "SELECT count(*) FROM customers WHERE prefs->>'$.contact.sms' NOT IN ('true', 'false')"),
        0
    );
    assert_eq!(
        query_number(&db, "SELECT count(*) FROM customers WHERE try_strptime(signup_dt, '%d/%m/%Y') IS NULL"),
        0
    );

    // The figures are consistent with each other.
    assert_eq!(
        query_number(
            &db,
            "SELECT count(*) FROM order_items WHERE abs(net_amt - qty * unit_price * (100 - disc_pct) / 100) > 0.01"
        ),
        0
    );
    assert_eq!(
        query_number(
            &db,
            "SELECT count(*) FROM orders o JOIN stores s USING (store_id) WHERE o.order_date < s.opened_on"
        ),
        0
    );
    assert_eq!(query_number(&db, "SELECT count(*) FROM orders WHERE (channel = 'store') <> (store_id IS NOT NULL)"), 0);
    assert_eq!(
        query_number(
            &db,
            "SELECT count(*) FROM returns r JOIN orders o USING (order_id) WHERE r.return_date <= o.order_date"
        ),
        0
    );
    let missed = query_rows(&db, QUESTIONS[9].sql).len();
    assert!((8..32).contains(&missed), "{missed} of 40 stores missed their target");
    let monthly = query_rows(&db, QUESTIONS[4].sql);
    let revenue = |month: usize| monthly[month - 1][1].parse::<f64>().unwrap();
    assert!(revenue(12) > 1.3 * revenue(2), "December is the season");
}

#[test]
fn an_older_file_is_replaced_and_nothing_else_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("deep/shop.duckdb");
    std::fs::create_dir(dir.path().join("deep")).unwrap();
    std::fs::write(&path, "not a database").unwrap();
    std::fs::write(dir.path().join("deep/shop.duckdb.wal"), "of the old one").unwrap();
    let seen = std::cell::RefCell::new(Vec::new());
    create_database(&path, |part| seen.borrow_mut().push(part)).unwrap();
    assert!(seen.borrow().is_sorted() && seen.borrow().last() == Some(&1.0));
    let files: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(files, ["shop.duckdb"]);
    assert_eq!(query_number(&Connection::open(&path).unwrap(), QUESTIONS[0].sql), 12_000);
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let path = dir.path().join("file/shop.duckdb");
    let message = create_database(&path, |_| {}).unwrap_err().to_string();
    assert!(message.contains("shop.duckdb"), "{message}");
}

#[test]
fn days_and_dates_agree() {
    assert_eq!(Day::new(1970, 1, 1), Day(0));
    assert_eq!(Day::new(2024, 2, 29).add_days(1).year_month_day(), (2024, 3, 1));
    assert_eq!(Day::new(2024, 12, 31).weekday(), 1, "a Tuesday");
    assert_eq!(Day::new(2023, 12, 31).day_first(), "31/12/2023");
    for number in -800_000..800_000 {
        let (year, month, day) = Day(number).year_month_day();
        assert_eq!(Day::new(year, month, day), Day(number));
    }
}
