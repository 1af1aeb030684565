//! Asks the user at the terminal for the intended interpretation of the question.

use crate::output::{in_rows, print_note, sanitize_text};
use crate::typing::{print_prompt, read_on_thread};
use std::io::{BufRead, IsTerminal};
use tokio::sync::oneshot;
use vitrine_domain::Reading;
use vitrine_words::{plural, tr};

/// Returns true if a user at the terminal can be asked.
pub(crate) fn somebody_is_there() -> bool {
    std::io::stderr().is_terminal() && std::io::stdin().is_terminal()
}

/// Shows the interpretations, and returns the candidate of the typed number. `None` for an empty line.
pub(crate) fn ask_for_reading(readings: &[Reading]) -> oneshot::Receiver<Option<u32>> {
    print_note(&format!("\n{}", tr!("The question can be read in more than one way. Which do you mean?")));
    for (reading, number) in readings.iter().zip(1..) {
        format_reading(reading, number).iter().for_each(|line| print_note(&sanitize_text(line, false)));
    }
    let candidates: Vec<u32> = readings.iter().map(|reading| reading.candidate).collect();
    read_on_thread(move || {
        loop {
            print_prompt(&format!("{} ", tr!("1 to {most}, or Enter to let Vitrine choose:", most = candidates.len())));
            let mut typed = String::new();
            let read = std::io::stdin().lock().read_line(&mut typed);
            if read.is_err() || typed.trim().is_empty() {
                return None;
            }
            if let Some(candidate) = parse_choice(&candidates, &typed) {
                return Some(candidate);
            }
        }
    })
}

/// Asks whether to keep looking; returns when Enter is pressed.
pub(crate) fn keep_looking(waits_s: u32) -> oneshot::Receiver<()> {
    read_on_thread(move || {
        print_prompt(&format!(
            "{} ",
            tr!("Enter to continue the search; after {waits_s} s, or with Ctrl-C, this is the answer:", waits_s)
        ));
        let mut line = String::new();
        // If standard input cannot be read, Enter was not pressed.
        while std::io::stdin().lock().read_line(&mut line).map_or(true, |bytes| bytes == 0) {
            std::thread::park();
        }
    })
}

/// Formats a reading to choose from: its meaning and its result.
pub(crate) fn format_reading(reading: &Reading, number: u32) -> Vec<String> {
    let first: Vec<&str> = reading.first_row.iter().map(|cell| cell.as_deref().unwrap_or("NULL")).collect();
    let result = match (reading.row_count, first.as_slice()) {
        (1, [only]) => (*only).to_owned(),
        (rows, first) => format!("{}, {}", in_rows(rows), first.join(", ")),
    };
    let result = match reading.votes {
        0 => result,
        votes => format!("{result}, {}", plural!(u64::from(votes), "{n} attempt", "{n} attempts")),
    };
    match reading.meaning.as_str() {
        "" => vec![format!("  {number}  {result}")],
        meaning => vec![format!("  {number}  {meaning}"), format!("     {result}")],
    }
}

fn parse_choice(candidates: &[u32], typed: &str) -> Option<u32> {
    let number: usize = typed.trim().parse().ok()?;
    candidates.get(number.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_chosen_by_its_number() {
        assert_eq!(parse_choice(&[4, 7], " 2\n"), Some(7));
        assert_eq!(
            (parse_choice(&[4, 7], "0"), parse_choice(&[4, 7], "3"), parse_choice(&[4, 7], "both")),
            (None, None, None)
        );
    }

    #[test]
    fn a_reading_says_what_it_means_and_then_what_it_gives() {
        let reading = Reading {
            candidate: 4,
            votes: 2,
            sql: String::new(),
            meaning: "Number of rows of orders, only where status is “paid”".into(),
            row_count: 1,
            first_row: vec![Some("4025".into())],
        };
        assert_eq!(
            format_reading(&reading, 1),
            ["  1  Number of rows of orders, only where status is “paid”", "     4025, 2 attempts"]
        );
        let rows =
            Reading { row_count: 12, first_row: vec![Some("US".into()), None], meaning: String::new(), ..reading };
        assert_eq!(format_reading(&rows, 2), ["  2  12 rows, US, NULL, 2 attempts"]);
    }
}
