//! The linker's arguments for an addon of Node.

fn main() {
    napi_build::setup();
}
