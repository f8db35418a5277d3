//! Verdicts on ECDSA signatures: a batch of claims in one buffer, verified by AWS-LC. There is no
//! cryptography in this crate. What is well-formed, and the order of digests, is decided in
//! TypeScript.

#[cfg(feature = "addon")]
mod addon;
mod claim;
mod der_signature;
mod key_cache;
mod verifier;

pub use claim::MalformedBatch;
pub use verifier::{Verdict, Verifier};
