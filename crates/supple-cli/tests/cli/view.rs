//! `supple view`: what it says before it serves, and one look at the page where the program has it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::supple::supple;

/// The page is built from web/page, which needs Node; a program without it says so.
fn has_page() -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("view/index.html").exists()
}

/// Ends what it started, whatever the test says.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).unwrap();
    }
}

/// Starts it and returns the address that it prints.
fn served(file: &str) -> (Served, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_supple"))
        .args(["view", file, "--no-open"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (Served(child), line.trim().to_owned())
}

fn fetched(host: &str, path: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

#[test]
fn it_serves_the_page_or_says_how_to_make_it() {
    if has_page() { with_the_page() } else { without_the_page() }
}

fn without_the_page() {
    let run = supple(["view", "zoo:man", "--no-open"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("npm run embed") && run.stdout.is_empty(), "{}", run.stderr);
}

fn with_the_page() {
    let missing = supple(["view", "no-such-file.glb", "--no-open"]);
    assert_eq!(missing.code, 3, "{}", missing.stderr);
    assert!(missing.stderr.contains("no-such-file.glb"), "{}", missing.stderr);
    let unknown = supple(["view", "zoo:nobody", "--no-open"]);
    assert_eq!(unknown.code, 2, "{}", unknown.stderr);

    let (_animal, address) = served("zoo:man:1");
    assert!(address.starts_with("http://127.0.0.1:") && address.ends_with("/#zoo=man&detail=1"), "{address}");
    let (host, rest) = address["http://".len()..].split_once('/').unwrap();
    let token = rest.split('/').next().unwrap();
    let page = String::from_utf8(fetched(host, &format!("/{token}/"))).unwrap();
    assert!(page.contains("200 OK") && page.contains("<title>"), "{page}");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my hand.obj");
    supple(["zoo", "hand", "-o", file.to_str().unwrap()]).ok();
    let (_file, address) = served(file.to_str().unwrap());
    assert!(address.ends_with("/#file=my%20hand.obj"), "{address}");
    let (host, rest) = address["http://".len()..].split_once('/').unwrap();
    let token = rest.split('/').next().unwrap();
    let answer = fetched(host, &format!("/{token}/character.supple"));
    let body = answer.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4;
    let shape = ::supple::Shape::from_bytes(&answer[body..]).unwrap();
    assert_eq!(shape.model().mesh().triangles().len(), 4800);
}
