//! Common properties of the values of a column, or of a nested field.

use super::digits::NumberRange;
use super::moment::{self, Moment};
use super::value::Value;
use crate::files::value_counts::ValueCount;
use crate::files::{cell, text_order};
use std::collections::HashMap;

/// The kinds of values at one path in all records.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    pub booleans: bool,
    pub numbers: Option<NumberRange>,
    pub texts: Option<Texts>,
    /// The shape of list elements.
    pub items: Option<Box<Shape>>,
    pub fields: Option<Fields>,
    /// True if values are nested too deeply to be examined.
    pub is_deep: bool,
}

/// Fields of objects in order of first occurrence.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields {
    pub shapes: Vec<(String, Shape)>,
    places: HashMap<String, usize>,
}

/// Statistics of the text values at one path.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    pub count: u64,
    pub dates: u64,
    pub times: u64,
    pub local: u64,
    pub zoned: u64,
    /// True if some `zoned` texts have an offset other than 0.
    pub offsets: bool,
    /// Number of texts that are numbers with a sign or a fraction.
    pub amounts: u64,
    /// Number of texts with only digits, and their minimum and maximum length.
    pub whole: u64,
    lengths: (usize, usize),
    /// True if some texts of digits begin with a zero.
    codes: bool,
    /// The first texts of other kinds.
    pub others: Vec<ValueCount>,
    /// Number of texts of other kinds.
    other_count: u64,
    /// The first text, and the first one that is not a date or time.
    pub example: String,
    pub other: Option<String>,
    /// The first texts that are not dates or times.
    pub samples: Vec<String>,
}

impl Shape {
    /// Records a value in the statistics.
    pub fn record_value(&mut self, value: &Value<'_>) {
        match value {
            Value::Null => {}
            Value::Bool(_) => self.booleans = true,
            Value::Number(text) => self.numbers.get_or_insert_default().record_number(text),
            Value::Text(text) => self.texts.get_or_insert_default().record_text(text),
            Value::List(items) => {
                let shape = self.items.get_or_insert_default();
                items.iter().for_each(|item| shape.record_value(item));
            }
            Value::Object(members) => {
                let fields = self.fields.get_or_insert_default();
                members.iter().for_each(|(key, value)| fields.shape_mut(key).record_value(value));
            }
            Value::Deep(_) => self.is_deep = true,
        }
    }

    /// Adds the statistics of another path.
    pub fn merge(&mut self, other: &Self) {
        self.booleans |= other.booleans;
        self.is_deep |= other.is_deep;
        if let Some(numbers) = &other.numbers {
            self.numbers.get_or_insert_default().merge(numbers);
        }
        if let Some(texts) = &other.texts {
            self.texts.get_or_insert_default().merge(texts);
        }
        if let Some(items) = &other.items {
            self.items.get_or_insert_default().merge(items);
        }
        if let Some(fields) = &other.fields {
            let own = self.fields.get_or_insert_default();
            fields.shapes.iter().for_each(|(key, shape)| own.shape_mut(key).merge(shape));
        }
    }

    /// Returns true if some number in it has a fraction.
    pub fn has_fractions(&self) -> bool {
        self.numbers.as_ref().is_some_and(NumberRange::has_fractions)
            || self.items.as_ref().is_some_and(|items| items.has_fractions())
            || self.fields.iter().flat_map(|fields| &fields.shapes).any(|(_, shape)| shape.has_fractions())
    }
}

impl Fields {
    /// Returns the shape of a field; creates it if necessary.
    pub fn shape_mut(&mut self, key: &str) -> &mut Shape {
        let at = match self.places.get(key) {
            Some(at) => *at,
            None => {
                self.places.insert(key.to_owned(), self.shapes.len());
                self.shapes.push((key.to_owned(), Shape::default()));
                self.shapes.len() - 1
            }
        };
        &mut self.shapes[at].1
    }

    /// Returns the keys of fields with lists.
    pub fn list_keys(&self) -> Vec<&str> {
        self.shapes.iter().filter(|(_, shape)| shape.items.is_some()).map(|(key, _)| key.as_str()).collect()
    }

