//! Groups: "by store and month", "for each region", "monthly".

use super::{Group, Parser};
use crate::coverage::Gap;
use crate::language::Sign;
use vitrine_domain::metric_answer::PartRole;

impl Parser<'_> {
    /// Takes the groups in the order of the question.
    pub(super) fn take_groups(&mut self) -> Result<Vec<Group>, Gap> {
        let mut groups: Vec<Group> = Vec::new();
        let mut place = 0;
        while place < self.places.len() {
            if !self.is_open(place) {
                place += 1;
                continue;
            }
            match self.sign(place) {
                Some(Sign::Adverb(grain)) => {
                    self.take(place, PartRole::Group);
                    add_group(&mut groups, Group::Period(grain));
                    place += 1;
                }
                Some(Sign::Group | Sign::Each) => place = self.take_list(place, &mut groups)?,
                _ => place += 1,
            }
        }
        Ok(groups)
    }

    /// Takes a list of groups that begins with "by" or "each". Returns the place after it.
    fn take_list(&mut self, place: usize, groups: &mut Vec<Group>) -> Result<usize, Gap> {
        let mut next = self.skip_lead(place);
        if !self.is_subject(next) {
            return Err(self.left_over());
        }
        (place..next).for_each(|at| self.take(at, PartRole::Group));
        loop {
            if let Some(group) = self.group_at(next) {
                add_group(groups, group);
            }
            self.take(next, PartRole::Group);
            let after = next + 1;
            let is_and = self.is_open(after) && self.sign(after) == Some(Sign::And);
            let has_comma = self.item(after).is_some_and(|item| item.after_comma);
            let start = after + usize::from(is_and);
            let element = self.skip_lead(start);
            let is_joined = is_and || has_comma || element > start;
            if !is_joined || !self.is_subject(element) {
                return Ok(after);
            }
            (after..element).for_each(|at| self.take(at, PartRole::Group));
            next = element;
        }
    }

    /// Returns the place after "by", "each" or "by each".
    fn skip_lead(&self, mut place: usize) -> usize {
        if self.is_open(place) && self.sign(place) == Some(Sign::Group) {
            place += 1;
        }
        if self.is_open(place) && self.sign(place) == Some(Sign::Each) {
            place += 1;
        }
        place
    }
}

fn add_group(groups: &mut Vec<Group>, group: Group) {
    if !groups.contains(&group) {
        groups.push(group);
    }
}
