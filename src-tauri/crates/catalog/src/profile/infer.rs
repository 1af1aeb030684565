//! Infers the semantic kind of a column from facts about its values. Pure: it sends no queries.

use super::dates;
use super::family::Family;
use super::geometry::{self, Geometry};
use super::nested;
use super::number_form::number_form;
use crate::names::{CODE_WORDS, ID_WORDS, QUANTITY_WORDS, TIME_WORDS, has_word, words};
use vitrine_domain::{NumberForm, SemanticKind};

/// Minimum ratio of distinct values of an identifier.
const UNIQUE: f64 = 0.9;
/// Up to this number of short values are a category even if they rarely repeat, as in small lookup tables.
const VERY_FEW: u64 = 8;
const SHORT: u64 = 24;
/// Maximum number of values of a category ...
const FEW: u64 = 20;
/// ... or this one, if each value covers many rows.
const SEVERAL: u64 = 200;
/// Maximum length of a category's values.
const LONGEST_CATEGORY: u64 = 64;

/// The role of a column in keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct KeyRole {
    /// The column alone is the primary key.
    pub primary: bool,
    /// The column is part of a composite primary key.
    pub part: bool,
    /// The column refers to another table.
    pub foreign: bool,
}

/// Facts about a column that queries returned.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub name: String,
    pub family: Option<Family>,
    pub declared: String,
    /// True for amounts that the engine writes with a currency sign: text functions do not accept them.
    pub is_amount: bool,
    pub key: KeyRole,
    /// Number of values that are not NULL in the rows read.
    pub count: u64,
    pub distinct: u64,
    pub min: Option<String>,
    pub max: Option<String>,
    pub mean: Option<f64>,
    pub stddev: Option<f64>,
    pub longest: u64,
    /// Sample of values that are not NULL; empty for bytes.
    pub sample: Vec<String>,
    /// First bytes and lengths of sample values of bytes, in the form that [`geometry::of_bytes`] reads.
    pub heads: Vec<String>,
}

/// The inferred kind and encoding of a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judgement {
    pub kind: SemanticKind,
    /// strptime format of dates, or the notation of numbers.
    pub hidden: Option<String>,
}

fn plainly(kind: SemanticKind) -> Judgement {
    Judgement { kind, hidden: None }
}

fn hiding(kind: SemanticKind, hidden: &str) -> Judgement {
    Judgement { kind, hidden: Some(hidden.to_owned()) }
}

impl Facts {
    fn family(&self) -> Family {
        self.family.unwrap_or(Family::Text)
    }

