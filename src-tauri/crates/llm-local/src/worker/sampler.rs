//! Samples the next token. The grammar first checks the sampled token, and computes the mask of all tokens only if that
//! one is not allowed: plain sampling keeps the same distribution, and in most cases this is far cheaper.

use crate::worker::grammar::Grammar;
use vitrine_llm::Request;

/// The sampling state of one reply.
#[derive(Debug, Clone)]
pub(crate) struct Sampler {
    temperature: f32,
    top_p: f32,
    random: Random,
    candidates: Vec<(u32, f32)>,
}

/// Tokens less likely than the most likely one by a factor of e^16 are ignored.
const NEGLIGIBLE: f32 = 16.0;

impl Sampler {
    pub fn new(request: &Request, sample: u32) -> Self {
        let greedy = request.temperature <= 0.0 || (request.first_greedy && sample == 0);
        Self {
            temperature: if greedy { 0.0 } else { request.temperature },
            top_p: request.top_p,
            random: Random(request.seed.wrapping_add(u64::from(sample))),
            candidates: Vec::new(),
        }
    }

    /// Returns the next token allowed by the grammar, if any. `None` if the grammar allows no further tokens.
    pub fn next(&mut self, logits: &[f32], grammar: Option<&mut Grammar>) -> Result<Option<u32>, String> {
        let Some(grammar) = grammar else {
            return Ok(self.sample_token(logits, |_| true));
        };
        let likely = self.sample_token(logits, |_| true);
        if let Some(token) = likely
            && grammar.allows_token(token)?
        {
            return Ok(Some(token));
        }
        let mask = grammar.compute_mask()?;
        Ok(self.sample_token(logits, |token| mask.is_allowed(token)))
    }

    fn sample_token(&mut self, logits: &[f32], allowed: impl Fn(u32) -> bool) -> Option<u32> {
        let mut best: Option<(u32, f32)> = None;
        for (token, &logit) in logits.iter().enumerate() {
            if best.is_none_or(|(_, b)| logit > b) && allowed(token as u32) && logit > f32::NEG_INFINITY {
                best = Some((token as u32, logit));
            }
        }
        let (best, most) = best?;
        if self.temperature <= 0.0 {
            return Some(best);
        }
        let least = most - NEGLIGIBLE * self.temperature;
        self.candidates.clear();
        for (token, &logit) in logits.iter().enumerate() {
            if logit >= least && allowed(token as u32) {
                self.candidates.push((token as u32, ((logit - most) / self.temperature).exp()));
            }
        }
        // Equal weights keep the vocabulary's order, so that a seed gives the same result everywhere.
        self.candidates.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut total: f32 = self.candidates.iter().map(|c| c.1).sum();
        if self.top_p < 1.0 {
            let mut sum = 0.0;
            let kept = self.candidates.iter().position(|c| {
                sum += c.1;
                sum >= self.top_p * total
            });
            self.candidates.truncate(kept.map_or(self.candidates.len(), |k| k + 1));
            total = self.candidates.iter().map(|c| c.1).sum();
        }
        let mut left = self.random.next() * total;
        for (token, weight) in &self.candidates {
            left -= weight;
            if left < 0.0 {
                return Some(*token);
            }
        }
        self.candidates.last().map(|c| c.0)
    }
}

/// Returns the natural logarithm of a token's probability in the model's unconstrained distribution at temperature 1.
/// Passes over the vocabulary twice; few tokens are likely enough to contribute.
pub(crate) fn log_probability(logits: &[f32], token: u32) -> f64 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let near = logits.iter().filter(|logit| **logit > most - NEGLIGIBLE);
    let total: f32 = near.map(|logit| (logit - most).exp()).sum();
    match logits.get(token as usize) {
        Some(logit) if most.is_finite() => f64::from(logit - most) - f64::from(total).ln(),
        _ => f64::NEG_INFINITY,
    }
}

/// SplitMix64: short, and identical on every machine.
#[derive(Debug, Clone)]
struct Random(u64);

impl Random {
    /// Returns the next number in [0, 1).
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 40) as f32 / (1u64 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn create_sampler(temperature: f32, top_p: f32, seed: u64) -> Sampler {
        Sampler::new(&Request { temperature, top_p, seed, ..Request::default() }, 0)
    }

    fn draw_tokens(sampler: &mut Sampler, logits: &[f32], n: usize) -> Vec<u32> {
        (0..n).map(|_| sampler.next(logits, None).unwrap().unwrap()).collect()
    }

    #[test]
    fn temperature_zero_takes_the_likeliest() {
        assert_eq!(draw_tokens(&mut create_sampler(0.0, 1.0, 1), &[0.1, 3.0, 2.9], 5), [1; 5]);
    }

    #[test]
    fn the_first_of_several_can_be_greedy() {
        let request = Request { temperature: 5.0, first_greedy: true, samples: 2, ..Request::default() };
        let logits = [1.0, 1.1, 1.0, 1.0];
        assert_eq!(draw_tokens(&mut Sampler::new(&request, 0), &logits, 20), [1; 20]);
        assert_ne!(draw_tokens(&mut Sampler::new(&request, 1), &logits, 20), [1; 20]);
    }

    #[test]
    fn a_seed_repeats_itself_and_another_differs() {
        let logits: Vec<f32> = (0..100).map(|i| (i % 7) as f32 * 0.1).collect();
        let first = draw_tokens(&mut create_sampler(1.0, 1.0, 42), &logits, 30);
        assert_eq!(first, draw_tokens(&mut create_sampler(1.0, 1.0, 42), &logits, 30));
        assert_ne!(first, draw_tokens(&mut create_sampler(1.0, 1.0, 43), &logits, 30));
    }

    #[test]
    fn draws_follow_the_probabilities() {
        let logits = [0.0, 2f32.ln(), f32::NEG_INFINITY];
        let drawn = draw_tokens(&mut create_sampler(1.0, 1.0, 7), &logits, 3000);
        let ones = drawn.iter().filter(|t| **t == 1).count();
        assert!((1850..2150).contains(&ones), "{ones} of 3000, expected about 2000");
        assert!(!drawn.contains(&2));
    }

    #[test]
    fn a_tokens_probability_is_the_models_own_whatever_it_is_sampled_with() {
        let logits = [0.0, 2f32.ln(), 5f32.ln(), -60.0, f32::NEG_INFINITY];
        let shares: Vec<f64> = (0..3).map(|token| log_probability(&logits, token).exp()).collect();
        for (share, expected) in shares.iter().zip([0.125, 0.25, 0.625]) {
            assert!((share - expected).abs() < 1e-6, "{shares:?}");
        }
        assert!(log_probability(&logits, 3) < -60.0, "a token that is hardly possible is told as such");
        assert_eq!(log_probability(&logits, 4), f64::NEG_INFINITY);
    }

    #[test]
    fn top_p_cuts_the_tail_off() {
        let logits = [3.0, 2.9, 0.0, 0.0, 0.0];
        assert!(draw_tokens(&mut create_sampler(1.0, 0.5, 3), &logits, 200).iter().all(|t| *t < 2));
    }
}
