//! The output contract: what the answer's shape must be, derived from the rewritten question. It decides between
//! candidates with equal votes and binds the revisor, whose free edits cost accuracy in the paper's own ablation.

use regex::Regex;
use std::sync::OnceLock;
use vitrine_domain::{Catalog, Page, RewrittenQuestion, Table};
use vitrine_sql::{NumberedReference, ReadOnlySql, Said};

/// What is asked of the result's shape. A part that the question leaves open is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputContract {
    /// Number of columns.
    pub columns: Option<usize>,
    /// Whether rows have to be ordered.
    pub ordered: bool,
    /// Number of rows at most.
    pub limit: Option<u64>,
    /// Whether the question is known to ask for all rows.
    pub all_rows: bool,
    /// Numbers that the question names, as digits: years, limits, amounts.
    pub numbers: Vec<String>,
    /// Tables and columns that have one of these numbers in their name: `budget_2024`.
    pub numbered: Vec<String>,
    /// Columns that the question names in full, in words: `LifeExpectancy` by "life expectancy".
    pub named: Vec<String>,
    /// What a query is fitted to before it runs.
    pub said: Said,
}

impl OutputContract {
    /// Reads the contract off the question, what the rewriter made of it, and the names of the database.
    pub fn of(question: &str, rewritten: &RewrittenQuestion, catalog: &Catalog) -> Self {
        let ordering = rewritten.ordering.to_lowercase();
        static LIMIT: OnceLock<Regex> = OnceLock::new();
        let limit = LIMIT
            .get_or_init(|| {
                Regex::new(r"(?:\b(?:top|first|limit|only)\s+(\d{1,6})|\b(\d{1,6})\s+rows?\b)").expect("regex")
            })
            .captures(&ordering)
            .and_then(|found| found.get(1).or(found.get(2)))
            .and_then(|digits| digits.as_str().parse().ok());
        let numbers = numbers(question);
        Self {
            columns: (!rewritten.outputs.is_empty()).then_some(rewritten.outputs.len()),
            ordered: !ordering.trim().is_empty() && ordering.contains("by "),
            limit,
            all_rows: !rewritten.task.is_empty() && ordering.trim().is_empty(),
            numbered: numbered(&numbers, catalog),
            numbers,
            named: named(question, catalog),
            said: said(question, catalog),
        }
    }

    /// Says what of the question a query does not use: a condition or an output was lost on the way, whatever the vote
    /// says.
    pub fn lost(&self, sql: &ReadOnlySql) -> Option<String> {
        self.lost_numbers(sql).or_else(|| self.lost_columns(sql))
    }

    fn lost_columns(&self, sql: &ReadOnlySql) -> Option<String> {
        let text = sql.as_str().to_lowercase();
        let lost = self.named.iter().find(|name| !text.contains(&name.to_lowercase()))?;
        (!text.contains('*') || text.contains("count(*)"))
            .then(|| format!("does not use {lost}, which the question names"))
    }

    fn lost_numbers(&self, sql: &ReadOnlySql) -> Option<String> {
        let unused = self.unused_numbers(sql);
        (!unused.is_empty()).then(|| format!("does not use {}, which the question names", unused.join(" and ")))
    }

