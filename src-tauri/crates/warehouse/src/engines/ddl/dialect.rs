//! Detects the dialect of definitions from words that only one dialect uses.

use std::path::Path;
use vitrine_domain::Dialect;
use vitrine_sql::DialectExt;
use vitrine_sql::dialect::ALL;

/// Bytes of each file that are examined.
const HEAD: usize = 20_000;
/// The dialect of definitions that only use standard SQL.
const DIALECT: Dialect = Dialect::Postgres;

/// Returns the dialect of most files; if the texts do not decide, a folder named after a dialect does.
pub(super) fn detect_dialect<'t>(path: &Path, texts: impl Iterator<Item = &'t str>) -> Dialect {
    let mut counts = ALL.map(|dialect| (dialect, 0_usize));
    for text in texts {
        let end = (0..=HEAD.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let head = text[..end].to_ascii_lowercase();
        for (dialect, count) in &mut counts {
            *count += dialect.sql().definition_signs().iter().filter(|sign| head.contains(**sign)).count();
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    // Of several dialects with the same number of signs, the first in the order of their ids.
    let first = counts.into_iter().filter(|(_, count)| *count == most).min_by_key(|(dialect, _)| *dialect as usize);
    let by_text = first.filter(|_| most > 0).map(|(dialect, _)| dialect);
    by_text.or_else(|| by_folder(path)).unwrap_or(DIALECT)
}

fn by_folder(path: &Path) -> Option<Dialect> {
    path.iter().rev().find_map(|part| {
        let part = part.to_string_lossy().to_ascii_lowercase();
        ALL.into_iter().find(|dialect| dialect.sql().folder_names().contains(&part.as_str()))
    })
}
