//! Inference of keys that were removed from a catalog: the share that is found, and the number of others.

mod judge;

use crate::Options;
use crate::report::{Figure, Section, count};
use anyhow::Result;
use judge::Tally;

/// Goals in percent: declared keys found, and inferred keys that may be wrong.
const FINDS: f64 = 90.0;
const WRONG: f64 = 5.0;

pub fn section(options: &Options) -> Result<Section> {
    let packs: Vec<_> = options.packs.iter().filter(|folder| folder.join("databases").is_dir()).collect();
    if packs.is_empty() {
        return Ok(Section::skipped(
            "skipped: packs with databases are no part of the project; name their folders with --packs",
        ));
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let mut figures = Vec::new();
    for folder in packs {
        let mut tally = Tally::default();
        let mut files: Vec<_> =
            std::fs::read_dir(folder.join("databases"))?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "sqlite")) {
            runtime.block_on(tally.add(&format!("sqlite:{}", file.display())))?;
        }
        for line in &tally.lines {
            eprintln!("{line}");
        }
        let pack = folder.file_name().unwrap_or_default().to_string_lossy();
        figures.extend(figures_of(&format!("{pack}, {} databases", count(tally.databases)), &mut tally));
    }
    Ok(Section {
        how: "Every declared key is taken out of the catalog before the profile is made. Primary keys count where the table has rows \
              and none has a NULL in the key; one is found where exactly its columns are inferred. Foreign keys count as found where all \
              their pairs of columns are inferred to the same table, and as findable where both tables have rows. Another primary key \
              than the declared one is wrong; but where it is a part of the declared one, it holds in the data: such tables are given by \
              themselves. Foreign keys that are not declared are wrong in the strict count. In the lenient one they are not where \
              declared keys connect their columns, directly or through others, or where the column has the very name of the declared \
              primary key that it refers to. Keys of tables that declare none are not judged. Wrong ones are given of all inferred ones \
              that are judged."
            .to_owned(),
        figures,
        tables: Vec::new(),
    })
}

fn figures_of(of: &str, tally: &mut Tally) -> Vec<Figure> {
    let part = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let said = |some: u64, whole: u64| format!("{:.1}% ({} of {})", part(some, whole), count(some), count(whole));
    let found = |name: &str, some: u64, whole: u64| {
        Figure::new(format!("{of}: {name}"), said(some, whole)).goal("at least 90%", part(some, whole) >= FINDS)
    };
    let wrong = |name: &str, some: u64, whole: u64| {
        Figure::new(format!("{of}: {name}"), said(some, whole)).goal("at most 5%", part(some, whole) <= WRONG)
    };
    let primary = tally.primary_found + tally.primary_other;
    let lenient = tally.primary_other - tally.primary_part + tally.foreign_wrong;
    tally.ratios.sort_by(f64::total_cmp);
    let median = tally.ratios.get(tally.ratios.len() / 2).copied().unwrap_or_default();
    vec![
        found("primary keys found", tally.primary_found, tally.primary),
        found("foreign keys found, of the findable", tally.foreign_found, tally.foreign_findable),
        Figure::new(format!("{of}: foreign keys found, of all"), said(tally.foreign_found, tally.foreign)),
        found(
            "keys found, both together",
            tally.primary_found + tally.foreign_found,
            tally.primary + tally.foreign_findable,
        ),
        wrong("other primary keys", tally.primary_other, primary),
        Figure::new(format!("{of}: of these, parts of the declared one"), count(tally.primary_part)),
        wrong("foreign keys not declared (strict)", tally.foreign_other, tally.inferred),
        wrong("wrong foreign keys (lenient)", tally.foreign_wrong, tally.inferred),
        wrong(
            "wrong keys, both together (strict)",
            tally.primary_other + tally.foreign_other,
            primary + tally.inferred,
        ),
        wrong("wrong keys, both together (lenient)", lenient, primary + tally.inferred),
        Figure::new(format!("{of}: primary keys of tables that declare none"), count(tally.primary_unknown)),
        Figure::new(format!("{of}: time of the inference"), "").against("the profile's (median)", median),
    ]
}
