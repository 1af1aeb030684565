//! Infers the semantic kind of a column from facts about its values. Pure: it sends no queries.

use super::dates;
use super::geometry::{self, Geometry};
use super::nested;
use super::number_form::number_form;
use crate::names::{CODE_WORDS, ID_WORDS, QUANTITY_WORDS, TIME_WORDS, has_word, split_words};
use vitrine_domain::{NumberForm, SemanticKind};
use vitrine_sql::dialect::TypeFamily;

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
    pub family: Option<TypeFamily>,
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

fn simple_judgement(kind: SemanticKind) -> Judgement {
    Judgement { kind, hidden: None }
}

fn hidden_judgement(kind: SemanticKind, hidden: &str) -> Judgement {
    Judgement { kind, hidden: Some(hidden.to_owned()) }
}

impl Facts {
    fn family_or_text(&self) -> TypeFamily {
        self.family.unwrap_or(TypeFamily::Text)
    }

    fn unique_ratio(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.distinct as f64 / self.count as f64 }
    }

    /// Returns sample values with minimum and maximum, so that rare outliers are not overlooked.
    fn observed_values(&self) -> impl Iterator<Item = &str> + Clone {
        self.sample.iter().chain(&self.min).chain(&self.max).map(String::as_str)
    }

    /// Returns the fraction of non-blank witnesses that pass.
    fn fraction_passing(&self, pass: impl Fn(&str) -> bool) -> f64 {
        let (mut passed, mut all) = (0u32, 0u32);
        for text in self.observed_values().map(str::trim).filter(|t| !t.is_empty()) {
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
    pub(super) fn infer_judgement(&self) -> Judgement {
        let words = split_words(&self.name);
        if self.count == 0 {
            return simple_judgement(SemanticKind::Empty);
        }
        match self.family_or_text() {
            TypeFamily::Nested => simple_judgement(SemanticKind::Nested),
            TypeFamily::Geo => simple_judgement(SemanticKind::Geo),
            TypeFamily::Temporal => simple_judgement(SemanticKind::Time),
            TypeFamily::Boolean => simple_judgement(SemanticKind::Dimension),
            TypeFamily::Binary => self.judge_bytes(),
            TypeFamily::Integer => self.judge_integer(&words),
            TypeFamily::Float => self.judge_float(&words),
            TypeFamily::Text => self.judge_text(&words),
        }
    }

    /// Returns true if the values are quantities, so that a mean is meaningful.
    pub(super) fn is_numeric(&self, judged: &Judgement) -> bool {
        let number = matches!(self.family_or_text(), TypeFamily::Integer | TypeFamily::Float);
        matches!(judged.kind, SemanticKind::Metric | SemanticKind::Dimension)
            && (number || judged.hidden.as_deref().is_some_and(|hidden| NumberForm::from_hidden(hidden).is_some()))
    }

    /// Returns true if values repeat, so that the most frequent ones are informative.
    pub(super) fn has_repeated_values(&self, judged: &Judgement) -> bool {
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
        let shapes = self.sample_geometries().count();
        if shapes == 0 || shapes * 10 < self.heads.len() * 9 {
            return simple_judgement(SemanticKind::Binary);
        }
        Judgement { kind: SemanticKind::Geo, hidden: self.geometry_form() }
    }

    /// Returns the geometries among the sample values.
    pub(super) fn sample_geometries(&self) -> impl Iterator<Item = Geometry> {
        let bytes = self.heads.iter().filter_map(|head| geometry::of_bytes(head));
        bytes.chain(self.sample.iter().filter_map(|text| geometry::of_text(text)))
    }

    /// Returns the encoding of geometries, if their type does not determine it.
    fn geometry_form(&self) -> Option<String> {
        self.sample_geometries().find_map(|found| found.form).map(str::to_owned)
    }

    fn judge_integer(&self, words: &[String]) -> Judgement {
        if !self.is_key() && has_word(words, &TIME_WORDS) {
            let values: Vec<i64> = self.observed_values().filter_map(|t| t.parse().ok()).collect();
            let year = has_word(words, &["year", "yr", "years"]);
            if let Some(format) = dates::detect_integers(values.iter().copied(), year) {
                return hidden_judgement(SemanticKind::Time, format);
            }
        }
        if self.is_key() || self.named_id(words) || (self.key.part && !self.is_category()) {
            return simple_judgement(SemanticKind::Identifier);
        }
        if has_word(words, &CODE_WORDS[..13]) || (has_word(words, &CODE_WORDS) && self.unique_ratio() > UNIQUE) {
            // Postal codes and phone numbers are never summed, however often they repeat.
            return simple_judgement(if self.is_category() {
                SemanticKind::Dimension
            } else {
                SemanticKind::Identifier
            });
        }
        if has_word(words, &QUANTITY_WORDS) {
            return simple_judgement(SemanticKind::Metric);
        }
        let few = self.distinct <= FEW && (self.unique_ratio() <= 0.2 || self.distinct <= 2);
        simple_judgement(if few { SemanticKind::Dimension } else { SemanticKind::Metric })
    }

    fn judge_float(&self, words: &[String]) -> Judgement {
        let within = |limit: f64| self.fraction_passing(|t| t.parse::<f64>().is_ok_and(|v| v.abs() <= limit)) == 1.0;
        let latitude = has_word(words, &["lat", "latitude"]) && within(90.0);
        let longitude = has_word(words, &["lon", "lng", "long", "longitude"]) && within(180.0);
        if latitude || longitude {
            return simple_judgement(SemanticKind::Geo);
        }
        // Many exports turn whole numbers with gaps into floating point.
        let whole = self.fraction_passing(|t| t.parse::<f64>().is_ok_and(|v| v.fract() == 0.0)) == 1.0;
        if self.is_key() || (whole && (self.named_id(words) || has_word(words, &CODE_WORDS[..13]))) {
            return simple_judgement(SemanticKind::Identifier);
        }
        simple_judgement(SemanticKind::Metric)
    }

    fn judge_text(&self, words: &[String]) -> Judgement {
        let named_time = has_word(words, &TIME_WORDS);
        if let Some(format) = dates::detect_format(self.observed_values(), named_time) {
            return hidden_judgement(SemanticKind::Time, format);
        }
        if let Some(format) = dates::detect_named(self.observed_values()) {
            return hidden_judgement(SemanticKind::Time, &format);
        }
        if dates::is_ambiguous(self.observed_values()) {
            return simple_judgement(if self.is_category() { SemanticKind::Dimension } else { SemanticKind::Text });
        }
        if nested::looks_nested(self.sample.iter().map(String::as_str)) {
            return simple_judgement(SemanticKind::Nested);
        }
        if self.fraction_passing(|text| geometry::of_text(text).is_some()) >= 0.9 {
            return Judgement { kind: SemanticKind::Geo, hidden: self.geometry_form() };
        }
        let category = self.is_category();
        let uuid = self.declared.eq_ignore_ascii_case("uuid") || self.fraction_passing(is_uuid) >= 0.9;
        if uuid {
            return simple_judgement(SemanticKind::Identifier);
        }
        let plain = self.fraction_passing(|t| t.parse::<f64>().is_ok_and(f64::is_finite)) == 1.0;
        let written = plain.then_some(NumberForm::PLAIN);
        let written = written.or_else(|| number_form(self.observed_values()).filter(|_| !self.is_amount));
        if let Some(form) = written {
            let number = form.to_hidden();
            let padded = |t: &str| t.starts_with('0') && t[1..].starts_with(|c: char| c.is_ascii_digit());
            let zero_padded = self.fraction_passing(|t| padded(t) && !t.contains(['.', ','])) > 0.0;
            let id = self.key.primary || self.named_id(words);
            let code = zero_padded || id || has_word(words, &CODE_WORDS);
            return match (code, category && !id) {
                (true, true) => simple_judgement(SemanticKind::Dimension),
                (true, false) => simple_judgement(SemanticKind::Identifier),
                (false, true) if !has_word(words, &QUANTITY_WORDS) => {
                    hidden_judgement(SemanticKind::Dimension, &number)
                }
                (false, _) => hidden_judgement(SemanticKind::Metric, &number),
            };
        }
        // Unique codes are identifiers, however few they are.
        if (!category || self.unique_ratio() > 0.5) && self.names_rows(words) {
            return simple_judgement(SemanticKind::Identifier);
        }
        simple_judgement(if category { SemanticKind::Dimension } else { SemanticKind::Text })
    }

    /// Returns true if text identifies rows: keys, codes, phone numbers, postal codes. Names of things are text.
    fn names_rows(&self, words: &[String]) -> bool {
        let code_like = self.fraction_passing(is_code) >= 0.9;
        let phones = self.fraction_passing(is_phone) >= 0.9;
        let named = self.named_id(words) || has_word(words, &CODE_WORDS);
        let unique = self.unique_ratio() > UNIQUE;
        phones
            || (code_like && (self.is_key() || named || unique))
            || (self.named_id(words) && unique && self.fraction_passing(|t| !t.contains(' ')) >= 0.9)
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

    fn text_facts(name: &str, sample: &[&str], count: u64, distinct: u64) -> Facts {
        let longest = sample.iter().map(|s| s.len() as u64).max().unwrap_or(0);
        let sample = sample.iter().map(|s| (*s).to_owned()).collect();
        Facts {
            name: name.into(),
            family: Some(TypeFamily::Text),
            count,
            distinct,
            longest,
            sample,
            ..Facts::default()
        }
    }

    fn integer_facts(name: &str, sample: &[i64], count: u64, distinct: u64) -> Facts {
        let sample = sample.iter().map(i64::to_string).collect();
        Facts { name: name.into(), family: Some(TypeFamily::Integer), count, distinct, sample, ..Facts::default() }
    }

    fn inferred_kind(facts: &Facts) -> SemanticKind {
        facts.infer_judgement().kind
    }

    #[test]
    fn amounts_of_an_engines_own_type_hide_no_numbers_and_texts_of_that_name_do() {
        let sample = ["$1.00", "$1,250.00", "$3.50", "$9,100.75"];
        let texts = Facts { declared: "MONEY".into(), ..text_facts("cost", &sample, 400, 390) };
        assert_eq!(texts.infer_judgement().hidden.as_deref(), Some("number $1,234.56"));
        assert_eq!(Facts { is_amount: true, ..texts }.infer_judgement().hidden, None);
    }

    #[test]
    fn text_is_judged_by_its_values() {
        use SemanticKind as K;
        assert_eq!(inferred_kind(&text_facts("status", &["open", "shipped"], 1000, 3)), K::Dimension);
        assert_eq!(
            inferred_kind(&text_facts("region_name", &["North", "South"], 4, 4)),
            K::Dimension,
            "a small table of kinds"
        );
        assert_eq!(inferred_kind(&text_facts("phone", &["+1 212 555 3000", "+44 20 7877 2041"], 7, 7)), K::Identifier);
        assert_eq!(inferred_kind(&text_facts("stadium_id", &["2", "10"], 6, 5)), K::Identifier);
        assert_eq!(inferred_kind(&text_facts("country", &["US", "France"], 10_000, 180)), K::Dimension);
        assert_eq!(inferred_kind(&text_facts("full_nm", &["Ada Bell", "Kai Sato"], 100, 99)), K::Text);
        assert_eq!(inferred_kind(&text_facts("email", &["ada.bell1@example.com"], 100, 100)), K::Text);
        assert_eq!(inferred_kind(&text_facts("room", &["Room 101", "Ward 12"], 100, 100)), K::Text);
        assert_eq!(inferred_kind(&text_facts("sku", &["KI-0042-A", "LI-0100-F"], 100, 100)), K::Identifier);
        assert_eq!(inferred_kind(&text_facts("phone", &["+1 (555) 010-9999", "555-010-1234"], 100, 80)), K::Identifier);
        assert_eq!(inferred_kind(&text_facts("zip", &["02134", "90210"], 100, 80)), K::Identifier);
        assert_eq!(inferred_kind(&text_facts("postcode", &["K1A 0B1", "H0H 0H0"], 100, 60)), K::Identifier);
        assert_eq!(
            inferred_kind(&text_facts("token", &["6f1ed002-ab59-4f3e-9a8b-1c2d3e4f5a6b"], 100, 40)),
            K::Identifier
        );
        assert_eq!(inferred_kind(&text_facts("payload", &[r#"{"a": 1}"#], 100, 90)), K::Nested);
        assert_eq!(inferred_kind(&text_facts("shape", &["POINT (1 2)"], 100, 90)), K::Geo);
        assert_eq!(inferred_kind(&text_facts("note", &[], 0, 0)), K::Empty);
    }

    #[test]
    fn dates_and_numbers_are_found_in_text() {
        let date = text_facts("signup_dt", &["31/12/2023", "01/02/2023"], 100, 90).infer_judgement();
        assert_eq!(date, hidden_judgement(SemanticKind::Time, "%d/%m/%Y"));
        let number = text_facts("new_price", &["12.50", "7"], 100, 90).infer_judgement();
        assert_eq!(number, hidden_judgement(SemanticKind::Metric, "number"));
        let mut odd = text_facts("signup_dt", &["31/12/2023"], 100, 90);
        odd.max = Some("unknown".into());
        assert_eq!(odd.infer_judgement().hidden, None, "the largest value is looked at too");
    }

    #[test]
    fn integers_are_judged_by_name_and_values() {
        use SemanticKind as K;
        assert_eq!(inferred_kind(&integer_facts("customer_id", &[1, 2], 1000, 40)), K::Identifier);
        assert_eq!(inferred_kind(&integer_facts("qty", &[1, 2], 1000, 6)), K::Metric);
        assert_eq!(inferred_kind(&integer_facts("rating", &[1, 5], 1000, 5)), K::Dimension);
        assert_eq!(inferred_kind(&integer_facts("population", &[100, 5_000_000], 1000, 990)), K::Metric);
        assert_eq!(inferred_kind(&integer_facts("width", &[100, 5_000], 1000, 990)), K::Metric);
        assert_eq!(inferred_kind(&integer_facts("zip", &[2134, 90210], 1000, 500)), K::Identifier);
        assert_eq!(inferred_kind(&integer_facts("order_date", &[20230131], 1000, 500)), K::Time);
        assert_eq!(inferred_kind(&integer_facts("month", &[1, 12], 1000, 12)), K::Dimension);
        assert_eq!(
            integer_facts("release_year", &[1999, 2004], 1000, 30).infer_judgement(),
            hidden_judgement(K::Time, "%Y")
        );
        let key = Facts { key: KeyRole { primary: true, ..KeyRole::default() }, ..integer_facts("nr", &[1, 2], 2, 2) };
        assert_eq!(inferred_kind(&key), K::Identifier);
    }

    #[test]
    fn coordinates_are_places_when_they_fit_the_globe() {
        let float = |name: &str, value: &str| Facts {
            name: name.into(),
            family: Some(TypeFamily::Float),
            count: 10,
            distinct: 10,
            sample: vec![value.into()],
            ..Facts::default()
        };
        assert_eq!(inferred_kind(&float("latitude", "-33.9")), SemanticKind::Geo);
        assert_eq!(inferred_kind(&float("lat", "1200.5")), SemanticKind::Metric);
        assert_eq!(inferred_kind(&float("lng", "151.2")), SemanticKind::Geo);
    }
}