    fn unused_numbers(&self, sql: &ReadOnlySql) -> Vec<&str> {
        let text = sql.as_str();
        let in_name = |number: &str| {
            let names = self.numbered.iter().filter(|name| has_number(name, number));
            names.into_iter().any(|name| has_word(text, name))
        };
        let uses = |number: &str| {
            text.match_indices(number).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let after = text[at + number.len()..].chars().next();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.')
                    && !after.is_some_and(|c| c.is_ascii_digit())
            })
        };
        self.numbers.iter().map(String::as_str).filter(|number| !uses(number) && !in_name(number)).collect()
    }

    /// What speaks against a query whatever it gives: what of the question it does not use, keys that it compares by chance,
    /// a key that it sets to a number which neither the question nor `told`, the facts to go by, says.
    pub fn doubt(&self, sql: &ReadOnlySql, catalog: &Catalog, told: &str) -> Option<String> {
        let lost = self.lost(sql).map(|lost| format!("it {lost}"));
        let by_chance = || vitrine_sql::chance_joins(sql, catalog).into_iter().next();
        let unsaid = |number: &str| !has_number(&self.said.question, number) && !has_number(told, number);
        let guessed = || {
            let found =
                vitrine_sql::numbered_references(sql, catalog).into_iter().find(|found| unsaid(&found.number))?;
            let NumberedReference { column, refers_to, number } = found;
            Some(format!(
                "it sets {column} to {number}, which the question does not say: find it in {refers_to} by a name"
            ))
        };
        lost.or_else(by_chance).or_else(guessed)
    }

    /// How many of the contract's parts a query and its result break.
    pub fn breaches(&self, sql: &ReadOnlySql, page: &Page) -> Vec<String> {
        let mut breaches = Vec::from_iter(self.lost(sql));
        if let Some(columns) = self.columns
            && page.columns.len() != columns
        {
            breaches.push(format!("{} columns instead of {columns}", page.columns.len()));
        }
        if self.ordered && !sql.is_ordered() && page.row_count > 1 {
            breaches.push("rows are not ordered".to_owned());
        }
        if let Some(limit) = self.limit
            && page.row_count > limit
        {
            breaches.push(format!("{} rows instead of at most {limit}", page.row_count));
        }
        if self.all_rows
            && let Some(limit) = sql.limit()
        {
            breaches.push(format!("keeps {limit} rows where all are asked for"));
        }
        breaches
    }
}

/// Tables and columns with one of the numbers in their name: a year has a table or a column of its own.
fn numbered(numbers: &[String], catalog: &Catalog) -> Vec<String> {
    let names =
        catalog.tables.iter().flat_map(|t| std::iter::once(&t.name.name).chain(t.columns.iter().map(|c| &c.name)));
    let mut found: Vec<String> =
        names.filter(|name| numbers.iter().any(|number| has_number(name, number))).cloned().collect();
    found.sort();
    found.dedup();
    found
}

/// Whether the number is one of the name's runs of digits.
fn has_number(name: &str, number: &str) -> bool {
    name.split(|c: char| !c.is_ascii_digit()).any(|run| run == number)
}

/// Whether a name stands in a text by itself, in any case.
fn has_word(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(&name)
        .any(|(at, _)| !part(text[..at].chars().next_back()) && !part(text[at + name.len()..].chars().next()))
}

/// Columns whose name has several words, all of which stand side by side in the question; of a flag (`is_active`) those
/// after the first are enough. Names of keys are left out: the key of another table says the same.
fn named(question: &str, catalog: &Catalog) -> Vec<String> {
    let asked = words(question);
    let mut found: Vec<String> = Vec::new();
    for column in catalog.tables.iter().flat_map(|t| &t.columns) {
        let name = words(&column.name);
        let is_key = name.last().is_some_and(|last| matches!(last.as_str(), "id" | "key" | "code" | "no" | "number"));
        let said = match name.split_first() {
            Some((first, rest)) if !rest.is_empty() && matches!(first.as_str(), "is" | "has") => rest,
            _ => &name,
        };
        if name.len() > 1
            && !is_key
            && says(&asked, said)
            && !found.iter().any(|other| other.eq_ignore_ascii_case(&column.name))
        {
            found.push(column.name.clone());
        }
    }
    // Where "song release year" is named, `release_year` is not meant besides.
    let within = |short: &str, long: &str| {
        let (short, long) = (words(short), words(long));
        long.len() > short.len() && long.windows(short.len()).any(|run| run == short)
    };
    found.iter().filter(|name| !found.iter().any(|other| within(name, other))).cloned().collect()
}

/// Which tables the question names, and of which it speaks before it denies something.
fn said(question: &str, catalog: &Catalog) -> Said {
    let asked = words(question);
    let before = denial(question).map(|at| words(&question[..at]));
    let of = |meant: &dyn Fn(&[String]) -> bool| {
        let mut tables: Vec<&Table> = catalog.tables.iter().collect();
        tables.retain(|table| meant(&words(&table.name.name)));
        tables.into_iter().map(|table| table.name.clone()).collect()
    };
    let mut columns: Vec<String> = catalog.tables.iter().flat_map(|t| &t.columns).map(|c| c.name.clone()).collect();
    columns.retain(|column| says(&asked, &words(column)));
    Said {
        question: question.to_lowercase(),
        columns,
        tables: of(&|name| says(&asked, name)),
        mentioned: of(&|name| name.iter().any(|word| asked.contains(word))),
        denied: before.map(|before| of(&|name| name.iter().any(|word| before.contains(word)))),
    }
}

