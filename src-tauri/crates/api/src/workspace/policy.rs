//! What a file would loosen here. It comes from anywhere: nothing of it loosens a policy until the user has confirmed exactly that.

use crate::types::LooserPolicy;
use vitrine_domain::{Definitions, EgressPolicy};
use vitrine_store::sha256_hex;
use vitrine_words::tr;

/// Letters of an id: enough to tell the parts of one file apart.
const ID: usize = 12;

/// Looks through what a file says of one address.
pub(super) struct Tightening<'a> {
    pub(super) address: &'a str,
    /// Ids of the parts that the user has confirmed.
    pub(super) confirmed: &'a [String],
    pub(super) found: Vec<LooserPolicy>,
}

impl Tightening<'_> {
    /// Notes a part that loosens something. Whether it is confirmed.
    fn record_loosening(&mut self, kind: &str, subject: &str, what: String) -> bool {
        let id: String = sha256_hex(&[self.address, kind, subject].join("\n")).chars().take(ID).collect();
        let taken = self.confirmed.contains(&id);
        if !self.found.iter().any(|known| known.id == id) {
            self.found.push(LooserPolicy { id, address: self.address.to_owned(), what, taken });
        }
        taken
    }

    /// Takes out of a policy what is looser than the one that holds where nothing was decided.
    pub(super) fn tighten_egress(&mut self, policy: &mut EgressPolicy) {
        let usual = EgressPolicy::default();
        let address = self.address.to_owned();
        if policy.level > usual.level {
            let level = policy.level.display_title();
            let what = tr!("Models behind an address may be told {level} of {address}", level, address);
            if !self.record_loosening("level", policy.level.as_str(), what) {
                policy.level = usual.level;
            }
        }
        if usual.mask_personal && !policy.mask_personal {
            let what = tr!("Columns of {address} that look personal are not masked", address);
            policy.mask_personal = !self.record_loosening("maskPersonal", "", what);
        }
        let allowed = std::mem::take(&mut policy.allowed);
        policy.allowed = allowed
            .into_iter()
            .filter(|column| {
                let what =
                    tr!("The column {column} of {address} is not masked although it looks personal", column, address);
                self.record_loosening("allowed", column, what)
            })
            .collect();
    }

    /// Takes the effect of conditions that would change every answer; the definitions stay.
    pub(super) fn tighten_definitions(&mut self, known: &mut Definitions) {
        let address = self.address.to_owned();
        for definition in known.entries.iter_mut().filter(|definition| definition.always) {
            let (condition, table) =
                (definition.condition.clone().unwrap_or_default(), definition.subject.clone().unwrap_or_default());
            let what =
                tr!("“{condition}” holds for every question about {table} of {address}", condition, table, address);
            definition.always =
                self.record_loosening("always", &[&*definition.term, &*table, &*condition].join("\n"), what);
        }
    }
}
