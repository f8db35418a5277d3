// docs/signing: its programs agree with the test vectors, a running node accepts their signatures,
// and its examples are true.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  verify,
} from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type KeyVector,
  type SignedStringVector,
  signatureVectors,
  signedStringVectors,
} from "@moneta/protocol/test-vectors";
import { someCases } from "../../../ledger/testing/lane.ts";
import { launchChromium, withoutChromium } from "../chromium.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { type KeyHolder, summaryOf, TestNode } from "../test-node.ts";

const FOLDER = fileURLToPath(new URL("../../../../docs/signing/", import.meta.url));
const GUIDE = readFileSync(join(FOLDER, "README.md"), "utf8");

/** The Python that has the library, which the first in the path may lack. */
const PYTHONS = ["python3", "/usr/bin/python3"];
const python = PYTHONS.find((one) => spawnSync(one, ["-c", "import cryptography"]).status === 0);

interface Program {
  readonly file: string;
  readonly command: readonly string[];
  readonly needs: readonly string[];
  readonly readsSec1: boolean;
}

const PROGRAMS: readonly Program[] = [
  { file: "sign.sh", command: ["bash"], needs: ["bash", "openssl"], readsSec1: true },
  { file: "sign.mjs", command: [process.execPath], needs: [process.execPath], readsSec1: false },
  { file: "sign.py", command: [python ?? "python3"], needs: ["python3"], readsSec1: true },
  { file: "sign.php", command: ["php"], needs: ["php"], readsSec1: true },
  { file: "Sign.java", command: ["java"], needs: ["java", "javac"], readsSec1: false },
];

