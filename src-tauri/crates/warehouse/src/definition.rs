//! Definitions of views: extracts the query from the text that an engine returns.

/// Maximum length of a stored definition in characters.
const LONGEST: usize = 20_000;

/// Returns the query of `CREATE VIEW name AS SELECT ...`, or of an engine that returns only the query. Returns `None`
/// if it is too long, and for a view over files, since its definition would reveal file locations.
pub(crate) fn view_query(definition: &str) -> Option<String> {
    let lower = definition.to_ascii_lowercase();
    let begins = |rest: &str| ["select", "with", "from", "values", "("].iter().any(|word| rest.starts_with(word));
    let at = if begins(lower.trim_start()) {
        0
    } else {
        let ends_word =
            |at: usize| !lower[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '`'));
        let parts = lower.match_indices("as").filter(|&(at, _)| ends_word(at)).map(|(at, word)| at + word.len());
        parts.into_iter().find(|&end| {
            let rest = &lower[end..];
            rest.starts_with(|c: char| c.is_whitespace() || c == '(') && begins(rest.trim_start())
        })?
    };
    let over_files = ["read_csv", "read_parquet", "parquet_scan", "read_json", "read_xlsx", "st_read"];
    let query = definition[at..].trim().trim_end_matches(';').trim_end();
    let useful = query.len() <= LONGEST && !over_files.iter().any(|function| lower.contains(function));
    useful.then(|| query.to_owned())
}

#[cfg(test)]
mod tests {
    use super::view_query;

    #[test]
    fn a_definition_is_the_query_alone() {
        for (text, query) in [
            ("CREATE VIEW big AS SELECT * FROM customer;", "SELECT * FROM customer"),
            (
                "CREATE VIEW \"as\" (a, b) AS\nWITH x AS (SELECT 1) SELECT * FROM x",
                "WITH x AS (SELECT 1) SELECT * FROM x",
            ),
            (" SELECT a.id\n   FROM a;", "SELECT a.id\n   FROM a"),
        ] {
            assert_eq!(view_query(text).as_deref(), Some(query));
        }
        assert_eq!(view_query("CREATE VIEW data AS SELECT * FROM read_csv('/home/me/data.csv')"), None);
    }
}
