use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA384_ASN1, ECDSA_P256_SHA512_ASN1, ECDSA_P384_SHA256_ASN1,
    ECDSA_P384_SHA384_ASN1, ECDSA_P384_SHA512_ASN1, ECDSA_P521_SHA256_ASN1, ECDSA_P521_SHA384_ASN1,
    ECDSA_P521_SHA512_ASN1, EcdsaVerificationAlgorithm,
};

/// A claim as it was written: a signature to be verified, well-formed or not.
/// `packages/native-verifier/claim-batch.ts` writes the same layout: a head of curve (1 byte),
/// digest (1) and the lengths of point, r, s and message (4 each, little-endian), then these parts.
#[derive(Clone, Copy, Default)]
pub struct RawClaim<'a> {
    curve: u8,
    digest: u8,
    point: &'a [u8],
    r: &'a [u8],
    s: &'a [u8],
    message: &'a [u8],
}

/// A well-formed claim.
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

/// Why a claim cannot be verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// An unknown curve, or no uncompressed point of its length.
    Key,
    /// An unknown digest, or values of another length than the curve's.
    Signature,
}

/// The claims of a batch. What is cut off at its end is an empty claim, which is malformed.
pub fn read_batch(batch: &[u8]) -> Vec<RawClaim<'_>> {
    let mut claims = Vec::new();
    let mut rest = batch;
    while !rest.is_empty() {
        claims.push(read_claim(&mut rest).unwrap_or_else(|| {
            rest = &[];
            RawClaim::default()
        }));
    }
    claims
}

fn read_claim<'a>(rest: &mut &'a [u8]) -> Option<RawClaim<'a>> {
    let &[curve, digest] = take(rest, 2)? else {
        return None;
    };
    let mut lengths = [0; 4];
    for length in &mut lengths {
        *length = usize::try_from(u32::from_le_bytes(take(rest, 4)?.try_into().ok()?)).ok()?;
    }
    let [point, r, s, message] = lengths;
    Some(RawClaim {
        curve,
        digest,
        point: take(rest, point)?,
        r: take(rest, r)?,
        s: take(rest, s)?,
        message: take(rest, message)?,
    })
}

impl<'a> RawClaim<'a> {
    /// The claim with its algorithm, or what is wrong with it.
    pub fn checked(self) -> Result<Claim<'a>, Malformed> {
        let RawClaim {
            curve,
            digest,
            point,
            r,
            s,
            message,
        } = self;
        let (value_bytes, point_bytes) = match curve {
            1 => (32, 65),
            2 => (48, 97),
            3 => (66, 133),
            _ => return Err(Malformed::Key),
        };
        if point.len() != point_bytes || point.first() != Some(&4) {
            return Err(Malformed::Key);
        }
        if r.len() != value_bytes || s.len() != value_bytes {
            return Err(Malformed::Signature);
        }
        let algorithm = match (curve, digest) {
            (1, 1) => &ECDSA_P256_SHA256_ASN1,
            (1, 2) => &ECDSA_P256_SHA384_ASN1,
            (1, 3) => &ECDSA_P256_SHA512_ASN1,
            (2, 1) => &ECDSA_P384_SHA256_ASN1,
            (2, 2) => &ECDSA_P384_SHA384_ASN1,
            (2, 3) => &ECDSA_P384_SHA512_ASN1,
            (3, 1) => &ECDSA_P521_SHA256_ASN1,
            (3, 2) => &ECDSA_P521_SHA384_ASN1,
            (3, 3) => &ECDSA_P521_SHA512_ASN1,
            _ => return Err(Malformed::Signature),
        };
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
}

/// Takes bytes off the front; nothing if there are fewer.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}
