//! Values that a program could read wrongly without a word. The expected values are computed by hand.

use super::exports::Read;
use vitrine_domain::{FileOptions, SetAsideReason};

/// Reads a file with this name and content.
fn read(name: &str, bytes: &[u8]) -> Read {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    Read::of(&path, FileOptions::default())
}

/// Reads numbered values below the names `id` and `v`.
fn read_values(values: &[&str]) -> Read {
    let lines: String = values.iter().enumerate().map(|(at, value)| format!("{};{value}\n", at + 1)).collect();
    Read::text(&format!("id;v\n{lines}"))
}

#[tokio::test]
async fn texts_that_sort_differently_from_what_they_mean_are_reported() {
    for values in [
        &["12 kg", "5 kg", "100 kg"][..],
        &["1.5k", "800", "12k", "950"],
        &["~100", "90", "~1000", "85"],
        &["Jan 2024", "Feb 2024", "Dec 2023"],
        &["01/2024", "02/2024", "12/2023"],
        &["31-Dec-24", "01-Feb-25", "15-Jun-23"],
        &["2024-12-31", "01.02.2025", "2023-06-15"],
        &["1h 30m", "2h 05m", "10h 00m"],
    ] {
        let read = read_values(values);
        assert_eq!(read.types().await, ["id BIGINT", "v VARCHAR"], "{values:?}");
        let [doubt] = &read.reading.doubts[..] else { panic!("{values:?}: {:?}", read.reading.doubts) };
        assert!(doubt.starts_with("v contains"), "{doubt}");
    }
    for values in [
        &["12 Main St", "5 Oak Ave", "100 Elm Rd"][..],
        &["2024-W05", "2024-W10", "2023-W52"],
        &["2024-01", "2024-10", "2023-12"],
        &["00123", "00045", "10001"],
        &["101", "102A", "103B"],
        &["XL", "S", "M"],
    ] {
        let read = read_values(values);
        assert_eq!(read.reading.doubts, Vec::<String>::new(), "{values:?}");
        assert_eq!(read.row("SELECT v FROM t WHERE id = 1").await, [values[0]]);
    }
}

#[tokio::test]
async fn times_of_day_with_a_word_behind_are_times() {
    for (values, most, least) in [
        (&["9:05 AM", "10:30 PM", "12:15 AM", "n/a"][..], "22:30:00", "00:15:00"),
        (&["9 a.m.", "12 p.m.", "11:59:30 p.m."], "23:59:30", "09:00:00"),
        (&["8:00 Uhr", "14:30 Uhr"], "14:30:00", "08:00:00"),
    ] {
        let read = read_values(values);
        assert_eq!(read.row("SELECT max(v), min(v) FROM t").await, [most, least], "{values:?}");
    }
    assert_eq!(read_values(&["13:05 PM", "9:00 AM"]).types().await, ["id BIGINT", "v VARCHAR"]);
}

#[tokio::test]
async fn a_total_above_its_rows_is_set_aside() {
    let read = Read::text("Region;Umsatz;Kosten\nInsgesamt;159;60\nNord;100;10\nSüd;9;20\nWest;50;30\n");
    assert_eq!(read.row("SELECT sum(Umsatz), count(*) FROM t").await, ["159", "3"]);
    assert_eq!(read.aside(), [(2, SetAsideReason::Total)]);
    // The label alone is not enough.
    let read = Read::text("Region;Umsatz\nInsgesamt;200\nNord;100\nSüd;9\nWest;50\n");
    assert_eq!(read.row("SELECT count(*) FROM t").await, ["4"]);
    assert!(read.reading.doubts[0].starts_with("Row 2 looks like a total"), "{:?}", read.reading.doubts);
    let read = Read::text("q;answer\n1;Total\n2;Sum\n3;None of these\n");
    assert_eq!((read.aside(), read.reading.doubts.len()), (vec![], 0));
}

#[tokio::test]
async fn averages_below_the_rows_are_set_aside() {
    for text in [
        "Region;Umsatz;Kosten\nNord;100;10\nSüd;9;20\nWest;50;30\nDurchschnitt;53;20\n",
        "Region;Umsatz;Kosten\nNord;100;10\nSüd;9;20\nWest;50;30\nSumme;159;60\nDurchschnitt;53;20\n",
        "Region;Umsatz;Kosten\nNord;100;10\nSüd;9;20\nWest;50;30\nDurchschnitt;53;20\nSumme;159;60\n",
        "Region;Umsatz;Kosten\nNord;100;10\nSüd;9;20\nWest;50;30\n;53;20\n",
    ] {
        let read = Read::text(text);
        assert_eq!(read.row("SELECT sum(Umsatz), count(*) FROM t").await, ["159", "3"], "{text}");
    }
    let read = Read::text("rating;n;m\nGood;5;1\nPoor;2;1\nAverage;7;2\n");
    assert_eq!(read.row("SELECT count(*) FROM t").await, ["3"]);
}

#[tokio::test]
async fn rows_of_exact_sums_are_set_aside_or_reported() {
    let read = Read::text("Region;v\nNord;100\nNord;20\nZwischensumme;120\nSüd;9\nSüd;1\nZwischensumme;10\n");
    assert_eq!(read.row("SELECT sum(v) FROM t").await, ["130"]);
    let read = Read::text("Region;v\nNord;120\nSüd;89\nBeide Regionen;209\n");
    assert_eq!(read.row("SELECT count(*) FROM t").await, ["3"]);
    assert!(read.reading.doubts[0].starts_with("Row 4 contains the sums"), "{:?}", read.reading.doubts);
    let read = Read::text("Region,Sales,Orders\nNorth,100,10\nSouth,9,20\nGrand Total (2 rows),109,30\n");
    assert_eq!(read.row("SELECT sum(Sales) FROM t").await, ["109"]);
    for plain in ["id;name;v\n1;a;10\n2;b;20\n3;c;30\n", "id,v\n1,10\n2,20\n3,30\n"] {
        assert_eq!((Read::text(plain).aside(), Read::text(plain).reading.doubts.len()), (vec![], 0));
    }
}

