use crate::claim::{Malformed, RawClaim, read_batch};
use crate::der_signature::der_signature;
use crate::key_cache::KeyCache;

/// What a signature is to the message and the key of its claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// It is none of this message by this key, or none at all.
    Misfits = 0,
    /// It is one.
    Fits = 1,
    /// The claim's point is not on its curve, or there is no such curve.
    NoKey = 2,
}

/// Verifies batches of claims, and keeps parsed keys.
pub struct Verifier {
    keys: KeyCache,
}

impl Verifier {
    /// With room for parsed keys; up to twice as many bytes are in use.
    #[must_use]
    pub fn new(key_bytes_max: usize) -> Self {
        Verifier {
            keys: KeyCache::new(key_bytes_max),
        }
    }

    /// A verdict for each claim, in their order, whatever the bytes are.
    pub fn verify(&mut self, batch: &[u8]) -> Vec<Verdict> {
        read_batch(batch)
            .into_iter()
            .map(|claim| self.verdict(claim))
            .collect()
    }

    fn verdict(&mut self, claim: RawClaim<'_>) -> Verdict {
        let claim = match claim.checked() {
            Ok(claim) => claim,
            Err(Malformed::Key) => return Verdict::NoKey,
            Err(Malformed::Signature) => return Verdict::Misfits,
        };
        let Some(key) = self.keys.key(claim.algorithm, claim.key_id) else {
            return Verdict::NoKey;
        };
        let fits = der_signature(claim.r, claim.s)
            .is_some_and(|signature| key.verify_sig(claim.message, &signature).is_ok());
        if fits {
            Verdict::Fits
        } else {
            Verdict::Misfits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Verdict, Verifier};
    use aws_lc_rs::rand::SystemRandom;
    use aws_lc_rs::signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING,
        ECDSA_P521_SHA512_FIXED_SIGNING, EcdsaKeyPair, EcdsaSigningAlgorithm, KeyPair,
    };

    const CURVES: [(u8, &EcdsaSigningAlgorithm); 3] = [
        (1, &ECDSA_P256_SHA256_FIXED_SIGNING),
        (2, &ECDSA_P384_SHA384_FIXED_SIGNING),
        (3, &ECDSA_P521_SHA512_FIXED_SIGNING),
    ];

    /// A batch of one signature of this message with the digest of the curve's own size.
    fn signed(
        curve: u8,
        algorithm: &'static EcdsaSigningAlgorithm,
        message: &[u8],
    ) -> Option<Vec<u8>> {
        let key = EcdsaKeyPair::generate(algorithm).ok()?;
        let signature = key.sign(&SystemRandom::new(), message).ok()?;
        let point = key.public_key().as_ref();
        let (r, s) = signature.as_ref().split_at(signature.as_ref().len() / 2);
        let mut batch = vec![curve, curve];
        for part in [point, r, s, message] {
            batch.extend(u32::try_from(part.len()).ok()?.to_le_bytes());
        }
        for part in [point, r, s, message] {
            batch.extend(part);
        }
        Some(batch)
    }

    #[test]
    fn a_signature_fits_and_does_not_with_any_other_byte() {
        for (curve, algorithm) in CURVES {
            let batch = signed(curve, algorithm, b"a message").unwrap_or_default();
            let mut verifier = Verifier::new(4096);
            assert_eq!(verifier.verify(&batch), vec![Verdict::Fits]);
            for at in 0..batch.len() {
                let mut changed = batch.clone();
                if let Some(byte) = changed.get_mut(at) {
                    *byte ^= 0x55;
                }
                let verdicts = verifier.verify(&changed);
                assert!(!verdicts.contains(&Verdict::Fits), "byte {at}");
            }
        }
    }

    #[test]
    fn what_is_cut_off_does_not_fit_and_leaves_the_claims_before_it_alone() {
        for (curve, algorithm) in CURVES {
            let one = signed(curve, algorithm, b"").unwrap_or_default();
            let two = [one.as_slice(), one.as_slice()].concat();
            let mut verifier = Verifier::new(0);
            assert_eq!(verifier.verify(&two), vec![Verdict::Fits; 2]);
            for end in one.len().saturating_add(1)..two.len() {
                let verdicts = verifier.verify(two.get(..end).unwrap_or_default());
                assert_eq!(verdicts, vec![Verdict::Fits, Verdict::NoKey]);
            }
        }
    }
}
