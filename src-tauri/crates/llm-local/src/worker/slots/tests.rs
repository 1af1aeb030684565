use super::*;
use proptest::prelude::*;

/// Reads a prompt and a reply as the engine would; returns the number of tokens from the cache.
fn run_request(slots: &mut Slots, prompt: &[Token], reply: &[Token]) -> usize {
    let admission = slots.admit_prompt(prompt, reply.len()).unwrap();
    slots.extend(admission.seq, &prompt[admission.cached..]);
    slots.extend(admission.seq, reply);
    slots.mark_unused(admission.seq);
    admission.cached
}

fn token_range(first: Token, count: usize) -> Vec<Token> {
    (first..).take(count).collect()
}

fn join_tokens(parts: &[&[Token]]) -> Vec<Token> {
    parts.concat()
}

#[test]
fn the_schema_is_read_once_for_many_questions() {
    let mut slots = Slots::new(8, 10_000, 10_000);
    let schema = token_range(0, 1000);
    assert_eq!(run_request(&mut slots, &join_tokens(&[&schema, &[9001, 9002]]), &[1, 2]), 0);
    assert_eq!(run_request(&mut slots, &join_tokens(&[&schema, &[9003, 9004]]), &[1, 2]), 1000);
    assert_eq!(run_request(&mut slots, &join_tokens(&[&schema, &[9005]]), &[3]), 1000);
}

#[test]
fn agents_that_take_turns_keep_their_prefixes() {
    let mut slots = Slots::new(8, 10_000, 10_000);
    let rewriter = token_range(0, 100);
    let generator = token_range(5000, 900);
    for question in 0..50 {
        let expected = if question == 0 { (0, 0) } else { (100, 900) };
        let a = run_request(&mut slots, &join_tokens(&[&rewriter, &[20_000 + question]]), &[1; 30]);
        let b = run_request(&mut slots, &join_tokens(&[&generator, &[20_000 + question]]), &[2; 30]);
        assert_eq!((a, b), expected, "question {question}");
    }
}

#[test]
fn a_repair_turn_reads_only_what_is_new() {
    let mut slots = Slots::new(8, 10_000, 10_000);
    let prompt = token_range(0, 500);
    run_request(&mut slots, &prompt, &[7, 8, 9]);
    assert_eq!(run_request(&mut slots, &join_tokens(&[&prompt, &[7, 8, 9, 100, 101]]), &[]), 503);
}

#[test]
fn the_same_prompt_again_still_reads_its_last_token() {
    let mut slots = Slots::new(8, 10_000, 10_000);
    let prompt = token_range(0, 50);
    run_request(&mut slots, &prompt, &[1]);
    assert_eq!(run_request(&mut slots, &prompt, &[1]), 49);
}

#[test]
fn when_full_the_longest_unused_goes_first() {
    let mut slots = Slots::new(8, 1000, 1000);
    let (a, b, c) = (token_range(0, 400), token_range(10_000, 400), token_range(20_000, 400));
    run_request(&mut slots, &a, &[]);
    run_request(&mut slots, &b, &[]);
    run_request(&mut slots, &join_tokens(&[&a, &[1]]), &[]);
    run_request(&mut slots, &c, &[]); // needs 400 tokens, so b, the least recently used, is evicted
    assert_eq!(run_request(&mut slots, &join_tokens(&[&a, &[2]]), &[]), 400);
    assert_eq!(run_request(&mut slots, &join_tokens(&[&b, &[2]]), &[]), 0);
}

#[test]
fn other_texts_keep_no_more_than_is_allowed_to_them() {
    let mut slots = Slots::new(8, 10_000, 500);
    let (a, b) = (token_range(0, 400), token_range(10_000, 400));
    run_request(&mut slots, &a, &[]);
    run_request(&mut slots, &b, &[]);
    assert_eq!(slots.used_cells(), 800);
    let c = token_range(20_000, 2000);
    run_request(&mut slots, &c, &[]);
    assert_eq!(slots.used_cells(), 2400, "the longest unused went, though there was room");
    assert_eq!(run_request(&mut slots, &b, &[]), 399);
    // A prefix shared with another prompt does not count towards the limit.
    assert_eq!(run_request(&mut slots, &join_tokens(&[&b[..300], &[1, 2]]), &[]), 300);
}

#[test]
fn samples_share_the_room_of_their_prompt() {
    let mut slots = Slots::new(10, 1000, 1000);
    let prompt = token_range(0, 600);
    let admission = slots.admit_prompt(&prompt, 10).unwrap();
    slots.extend(admission.seq, &prompt);
    let mut seqs = vec![admission.seq];
    for _ in 1..8 {
        seqs.push(slots.fork_sequence(admission.seq, 600).unwrap().0);
    }
    for (i, seq) in seqs.iter().enumerate() {
        slots.extend(*seq, &[1, 2, 100 + i as Token]);
    }
    assert_eq!(slots.used_cells(), 600 + 8 * 3, "the prompt once, and every reply");
    assert!(slots.make_room(300, &mut Vec::new()));
    assert!(!slots.make_room(400, &mut Vec::new()), "busy sequences are never forgotten");
}

