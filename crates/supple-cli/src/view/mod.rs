//! `supple view`: the page of web/page with a character in it, in a browser, from this program alone.
//!
//! In: a model. Out: an address that only this machine reaches. The page is in the program; the character goes to it as the bytes of
//! its shape, whatever kind of file it was, and an animal of the zoo by its name. Nothing else is served. Ctrl-C ends it.

mod address;
mod page_files;
mod request;
mod server;
#[cfg(test)]
mod tests;

use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};

use anyhow::{Context, anyhow};

use crate::arguments::{Input, ViewArguments};
use crate::failure::{Blame, Failure, OrBlame};
use crate::print::{print, remark};
use crate::source::{read_shape, zoo_name};

use self::address::{encoded, token};
use self::page_files::FILES;
use self::server::Site;

/// Serves until the program is ended.
pub fn run(arguments: &ViewArguments) -> Result<(), Failure> {
    if !FILES.iter().any(|(name, _)| *name == "index.html") {
        let error = anyhow!(
            "this program was built without the page; in a clone, run `npm ci` and `npm run embed` in web/page, then build it again"
        );
        return Err(error).or_blame(Blame::Usage);
    }
    let (hash, character) = character(&arguments.input)?;
    let port = arguments.port;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("port {port}: cannot be used"))
        .or_blame(Blame::Usage)?;
    let place = listener.local_addr().context("the port has no address").or_blame(Blame::Usage)?;
    let site = Site { files: FILES, character, token: token(), port: place.port() };
    let address = format!("http://{place}/{}/#{hash}", site.token);
    print(&format!("{address}\nCtrl-C ends it.\n"))?;
    if !arguments.no_open {
        open(&address);
    }
    server::serve(&listener, site)
}

/// What the page finds behind `#`, and the shape where it has to be fetched.
fn character(input: &Input) -> Result<(String, Option<Vec<u8>>), Failure> {
    let is_whole = input.part.is_none()
        && input.without.is_empty()
        && input.scene.is_none()
        && input.other_clips.clips.is_empty();
    if let (Some((name, detail)), true) = (zoo_name(&input.file)?, is_whole) {
        // Made only to know that it can be: errors are told here and not on the page.
        supple_zoo::make(name, detail).or_blame(Blame::Usage)?;
        return Ok((format!("zoo={}&detail={detail}", encoded(name)), None));
    }
    let shape = read_shape(input)?;
    let bytes = shape.to_bytes().with_context(|| input.file.clone()).or_blame(Blame::Input)?;
    let name = input.file.rsplit(['/', '\\']).next().unwrap_or_default();
    Ok((format!("file={}", encoded(name)), Some(bytes)))
}

/// Asks the system for its browser. Where there is none, the address is on the terminal.
fn open(address: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    };
    let started =
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        remark(format_args!("note: no browser could be opened ({error}); open the address above"));
    }
}
