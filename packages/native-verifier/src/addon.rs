use crate::verifier::Verifier;
use napi::bindgen_prelude::{Error, Result, Uint8Array};
use napi_derive::napi;

/// A verifier of one thread of Node.
#[napi]
pub struct NativeVerifier {
    verifier: Verifier,
}

#[napi]
impl NativeVerifier {
    /// With room for parsed keys, in bytes.
    #[napi(constructor)]
    #[must_use]
    pub fn new(key_bytes_max: u32) -> Self {
        NativeVerifier {
            verifier: Verifier::new(usize::try_from(key_bytes_max).unwrap_or(usize::MAX)),
        }
    }

    /// A byte for each claim of the batch. Throws if that is malformed.
    ///
    /// # Errors
    ///
    /// If the batch is malformed.
    #[napi(catch_unwind)]
    pub fn verify(&mut self, batch: &[u8]) -> Result<Uint8Array> {
        match self.verifier.verify(batch) {
            Ok(verdicts) => Ok(verdicts
                .into_iter()
                .map(|verdict| verdict as u8)
                .collect::<Vec<u8>>()
                .into()),
            Err(malformed) => Err(Error::from_reason(malformed.to_string())),
        }
    }
}
