//! Pages that need no other file: the frame around them, names in them, pictures in them.

use base64::prelude::{BASE64_STANDARD, Engine};

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

/// A PNG as the address of an image.
pub fn png_url(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_text() {
        assert_eq!(escaped("<b a=\"1\">'&\u{7}"), "&lt;b a=&quot;1&quot;&gt;&#39;&amp;\u{fffd}");
    }
}
