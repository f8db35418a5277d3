import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { EngineUrl, EngineUrlProblem, withoutPasswords } from "./engine-url.ts";

const folder = mkdtempSync(join(tmpdir(), "moneta-url-"));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, "password");

for (const { text, parts } of [
  {
    text: "postgres://moneta@db/ledger",
    parts: { user: "moneta", hosts: [{ host: "db", port: 5432 }], database: "ledger" },
  },
  {
    text: "postgresql://moneta@db1,db2:6432,[::1]:7/ledger?sslmode=verify-full",
    parts: {
      hosts: [
        { host: "db1", port: 5432 },
        { host: "db2", port: 6432 },
        { host: "::1", port: 7 },
      ],
      sslMode: "verify-full",
    },
  },
  { text: "postgres://moneta@db", parts: { database: "moneta" } },
  { text: "postgres://m%40x:p%2Fw%3A%40@db/a%20b", parts: { user: "m@x", password: "p/w:@" } },
  { text: "postgres://m:p:w@x@db/a", parts: { user: "m", password: "p:w@x" } },
]) {
  test(`${text} is read`, () => {
    const found = EngineUrl.parse(text).partsWithPassword();
    assert.deepEqual({ ...found, ...parts }, found);
  });
}

for (const text of [
  "postgres://moneta@db:5432/ledger",
  "postgres://m%40x@db1:5432,[::1]:7/a%20b?sslmode=require",
  `postgres://moneta@db:5432/ledger?sslmode=verify-full&sslrootcert=${encodeURI(folder)}/ca%20%26.pem`,
]) {
  test(`${text} is printed as it was, without its password`, () => {
    writeFileSync(join(folder, "ca &.pem"), "authority");
    const url = EngineUrl.parse(text.replace("@", ":s3cret@"));
    assert.equal(String(url), text);
    assert.equal(JSON.stringify({ url }), JSON.stringify({ url: text }));
    assert.equal(String(EngineUrl.parse(text)), text);
  });
}

for (const text of [
  "postgres://",
  "postgres://db/ledger",
  "postgres://u:tr0ub4dor@/ledger",
  "postgres://u:tr0ub4dor@db:70000/ledger",
  "postgres://u:tr0ub/4dor@db/ledger",
  "postgres://u:tr0ub4dor@d b/ledger",
  "postgres://u:tr0ub%zz4dor@db/ledger",
  "postgres://u:tr0ub4dor@db/ledger?tr0ub4dor=1",
  "postgres://u:tr0ub4dor@db/ledger?sslmode=tr0ub4dor",
  "postgres://u:tr0ub#4dor@db/ledger",
  "mysql://u:tr0ub4dor@db/ledger",
]) {
  test(`${text} is refused, without showing the password`, () => {
    assert.throws(
      () => EngineUrl.parse(text),
      (thrown: unknown) =>
        thrown instanceof EngineUrlProblem &&
        !/tr0ub|4dor/.test(`${thrown.stack}${thrown.message}`),
    );
  });
}

for (const query of ["sslrootcert=ca.pem", "sslmode=require&sslrootcert=ca.pem"]) {
  test(`an authority that would verify nothing is refused: ${query}`, () => {
    assert.throws(() => EngineUrl.parse(`postgres://u@h/d?${query}`), /give sslmode=verify-full/);
  });
}

test("the password is that of the URL, the file, or the environment, in this order", () => {
  writeFileSync(file, "of the file\n");
  const passwordOf = (text: string, named: string, environment: string | undefined) =>
    EngineUrl.parse(text).withPassword({ file: named, environment }).partsWithPassword().password;
  assert.equal(passwordOf("postgres://u:url@h/d", "", "environment"), "url");
  assert.equal(passwordOf("postgres://u@h/d", file, "environment"), "of the file");
  assert.equal(passwordOf("postgres://u@h/d", "", "environment"), "environment");
  assert.equal(passwordOf("postgres://u@h/d", "", undefined), undefined);
  assert.throws(() => passwordOf("postgres://u:url@h/d", file, undefined), /give one of them/);
  assert.throws(
    () => passwordOf("postgres://u@h/d", join(folder, "no"), undefined),
    /is not there/,
  );
  writeFileSync(file, "two\nlines\n");
  assert.throws(() => passwordOf("postgres://u@h/d", file, undefined), /on one line/);
});

test("messages lose the passwords of URLs", () => {
  assert.equal(
    withoutPasswords("Unexpected argument 'postgres://u:a b/c@d@h1,h2/x'"),
    "Unexpected argument 'postgres://u:***@h1,h2/x'",
  );
});