/** Arguments for which a program must sign nothing. The key is right unless stated otherwise. */
const WRONG_USES: readonly { use: string; args: () => string[]; says: RegExp }[] = [
  {
    use: "no such file",
    args: () => [inDirectory("absent.pem"), "a"],
    says: /cannot read .*absent/,
  },
  { use: "no arguments", args: () => [], says: /usage: .*KEY\.pem \[TEXT \| OPERATION LEDGER_ID/ },
  { use: "a folder", args: () => [directory.path, "a"], says: /cannot read|is not a private key/ },
  ...["public", "encrypted", "ed25519", "rsa", "empty"].map((kind) => ({
    use: `a key that is ${kind}`,
    args: () => [inDirectory(`${kind}.pem`), "a"],
    says: /\.pem is not a private key for ECDSA, in .* and without password/,
  })),
  {
    use: "a text without quotes",
    args: () => [rightKey(), "hello", "world"],
    says: /"world" is not a ledger id of 64 hex digits; a TEXT with blanks needs quotes/,
  },
  {
    use: "operation and ledger the wrong way round",
    args: () => [rightKey(), signedStringVectors.ledger_id, "transfer", "from=a"],
    says: /"transfer" is not a ledger id/,
  },
  {
    use: "a parameter without its value",
    args: () => [rightKey(), "transfer", signedStringVectors.ledger_id, "to=b", "from"],
    says: /"from" is not NAME=VALUE/,
  },
];

let directory: TemporaryDirectory;
let node: TestNode;
before(async () => {
  directory = new TemporaryDirectory("signing");
  for (const { name, private_key_pkcs8, private_key_sec1 } of signatureVectors.keys) {
    writeFileSync(join(directory.path, `${name}.pem`), private_key_pkcs8);
    writeFileSync(join(directory.path, `${name}.sec1.pem`), private_key_sec1);
  }
  writeWrongKeys();
  node = await TestNode.start();
});
after(async () => {
  await node[Symbol.asyncDispose]();
  directory[Symbol.dispose]();
});

for (const program of PROGRAMS) {
  const { file } = program;
  const missing = program.needs.filter((one) => spawnSync(one, ["--version"]).error);
  const lacks = file === "sign.py" && python === undefined ? ["cryptography of Python"] : missing;
  const skip = lacks.length > 0 ? `not on this machine: ${lacks.join(", ")}` : false;

  describe(file, () => {
    const [one] = signatureVectors.keys as [KeyVector];

    for (const name of someCases([
      "mrc402create: texts that need care",
      "multitransfer: texts that need care",
      "tokensave: only what must be sent",
    ])) {
      test(`${file} makes the full string of ${name}`, { skip }, async () => {
        const { operation, params, full } = vectorNamed(name);
        // Empty counts as absent.
        const sent = fullArguments(fileOf(one), operation, { ...params, memo: "" });
        assertFits(await run(program, sent), one, full);
      });
    }

    test(`${file} runs unchanged, and signs the standard input, byte for byte`, {
      skip,
    }, async () => {
      const text = 'é|\u2028|\u{1f600}\r\n\t\\"\n';
      const command = [...program.command, join(FOLDER, file), fileOf(one)];
      assertFits(await runCommand(command, text), one, text);
    });

    for (const { use, args, says } of someCases(WRONG_USES)) {
      test(`${file} signs nothing and says why: ${use}`, { skip }, async () => {
        const failed = await failure(program, args());
        assert.deepEqual({ ...failed, stderr: "" }, { code: 2, stdout: "", stderr: "" });
        assert.match(failed.stderr, new RegExp(`^${file}: [^\\n]+\\n$`));
        assert.match(failed.stderr, says);
      });
    }

    test(`${file} ${program.readsSec1 ? "reads" : "does not read"} a key in SEC 1`, {
      skip,
    }, async () => {
      const signing = run(program, [fileOf(one, ".sec1.pem"), "a"]);
      if (program.readsSec1) {
        assertFits(await signing, one, "a");
      } else {
        await assert.rejects(signing);
      }
    });

    for (const key of someCases(signatureVectors.keys)) {
      test(`a node accepts a transfer that ${file} signed with the key ${key.name}`, {
        skip,
      }, async () => {
        const privateKey = createPrivateKey(key.private_key_pkcs8);
        const payer = await node.holder({ coins: 10n, privateKey });
        const payee = await node.holder();
        const checkkey = await node.key(payer);
        const params = {
          from: payer.address,
          to: payee.address,
          token: "0",
          amount: "1",
          checkkey,
        };
        const text = [payer.address, payee.address, "0", "1", checkkey].join("|");
        const signature = await run(program, [fileOf(key), text]);
        assert.equal(summaryOf(await node.post("/transfer", { ...params, signature })), "200");
        assert.equal(await paidInFull(payer, payee, key), "200");
        assert.deepEqual(await node.balances(payee), ["0: 3"]);
      });
    }

    async function paidInFull(
      { address: from }: KeyHolder,
      { address: to }: KeyHolder,
      key: KeyVector,
    ): Promise<string> {
      const checkkey = await node.key({ address: from } as KeyHolder);
      const memo = 'for "March" \\ & April\r\n\té\u2028\u{1f600}';
      const params = { from, to, token: "0", amount: "2", checkkey, memo };
      const sent = fullArguments(fileOf(key), "transfer", params, node.ledgerId);
      const signature = await run(program, sent);
      return summaryOf(await node.post("/transfer", { ...params, signed: "full", signature }));
    }
  });
}

test("sign.mjs signs in a browser what it signs in Node", {
  skip: withoutChromium(),
}, async () => {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ bypassCSP: true, locale: "en-US" });
    const page = await context.newPage();
    // Browsers have WebCrypto only on pages from https or localhost.
    await page.goto(`${node.url}/block`);
    const source = readFileSync(join(FOLDER, "sign.mjs")).toString("base64");
    const { operation, params, full } = vectorNamed("transfer: texts that need care");
    for (const key of signatureVectors.keys) {
      const given = { operation, params, pem: key.private_key_pkcs8 };
      const all = { ...given, source, ledgerId: signedStringVectors.ledger_id };
      const [text, signature] = await page.evaluate(async (own) => {
        const program = await import(`data:text/javascript;base64,${own.source}`);
        const string = program.fullString(own.operation, own.ledgerId, own.params);
        return [string, await program.sign(own.pem, string)] as [string, string];
      }, all);
      assert.equal(text, full);
      assertFits(signature, key, full);
    }
  } finally {
    await browser.close();
  }
});

