//! The server under friends and strangers.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use super::request::LONGEST;
use super::server::{Site, serve};

const TOKEN: &str = "0123456789abcdef";
static PAGE: &[(&str, &[u8])] =
    &[("assets/a.wasm", b"\0asm"), ("assets/index.js", b"let x"), ("index.html", b"<p>hello")];

/// Serves on a free port until the tests end.
fn started(character: Option<Vec<u8>>) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback works");
    let port = listener.local_addr().expect("it is bound").port();
    let site = Site { files: PAGE, character, token: TOKEN.to_owned(), port };
    thread::spawn(move || serve(&listener, site));
    port
}

fn connected(port: u16) -> TcpStream {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("loopback works");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("loopback works");
    stream
}

/// All that comes back; a connection that the server closes early is an answer, too.
fn said(port: u16, bytes: &[u8]) -> String {
    let mut stream = connected(port);
    _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn asked(port: u16, method: &str, path: &str, host: &str) -> String {
    said(port, format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
}

fn got(port: u16, path: &str) -> String {
    asked(port, "GET", path, &format!("127.0.0.1:{port}"))
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[test]
fn the_page_and_the_character_are_served() {
    let port = started(Some(b"shape".to_vec()));
    let page = got(port, &format!("/{TOKEN}/"));
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("\r\n\r\n<p>hello"), "{page}");
    assert!(page.contains("text/html") && page.contains("Referrer-Policy: no-referrer"), "{page}");
    assert!(got(port, &format!("/{TOKEN}/assets/a.wasm")).contains("Content-Type: application/wasm"));
    assert!(got(port, &format!("/{TOKEN}/character.supple?x")).ends_with("\r\n\r\nshape"));
    assert!(asked(port, "GET", &format!("/{TOKEN}/"), &format!("LocalHost:{port}")).ends_with("hello"));
    let without = started(None);
    assert_eq!(status(&got(without, &format!("/{TOKEN}/character.supple"))), "404");
}

#[test]
fn without_the_token_there_is_nothing() {
    let port = started(Some(b"shape".to_vec()));
    for path in [
        "/",
        "/index.html",
        "/character.supple",
        "/0123456789abcdee/",
        "/0123456789abcde/",
        &format!("/{TOKEN}"),
        &format!("/{TOKEN}x/"),
        &format!("//{TOKEN}/"),
        &format!("/x/../{TOKEN}/"),
    ] {
        let answer = got(port, path);
        assert_eq!(status(&answer), "403", "{path}");
        assert!(answer.ends_with("\r\n\r\n"), "{path}: {answer}");
    }
}

#[test]
fn other_hosts_names_are_refused() {
    let port = started(None);
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        "127.0.0.1:1".to_owned(),
        format!("127.0.0.1:{port}.evil.example"),
        String::new(),
    ] {
        assert_eq!(status(&asked(port, "GET", &format!("/{TOKEN}/"), &host)), "421", "{host:?}");
    }
}

#[test]
fn nothing_but_the_page_is_there() {
    let port = started(None);
    for path in [
        "../Cargo.toml",
        "..%2fCargo.toml",
        "%2e%2e/Cargo.toml",
        "assets/../index.html",
        "./index.html",
        "assets",
        "assets/",
        "assets\\index.js",
        "/etc/passwd",
        "//etc/passwd",
        "index.html/",
        "INDEX.HTML",
        "%00",
    ] {
        assert_eq!(status(&got(port, &format!("/{TOKEN}/{path}"))), "404", "{path}");
    }
}

#[test]
fn heads_have_no_body_and_other_methods_are_refused() {
    let port = started(None);
    let host = format!("127.0.0.1:{port}");
    let head = asked(port, "HEAD", &format!("/{TOKEN}/"), &host);
    assert!(head.contains("200 OK") && head.contains("Content-Length: 8\r\n") && head.ends_with("\r\n\r\n"));
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "get"] {
        assert_eq!(status(&asked(port, method, &format!("/{TOKEN}/"), &host)), "405", "{method}");
    }
}

#[test]
fn rubbish_is_answered_or_let_go() {
    let port = started(None);
    assert_eq!(status(&said(port, b"\r\n\r\n")), "400");
    assert_eq!(status(&said(port, b"\xff\xfe\0\0\r\n\r\n")), "400");
    assert_eq!(status(&said(port, b"GET / HTTP/1.1\r\n\r\n")), "400");
    // The rest of what is too long is not read, hence the answer may be lost.
    let long = said(port, &vec![b'a'; 4 * LONGEST]);
    assert!(["431", ""].contains(&status(&long)), "{long}");
    assert_eq!(status(&got(port, &format!("/{TOKEN}/"))), "200");
}

/// A client that goes away in the middle, or never ends its request, stops nobody, and is let go.
#[test]
fn half_requests_and_slow_clients_stop_nobody() {
    let port = started(None);
    let gone = connected(port);
    (&gone).write_all(b"GET /").expect("loopback works");
    gone.shutdown(Shutdown::Both).expect("loopback works");
    let slow: Vec<TcpStream> = (0..8).map(|_| connected(port)).collect();
    slow.iter().for_each(|mut stream| stream.write_all(b"GET / HT").expect("loopback works"));
    let start = Instant::now();
    assert_eq!(status(&got(port, &format!("/{TOKEN}/"))), "200");
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    // One byte now and then does not win time.
    let mut drip = connected(port);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(15) && drip.write_all(b"G").is_ok() {
        thread::sleep(Duration::from_millis(300));
    }
    assert!(start.elapsed() < Duration::from_secs(12), "{:?}", start.elapsed());
    for mut stream in slow {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("loopback works");
        assert_eq!(status(&answer), "408", "{answer}");
    }
}

/// More connections than the server wants are closed; when they are gone it answers again.
#[test]
fn many_connections_are_bounded() {
    let port = started(None);
    let many: Vec<TcpStream> = (0..100).map(|_| connected(port)).collect();
    let refused = got(port, &format!("/{TOKEN}/"));
    assert_eq!(refused, "");
    drop(many);
    let start = Instant::now();
    while status(&got(port, &format!("/{TOKEN}/"))) != "200" {
        assert!(start.elapsed() < Duration::from_secs(20), "it does not answer any more");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A client that reads nothing of a large answer stops nobody.
#[test]
fn a_client_that_does_not_read_stops_nobody() {
    let port = started(Some(vec![0; 50_000_000]));
    let lazy = connected(port);
    let request = format!("GET /{TOKEN}/character.supple HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    (&lazy).write_all(request.as_bytes()).expect("loopback works");
    assert_eq!(status(&got(port, &format!("/{TOKEN}/"))), "200");
    let whole = got(port, &format!("/{TOKEN}/character.supple"));
    assert!(whole.len() > 50_000_000, "{}", whole.len());
}
