//! Compiles the shims of native peers, if the feature `native-peers` is on, and finds the libraries.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "native-peers")]
    native();
}

/// The system's packages: `libfcl-dev libbullet-dev libembree-dev pkg-config` on Debian.
#[cfg(feature = "native-peers")]
fn native() {
    println!("cargo:rerun-if-changed=native");
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(3).flag("-march=native");
    // Headers of libraries are not ours to mend.
    build.warnings(false);
    for name in ["fcl", "bullet"] {
        let library = pkg_config::Config::new().cargo_metadata(false).probe(name);
        let library = library.unwrap_or_else(|e| panic!("the feature native-peers needs {name}: {e}"));
        build.includes(&library.include_paths);
    }
    build.files(["native/fcl.cpp", "native/bullet.cpp", "native/embree.cpp"]).compile("supple_native_peers");
    for name in ["fcl", "ccd", "octomap", "octomath", "BulletCollision", "LinearMath", "embree3"] {
        println!("cargo:rustc-link-lib={name}");
    }
}
