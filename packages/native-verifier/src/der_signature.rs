const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
const LONG_LENGTH: u8 = 0x81;

/// The DER form of a signature, from r and s of at most 66 bytes each; nothing if they are longer.
pub fn der_signature(r: &[u8], s: &[u8]) -> Option<Vec<u8>> {
    let mut content = Vec::with_capacity(144);
    for value in [r, s] {
        let zeros = value.iter().take_while(|&&byte| byte == 0).count();
        let digits = value.get(zeros..)?;
        // A value whose first bit is set would be negative, and zero has one byte.
        let needs_zero = digits.first().is_none_or(|&first| first >= 0x80);
        let length = digits.len().checked_add(usize::from(needs_zero))?;
        content.extend([INTEGER, short_length(length)?]);
        if needs_zero {
            content.push(0);
        }
        content.extend(digits);
    }
    let mut der = Vec::with_capacity(148);
    der.push(SEQUENCE);
    match short_length(content.len()) {
        Some(length) => der.push(length),
        None => der.extend([LONG_LENGTH, u8::try_from(content.len()).ok()?]),
    }
    der.extend(content);
    Some(der)
}

fn short_length(length: usize) -> Option<u8> {
    u8::try_from(length).ok().filter(|&short| short < 0x80)
}

#[cfg(test)]
mod tests {
    use super::der_signature;

    #[test]
    fn values_have_no_superfluous_bytes() {
        let der = der_signature(&[0, 0, 1], &[0, 0x80]);
        assert_eq!(der.as_deref(), Some(&[0x30, 7, 2, 1, 1, 2, 2, 0, 0x80][..]));
        assert_eq!(
            der_signature(&[0, 0], &[]).as_deref(),
            Some(&[0x30, 6, 2, 1, 0, 2, 1, 0][..])
        );
    }

    #[test]
    fn a_long_content_has_a_long_length() {
        let der = der_signature(&[1; 66], &[0xff; 66]).unwrap_or_default();
        assert_eq!(der.get(..4), Some(&[0x30, 0x81, 137, 2][..]));
        assert_eq!(der.len(), 140);
    }

    #[test]
    fn values_that_are_too_long_have_no_form() {
        assert_eq!(der_signature(&[1; 128], &[1]), None);
        assert_eq!(der_signature(&[0x80; 127], &[1]), None);
    }
}
