// A program that shares nothing with ours recomputes the vectors, and says no wherever one of them is another.
import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const SCRIPT = join(FOLDER, "check.py");

const FILES = [
  ...["chain", "encodings", "errors", "ids", "proofs", "signatures", "signed-strings"].map(
    (name) => `${name}.json`,
  ),
];

const missing = ["python3", "openssl"].filter((command) => spawnSync(command, ["--version"]).error);
const skip = missing.length > 0 ? `not on this machine: ${missing.join(", ")}` : false;

let copy: string;
before(() => {
  copy = mkdtempSync(join(tmpdir(), "moneta-vectors-"));
  for (const file of [...FILES, "SHA256SUMS"]) {
    cpSync(join(FOLDER, file), join(copy, file));
  }
});
after(() => rmSync(copy, { recursive: true }));

test("an independent program comes to the same vectors", { skip }, async () => {
  const { stdout } = await run("python3", [SCRIPT, copy]);
  assert.deepEqual(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/: [1-9][0-9]* vectors$/, "")),
    FILES,
  );
});

for (const file of [...FILES, "SHA256SUMS"]) {
  test(`one changed byte anywhere in ${file} is found`, { skip }, async () => {
    const path = join(copy, file);
    const whole = readFileSync(path);
    for (const place of [0, 0.3, 0.6, 0.999]) {
      const at = Math.floor(place * whole.length);
      const changed = Buffer.from(whole);
      changed[at] = (whole[at] as number) ^ 1;
      writeFileSync(path, changed);
      const said = await run("python3", [SCRIPT, copy]).catch((thrown) => thrown);
      assert.deepEqual([said.code, said.stdout.slice(0, 7)], [1, "wrong: "], `byte ${at}`);
    }
    writeFileSync(path, whole);
  });
}

/**
 * What no other member of its vector follows from, so that another value may be as good: texts that somebody may send, and words for people. All
 * that has been made of something must be what it was made of.
 */
const FREE: { readonly [file: string]: string } = {
  "encodings.json": `integers.text unlock_dates.text texts.text rates.text rates.decimals decimals.decimals fees.amount fees.rate cut_texts.length
    canonical_json.json json_texts.text requests.body public_keys.text tiles.text`,
  "errors.json": "errors.detail errors.parameter errors.listings",
  "ids.json": "addresses.text temporary_keys.kind",
  "proofs.json": "verifier_keys.text checkpoints.note checkpoints.keys",
  "signatures.json": "refused.key refused.text refused.signature",
};

type Vector = Record<string, unknown>;

/** Each file with one value of it changed: of every member of every list, in its first vector and in its last. */
function changedFiles(file: string): { readonly what: string; readonly text: string }[] {
  const whole = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Record<string, Vector[]>;
  const free = new Set(["name", "source", ...(FREE[file] ?? "").split(/\s+/)]);
  const changes: { what: string; text: string }[] = [];
  const changeIn = (what: string, holder: Vector, name: string): void => {
    const value = holder[name];
    holder[name] = another(value);
    changes.push({ what, text: JSON.stringify(whole) });
    holder[name] = value;
  };
  for (const [part, vectors] of Object.entries(whole)) {
    if (!Array.isArray(vectors)) {
      changeIn(`${file} ${part}`, whole as never, part);
      continue;
    }
    const names = new Set(vectors.flatMap((vector) => Object.keys(vector)));
    for (const name of names) {
      const member = `${file} ${part}.${name}`;
      // What is wrong already stays wrong: only that it is can be another.
      const having = vectors.filter(
        (vector) => vector[name] !== undefined && (name === "valid" || vector["valid"] !== false),
      );
      const chosen = new Set([having[0], having[Math.floor(having.length / 2)], having.at(-1)]);
      for (const vector of free.has(name) || free.has(`${part}.${name}`) ? [] : chosen) {
        changeIn(
          `${member} of ${vector?.["name"] ?? vectors.indexOf(vector as Vector)}`,
          vector as Vector,
          name,
        );
      }
    }
  }
  return changes;
}

/** A value that differs in one place. */
function another(value: unknown): unknown {
  if (typeof value === "string") {
    const at = Math.floor(value.length / 2);
    return value.slice(0, at) + (value[at] === "1" ? "2" : "1") + value.slice(at + 1);
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? ["1"] : [...value.slice(0, -1), another(value.at(-1))];
  }
  if (typeof value === "object" && value !== null) {
    const [first = "more"] = Object.keys(value);
    return { ...value, [first]: another((value as Vector)[first] ?? "") };
  }
  return typeof value === "number" ? value + 1 : value === null ? "1" : !value;
}

for (const file of FILES) {
  test(`every value of ${file} that follows from others is found when it is another`, {
    skip,
  }, async () => {
    const changes = changedFiles(file);
    assert.ok(changes.length >= 6);
    const text = readFileSync(join(FOLDER, file), "utf8");
    const verdicts = await judge([text, ...changes.map((change) => change.text)], file);
    assert.equal(verdicts[0], "sound");
    for (const [at, { what }] of changes.entries()) {
      assert.match(verdicts[at + 1] as string, /^wrong: /, what);
    }
  });
}

/** A verdict on each text that a file might hold. */
async function judge(texts: readonly string[], file: string): Promise<string[]> {
  const child = spawn("python3", [SCRIPT, "judge"], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(texts.map((text) => `${JSON.stringify({ file, text })}\n`).join(""));
  let said = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    said += chunk;
  }
  const verdicts = said.trimEnd().split("\n");
  assert.equal(verdicts.length, texts.length);
  return verdicts;
}
