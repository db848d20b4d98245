//! A panic becomes an exception with its message: a bare trap would only say "unreachable".

use wasm_bindgen::prelude::*;

/// Runs when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        wasm_bindgen::throw_str(&format!("panic: {panic}"));
    }));
}

/// Panics on purpose, so that a test can see what becomes of it.
#[wasm_bindgen]
pub fn panic_for_test() {
    panic!("asked to by a test");
}
