//! Detection of `psql` commands in dumps. Dumps are untrusted, and `\!` would run a program.

/// A command for `psql` in a dump.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// Line number, starting at 1.
    pub(crate) line: usize,
    /// The beginning of the line.
    pub(crate) text: String,
}

/// Lexical context of a byte.
enum In<'a> {
    Sql,
    /// A string literal; with the E prefix, a backslash escapes the next character.
    Text {
        escapes: bool,
    },
    Name,
    /// A dollar-quoted string with this tag.
    Dollars(&'a [u8]),
    LineComment,
    /// A block comment with its nesting depth.
    Comment(u32),
}

/// State of the current statement.
#[derive(Default)]
struct Statement {
    is_copy: bool,
    has_begun: bool,
    depth: u32,
    after_from: bool,
    /// `true` for `COPY ... FROM stdin`, which data follows.
    takes_data: bool,
}

impl Statement {
    fn read_word(&mut self, word: &[u8]) {
        let is = |known: &str| word.eq_ignore_ascii_case(known.as_bytes());
        if !self.has_begun {
            (self.has_begun, self.is_copy) = (true, is("copy"));
        }
        // The server accepts either word for the client's stream.
        let end = is("stdin") || is("stdout");
        self.takes_data |= self.is_copy && self.depth == 0 && self.after_from && end;
        self.after_from = is("from");
    }
}

/// Removes the two commands that newer versions of pg_dump write, `\restrict` and `\unrestrict`, each on its own
/// line; the lines stay, empty. Returns any other command as an error.
///
/// Parses the dump as `psql` does: a backslash starts a command except in strings, names, comments and the data after
/// `COPY ... FROM stdin`. A dump can change how `psql` parses it (client encoding, string syntax), so this check is for
/// the user's information and not sufficient protection: see `load`.
pub(crate) fn without_commands(dump: &[u8]) -> Result<Vec<u8>, Command> {
    let mut clean = dump.to_vec();
    let (mut at, mut state, mut statement, mut data_follows) = (0, In::Sql, Statement::default(), false);
    while let Some(&byte) = dump.get(at) {
        let rest = &dump[at..];
        if byte == b'\n' && data_follows {
            data_follows = false;
            at += 1 + length_of_data(&rest[1..]);
            continue;
        }
        let mut step = 1;
        match state {
            In::Sql => match byte {
                b'\\' => {
                    let line = line_at(dump, at);
                    if !is_of_pg_dump(line) {
                        let number = 1 + dump[..at].iter().filter(|byte| **byte == b'\n').count();
                        let text = String::from_utf8_lossy(line).trim().chars().take(80).collect();
                        return Err(Command { line: number, text });
                    }
                    step = line.len();
                    clean[at..at + step].fill(b' ');
                }
                b'\'' => state = In::Text { escapes: false },
                b'"' => state = In::Name,
                b'-' if rest.starts_with(b"--") => state = In::LineComment,
                b'/' if rest.starts_with(b"/*") => (state, step) = (In::Comment(1), 2),
                b'$' => {
                    if let Some(tag) = dollar_tag(rest) {
                        (state, step) = (In::Dollars(tag), tag.len());
                    }
                }
                b'(' => statement.depth += 1,
                b')' => statement.depth = statement.depth.saturating_sub(1),
                b';' => data_follows |= std::mem::take(&mut statement).takes_data,
                _ if begins_word(byte) => {
                    let word = &rest[..rest.iter().position(|byte| !in_word(*byte)).unwrap_or(rest.len())];
                    step = word.len();
                    statement.read_word(word);
                    if word.eq_ignore_ascii_case(b"e") && rest.get(1) == Some(&b'\'') {
                        (state, step) = (In::Text { escapes: true }, 2);
                    }
                }
                _ => {}
            },
            In::Text { escapes: true } if byte == b'\\' => step = 2,
            // A doubled quote closes and reopens the string here.
            In::Text { .. } if byte == b'\'' => state = In::Sql,
            In::Name if byte == b'"' => state = In::Sql,
            In::Dollars(tag) if rest.starts_with(tag) => (state, step) = (In::Sql, tag.len()),
            In::LineComment if matches!(byte, b'\n' | b'\r') => state = In::Sql,
            In::Comment(depth) if rest.starts_with(b"*/") => {
                (state, step) = (if depth == 1 { In::Sql } else { In::Comment(depth - 1) }, 2);
            }
            In::Comment(depth) if rest.starts_with(b"/*") => (state, step) = (In::Comment(depth + 1), 2),
            _ => {}
        }
        at += step;
    }
    Ok(clean)
}

/// Returns the length of the data in bytes, including the line that ends it.
fn length_of_data(data: &[u8]) -> usize {
    let mut length = 0;
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        length += line.len();
        if line.trim_ascii_end() == b"\\." {
            break;
        }
    }
    length
}

/// Returns the rest of a line without its line break.
fn line_at(dump: &[u8], at: usize) -> &[u8] {
    let rest = &dump[at..];
    rest.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or(rest)
}

