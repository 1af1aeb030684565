//! Policies that an import would loosen. The file is untrusted: no policy is loosened until the user has confirmed that part.

use crate::types::LooserPolicy;
use vitrine_domain::{Definitions, EgressPolicy};
use vitrine_store::sha256_hex;
use vitrine_words::tr;

/// Number of characters of an id, sufficient to distinguish the parts of one file.
const ID: usize = 12;

/// Collects the looser policies that a file contains for one address.
pub(super) struct Tightening<'a> {
    pub(super) address: &'a str,
    /// Ids of the parts that the user has confirmed.
    pub(super) confirmed: &'a [String],
    pub(super) found: Vec<LooserPolicy>,
}

impl Tightening<'_> {
    /// Records a part that loosens a policy; returns true if it is confirmed.
    fn record_loosening(&mut self, kind: &str, subject: &str, what: String) -> bool {
        let id: String = sha256_hex(&[self.address, kind, subject].join("\n")).chars().take(ID).collect();
        let taken = self.confirmed.contains(&id);
        if !self.found.iter().any(|known| known.id == id) {
            self.found.push(LooserPolicy { id, address: self.address.to_owned(), what, taken });
        }
        taken
    }

    /// Resets the parts of a policy that are looser than the default and not confirmed.
    pub(super) fn tighten_egress(&mut self, policy: &mut EgressPolicy) {
        let usual = EgressPolicy::default();
        let address = self.address.to_owned();
        if policy.level > usual.level {
            let level = policy.level.display_title();
            let what = tr!("Remote models may receive {level} of {address}", level, address);
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

    /// Removes the effect of unconfirmed conditions that would change every answer; the definitions are kept.
    pub(super) fn tighten_definitions(&mut self, known: &mut Definitions) {
        let address = self.address.to_owned();
        for definition in known.entries.iter_mut().filter(|definition| definition.always) {
            let (condition, table) =
                (definition.condition.clone().unwrap_or_default(), definition.subject.clone().unwrap_or_default());
            let what =
                tr!("“{condition}” applies to every question about {table} of {address}", condition, table, address);
            definition.always =
                self.record_loosening("always", &[&*definition.term, &*table, &*condition].join("\n"), what);
        }
    }
}
