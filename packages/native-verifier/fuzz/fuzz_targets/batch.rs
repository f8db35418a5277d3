#![no_main]

use libfuzzer_sys::fuzz_target;
use native_verifier::{Verdict, Verifier};

// Any bytes as a batch. They get the same verdicts again from a verifier that has parsed the keys.
fuzz_target!(|batch: &[u8]| {
    let mut verifier = Verifier::new(4096);
    let first = verifier.verify(batch);
    assert_eq!(verifier.verify(batch), first);
    let keys = first.iter().filter(|&&verdict| verdict != Verdict::NoKey);
    assert!(keys.count() <= batch.len() / 135);
});
