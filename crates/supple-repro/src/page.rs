//! Pages that need no other file: the frame around them, names in them, bytes in them.

/// Colours for light and dark, type, tables, tiles, badges and figures.
const STYLE: &str = include_str!("page.css");

/// A whole page: a title (plain text), styles of its own after the common ones, and the markup of its body.
pub fn document(title: &str, style: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><title>{}</title><style>{STYLE}{style}</style></head>\
         <body><main>{body}</main></body></html>\n",
        escaped(title)
    )
}

/// Text that means only itself in HTML, in elements and in quoted attributes; control characters are replaced.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Bytes as base64 with padding (RFC 4648, section 4).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let number = (0..3).fold(0, |sum, i| sum << 8 | u32::from(*chunk.get(i).unwrap_or(&0)));
        for digit in 0..4 {
            let index = number >> (18 - 6 * digit) & 63;
            out.push(if digit <= chunk.len() { char::from(DIGITS[index as usize]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_text() {
        assert_eq!(escaped("<b a=\"1\">'&\u{7}"), "&lt;b a=&quot;1&quot;&gt;&#39;&amp;\u{fffd}");
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        let encoded = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|t| base64(t.as_bytes()));
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
        assert_eq!(base64(&[255, 239, 190]), "/+++");
    }
}
