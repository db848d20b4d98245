//! `supple-bindgen IN.wasm OUT_FOLDER`: what `wasm-bindgen --target web --out-name supple --omit-default-module-path` does.

use wasm_bindgen_cli_support::Bindgen;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder] = arguments.as_slice() else {
        eprintln!("usage: supple-bindgen IN.wasm OUT_FOLDER");
        std::process::exit(2);
    };
    let made = Bindgen::new().input_path(input).web(true).and_then(|bindgen| {
        bindgen.typescript(true).out_name("supple").omit_default_module_path(true).generate(folder)
    });
    if let Err(error) = made {
        eprintln!("{input}: {error:#}");
        std::process::exit(1);
    }
}
