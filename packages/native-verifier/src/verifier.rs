use crate::claim::{Claim, MalformedBatch, read_batch};
use crate::der_signature::der_signature;
use crate::key_cache::KeyCache;

/// What a signature is to the message and the key of its claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// It is none of this message by this key.
    Misfits = 0,
    /// It is one.
    Fits = 1,
    /// The claim's point is not on its curve.
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

    /// A verdict for each claim, in their order.
    ///
    /// # Errors
    ///
    /// If the batch is malformed, in which case nothing of it has been verified.
    pub fn verify(&mut self, batch: &[u8]) -> Result<Vec<Verdict>, MalformedBatch> {
        let claims = read_batch(batch)?;
        Ok(claims.iter().map(|claim| self.verdict(claim)).collect())
    }

    fn verdict(&mut self, claim: &Claim<'_>) -> Verdict {
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
