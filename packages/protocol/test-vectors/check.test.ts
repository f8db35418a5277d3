// A program that shares no code with ours recomputes the vectors, and refuses each that was
// changed.
import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const SCRIPT = join(FOLDER, "check.py");

const FILES = "authority bundles chain encodings errors groups ids proofs signatures signed-strings"
  .split(" ")
  .map((name) => `${name}.json`);

const missing = ["python3", "openssl"].filter((command) => spawnSync(command, ["--version"]).error);
const skip = missing.length > 0 ? `not on this machine: ${missing.join(", ")}` : false;

/** One run of the program for all verdicts, because a start costs more than most of them. */
class Judge {
  readonly #child = spawn("python3", [SCRIPT, "judge"], { stdio: ["pipe", "pipe", "inherit"] });
  readonly #lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();

  async verdictOn(given: { file: string; text: string } | { folder: string }): Promise<string> {
    this.#child.stdin.write(`${JSON.stringify(given)}\n`);
    return String((await this.#lines.next()).value);
  }

  end(): void {
    this.#child.stdin.end();
  }
}

let copy: string;
let judge: Judge;
before(() => {
  copy = mkdtempSync(join(tmpdir(), "moneta-vectors-"));
  for (const file of [...FILES, "SHA256SUMS"]) {
    cpSync(join(FOLDER, file), join(copy, file));
  }
  if (skip === false) {
    judge = new Judge();
  }
});
after(() => {
  judge?.end();
  rmSync(copy, { recursive: true });
});

test("an independent program computes the same vectors", { skip }, async () => {
  const { stdout } = await run("python3", [SCRIPT, copy]);
  assert.deepEqual(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/: [1-9][0-9]* vectors$/, "")),
    FILES,
  );
});

test("a wrong folder has exit code 1", { skip }, async () => {
  const reported = await run("python3", [SCRIPT, tmpdir()]).catch((thrown) => thrown);
  assert.deepEqual([reported.code, reported.stdout.slice(0, 7)], [1, "wrong: "]);
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
      assert.match(await judge.verdictOn({ folder: copy }), /^wrong: /, `byte ${at}`);
    }
    writeFileSync(path, whole);
  });
}

/** Members that nothing else in their vector depends on: texts of clients, words for people. */
const FREE: { readonly [file: string]: string } = {
  // Of vectors that are wrong, whose other members say why.
  "authority.json": "signatures.step",
  "encodings.json": `integers.text unlock_dates.text texts.text rates.text rates.decimals decimals.decimals fees.amount fees.rate cut_texts.length
    canonical_json.json json_texts.text requests.body public_keys.text tiles.text`,
  "errors.json": "errors.detail errors.parameter errors.listings",
  "ids.json": "addresses.text temporary_keys.kind",
  "proofs.json": "verifier_keys.text checkpoints.note checkpoints.keys",
  "signatures.json": "refused.key refused.text refused.signature",
};

type Vector = Record<string, unknown>;

/** The file with one value changed: each member in its first, middle and last vector. */
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
      // In a vector that is wrong already, only `valid` can be changed so that it shows.
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
    assert.equal(await judge.verdictOn({ file, text }), "sound");
    for (const change of changes) {
      assert.match(await judge.verdictOn({ file, text: change.text }), /^wrong: /, change.what);
    }
  });
}
