//! The `supple` command: what touches what, what is in a file, a deformed mesh, an animal out of nothing.
//!
//! In: arguments. Out: text on stdout, files, an exit code; errors are one line on stderr with their causes.
//!
//! | command | does |
//! | --- | --- |
//! | `supple`, `supple demo` | lets two people brush past each other and tells what it takes to know where they touch |
//! | `supple collide A [B]` | finds all pairs of touching triangles, frame by frame |
//! | `supple ray FILE --from X,Y,Z --direction X,Y,Z` | tells which triangle a ray hits, and which joints move it |
//! | `supple audit FILE..` | finds where a character's own parts go through each other |
//! | `supple view FILE` | shows a character in the browser |
//! | `supple chains FILE` | fills a character with spheres and tells which of its parts come near each other |
//! | `supple build FILE -o OUT.supple` | writes a model with its tree |
//! | `supple inspect FILE [--json]` | tells what is in a file |
//! | `supple deform FILE -o OUT` | writes the mesh deformed by any of the skinning models |
//! | `supple fit SEQUENCE -o OUT.glb` | turns any mesh animation into a skin |
//! | `supple edit-rest FITTED NEW -o OUT.glb` | puts another rest mesh below a skin and its clips |
//! | `supple reduce FILE --modes N -o OUT.glb` | gives a mesh its vibration modes, or with `--pca N` a sequence its principal components, as morph targets |
//! | `supple zoo [NAME -o OUT]` | lists the animals, or makes one |
//!
//! Everywhere a file is read, `zoo:man` or `zoo:man:2` (detail 2) stands for an animal of the zoo.
//!
//! | exit code | means |
//! | --- | --- |
//! | 0 | done |
//! | 1 | a check failed: `collide --check` differs from brute force, `audit` finds a fault |
//! | 2 | bad usage: arguments that do not fit together, an unknown clip, morph target, part or animal |
//! | 3 | the input file is missing, broken or of an unknown kind |
//! | 4 | the output could not be written |
//!
//! Files are written by `output`: whole or not at all, never over an input; `-` is stdout.
//!
//! A reader that closes the pipe early (`supple inspect fox.glb | head`) ends the program with 0.

mod arguments;
mod build;
mod chains;
mod collide;
mod deform;
mod demo;
mod digits;
mod edit_rest;
mod fit;
mod frames;
mod inspect;
mod one_thread;
mod ray;
mod read_back;
mod reduce;
mod sequence;
mod terminal_picture;
mod topology;
mod view;
mod zoo;

use std::process::ExitCode;

use clap::Parser;
use supple_cli::{
    audit, clip, clip_files, failure, number, output, print, progress, short_names, source, table,
};

use self::arguments::{Arguments, Command, DemoName};

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        None => demo::run(DemoName::Collide),
        Some(Command::Inspect(arguments)) => inspect::run(&arguments),
        Some(Command::Deform(arguments)) => deform::run(&arguments),
        Some(Command::Fit(arguments)) => fit::run(&arguments),
        Some(Command::EditRest(arguments)) => edit_rest::run(&arguments),
        Some(Command::Reduce(arguments)) => reduce::run(&arguments),
        Some(Command::Zoo(arguments)) => zoo::run(&arguments),
        Some(Command::Collide(arguments)) => collide::run(&arguments),
        Some(Command::Ray(arguments)) => ray::run(&arguments),
        Some(Command::Audit(arguments)) => audit::run(&arguments),
        Some(Command::View(arguments)) => view::run(&arguments),
        Some(Command::Chains(arguments)) => chains::run(&arguments),
        Some(Command::Build(arguments)) => build::run(&arguments),
        Some(Command::Demo(arguments)) => demo::run(arguments.name),
    };
    failure::exit_code(outcome)
}