    fn unique_ratio(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.distinct as f64 / self.count as f64 }
    }

    /// Returns sample values with minimum and maximum, so that rare outliers are not overlooked.
    fn witnesses(&self) -> impl Iterator<Item = &str> + Clone {
        self.sample.iter().chain(&self.min).chain(&self.max).map(String::as_str)
    }

    /// Returns the fraction of non-blank witnesses that pass.
    fn part(&self, pass: impl Fn(&str) -> bool) -> f64 {
        let (mut passed, mut all) = (0u32, 0u32);
        for text in self.witnesses().map(str::trim).filter(|t| !t.is_empty()) {
            all += 1;
            passed += u32::from(pass(text));
        }
        if all == 0 { 0.0 } else { f64::from(passed) / f64::from(all) }
    }

    fn is_category(&self) -> bool {
        let ratio = self.unique_ratio();
        let few = self.distinct <= FEW && (ratio <= 0.5 || (self.distinct <= VERY_FEW && self.longest <= SHORT));
        let several = self.distinct <= SEVERAL && ratio <= 0.05;
        self.longest <= LONGEST_CATEGORY && (few || several)
    }

    /// Infers the kind of the column.
    pub(super) fn judge(&self) -> Judgement {
        let words = words(&self.name);
        if self.count == 0 {
            return plainly(SemanticKind::Empty);
        }
        match self.family() {
            Family::Nested => plainly(SemanticKind::Nested),
            Family::Geo => plainly(SemanticKind::Geo),
            Family::Temporal => plainly(SemanticKind::Time),
            Family::Boolean => plainly(SemanticKind::Dimension),
            Family::Binary => self.judge_bytes(),
            Family::Integer => self.judge_integer(&words),
            Family::Float => self.judge_float(&words),
            Family::Text => self.judge_text(&words),
        }
    }

    /// Returns true if the values are quantities, so that a mean is meaningful.
    pub(super) fn is_numeric(&self, judged: &Judgement) -> bool {
        let number = matches!(self.family(), Family::Integer | Family::Float);
        matches!(judged.kind, SemanticKind::Metric | SemanticKind::Dimension)
            && (number || judged.hidden.as_deref().is_some_and(|hidden| NumberForm::from_hidden(hidden).is_some()))
    }

    /// Returns true if values repeat, so that the most frequent ones are informative.
    pub(super) fn repeats(&self, judged: &Judgement) -> bool {
        match judged.kind {
            SemanticKind::Dimension => true,
            SemanticKind::Text => self.distinct as f64 <= self.count as f64 * 0.9,
            _ => false,
        }
    }

    fn named_id(&self, words: &[String]) -> bool {
        let last_is = words.last().is_some_and(|w| ID_WORDS.contains(&w.as_str()));
        last_is || (has_word(words, &ID_WORDS) && self.unique_ratio() > UNIQUE)
    }

    fn is_key(&self) -> bool {
        self.key.primary || self.key.foreign
    }

    fn judge_bytes(&self) -> Judgement {
        let shapes = self.geometries().count();
        if shapes == 0 || shapes * 10 < self.heads.len() * 9 {
            return plainly(SemanticKind::Binary);
        }
        Judgement { kind: SemanticKind::Geo, hidden: self.geometry_form() }
    }

    /// Returns the geometries among the sample values.
    pub(super) fn geometries(&self) -> impl Iterator<Item = Geometry> {
        let bytes = self.heads.iter().filter_map(|head| geometry::of_bytes(head));
        bytes.chain(self.sample.iter().filter_map(|text| geometry::of_text(text)))
    }

    /// Returns the encoding of geometries, if their type does not determine it.
    fn geometry_form(&self) -> Option<String> {
        self.geometries().find_map(|found| found.form).map(str::to_owned)
    }

    fn judge_integer(&self, words: &[String]) -> Judgement {
        if !self.is_key() && has_word(words, &TIME_WORDS) {
            let values: Vec<i64> = self.witnesses().filter_map(|t| t.parse().ok()).collect();
            let year = has_word(words, &["year", "yr", "years"]);
            if let Some(format) = dates::detect_integers(values.iter().copied(), year) {
                return hiding(SemanticKind::Time, format);
            }
        }
        if self.is_key() || self.named_id(words) || (self.key.part && !self.is_category()) {
            return plainly(SemanticKind::Identifier);
        }
        if has_word(words, &CODE_WORDS[..13]) || (has_word(words, &CODE_WORDS) && self.unique_ratio() > UNIQUE) {
            // Postal codes and phone numbers are never summed, however often they repeat.
            return plainly(if self.is_category() { SemanticKind::Dimension } else { SemanticKind::Identifier });
        }
        if has_word(words, &QUANTITY_WORDS) {
            return plainly(SemanticKind::Metric);
        }
        let few = self.distinct <= FEW && (self.unique_ratio() <= 0.2 || self.distinct <= 2);
        plainly(if few { SemanticKind::Dimension } else { SemanticKind::Metric })
    }

    fn judge_float(&self, words: &[String]) -> Judgement {
        let within = |limit: f64| self.part(|t| t.parse::<f64>().is_ok_and(|v| v.abs() <= limit)) == 1.0;
        let latitude = has_word(words, &["lat", "latitude"]) && within(90.0);
        let longitude = has_word(words, &["lon", "lng", "long", "longitude"]) && within(180.0);
        if latitude || longitude {
            return plainly(SemanticKind::Geo);
        }
        // Many exports turn whole numbers with gaps into floating point.
        let whole = self.part(|t| t.parse::<f64>().is_ok_and(|v| v.fract() == 0.0)) == 1.0;
        if self.is_key() || (whole && (self.named_id(words) || has_word(words, &CODE_WORDS[..13]))) {
            return plainly(SemanticKind::Identifier);
        }
        plainly(SemanticKind::Metric)
    }

    fn judge_text(&self, words: &[String]) -> Judgement {
        let named_time = has_word(words, &TIME_WORDS);
        if let Some(format) = dates::detect(self.witnesses(), named_time) {
            return hiding(SemanticKind::Time, format);
        }
        if let Some(format) = dates::detect_named(self.witnesses()) {
            return hiding(SemanticKind::Time, &format);
        }
        if dates::is_ambiguous(self.witnesses()) {
            return plainly(if self.is_category() { SemanticKind::Dimension } else { SemanticKind::Text });
        }
        if nested::looks_nested(self.sample.iter().map(String::as_str)) {
            return plainly(SemanticKind::Nested);
        }
        if self.part(|text| geometry::of_text(text).is_some()) >= 0.9 {
            return Judgement { kind: SemanticKind::Geo, hidden: self.geometry_form() };
        }
        let category = self.is_category();
        let uuid = self.declared.eq_ignore_ascii_case("uuid") || self.part(is_uuid) >= 0.9;
        if uuid {
            return plainly(SemanticKind::Identifier);
        }
        let plain = self.part(|t| t.parse::<f64>().is_ok_and(f64::is_finite)) == 1.0;
        let written = plain.then_some(NumberForm::PLAIN);
        let written = written.or_else(|| number_form(self.witnesses()).filter(|_| !self.is_amount));
        if let Some(form) = written {
            let number = form.to_hidden();
            let padded = |t: &str| t.starts_with('0') && t[1..].starts_with(|c: char| c.is_ascii_digit());
            let zero_padded = self.part(|t| padded(t) && !t.contains(['.', ','])) > 0.0;
            let id = self.key.primary || self.named_id(words);
            let code = zero_padded || id || has_word(words, &CODE_WORDS);
            return match (code, category && !id) {
                (true, true) => plainly(SemanticKind::Dimension),
                (true, false) => plainly(SemanticKind::Identifier),
                (false, true) if !has_word(words, &QUANTITY_WORDS) => hiding(SemanticKind::Dimension, &number),
                (false, _) => hiding(SemanticKind::Metric, &number),
            };
        }
        // Unique codes are no category, however few.
        if (!category || self.unique_ratio() > 0.5) && self.names_rows(words) {
            return plainly(SemanticKind::Identifier);
        }
        plainly(if category { SemanticKind::Dimension } else { SemanticKind::Text })
    }

    /// Returns true if text identifies rows: keys, codes, phone numbers, postal codes. Names of things are text.
    fn names_rows(&self, words: &[String]) -> bool {
        let code_like = self.part(is_code) >= 0.9;
        let phones = self.part(is_phone) >= 0.9;
        let named = self.named_id(words) || has_word(words, &CODE_WORDS);
        let unique = self.unique_ratio() > UNIQUE;
        phones
            || (code_like && (self.is_key() || named || unique))
            || (self.named_id(words) && unique && self.part(|t| !t.contains(' ')) >= 0.9)
    }
}

