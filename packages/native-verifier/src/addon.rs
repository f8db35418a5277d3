use crate::verifier::Verifier;
use napi::bindgen_prelude::Uint8Array;
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

    /// A verdict for each claim of the batch, one byte each, whatever the bytes are.
    ///
    /// # Errors
    ///
    /// If the verifier panics, which is a bug of it.
    #[napi(catch_unwind)]
    pub fn verify(&mut self, batch: &[u8]) -> Uint8Array {
        let verdicts = self.verifier.verify(batch);
        verdicts
            .into_iter()
            .map(|verdict| verdict as u8)
            .collect::<Vec<u8>>()
            .into()
    }
}