/// Whether words stand side by side among others.
fn says(asked: &[String], name: &[String]) -> bool {
    !name.is_empty() && asked.windows(name.len()).any(|run| run == name)
}

/// Where a question first says that something is not done or not there. What is not *such* ("not cancelled", "no more
/// than 5") is left to the conditions.
fn denial(question: &str) -> Option<usize> {
    static DENIAL: OnceLock<Regex> = OnceLock::new();
    const COMPARED: [&str; 8] = ["more", "less", "fewer", "later", "earlier", "longer", "sooner", "matter"];
    let denial = DENIAL.get_or_init(|| {
        let verbs = "do|does|did|has|have|had|can|could|will";
        Regex::new(&format!(
            r"(?i)\b(?:(?:{verbs})\s+not|(?:{verbs}|ca|wo)n['’]t|never|without|not\s+(?:\w+\s+)?any|not\s+\w+ing|(no)\s+([a-z]+))\b"
        ))
        .expect("regex")
    });
    let mut found = denial
        .captures_iter(question)
        .filter(|found| found.get(2).is_none_or(|next| !COMPARED.contains(&next.as_str().to_lowercase().as_str())));
    found.next().and_then(|found| found.get(0)).map(|found| found.start())
}

/// Lower-case words of a name or a sentence, in the singular.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (lower && c.is_uppercase()) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().expect("never empty").extend(c.to_lowercase());
        }
        lower = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words.iter().map(|word| singular(word)).collect()
}

/// A word without the ending of the plural; what only looks like one loses it alike wherever it stands.
fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ => word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word).to_owned(),
    }
}

/// Words after which a number is written otherwise in SQL.
const SCALES: [&str; 14] =
    ["million", "billion", "thousand", "percent", "k", "m", "bn", "st", "nd", "rd", "th", "am", "pm", "pct"];