/// Checks for one of the two pg_dump commands with a single key.
fn is_of_pg_dump(line: &[u8]) -> bool {
    let word = |command: &str| line.strip_prefix(command.as_bytes());
    word("\\restrict ")
        .or_else(|| word("\\unrestrict "))
        .is_some_and(|key| !key.is_empty() && key.iter().all(u8::is_ascii_alphanumeric))
}

/// Returns the tag `$$` or `$name$`.
fn dollar_tag(text: &[u8]) -> Option<&[u8]> {
    let end = 1 + text[1..].iter().position(|byte| *byte == b'$')?;
    let name = &text[1..end];
    let is_name = name.first().is_none_or(|byte| begins_word(*byte)) && name.iter().all(|byte| in_word(*byte));
    is_name.then_some(&text[..=end])
}

fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

fn in_word(byte: u8) -> bool {
    begins_word(byte) || byte.is_ascii_digit() || byte == b'$'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_command(dump: &str) -> Option<(usize, String)> {
        without_commands(dump.as_bytes()).err().map(|command| (command.line, command.text))
    }

    #[test]
    fn a_command_is_found_wherever_psql_would_run_it() {
        for (dump, line, text) in [
            ("\\! touch x", 1, "\\! touch x"),
            ("SELECT 1;\n\\i other.sql\n", 2, "\\i other.sql"),
            ("SELECT 1 \\g |sh\n", 1, "\\g |sh"),
            ("SELECT '\\'; \\! x\n", 1, "\\! x"),
            ("SELECT E'\\''; \\! x\n", 1, "\\! x"),
            ("SELECT 'it''s' \\gexec\n", 1, "\\gexec"),
            ("SELECT $$ ' $$ \\! x\n", 1, "\\! x"),
            ("SELECT $a$ $$ $b$ $a$ \\! x\n", 1, "\\! x"),
            ("SELECT a$b$ \\! x $b$\n", 1, "\\! x $b$"),
            ("-- text '\n\\! x\n", 2, "\\! x"),
            ("-- text\r\\! x\n", 1, "\\! x"),
            ("/* a /* b */ ' */ \\! x\n", 1, "\\! x"),
            ("SELECT 1 AS \"a\"\"'\" \\! x\n", 1, "\\! x"),
            ("COPY t FROM stdin;\na\\tb\n\\.\n\\! x\n", 4, "\\! x"),
            ("COPY t FROM stdin;\r\n'\r\n\\.\r\n\\! x\r\n", 4, "\\! x"),
            ("COPY t FROM stdin; \\! x\n\\.\n", 1, "\\! x"),
            // None of these is followed by data.
            ("COPY t TO stdout;\n\\! x\n\\.\n", 2, "\\! x"),
            ("COPY (SELECT * FROM stdin) TO stdout;\n\\! x\n", 2, "\\! x"),
            ("SELECT 'COPY t FROM stdin;';\n\\! x\n", 2, "\\! x"),
            ("-- COPY t FROM stdin;\n\\! x\n", 2, "\\! x"),
            ("SELECT a FROM stdin;\n\\! x\n", 2, "\\! x"),
            // An end-of-data marker outside data, and pg_dump's commands without a valid key.
            ("\\.\n", 1, "\\."),
            ("\\restrict\n", 1, "\\restrict"),
            ("\\restrict a \\! x\n", 1, "\\restrict a \\! x"),
            ("\\unrestrict a`x`\n", 1, "\\unrestrict a`x`"),
        ] {
            assert_eq!(find_command(dump), Some((line, text.to_owned())), "{dump}");
        }
    }

    #[test]
    fn a_backslash_in_texts_names_comments_and_data_is_no_command() {
        for dump in [
            "INSERT INTO t VALUES ('C:\\dir\\', 'b');\n",
            "SELECT E'a\\'b\\\\', 'c';\n",
            "SELECT '\n\\! x\n';\n",
            "CREATE FUNCTION f() RETURNS text AS $_$\n\\! x\n$_$ LANGUAGE sql;\n",
            "SELECT 1 AS \"\\! x\"; -- \\! x\n/* \\! x */",
            "COPY public.t (a, b) FROM stdin;\n\\N\t\\\\x\n\\! x\n'\n\\.\nSELECT 1;\n",
            "copy t from stdout;\n\\! x\n\\.\n",
            "COPY t FROM /* here */ STDIN WITH (FORMAT csv);\n\\! x\n\\.\n",
        ] {
            assert_eq!(without_commands(dump.as_bytes()).as_deref(), Ok(dump.as_bytes()), "{dump}");
        }
    }

    #[test]
    fn what_pg_dump_restricts_itself_by_is_taken_out_and_lines_keep_their_numbers() {
        let dump = "--\n\\restrict 0aZ9\nSELECT 1;\r\n\\unrestrict 0aZ9\n";
        let clean = String::from_utf8(without_commands(dump.as_bytes()).unwrap()).unwrap();
        assert_eq!(clean.split_whitespace().collect::<Vec<_>>(), ["--", "SELECT", "1;"]);
        assert_eq!((clean.len(), clean.lines().count()), (dump.len(), 4));
    }
}
