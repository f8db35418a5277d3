//! Verdicts on ECDSA signatures: a batch of claims in one buffer, verified by AWS-LC. There is no
//! cryptography in this crate. TypeScript decides which keys and signatures are well-formed, and the
//! order of digests; here every claim gets a verdict, whatever its bytes are.

#[cfg(feature = "addon")]
mod addon;
mod claim;
mod der_signature;
mod key_cache;
mod verifier;

pub use verifier::{Verdict, Verifier};