#[test]
fn with_a_single_sequence_everything_still_works() {
    let mut slots = Slots::new(1, 100, 100);
    assert_eq!(run_request(&mut slots, &token_range(0, 20), &[1]), 0);
    assert_eq!(run_request(&mut slots, &join_tokens(&[&token_range(0, 10), &[77, 78]]), &[1]), 10);
    assert_eq!(run_request(&mut slots, &token_range(500, 20), &[1]), 0);
}

/// Applies the steps to a model of the cache, as llama.cpp would.
#[derive(Default)]
struct Cache(Vec<Vec<Token>>);

impl Cache {
    fn apply_steps(&mut self, steps: &[Step]) {
        for step in steps {
            match *step {
                Step::Clear { seq } => self.0[seq].clear(),
                Step::Share { from, to, tokens } => {
                    assert!(self.0[to].is_empty(), "the target of a copy must be empty");
                    self.0[to] = self.0[from][..tokens].to_vec();
                }
                Step::Truncate { seq, tokens } => self.0[seq].truncate(tokens),
            }
        }
    }
}

#[test]
fn a_text_that_is_being_written_is_shared_and_never_gone_on_in() {
    let mut slots = Slots::new(4, 1000, 0);
    let schema = token_range(0, 100);
    let one = slots.admit_prompt(&schema, 10).unwrap();
    slots.extend(one.seq, &schema);
    let other = slots.admit_prompt(&join_tokens(&[&schema, &[9001]]), 10).unwrap();
    assert_ne!(other.seq, one.seq, "the first is still writing in its own");
    assert_eq!(other.cached, 100);
    // No other text is remembered, but requests in progress are kept.
    assert_eq!((slots.len(one.seq), slots.len(other.seq)), (100, 100));
    assert_eq!(slots.longest_match(&join_tokens(&[&schema, &[9002]])), 100);
}

#[test]
fn when_every_sequence_is_busy_nobody_is_pushed_out() {
    let mut slots = Slots::new(2, 1000, 1000);
    for first in [0, 500] {
        let admission = slots.admit_prompt(&token_range(first, 10), 1).unwrap();
        slots.extend(admission.seq, &token_range(first, 10));
    }
    assert_eq!(slots.admit_prompt(&token_range(0, 11), 1), None);
    slots.mark_unused(0);
    assert!(slots.admit_prompt(&token_range(900, 11), 1).is_some());
}

proptest! {
    #[test]
    fn the_cache_always_holds_what_the_slots_say(
        prompts in prop::collection::vec((prop::collection::vec(0..3i32, 1..12), 0..4usize, any::<bool>()), 1..40),
        count in 1..6usize,
    ) {
        let mut slots = Slots::new(count, 24, 24);
        let mut cache = Cache(vec![Vec::new(); count]);
        let mut in_hand: Vec<usize> = Vec::new();
        for (prompt, reply, stays) in prompts {
            let Some(admission) = slots.admit_prompt(&prompt, reply) else {
                prop_assert_eq!(in_hand.len(), count, "refused only when all are busy");
                in_hand.drain(..).for_each(|seq| slots.mark_unused(seq));
                continue;
            };
            prop_assert!(!in_hand.contains(&admission.seq));
            cache.apply_steps(&admission.steps);
            prop_assert!(admission.cached < prompt.len());
            prop_assert_eq!(&cache.0[admission.seq], &prompt[..admission.cached]);
            for tokens in [&prompt[admission.cached..], &vec![9; reply][..]] {
                slots.extend(admission.seq, tokens);
                cache.0[admission.seq].extend_from_slice(tokens);
            }
            in_hand.push(admission.seq);
            if let Some((to, steps)) = slots.fork_sequence(admission.seq, prompt.len()) {
                cache.apply_steps(&steps);
                prop_assert_eq!(&cache.0[to], &prompt);
                in_hand.push(to);
            }
            if !stays {
                in_hand.drain(..).for_each(|seq| slots.mark_unused(seq));
                let mut steps = Vec::new();
                prop_assert!(slots.make_room(0, &mut steps), "what is not in use can always be forgotten");
                cache.apply_steps(&steps);
            }
            for (seq, tokens) in cache.0.iter().enumerate() {
                prop_assert_eq!(slots.len(seq), tokens.len());
            }
        }
    }
}
