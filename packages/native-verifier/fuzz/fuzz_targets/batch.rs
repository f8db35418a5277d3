#![no_main]

use libfuzzer_sys::fuzz_target;
use native_verifier::{Verdict, Verifier};

// Any bytes as a batch. What is well-formed gets the same verdicts again, from a verifier that has
// parsed the keys before.
fuzz_target!(|batch: &[u8]| {
    let mut verifier = Verifier::new(4096);
    if let Ok(first) = verifier.verify(batch) {
        assert_eq!(verifier.verify(batch).as_ref(), Ok(&first));
        let keys = first.iter().filter(|&&verdict| verdict != Verdict::NoKey);
        assert!(keys.count() <= batch.len() / 135);
    }
});
