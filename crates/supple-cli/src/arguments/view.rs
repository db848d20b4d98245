//! `supple view`: its arguments.

use clap::Args;

use super::Input;

const AFTER_HELP: &str = "\
The page plays the character, shows where it touches itself, picks, audits and collides it: computed in
the browser, by this library. It is served to this machine alone, with a random token in the address;
nothing is uploaded. Ctrl-C ends it.

Examples:
  supple view fox.glb
  supple view zoo:man:1
  supple view character.fbx --clips walk.bvh --no-open --port 8000";

/// `supple view`
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_HELP, next_line_help = true)]
pub struct ViewArguments {
    #[command(flatten)]
    pub input: Input,
    /// Print the address only, and open no browser
    #[arg(long)]
    pub no_open: bool,
    /// The port on 127.0.0.1; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
}
