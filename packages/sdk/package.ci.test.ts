import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { publint } from "publint";
import { rolldown } from "rolldown";
import { someCases } from "../ledger/testing/lane.ts";
import { packInto } from "../node/testing/packed-packages.ts";
import { TemporaryDirectory } from "../node/testing/temporary-directory.ts";
import { TestNode } from "../node/testing/test-node.ts";

// What is published: how large it is, and whether it can be used where it is installed.

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ENTRY = fileURLToPath(new URL("./index.ts", import.meta.url));

/** A program that uses the library, as a web page gets it. */
async function bundled(program: string): Promise<string> {
  using folder = new TemporaryDirectory("bundle");
  const input = join(folder.path, "program.ts");
  const named = program
    .replaceAll("@moneta/sdk/proof", join(ENTRY, "../proof.ts"))
    .replaceAll("@moneta/sdk", ENTRY);
  writeFileSync(input, named);
  const bundle = await rolldown({ input, resolve: { modules: [join(ROOT, "node_modules")] } });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  assert.equal(output.length, 1);
  return output[0].code;
}

/** The whole library. */
let all: string;
before(async () => {
  all = await bundled(`export * from "@moneta/sdk";`);
});

test("all of it has less than 30 KB gzipped, and needs nothing else", () => {
  const bytes = gzipSync(all, { level: 9 }).length;
  assert.ok(bytes < 30_000, `${bytes} bytes`);
  assert.doesNotMatch(all, /\bimport\b[^(]*["']/, "no import is left");
});

test("the proof checks have less than 17 KB gzipped, without the rest of the library", async () => {
  const code = await bundled(`export * from "@moneta/sdk/proof";`);
  const bytes = gzipSync(code, { level: 9 }).length;
  assert.ok(bytes < 17_000, `${bytes} bytes`);
  assert.doesNotMatch(code, /\bimport\b[^(]*["']/, "no import is left");
});

test("who uses little of it gets little of it", async () => {
  const decimals = await bundled(
    `import { parseDecimal } from "@moneta/sdk"; console.log(parseDecimal("1.5", 8));`,
  );
  const keys = await bundled(
    `import { SigningKey } from "@moneta/sdk"; console.log(await SigningKey.generate());`,
  );
  assert.ok(decimals.length < 1_000, `${decimals.length} characters for decimals`);
  assert.ok(keys.length < all.length / 4, `${keys.length} characters for keys`);
});

/** Where a program is that has the packages installed as they would be published. */
let project: TemporaryDirectory;
let dist: string;

before(() => {
  project = new TemporaryDirectory("installed");
  dist = join(project.path, "dist");
  packInto(dist);
  const modules = join(project.path, "node_modules");
  for (const name of ["protocol", "sdk"]) {
    cpSync(join(dist, name), join(modules, "@moneta", name), { recursive: true });
  }
  mkdirSync(join(modules, "@types"));
  symlinkSync(join(ROOT, "node_modules", "@types", "node"), join(modules, "@types", "node"));
  for (const name of ["undici-types", "@noble"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  writeFileSync(join(project.path, "package.json"), `{"type":"module"}`);
});

for (const name of ["protocol", "sdk"]) {
  test(`${name} as it would be published has nothing that publint finds fault with`, async () => {
    const { messages } = await publint({ pkgDir: join(dist, name), strict: true });
    assert.deepEqual(messages, []);
    const manifest = JSON.parse(readFileSync(join(dist, name, "package.json"), "utf8"));
    const { "@moneta/protocol": protocol, ...others } = manifest.dependencies ?? {};
    assert.equal(protocol, name === "sdk" ? manifest.version : undefined);
    const noble = ["@noble/ed25519", "@noble/hashes"];
    assert.deepEqual(Object.keys(others), name === "sdk" ? noble : []);
    assert.ok(readdirSync(join(dist, name)).includes("README.md"));
  });
}

const PROGRAM = `import { Moneta, ProblemError, parseDecimal, SigningKey } from "@moneta/sdk"; import { type ProofReport, verifyTransaction } from "@moneta/sdk/proof";

const moneta = new Moneta(process.argv[2] ?? "");
const key = await SigningKey.generate();
const alice = await moneta.createAddress(key);
const bob = await moneta.createAddress(key);
await moneta.faucet({ address: alice.address });
const amountSent = parseDecimal("1.5", 8);
const { transaction_id } = await alice.transfer({ to: bob.address, token: "0", amount: amountSent });
const report: ProofReport = await verifyTransaction(moneta, transaction_id);
const [coins] = await moneta.balance({ address: bob.address });
const amount: bigint = coins?.balance ?? 0n;
try {
  await bob.transfer({ to: alice.address, token: 0, amount: amount + 1n });
} catch (error) {
  console.log(error instanceof ProblemError && error.code === "5001", String(amount), report.verdict);
}
`;

test("an installed copy runs in Node", async () => {
  await using node = await TestNode.start();
  // As a build of the user's would leave it: without types.
  const file = join(project.path, "program.js");
  const whole = `await import("@moneta/protocol"); await import("@moneta/protocol/signature-encoding");`;
  writeFileSync(
    file,
    `${PROGRAM.replaceAll(/: (bigint|ProofReport)\b/g, "").replace("type ProofReport, ", "")}${whole}`,
  );
  const { stdout } = await run(process.execPath, file, node.url);
  assert.equal(stdout, "true 150000000 verified\n");
});

// What Node resolves, a bundler does as well.
for (const resolution of someCases(["nodenext", "bundler"])) {
  test(`an installed copy has its types, ${resolution}, and a wrong call is found by them`, () => {
    const file = join(project.path, `typed-${resolution}.ts`);
    const wrong = `// @ts-expect-error an amount is no number
await alice.transfer({ to: bob.address, token: 0, amount: 5 });
// @ts-expect-error a payee is required
await alice.transfer({ token: 0, amount: 5n });
// @ts-expect-error there is no such operation
await alice.teleport({});
// @ts-expect-error nor does anybody have it without a key
await moneta.transfer({ to: bob.address, token: 0, amount: 5n });
`;
    writeFileSync(file, PROGRAM + wrong);
    const options = [
      ["--strict", "--noEmit", "--target", "es2022", "--types", "node", "--lib", "es2024,dom"],
      ["--module", resolution === "bundler" ? "esnext" : "nodenext"],
      ["--moduleResolution", resolution, "--exactOptionalPropertyTypes"],
    ].flat();
    const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    execFileSync(process.execPath, [compiler, ...options, file], {
      cwd: project.path,
      encoding: "utf8",
    });
  });
}

async function run(command: string, ...args: string[]): Promise<{ readonly stdout: string }> {
  const { promisify } = await import("node:util");
  const { execFile } = await import("node:child_process");
  return await promisify(execFile)(command, args, { encoding: "utf8" });
}
