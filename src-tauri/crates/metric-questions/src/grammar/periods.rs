//! The time of a question, and the prepositions before it that change its meaning.

use super::Parser;
use crate::coverage::Gap;
use crate::items::ItemKind;
use crate::period::Period;
use vitrine_domain::metric_answer::PartRole;
use vitrine_metrics::Grain;

/// Articles between a preposition and a time.
const ARTICLES: [&str; 10] = ["the", "le", "la", "l", "les", "el", "los", "den", "dem", "der"];

impl Parser<'_> {
    /// Takes the only time. "Through March 2024" may begin at any day, and "at 31 December" asks for a state.
    pub(super) fn take_period(&mut self) -> Result<Option<Period>, Gap> {
        let mut taken = None;
        for place in 0..self.places.len() {
            let Some(ItemKind::Time(period)) = self.item(place).map(|item| &item.kind) else { continue };
            if taken.replace(*period).is_some() {
                return Err(Gap::unused(&self.items[self.places[place]].text));
            }
            let is_day = period.unit == Some(Grain::Day);
            let lead = self.lead_of_time(place);
            let is_bound = lead.is_some_and(|lead| {
                let times = self.language.times;
                times.until.contains(&lead) || (is_day && times.at_day.contains(&lead))
            });
            if let Some(lead) = lead.filter(|_| is_bound) {
                return Err(Gap::Unused(vec![format!("{lead} {}", self.items[self.places[place]].text)]));
            }
            self.take(place, PartRole::Time);
        }
        Ok(taken)
    }

    /// Checks that no preposition before the time may begin a range: "monthly revenue from January 2023" may mean all
    /// months since then.
    pub(super) fn check_range_lead(&self) -> Result<(), Gap> {
        for place in 0..self.places.len() {
            let Some(item) = self.item(place).filter(|item| matches!(item.kind, ItemKind::Time(_))) else { continue };
            if let Some(lead) = self.lead_of_time(place)
                && self.language.times.from.contains(&lead)
            {
                return Err(Gap::Unused(vec![format!("{lead} {}", item.text)]));
            }
        }
        Ok(())
    }

    /// Returns the word before a time, without articles.
    fn lead_of_time(&self, place: usize) -> Option<&str> {
        let start = self.item(place)?.words.start;
        let before = self.words.get(..start)?;
        before.iter().rev().map(|word| word.folded.as_str()).find(|word| !ARTICLES.contains(word))
    }
}
