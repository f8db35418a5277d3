use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA384_ASN1, ECDSA_P256_SHA512_ASN1, ECDSA_P384_SHA256_ASN1,
    ECDSA_P384_SHA384_ASN1, ECDSA_P384_SHA512_ASN1, ECDSA_P521_SHA256_ASN1, ECDSA_P521_SHA384_ASN1,
    ECDSA_P521_SHA512_ASN1, EcdsaVerificationAlgorithm,
};
use std::fmt;

/// A signature to be verified. `packages/native-verifier/claim-batch.ts` writes the same layout:
/// curve (1 byte), digest (1), length of the message (4, little-endian), point, r, s, message.
pub struct Claim<'a> {
    pub algorithm: &'static EcdsaVerificationAlgorithm,
    /// Curve, digest and point: what a parsed key is kept by.
    pub key_id: KeyId<'a>,
    pub r: &'a [u8],
    pub s: &'a [u8],
    pub message: &'a [u8],
}

/// A key as parsed for one digest.
#[derive(Clone, Copy)]
pub struct KeyId<'a> {
    pub curve: u8,
    pub digest: u8,
    /// Uncompressed: 04, x, y.
    pub point: &'a [u8],
}

/// What is wrong with a batch, a bug of its writer. Nothing of it has been verified.
#[derive(Debug, PartialEq, Eq)]
pub struct MalformedBatch {
    /// The claim, counted from 0.
    pub claim: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl fmt::Display for MalformedBatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "claim {}: {}", self.claim, self.reason)
    }
}

/// All claims of a batch, or what is wrong with the first malformed one.
pub fn read_batch(batch: &[u8]) -> Result<Vec<Claim<'_>>, MalformedBatch> {
    let mut claims = Vec::new();
    let mut rest = batch;
    while !rest.is_empty() {
        let claim = read_claim(&mut rest).map_err(|reason| MalformedBatch {
            claim: claims.len(),
            reason,
        })?;
        claims.push(claim);
    }
    Ok(claims)
}

fn read_claim<'a>(rest: &mut &'a [u8]) -> Result<Claim<'a>, &'static str> {
    let head = take(rest, 6).ok_or("shorter than its head")?;
    let &[curve, digest, l0, l1, l2, l3] = head else {
        return Err("shorter than its head");
    };
    let (algorithm, point_bytes, value_bytes): (&EcdsaVerificationAlgorithm, usize, usize) =
        match (curve, digest) {
            (1, 1) => (&ECDSA_P256_SHA256_ASN1, 65, 32),
            (1, 2) => (&ECDSA_P256_SHA384_ASN1, 65, 32),
            (1, 3) => (&ECDSA_P256_SHA512_ASN1, 65, 32),
            (2, 1) => (&ECDSA_P384_SHA256_ASN1, 97, 48),
            (2, 2) => (&ECDSA_P384_SHA384_ASN1, 97, 48),
            (2, 3) => (&ECDSA_P384_SHA512_ASN1, 97, 48),
            (3, 1) => (&ECDSA_P521_SHA256_ASN1, 133, 66),
            (3, 2) => (&ECDSA_P521_SHA384_ASN1, 133, 66),
            (3, 3) => (&ECDSA_P521_SHA512_ASN1, 133, 66),
            _ => return Err("unknown curve or digest"),
        };
    let message_bytes = usize::try_from(u32::from_le_bytes([l0, l1, l2, l3]))
        .map_err(|_| "a message longer than memory")?;
    let point = take(rest, point_bytes).ok_or("shorter than its point")?;
    if point.first() != Some(&4) {
        return Err("a point that is not uncompressed");
    }
    let r = take(rest, value_bytes).ok_or("shorter than its r")?;
    let s = take(rest, value_bytes).ok_or("shorter than its s")?;
    let message = take(rest, message_bytes).ok_or("shorter than its message")?;
    Ok(Claim {
        algorithm,
        key_id: KeyId {
            curve,
            digest,
            point,
        },
        r,
        s,
        message,
    })
}

/// Takes bytes off the front; nothing if there are fewer.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}