    /// Removes the fields from this position on and returns their number.
    pub fn split_off(&mut self, at: usize) -> usize {
        let others = self.shapes.len().saturating_sub(at);
        for (key, _) in self.shapes.drain(at.min(self.shapes.len())..) {
            self.places.remove(&key);
        }
        others
    }

    /// Returns the combined shape of all fields.
    pub fn merged_shape(&self) -> Shape {
        let mut shape = Shape::default();
        self.shapes.iter().for_each(|(_, field)| shape.merge(field));
        shape
    }
}

impl Texts {
    pub fn record_text(&mut self, text: &str) {
        if self.count == 0 {
            text.clone_into(&mut self.example);
        }
        self.count += 1;
        match moment::parse_moment(text) {
            Some(Moment::Date) => self.dates += 1,
            Some(Moment::Time) => self.times += 1,
            Some(Moment::Local) => self.local += 1,
            Some(Moment::Zoned(offset)) => {
                self.zoned += 1;
                self.offsets |= offset != 0;
            }
            None => {
                self.take_sample(text);
                if is_amount(text) {
                    self.amounts += 1;
                } else if is_whole(text) {
                    self.whole += 1;
                    self.take_lengths((text.len(), text.len()));
                } else {
                    self.codes |= text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
                    self.other_count += 1;
                    self.take_other(text, 1);
                }
                self.other.get_or_insert_with(|| text.to_owned());
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        if self.count == 0 {
            self.example.clone_from(&other.example);
        }
        self.count += other.count;
        self.dates += other.dates;
        self.times += other.times;
        self.local += other.local;
        self.zoned += other.zoned;
        self.offsets |= other.offsets;
        self.amounts += other.amounts;
        self.whole += other.whole;
        self.other_count += other.other_count;
        self.codes |= other.codes;
        self.take_lengths(other.lengths);
        other.others.iter().for_each(|value| self.take_other(&value.text, value.rows));
        other.samples.iter().for_each(|text| self.take_sample(text));
        self.other = self.other.take().or_else(|| other.other.clone());
    }

    fn take_lengths(&mut self, (least, most): (usize, usize)) {
        self.lengths = match self.lengths {
            own if least == 0 => own,
            (0, _) => (least, most),
            (own_least, own_most) => (own_least.min(least), own_most.max(most)),
        };
    }

    fn take_sample(&mut self, text: &str) {
        /// Maximum number of samples, few because there may be many columns.
        const KEPT: usize = 20;
        if self.samples.len() < KEPT {
            let text = text_order::shorten(text);
            if self.samples.iter().all(|known| known != text) {
                self.samples.push(text.to_owned());
            }
        }
    }

    fn take_other(&mut self, text: &str, rows: i64) {
        /// Maximum number of stored texts of other kinds.
        const KEPT: usize = 5;
        if let Some(known) = self.others.iter_mut().find(|known| known.text == text) {
            known.rows += rows;
        } else if self.others.len() < KEPT {
            self.others.push(ValueCount { text: text.to_owned(), rows });
        }
    }

    /// Returns true if most texts are numbers. Texts of digits with equal lengths may also be codes.
    pub fn are_numbers(&self) -> bool {
        let varied = !self.codes && (self.amounts > 0 || self.lengths.0 < self.lengths.1);
        varied && self.other_count < self.amounts + self.whole && self.count_moments() + self.times == 0
    }

    /// Returns the number of dates and times.
    pub fn count_moments(&self) -> u64 {
        self.dates + self.local + self.zoned
    }
}

/// Returns true if a text is an integer without leading zeros.
fn is_whole(text: &str) -> bool {
    const LONGEST: usize = 15;
    text == "0"
        || text.len() <= LONGEST
            && !text.starts_with('0')
            && !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_digit())
}

/// Returns true for a number with more than digits, such as a fraction, a sign or a currency; one with only digits may
/// also be a code, and a long one with a plus is a phone number.
fn is_amount(text: &str) -> bool {
    /// Minimum number of digits in a phone number.
    const PHONE: usize = 7;
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_phone = text.starts_with('+') && digits >= PHONE && text.bytes().skip(1).all(|b| b.is_ascii_digit());
    digits < text.len() && !is_phone && cell::Shape::classify(text) == cell::Shape::Number
}