describe("the guide", () => {
  test("the guide lists the programs that exist", () => {
    const linked = [...GUIDE.matchAll(/^\| \[([\w.]+)\]\(\1\) \|/gm)].map(([, file]) => file);
    assert.deepEqual(
      linked,
      PROGRAMS.map(({ file }) => file),
    );
  });

  const missing = ["bash", "curl", "openssl"].filter((one) => spawnSync(one, ["--version"]).error);
  const skip = missing.length > 0 ? `not on this machine: ${missing.join(", ")}` : false;

  test("its commands move a coin, and do a bundle of which one payment is left out", {
    skip,
  }, async () => {
    const commands = [...GUIDE.matchAll(/\n```bash\n([^`]*)```\n/g)]
      .map(([, text]) => text)
      .join("");
    assert.match(commands, /^url=http:\/\/127\.0\.0\.1:20922$/m);
    const own = commands.replace(/^url=.*$/m, `url=${node.url}`);
    const { stdout } = await promisify(execFile)("bash", ["-euc", own], {
      cwd: join(FOLDER, "../.."),
      env: { ...process.env, TMPDIR: directory.path },
    });
    const [bundle, coins] = stdout.trimEnd().split("\n").slice(-2);
    const balances = stdout.split("\n").filter((line) => line.startsWith("[{"));
    assert.deepEqual(JSON.parse(balances[0] ?? ""), [
      { token: "0", balance: "100000000", unlockdate: 0 },
    ]);
    const { results } = JSON.parse(bundle ?? "") as {
      readonly results: readonly { readonly problem?: { readonly code: string } }[];
    };
    assert.deepEqual(
      results.map(({ problem }) => problem?.code),
      [undefined, "5001", undefined],
    );
    assert.deepEqual(JSON.parse(coins ?? ""), [
      { token: "0", balance: "100000012", unlockdate: 0 },
    ]);
  });
});

function writeWrongKeys(): void {
  const [{ private_key_pkcs8, public_key }] = signatureVectors.keys as [KeyVector];
  const pkcs8 = { type: "pkcs8", format: "pem" } as const;
  const locked = { ...pkcs8, cipher: "aes-256-cbc", passphrase: "secret" };
  for (const [kind, pem] of Object.entries({
    public: public_key,
    encrypted: createPrivateKey(private_key_pkcs8).export(locked),
    ed25519: generateKeyPairSync("ed25519").privateKey.export(pkcs8),
    rsa: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export(pkcs8),
    empty: "",
  })) {
    writeFileSync(inDirectory(`${kind}.pem`), pem);
  }
}

function inDirectory(file: string): string {
  return join(directory.path, file);
}

function rightKey(): string {
  return fileOf(signatureVectors.keys[0] as KeyVector);
}

interface Failed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function failure(program: Program, args: string[]): Promise<Failed> {
  try {
    assert.fail(`signed: ${await run(program, args)}`);
  } catch (thrown) {
    assert.ok(!(thrown instanceof assert.AssertionError), String(thrown));
    const { code, stdout, stderr } = thrown as Failed;
    return { code, stdout, stderr };
  }
}

function vectorNamed(name: string): SignedStringVector {
  const vector = signedStringVectors.vectors.find((one) => one.name === name);
  assert.ok(vector !== undefined, name);
  return vector;
}

function fileOf({ name }: KeyVector, ending = ".pem"): string {
  return join(directory.path, `${name}${ending}`);
}

function fullArguments(
  file: string,
  operation: string,
  params: Readonly<Record<string, string>>,
  ledgerId: string = signedStringVectors.ledger_id,
): string[] {
  const pairs = Object.entries(params).map(([name, text]) => `${name}=${text}`);
  return [file, operation, ledgerId, ...pairs];
}

async function run(program: Program, args: string[], input = ""): Promise<string> {
  // Compiling it takes most of the time that Java needs.
  if (program.file === "Sign.java" && !existsSync(join(directory.path, "Sign.class"))) {
    await promisify(execFile)("javac", ["-d", directory.path, join(FOLDER, program.file)]);
  }
  return program.file === "Sign.java"
    ? runCommand(["java", "-cp", directory.path, "Sign", ...args], input)
    : runCommand([...program.command, join(FOLDER, program.file), ...args], input);
}

async function runCommand(
  [first = "", ...args]: readonly string[],
  input: string,
): Promise<string> {
  const running = promisify(execFile)(first, args, {
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  running.child.stdin?.on("error", () => undefined); // some do not read it
  running.child.stdin?.end(input);
  const { stdout } = await running;
  assert.match(stdout, /^[0-9A-Za-z+/]+={0,2}\n$/);
  return stdout.trimEnd();
}

/** Verifies with Node. Only a signature of r‖s has twice the length of the curve. */
function assertFits(signature: string, key: KeyVector, text: string): void {
  const bytes = Buffer.from(signature, "base64");
  const publicKey: KeyObject = createPublicKey(key.public_key);
  const isRaw = bytes.length === key.private_scalar.length;
  const dsaEncoding = isRaw ? "ieee-p1363" : "der";
  assert.ok(verify("sha256", Buffer.from(text), { key: publicKey, dsaEncoding }, bytes));
}
