use crate::claim::KeyId;
use aws_lc_rs::signature::{EcdsaVerificationAlgorithm, ParsedPublicKey};
use std::collections::HashMap;

/// What a parsed key takes besides its id, kept twice: about 1,000 bytes were measured in all.
const KEY_BYTES: usize = 1024;

/// Parsed keys: at least those used last that come to `bytes_max`, and at most twice as much. When
/// the young generation is full it becomes the old one, and the keys not used since are
/// dropped with that.
pub struct KeyCache {
    bytes_max: usize,
    young: Generation,
    young_bytes: usize,
    old: Generation,
}

type Generation = HashMap<Box<[u8]>, ParsedPublicKey>;

impl KeyCache {
    pub fn new(bytes_max: usize) -> Self {
        KeyCache {
            bytes_max,
            young: HashMap::new(),
            young_bytes: 0,
            old: HashMap::new(),
        }
    }

    /// The key, parsed now unless it is known; nothing if its point is not on the curve.
    pub fn key(
        &mut self,
        algorithm: &'static EcdsaVerificationAlgorithm,
        key_id: KeyId<'_>,
    ) -> Option<&ParsedPublicKey> {
        let KeyId {
            curve,
            digest,
            point,
        } = key_id;
        let mut id = Vec::with_capacity(point.len().saturating_add(2));
        id.extend([curve, digest]);
        id.extend(point);
        if !self.young.contains_key(id.as_slice()) {
            let key = match self.old.remove(id.as_slice()) {
                Some(known) => known,
                None => ParsedPublicKey::new(algorithm, point).ok()?,
            };
            self.make_room(id.len());
            self.young.insert(id.clone().into_boxed_slice(), key);
        }
        self.young.get(id.as_slice())
    }

    fn make_room(&mut self, id_bytes: usize) {
        let bytes = id_bytes.saturating_mul(2).saturating_add(KEY_BYTES);
        if self.young_bytes.saturating_add(bytes) > self.bytes_max {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes = self.young_bytes.saturating_add(bytes);
    }
}