/// Returns true for letters and digits without words: `KI-0042-A`, `9f86d081`, `K1A 0B1`, but not `Room 101`.
fn is_code(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let no_word = text.split(|c: char| !c.is_alphabetic()).all(|run| {
        let length = run.chars().count();
        length <= 3
            || (length <= 6 && run.chars().all(char::is_uppercase))
            || run.chars().all(|c| c.is_ascii_hexdigit())
    });
    !text.contains('@')
        && no_word
        && digits >= 2
        && text.matches(' ').count() <= 1
        && text.len() <= 64
        && digits * 4 >= text.len()
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let rest_fits = text.chars().all(|c| c.is_ascii_digit() || "+()-./ x#".contains(c));
    let marked = text.contains(['+', '(', ')', '-', ' ', '.']);
    (7..=15).contains(&digits) && rest_fits && marked && text.parse::<f64>().is_err()
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(at, b)| if [8, 13, 18, 23].contains(&at) { b == b'-' } else { b.is_ascii_hexdigit() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, sample: &[&str], count: u64, distinct: u64) -> Facts {
        let longest = sample.iter().map(|s| s.len() as u64).max().unwrap_or(0);
        let sample = sample.iter().map(|s| (*s).to_owned()).collect();
        Facts { name: name.into(), family: Some(Family::Text), count, distinct, longest, sample, ..Facts::default() }
    }

    fn integer(name: &str, sample: &[i64], count: u64, distinct: u64) -> Facts {
        let sample = sample.iter().map(i64::to_string).collect();
        Facts { name: name.into(), family: Some(Family::Integer), count, distinct, sample, ..Facts::default() }
    }

    fn kind(facts: &Facts) -> SemanticKind {
        facts.judge().kind
    }

    #[test]
    fn amounts_of_an_engines_own_type_hide_no_numbers_and_texts_of_that_name_do() {
        let sample = ["$1.00", "$1,250.00", "$3.50", "$9,100.75"];
        let texts = Facts { declared: "MONEY".into(), ..text("cost", &sample, 400, 390) };
        assert_eq!(texts.judge().hidden.as_deref(), Some("number $1,234.56"));
        assert_eq!(Facts { is_amount: true, ..texts }.judge().hidden, None);
    }

    #[test]
    fn text_is_judged_by_its_values() {
        use SemanticKind as K;
        assert_eq!(kind(&text("status", &["open", "shipped"], 1000, 3)), K::Dimension);
        assert_eq!(kind(&text("region_name", &["North", "South"], 4, 4)), K::Dimension, "a small table of kinds");
        assert_eq!(kind(&text("phone", &["+1 212 555 3000", "+44 20 7877 2041"], 7, 7)), K::Identifier);
        assert_eq!(kind(&text("stadium_id", &["2", "10"], 6, 5)), K::Identifier);
        assert_eq!(kind(&text("country", &["US", "France"], 10_000, 180)), K::Dimension);
        assert_eq!(kind(&text("full_nm", &["Ada Bell", "Kai Sato"], 100, 99)), K::Text);
        assert_eq!(kind(&text("email", &["ada.bell1@example.com"], 100, 100)), K::Text);
        assert_eq!(kind(&text("room", &["Room 101", "Ward 12"], 100, 100)), K::Text);
        assert_eq!(kind(&text("sku", &["KI-0042-A", "LI-0100-F"], 100, 100)), K::Identifier);
        assert_eq!(kind(&text("phone", &["+1 (555) 010-9999", "555-010-1234"], 100, 80)), K::Identifier);
        assert_eq!(kind(&text("zip", &["02134", "90210"], 100, 80)), K::Identifier);
        assert_eq!(kind(&text("postcode", &["K1A 0B1", "H0H 0H0"], 100, 60)), K::Identifier);
        assert_eq!(kind(&text("token", &["6f1ed002-ab59-4f3e-9a8b-1c2d3e4f5a6b"], 100, 40)), K::Identifier);
        assert_eq!(kind(&text("payload", &[r#"{"a": 1}"#], 100, 90)), K::Nested);
        assert_eq!(kind(&text("shape", &["POINT (1 2)"], 100, 90)), K::Geo);
        assert_eq!(kind(&text("note", &[], 0, 0)), K::Empty);
    }

    #[test]
    fn dates_and_numbers_are_found_in_text() {
        let date = text("signup_dt", &["31/12/2023", "01/02/2023"], 100, 90).judge();
        assert_eq!(date, hiding(SemanticKind::Time, "%d/%m/%Y"));
        let number = text("new_price", &["12.50", "7"], 100, 90).judge();
        assert_eq!(number, hiding(SemanticKind::Metric, "number"));
        let mut odd = text("signup_dt", &["31/12/2023"], 100, 90);
        odd.max = Some("unknown".into());
        assert_eq!(odd.judge().hidden, None, "the largest value is looked at too");
    }

    #[test]
    fn integers_are_judged_by_name_and_values() {
        use SemanticKind as K;
        assert_eq!(kind(&integer("customer_id", &[1, 2], 1000, 40)), K::Identifier);
        assert_eq!(kind(&integer("qty", &[1, 2], 1000, 6)), K::Metric);
        assert_eq!(kind(&integer("rating", &[1, 5], 1000, 5)), K::Dimension);
        assert_eq!(kind(&integer("population", &[100, 5_000_000], 1000, 990)), K::Metric);
        assert_eq!(kind(&integer("width", &[100, 5_000], 1000, 990)), K::Metric);
        assert_eq!(kind(&integer("zip", &[2134, 90210], 1000, 500)), K::Identifier);
        assert_eq!(kind(&integer("order_date", &[20230131], 1000, 500)), K::Time);
        assert_eq!(kind(&integer("month", &[1, 12], 1000, 12)), K::Dimension);
        assert_eq!(integer("release_year", &[1999, 2004], 1000, 30).judge(), hiding(K::Time, "%Y"));
        let key = Facts { key: KeyRole { primary: true, ..KeyRole::default() }, ..integer("nr", &[1, 2], 2, 2) };
        assert_eq!(kind(&key), K::Identifier);
    }

    #[test]
    fn coordinates_are_places_when_they_fit_the_globe() {
        let float = |name: &str, value: &str| Facts {
            name: name.into(),
            family: Some(Family::Float),
            count: 10,
            distinct: 10,
            sample: vec![value.into()],
            ..Facts::default()
        };
        assert_eq!(kind(&float("latitude", "-33.9")), SemanticKind::Geo);
        assert_eq!(kind(&float("lat", "1200.5")), SemanticKind::Metric);
        assert_eq!(kind(&float("lng", "151.2")), SemanticKind::Geo);
    }
}
