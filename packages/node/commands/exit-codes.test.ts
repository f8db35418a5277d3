import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { NotYet, StorageFailure, UnusableLedger } from "@moneta/ledger";
import {
  ConnectionLost,
  EngineDenied,
  EngineRefusal,
  EngineUnavailable,
  SchemaProblem,
} from "@moneta/ledger/postgres";
import { SettingProblem } from "../settings.ts";
import { runInProcess } from "../testing/command-in-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { exitCodeOf } from "./exit-codes.ts";

/** An error of the file system or the network. */
function system(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: "open" });
}

/** An error of SQLite. */
function sqlite(errcode: number): Error {
  return Object.assign(new Error(String(errcode)), { errcode });
}

const refusal = (code: string): Error => new EngineRefusal(code, { code, isFatal: false });
const wrapped = (cause: Error): Error => new SettingProblem("it cannot be read", { cause });

for (const { what, errors, code } of [
  {
    what: "a disk that is full, read-only or fails",
    errors: [
      ...["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO"].flatMap((errno) => [
        system(errno),
        wrapped(system(errno)),
        new StorageFailure("it cannot be written", { cause: system(errno) }),
      ]),
      ...[10, 13, 14, 8].map(sqlite),
    ],
    code: 75,
  },
  {
    what: "something in use, or too much of it",
    errors: [
      new NotYet("another service runs"),
      ...["EADDRINUSE", "EADDRNOTAVAIL", "EAI_AGAIN", "EMFILE", "EBUSY"].map((one) =>
        wrapped(system(one)),
      ),
    ],
    code: 75,
  },
  {
    what: "PostgreSQL that is away, has no such database yet, or no room",
    errors: [
      new EngineUnavailable("no primary answers"),
      new ConnectionLost("it has ended"),
      ...["3D000", "53300", "53100", "57P03", "25006", "55P03", "40001", "08006"].map(refusal),
      wrapped(new EngineDenied("no such database", { cause: refusal("3D000") })),
    ],
    code: 75,
  },
  {
    what: "a wrong setting, missing rights, a foreign or damaged directory",
    errors: [
      new SettingProblem("it must be a number"),
      new UnusableLedger("it is of another format"),
      new SchemaProblem("it is too old"),
      ...["EACCES", "EPERM", "EISDIR", "ENOTDIR"].flatMap((one) => [
        system(one),
        wrapped(system(one)),
        new StorageFailure("it cannot be written", { cause: system(one) }),
      ]),
      wrapped(system("ENOENT")),
      sqlite(11),
      wrapped(new EngineDenied("a wrong password", { cause: refusal("28P01") })),
      ...["42501", "42P01", "28000"].map(refusal),
    ],
    code: 2,
  },
  {
    what: "anything else, which is a fault of the software",
    errors: [new TypeError("x is undefined"), Object.assign(new Error("own"), { code: "EIO" })],
    code: undefined,
  },
]) {
  test(`${what}: exit code ${code}`, () => {
    for (const error of errors) {
      assert.equal(exitCodeOf(error), code, `${error.name}: ${error.message}`);
    }
  });
}

test("a port in use ends a start with 75, a port that none may have with 2", async (t) => {
  using directory = new TemporaryDirectory("exit-codes");
  const taken = createServer().listen(0, "127.0.0.1");
  t.after(() => taken.close());
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as { port: number };
  const run = async (used: string): Promise<number> =>
    (await runInProcess("serve", "--data", directory.path, "--port", used)).exitCode;
  assert.equal(await run(String(port)), 75);
  assert.equal(await run("65536"), 2);
});

test("commands end with 75 where a directory is in use by a restore", async () => {
  using directory = new TemporaryDirectory("exit-codes");
  mkdirSync(join(directory.path, ".restore.part"));
  const { exitCode, output } = await runInProcess("serve", "--data", directory.path, "--port", "0");
  assert.equal(exitCode, 75, output);
});
