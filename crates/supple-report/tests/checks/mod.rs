//! What must hold for every report, as text and as a page.

use supple_report::report::text::WIDTH;

/// No line is too long or ends with spaces.
pub fn check_text(text: &str) {
    let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > WIDTH).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
}

/// Tags are balanced, ids are there where links lead, and nothing is fetched.
pub fn check_page(page: &str) {
    // Any letters may stand in the bytes of a picture.
    let mut pieces = page.split("data:image/png;base64,");
    let first = pieces.next().unwrap().to_owned();
    let page = &pieces.fold(first, |text, piece| text + &piece[piece.find('"').unwrap()..]);
    assert!(!page.contains("http"), "the page asks for something");
    assert!(!page.contains("NaN"), "the page shows what is no number");
    assert!(page.contains("prefers-color-scheme: dark"));
    for link in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(page.contains(&format!("id=\"{link}\"")), "{link} leads nowhere");
    }
    let mut open = Vec::new();
    for tag in page.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let name = tag.split([' ', '\n', '/']).next().unwrap();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "</{closed}> closes something else");
        } else if !(tag.ends_with('/') || tag.starts_with('!') || ["meta", "img", "br"].contains(&name)) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} are not closed");
}
