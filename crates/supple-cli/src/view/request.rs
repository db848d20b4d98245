//! A request as far as it matters here: method, path and host.
//!
//! In: bytes of anybody who knows the port. Out: a request, or the status that refuses it. Nothing is decoded: a path with `%` or
//! `..` in it is just a name that no file has.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Longer requests are refused; browsers send some 700 bytes.
pub const LONGEST: usize = 16 * 1024;

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub is_head: bool,
    /// Without what is behind a question mark.
    pub path: String,
    pub host: String,
}

/// Reads until the empty line that ends the head. A client that takes longer than allowed is let go; nothing is answered to one that
/// went away.
pub fn read(stream: &mut TcpStream, allowed: Duration) -> Result<Request, Option<&'static str>> {
    let start = Instant::now();
    let mut head = Vec::new();
    let mut chunk = [0; 2048];
    loop {
        let left = allowed.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Err(Some("408 Request Timeout"));
        }
        stream.set_read_timeout(Some(left)).map_err(|_| None)?;
        match stream.read(&mut chunk) {
            Ok(0) => return Err(None),
            Ok(count) => head.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(Some("408 Request Timeout"));
            }
            Err(_) => return Err(None),
        }
        if let Some(end) = head.windows(4).position(|end| end == b"\r\n\r\n") {
            return parse(&head[..end]).map_err(Some);
        }
        if head.len() > LONGEST {
            return Err(Some("431 Request Header Fields Too Large"));
        }
    }
}

/// The lines before the empty one.
pub fn parse(head: &[u8]) -> Result<Request, &'static str> {
    const BAD: &str = "400 Bad Request";
    let head = str::from_utf8(head).map_err(|_| BAD)?;
    let mut lines = head.split("\r\n");
    let words: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let [method, target, version] = words[..] else { return Err(BAD) };
    if !version.starts_with("HTTP/1.") || !target.starts_with('/') {
        return Err(BAD);
    }
    if !["GET", "HEAD"].contains(&method) {
        return Err("405 Method Not Allowed");
    }
    let hosts: Vec<&str> = lines
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.eq_ignore_ascii_case("host"))
        .map(|(_, host)| host.trim())
        .collect();
    let [host] = hosts[..] else { return Err(BAD) };
    let path = target.split('?').next().unwrap_or_default().to_owned();
    Ok(Request { is_head: method == "HEAD", path, host: host.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_read() {
        let request = parse(b"GET /a/b?x=1 HTTP/1.1\r\nAccept: */*\r\nHOST: localhost:1").expect("a request");
        assert_eq!(
            request,
            Request { is_head: false, path: "/a/b".to_owned(), host: "localhost:1".to_owned() }
        );
        assert!(parse(b"HEAD / HTTP/1.0\r\nHost:a").expect("a request").is_head);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for bad in [
            "",
            "GET",
            "GET /",
            "GET / HTTP/2",
            "GET  / HTTP/1.1\r\nHost: a",
            "GET a HTTP/1.1\r\nHost: a",
            "GET http://a/ HTTP/1.1\r\nHost: a",
            "GET / HTTP/1.1",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b",
        ] {
            assert_eq!(parse(bad.as_bytes()), Err("400 Bad Request"), "{bad:?}");
        }
        assert_eq!(parse(b"GET /\xff HTTP/1.1\r\nHost: a"), Err("400 Bad Request"));
        assert_eq!(parse(b"POST / HTTP/1.1\r\nHost: a"), Err("405 Method Not Allowed"));
    }
}