#[tokio::test]
async fn names_in_another_case_and_lines_of_dashes_are_no_data() {
    let read = Read::text("id,v\n1,10\n2,20\nID,V\n3,30\n4,40\n");
    assert_eq!(read.row("SELECT sum(v), count(*) FROM t").await, ["100", "4"]);
    let read = Read::text("id|v\n--|--\n1|10\n2|9\n3|100\n");
    assert_eq!(read.row("SELECT max(v), count(*) FROM t").await, ["100", "3"]);
    let read = Read::text("a,b\n-,-\nx,5\n");
    assert_eq!(read.row("SELECT count(*) FROM t").await, ["2"]);
}

#[tokio::test]
async fn letters_of_other_western_encodings_are_read() {
    let mac = encoding_rs::MACINTOSH.encode("Nom;Ville\nHélène;Orléans\nFrançois;Besançon\n").0.into_owned();
    assert_eq!(read("t.csv", &mac).row("SELECT Nom FROM t WHERE Ville = 'Besançon'").await, ["François"]);
    let polish = encoding_rs::WINDOWS_1250.encode("Imię;n\nMałgorzata;5\nŁukasz;7\n").0.into_owned();
    assert_eq!(read("t.csv", &polish).row("SELECT \"Imię\" FROM t WHERE n = 5").await, ["Małgorzata"]);
    let polish = encoding_rs::ISO_8859_2.encode("Imię;n\nWładysław;5\nŚwiętosława;7\n").0.into_owned();
    assert_eq!(read("t.csv", &polish).row("SELECT \"Imię\" FROM t WHERE n = 7").await, ["Świętosława"]);
    // Code page 850 of DOS: ü is 0x81, ö is 0x94.
    let dos = read("t.csv", b"Name;n\nM\x81ller;5\nJ\x94rg;7\n");
    assert!(dos.reading.doubts[0].contains("another encoding than windows-1252"), "{:?}", dos.reading.doubts);
    // Of the Czech letters only ř differs in the Western encoding, where it is ø.
    let czech = read("t.csv", &encoding_rs::ISO_8859_2.encode("Jméno;n\nJiří Dvořák;5\nŠtěpán Černý;7\n").0);
    assert!(czech.reading.doubts[0].contains("another encoding than windows-1252"), "{:?}", czech.reading.doubts);
    let german = encoding_rs::WINDOWS_1252.encode("Ort;Preis €\nKöln – Süd;5\nMünchen „Ost“ m³;6\n").0.into_owned();
    let german = read("t.csv", &german);
    assert_eq!(german.reading.doubts, Vec::<String>::new());
    assert_eq!(german.reading.encoding.as_deref(), Some("windows-1252"));
}

#[tokio::test]
async fn records_by_their_keys_are_rows() {
    let read_json = |text: &str| read("t.json", text.as_bytes());
    let keyed = read_json(r#"{"u1":{"name":"a","n":1},"u2":{"name":"b","n":2},"u3":{"name":"c","n":3}}"#);
    assert_eq!(keyed.rows("SELECT key, n FROM t ORDER BY 1").await, [["u1", "1"], ["u2", "2"], ["u3", "3"]]);
    assert!(keyed.reading.doubts[0].contains("their keys are in the column key"), "{:?}", keyed.reading.doubts);
    let inner = read_json(r#"{"page":1,"users":{"a":{"n":1},"b":{"n":2},"c":{"n":3}}}"#);
    assert_eq!(inner.row("SELECT sum(n), count(*) FROM t").await, ["6", "3"]);
    let lists = read_json(r#"{"users":[{"n":1},{"n":2}],"orders":[{"m":5}]}"#);
    assert_eq!(lists.row("SELECT count(*) FROM t").await, ["1"]);
    assert!(lists.reading.doubts[0].contains("users, orders"), "{:?}", lists.reading.doubts);
    let bare = read_json(r#"[["id","v"],[1,10],[2,9]]"#);
    assert!(bare.reading.doubts[0].contains("lists without names"), "{:?}", bare.reading.doubts);
}

#[tokio::test]
async fn json_texts_that_sort_differently_are_reported() {
    for values in [
        ["31.12.2024", "01.02.2025", "15.06.2023"],
        ["12/31/2024", "02/01/2025", "06/15/2023"],
        ["1.234,50", "99,00", "12.000,00"],
        ["$10.00", "$9.50", "$100.00"],
        ["(5)", "10", "100"],
        ["1,234", "12,345", "999"],
        ["5%", "10%", "100%"],
        ["5 kg", "12 kg", "100 kg"],
        ["9:05 AM", "10:30 PM", "1:00 PM"],
    ] {
        let records: Vec<String> = values.iter().map(|value| format!("{{\"p\": \"{value}\"}}")).collect();
        let read = read("t.json", format!("[{}]", records.join(",")).as_bytes());
        assert_eq!(read.reading.doubts.len(), 1, "{values:?}: {:?}", read.reading.doubts);
    }
    for text in
        [r#"[{"phone":"+49301234567"},{"phone":"+4989123456"}]"#, r#"[{"name":"99 Problems"},{"name":"7 Rings"}]"#]
    {
        assert_eq!(read("t.json", text.as_bytes()).reading.doubts, Vec::<String>::new(), "{text}");
    }
}
