//! Serves the page and one character to this machine's browser, and nothing else.
//!
//! Must hold: what is answered is in the program's memory; no path is opened. Who does not know the token, or was sent here under
//! another host's name, gets no file. No client, however slow, stops the others or the program.

use std::io::Write;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;

use super::request::{Request, read};

/// For a whole request; a browser on the same machine sends it at once.
const TO_ASK: Duration = Duration::from_secs(5);

/// For a whole answer.
const TO_ANSWER: Duration = Duration::from_secs(60);

/// Connections at a time; browsers open six. More are closed at once.
const CONNECTIONS: usize = 32;

/// Bytes that are written before the clock is looked at.
const CHUNK: usize = 64 * 1024;

/// The path of the character, behind the token.
const CHARACTER: &str = "character.supple";

/// What the page may do: nothing that leaves this server.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; \
                      style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; manifest-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// All that there is.
#[derive(Debug)]
pub struct Site {
    /// Names with slashes, and contents.
    pub files: &'static [(&'static str, &'static [u8])],
    /// The bytes of a shape; none where the page makes the character itself.
    pub character: Option<Vec<u8>>,
    pub token: String,
    pub port: u16,
}

/// Accepts connections for ever, each in a thread of its own.
pub fn serve(listener: &TcpListener, site: Site) -> Result<(), Failure> {
    let (site, open) = (Arc::new(site), Arc::new(AtomicUsize::new(0)));
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // No more connections for the moment, by the system's limits.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
            open.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (site, counter) = (Arc::clone(&site), Arc::clone(&open));
        let answer = move || {
            answer(stream, &site);
            counter.fetch_sub(1, Ordering::Relaxed);
        };
        if thread::Builder::new().name("view".to_owned()).spawn(answer).is_err() {
            open.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// One request and its answer. Errors of the connection end it.
fn answer(mut stream: TcpStream, site: &Site) {
    let (head, body) = match read(&mut stream, TO_ASK) {
        Ok(request) => match site.find(&request) {
            Ok((kind, body)) => {
                (header("200 OK", kind, body.len()), if request.is_head { &[] } else { body })
            }
            Err(status) => (refusal(status), [].as_slice()),
        },
        Err(Some(status)) => (refusal(status), [].as_slice()),
        Err(None) => return,
    };
    if write(&mut stream, head.as_bytes()).and_then(|()| write(&mut stream, body)).is_some() {
        _ = stream.shutdown(Shutdown::Write);
    }
}

impl Site {
    /// The kind and the bytes of what was asked for.
    pub fn find(&self, request: &Request) -> Result<(&'static str, &[u8]), &'static str> {
        let here = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        if !here.contains(&request.host.to_ascii_lowercase()) {
            return Err("421 Misdirected Request");
        }
        let rest = request.path.strip_prefix('/').and_then(|path| path.strip_prefix(self.token.as_str()));
        let Some(name) = rest.and_then(|rest| rest.strip_prefix('/')) else { return Err("403 Forbidden") };
        let name = if name.is_empty() { "index.html" } else { name };
        match &self.character {
            Some(bytes) if name == CHARACTER => return Ok(("application/octet-stream", bytes)),
            _ => {}
        }
        let file = self.files.iter().find(|(file, _)| *file == name);
        file.map(|(name, bytes)| (kind_of(name), *bytes)).ok_or("404 Not Found")
    }
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn header(status: &str, kind: &str, length: usize) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n\
         Content-Security-Policy: {POLICY}\r\n\r\n"
    )
}

fn refusal(status: &str) -> String {
    header(status, "text/plain", 0)
}

/// Nothing where the client went away or takes too long.
fn write(stream: &mut TcpStream, bytes: &[u8]) -> Option<()> {
    let start = Instant::now();
    for chunk in bytes.chunks(CHUNK) {
        let left = TO_ANSWER.checked_sub(start.elapsed()).filter(|left| !left.is_zero())?;
        stream.set_write_timeout(Some(left)).ok()?;
        stream.write_all(chunk).ok()?;
    }
    Some(())
}
