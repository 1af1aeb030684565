//! The output contract: what the answer's shape must be, derived from the rewritten question. It decides between
//! candidates with equal votes and binds the revisor, whose free edits cost accuracy in the paper's own ablation.

mod question;
mod unsaid;

use question::{has_number, has_word, named, numbered, numbers, said};
use regex::Regex;
use std::sync::OnceLock;
use unsaid::unsaid_name;
use vitrine_domain::{Catalog, Page, Profile, RewrittenQuestion};
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
    /// a key that it sets to a number which neither the question nor `told`, the facts to go by, says, a quantity that it counts,
    /// nothing denied where the question denies something, a name that nobody said.
    pub fn doubt(&self, sql: &ReadOnlySql, catalog: &Catalog, profile: &Profile, told: &str) -> Option<String> {
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
        let counted = || {
            let column = vitrine_sql::counted_quantities(sql, catalog).into_iter().next()?;
            Some(format!(
                "it counts rows by COUNT({column}), a quantity: take the quantity itself or its SUM, or COUNT(*)"
            ))
        };
        let affirms = || {
            (self.said.denied.is_some() && !question::denies(sql.as_str()))
                .then(|| "it leaves out the \"not\" of the question".to_owned())
        };
        let invented = || {
            let name = unsaid_name(sql, profile, &[&self.said.question, told])?;
            Some(format!("it looks for '{name}', which the question does not say"))
        };
        lost.or_else(by_chance).or_else(guessed).or_else(counted).or_else(affirms).or_else(invented)
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

#[cfg(test)]
pub(crate) mod tests {
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

    pub(crate) fn catalog() -> Catalog {
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