/// The beginnings of the months' names.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The plain numbers of a question. Those that SQL may write otherwise are left out: 1.5 million, 20%, 9/11, 3 May.
fn numbers(question: &str) -> Vec<String> {
    static NUMBER: OnceLock<Regex> = OnceLock::new();
    let number = NUMBER.get_or_init(|| Regex::new(r"\b\d[\d,]*(?:\.\d+)?").expect("regex"));
    let joined = |c: Option<char>| c.is_some_and(|c| matches!(c, '/' | ':' | '%'));
    let month = |word: &str| MONTHS.iter().any(|month| word.to_lowercase().starts_with(month));
    let mut found: Vec<String> = Vec::new();
    for hit in number.find_iter(question) {
        let (before, after) = (&question[..hit.start()], &question[hit.end()..]);
        let next = after.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let previous = before.trim_end().rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let digits = hit.as_str().trim_end_matches(',').replace(',', "");
        let day = digits.len() <= 2 && (month(next) || month(previous));
        let scaled = SCALES.contains(&next.to_lowercase().as_str());
        let part = joined(before.chars().next_back()) || joined(after.chars().next());
        if !day && !scaled && !part && !found.contains(&digits) {
            found.push(digits);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{Column, Dialect, Table, TableKind, TableName};

    fn contract(ordering: &str, outputs: &[&str]) -> OutputContract {
        let rewritten = RewrittenQuestion {
            task: String::new(),
            outputs: outputs.iter().map(|s| (*s).to_owned()).collect(),
            filters: Vec::new(),
            ordering: ordering.to_owned(),
        };
        OutputContract::of("", &rewritten, &catalog())
    }

    fn catalog() -> Catalog {
        let names = ["LifeExpectancy", "song_release_year", "release_year", "Country_Code", "Name", "IsOfficial"];
        let column =
            |name: &&str| Column { name: (*name).into(), data_type: String::new(), nullable: true, comment: None };
        Catalog {
            database: String::new(),
            dialect: Dialect::Sqlite,
            search_path: Vec::new(),
            fingerprint: String::new(),
            tables: vec![Table {
                name: TableName::bare("t"),
                kind: TableKind::Table,
                comment: None,
                row_count: None,
                columns: names.iter().map(column).collect(),
                primary_key: Vec::new(),
                foreign_keys: Vec::new(),
            }],
        }
    }

    #[test]
    fn columns_that_the_question_names_in_full_have_to_be_used() {
        let of = |question: &str| OutputContract::of(question, &RewrittenQuestion::default(), &catalog());
        assert_eq!(of("What is the average life expectancy by name and country code?").named, ["LifeExpectancy"]);
        assert_eq!(of("Which song release years are there?").named, ["song_release_year"]);
        assert_eq!(of("Where is English an official language?").named, ["IsOfficial"]);
        assert!(of("Which language is it?").named.is_empty());
        let lost = |sql: &str| {
            of("Which life expectancy is above 72?").lost(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap())
        };
        assert_eq!(lost("SELECT lifeexpectancy FROM t WHERE lifeexpectancy > 72"), None);
        assert_eq!(
            of("Whose life expectancy?")
                .lost(&ReadOnlySql::parse("SELECT Percentage FROM t", Dialect::Sqlite).unwrap()),
            Some("does not use LifeExpectancy, which the question names".to_owned())
        );
    }

    #[test]
    fn what_is_denied_is_told_from_what_is_not_such() {
        let before = |question: &str| denial(question).map(|at| question[..at].trim().to_owned());
        assert_eq!(before("Which customers don't have a card?").as_deref(), Some("Which customers"));
        assert_eq!(before("Channels that are not playing any cartoon").as_deref(), Some("Channels that are"));
        assert_eq!(before("Stores with no visit").as_deref(), Some("Stores with"));
        assert_eq!(before("Stores without visits that never closed").as_deref(), Some("Stores"));
        for question in ["Orders that are not cancelled", "Stores with no more than 5 visits", "A note on notes"] {
            assert_eq!(before(question), None, "{question}");
        }
    }

    #[test]
    fn tables_are_named_in_the_singular_or_the_plural() {
        let mut catalog = catalog();
        catalog.tables[0].name = TableName::bare("country");
        catalog.tables.push(Table { name: TableName::bare("StoreVisits"), ..catalog.tables[0].clone() });
        let said = said("Which countries do not have a store visit?", &catalog);
        assert_eq!(said.tables, [TableName::bare("country"), TableName::bare("StoreVisits")]);
        assert_eq!(said.denied, Some(vec![TableName::bare("country")]));
    }

    #[test]
    fn numbers_of_the_question_have_to_be_used() {
        assert_eq!(numbers("Top 5 in 2023 over 1,500.50, in the 1980s?"), ["5", "2023", "1500.50", "1980"]);
        assert_eq!(numbers("1.5 million, 20%, 3rd, 9/11, F16, 3 May, June 4"), [] as [&str; 0]);
        let contract = OutputContract { numbers: numbers("Sales of 2023"), ..OutputContract::default() };
        let unused = |sql: &str| {
            let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
            contract.unused_numbers(&sql).len()
        };
        assert_eq!(unused("SELECT sum(x) FROM t WHERE d >= '2023-01-01'"), 0);
        assert_eq!(unused("WITH sales_2023 AS (SELECT 12023 AS x) SELECT x FROM sales_2023"), 1);
    }

    #[test]
    fn a_column_or_table_of_its_own_uses_the_year() {
        let mut catalog = catalog();
        catalog.tables[0].name = TableName::bare("targets_2024");
        catalog.tables[0].columns[0].name = "budget_2023".into();
        let contract = OutputContract::of("Change from 2023 to 2024?", &RewrittenQuestion::default(), &catalog);
        let unused = |sql: &str| {
            let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
            contract.unused_numbers(&sql).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(unused("SELECT sum(Budget_2023) FROM targets_2024"), [] as [&str; 0]);
        assert_eq!(unused("SELECT sum(old_budget_2023) FROM targets_2024"), ["2023"]);
    }

    #[test]
    fn reads_limits_in_words_people_use() {
        assert_eq!(contract("by sales, highest first, 3 rows", &[]).limit, Some(3));
        assert_eq!(contract("top 10 by revenue", &["a"]).limit, Some(10));
        assert_eq!(contract("by year", &[]).limit, None);
        assert_eq!(contract("", &["a", "b"]), OutputContract { columns: Some(2), ..OutputContract::default() });
    }
}
