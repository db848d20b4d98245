//! Whole numbers of variable length: seven bits per byte, lowest first, the top bit set in all bytes but the last. Signed
//! numbers alternate: 0, -1, 1, -2, ... are 0, 1, 2, 3, ...

pub(super) fn write(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The number at the start of some bytes, which are then what follows it; none if it does not end or is too large.
pub(super) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

pub(super) fn from_signed(number: i32) -> u64 {
    let number = i64::from(number);
    (number << 1 ^ number >> 63) as u64
}

pub(super) fn to_signed(number: u64) -> Option<i32> {
    i32::try_from((number >> 1) as i64 ^ -((number & 1) as i64)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, -1, 2, 63, -64, 64, 1 << 20, i32::MAX, i32::MIN];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&n| write(from_signed(n), &mut bytes));
        assert_eq!(bytes[..3], [0, 2, 1]);
        let mut rest = &bytes[..];
        for number in numbers {
            assert_eq!(read(&mut rest).and_then(to_signed), Some(number));
        }
        assert!(rest.is_empty() && read(&mut rest).is_none());
        assert_eq!(read(&mut &[0xff; 12][..]), None);
    }
}
