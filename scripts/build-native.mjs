// Builds packages/native-verifier for this machine, or npm run build:native -- --target TRIPLE.
import { spawnSync } from "node:child_process";
import { copyFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const CRATE = join(ROOT, "packages", "native-verifier");
const TARGETS = {
  "x86_64-unknown-linux-gnu": "linux-x64-gnu",
  "aarch64-unknown-linux-gnu": "linux-arm64-gnu",
  "x86_64-unknown-linux-musl": "linux-x64-musl",
  "aarch64-unknown-linux-musl": "linux-arm64-musl",
  "x86_64-apple-darwin": "darwin-x64",
  "aarch64-apple-darwin": "darwin-arm64",
  "x86_64-pc-windows-msvc": "win32-x64-msvc",
};

const { values: flags } = parseArgs({
  options: { target: { type: "string" } },
});

const target = flags.target ?? hostTarget();
const platform = TARGETS[target];
if (platform === undefined) {
  fail(`${target} is none of ${Object.keys(TARGETS).join(", ")}`);
}
// Outside of the package, so that tools for the sources do not meet cargo's output.
const folder = join(ROOT, "node_modules", ".cache", "native-verifier");
const started = performance.now();
const cross = flags.target === undefined ? [] : ["--target", target];
cargo("build", "--release", "--locked", "--target-dir", folder, ...cross);
const built = join(folder, flags.target ?? "", "release", libraryName());
const addon = join(CRATE, `native-verifier.${platform}.node`);
// Renamed into its place: a node that runs keeps the file that it has loaded.
copyFileSync(built, `${addon}.new`);
renameSync(`${addon}.new`, addon);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
const megabytes = (statSync(addon).size / 1e6).toFixed(1);
console.log(`native verifier: ${addon}, ${megabytes} MB, built in ${seconds} s`);

function cargo(...args) {
  const { status, error } = spawnSync("cargo", args, { cwd: CRATE, stdio: "inherit" });
  if (error !== undefined) {
    fail(`cargo cannot be run (${error.message}): install Rust, https://rustup.rs`);
  }
  if (status !== 0) {
    fail("cargo failed: it also needs a C compiler, such as gcc or clang");
  }
}

function hostTarget() {
  const { stdout, stderr, error } = spawnSync("rustc", ["-vV"], { encoding: "utf8" });
  // The cargo of rustup, without a toolchain, runs but reports no host.
  const host = /^host: (.+)$/m.exec(stdout ?? "")?.[1];
  if (host === undefined) {
    const why = error?.message ?? stderr.split("\n\n")[0].trim();
    fail(`rustc cannot be run (${why}): install Rust, https://rustup.rs`);
  }
  return host;
}

function libraryName() {
  if (target.includes("windows")) {
    return "native_verifier.dll";
  }
  return target.includes("darwin") ? "libnative_verifier.dylib" : "libnative_verifier.so";
}

function fail(why) {
  console.error(`build:native: ${why}`);
  process.exit(1);
}
