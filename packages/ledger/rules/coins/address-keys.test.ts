import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import {
  KEY_SET,
  KEY_USE,
  type KeySetEntry,
  NO_RECOVERY,
  NOTHING_PENDING,
} from "../../state/key-set-entry.ts";
import { checkCatalogue, typesOf } from "../../testing/catalogue.ts";
import { TestClient } from "../../testing/test-client.ts";
import { TestLedger } from "../../testing/test-ledger.ts";

const DAY = 86_400;
const PROOF = { proof: "MAYCAQECAQE=" };

/** Base64 of a new key. */
function newKey(): string {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  return publicKey.export({ type: "spki", format: "der" }).toString("base64");
}

const [A, B, C] = [newKey(), newKey(), newKey()] as const;
const RECOVERY = {
  ...{ recoverykeys: [{ publickey: C }], recoverythreshold: "1" },
  recoverydelay: String(7 * DAY),
};

function keySet(client: TestClient, address: Address): KeySetEntry | undefined {
  return client.ledger.ledger.state.find(KEY_SET, address);
}

test("authority §1.3: a change replaces the whole set; its record shows it; versions rise by one", async () => {
  using client = await TestClient.open();
  const { s } = await client.people(["s"], { coins: 10n });
  const keys = [{ publickey: A, weight: "2" }, { publickey: B }];
  const sent = { address: s, keys, threshold: "2", version: "1", ...PROOF };
  const answer = await client.done("addresskeys", s, { ...sent, ...RECOVERY });
  const shown = {
    ...{ version: 1, threshold: 2, grantsfrom: 1, recoverythreshold: 1, recoverydelay: 7 * DAY },
    keys: [
      { publickey: A, kind: "raw", weight: 2 },
      { publickey: B, kind: "raw", weight: 1 },
    ],
    recoverykeys: [{ publickey: C, kind: "raw", weight: 1 }],
  };
  assert.deepEqual(answer.record, {
    ...{ type: "NewKeys", address: s, token: 0, effects: [] },
    parameters: [s, "1", answer.signature, answer.tkey],
    values: shown,
  });
  const again = await client.send("addresskeys", s, sent);
  assert.equal(again.summary, "409 7140 version");
  const without = { ...sent, version: "2", keys: [{ publickey: B }], threshold: "1" };
  await client.done("addresskeys", s, without);
  const isUsed = (publickey: string): boolean =>
    client.ledger.ledger.state.find(KEY_USE, `${s}/${publickey}`) !== undefined;
  assert.deepEqual([A, B].map(isUsed), [false, true], "no search finds a key that was replaced");
  client.ledger.restart();
  const { keys: kept, recoverykeys } = keySet(client, s) as KeySetEntry;
  assert.deepEqual([kept.length, recoverykeys], [1, []]);
  checkCatalogue(client.ledger);
});

test("authority §4: recovery begins, begins anew, is cancelled, and is finished by anybody after its delay", async () => {
  using client = await TestClient.open();
  const { s } = await client.people(["s"], { coins: 10n });
  const first = { address: s, keys: [{ publickey: A }], threshold: "1", version: "1", ...PROOF };
  await client.done("addresskeys", s, { ...first, ...RECOVERY });
  const recover = { ...first, version: "2", keys: [{ publickey: B }] };
  const finish = (): Promise<{ readonly summary: string }> =>
    client.send("addressrecoverfinish", "", { address: s });
  assert.equal((await finish()).summary, "409 7141 address");
  assert.equal(
    (await client.send("addressrecovercancel", s, { address: s })).summary,
    "409 7141 address",
  );
  assert.equal(
    (await client.send("addressrecover", s, { ...recover, version: "3" })).summary,
    "409 7140 version",
  );
  await client.done("addressrecover", s, recover);
  assert.equal((await client.send("addressrecover", s, recover)).summary, "409 7142 keys");
  client.now += 6 * DAY;
  // Another set begins the delay anew.
  await client.done("addressrecover", s, {
    ...recover,
    keys: [{ publickey: A }, { publickey: B }],
  });
  client.now += 6 * DAY;
  assert.equal((await finish()).summary, "409 7201 address");
  const both = { ...recover, keys: [{ publickey: A }, { publickey: B }] };
  await client.done("addressrecover", s, { ...both, threshold: "2" });
  client.now += 2 * DAY;
  assert.equal((await finish()).summary, "409 7201 address", "so does another threshold");
  await client.done("addressrecovercancel", s, { address: s });
  assert.equal(keySet(client, s)?.pendingdue, 0);
  await client.done("addressrecover", s, recover);
  client.now += 7 * DAY;
  assert.equal((await finish()).summary, "done");
  const { version, grantsfrom, keys, recoverykeys, pendingkeys } = keySet(client, s) as KeySetEntry;
  assert.deepEqual(
    {
      ...{ version, grantsfrom },
      keys: keys.map(({ publickey }) => publickey),
      recoverykeys: recoverykeys.length,
      pendingkeys,
    },
    { version: 2, grantsfrom: 2, keys: [B], recoverykeys: 1, pendingkeys: [] },
  );
  const types = checkCatalogue(client.ledger);
  assert.deepEqual(
    [...typesOf("authority")].filter((type) => !types.has(type)),
    [],
  );
});

test("authority §4.3: a change of keys ends a recovery", async () => {
  using client = await TestClient.open();
  const { s } = await client.people(["s"], { coins: 10n });
  const first = { address: s, keys: [{ publickey: A }], threshold: "1", version: "1", ...PROOF };
  await client.done("addresskeys", s, { ...first, ...RECOVERY });
  await client.done("addressrecover", s, { ...first, version: "2", keys: [{ publickey: B }] });
  await client.done("addresskeys", s, { ...first, version: "2", ...RECOVERY });
  assert.equal(keySet(client, s)?.pendingdue, 0);
});

test("authority §1.5: an address whose key is a passkey has a set of version 0", async () => {
  using client = await TestClient.open();
  const passkey = { publickey: A, kind: "webauthn", rpid: "wallet.example", verified: "false" };
  const answer = await client.done("address", "", passkey);
  const address = answer.record.address as Address;
  assert.deepEqual(keySet(client, address)?.keys, [
    {
      ...{ publickey: A, kind: "webauthn", weight: 1, rpid: "wallet.example" },
      ...{ origins: ["https://wallet.example"], verified: false },
    },
  ]);
  const wrong = await client.send("address", "", { publickey: A, rpid: "wallet.example" });
  assert.equal(wrong.summary, "400 3005 rpid");
  const missing = await client.send("address", "", { publickey: A, kind: "webauthn" });
  assert.equal(missing.summary, "400 3005 rpid");
});

test("authority §1.4: operations that change keys are refused in groups and bundles", async () => {
  using client = await TestClient.open();
  const { s } = await client.people(["s"], { coins: 10n });
  const sent = { address: s, keys: [{ publickey: A }], threshold: "1", version: "1", tkey: "x" };
  const body = { actor: s, tkey: "x", operations: [{ operation: "addresskeys", ...sent }] };
  const bundle = await client.send("bundle", s, { body: JSON.stringify(body) });
  assert.equal(bundle.code, "400 3005");
});

test("authority §1.7: a set that an undone block had is forgotten, though another change has its count", async () => {
  using ledger = await TestLedger.begin();
  const [p, q] = (await ledger.createAddresses(2)) as [Address, Address];
  const put = (address: Address): void => {
    const { state } = ledger.reader;
    state.beginOperation(0);
    const keys = [{ publickey: A, kind: "raw", weight: 1 }] as const;
    const entry = { ...NO_RECOVERY, ...NOTHING_PENDING, version: 1, threshold: 1, grantsfrom: 0 };
    state.putKeySet({ ...entry, address, keys });
    state.acceptOperation();
  };
  const versions = (): readonly (number | undefined)[] =>
    [p, q].map((address) => ledger.reader.state.keySet(address)?.version);
  ledger.reading(() => {
    put(p);
    assert.deepEqual(versions(), [1, undefined]);
    ledger.reader.state.undoBlock();
    put(q);
    assert.deepEqual(versions(), [undefined, 1]);
    ledger.reader.state.undoBlock();
    assert.deepEqual(versions(), [undefined, undefined]);
  });
});

const EXAMPLES = readFileSync(
  new URL("../../../../docs/specification/authority.md", import.meta.url),
  "utf8",
).matchAll(/^## (.*?)\n[\s\S]*?^```example\n([^`]*)^```/gm);

let examples = 0;
for (const [, title, text = ""] of EXAMPLES) {
  examples += 1;
  test(`authority §${title}: the example`, async () => {
    using client = await TestClient.open();
    const people = await client.people(["a", "b", "c"], { coins: 10n });
    const { a } = people;
    const keys: Readonly<Record<string, string>> = { K1: A, K2: B, K3: C };
    let granted = "";
    /** A value as it is sent: people, keys, times and the last grant by their short names. */
    const sentValue = (value: string): string | object => {
      const [, list] = /^\[(K.*)\]$/.exec(value) ?? [];
      if (list !== undefined) {
        return list.split(",").map((name) => ({ publickey: keys[name] }));
      }
      const [, seconds] = /^now\+(\d+)$/.exec(value) ?? [];
      const named = (each: string): string =>
        (people as Readonly<Record<string, string>>)[each] ?? keys[each] ?? each;
      return seconds !== undefined
        ? String(client.now + Number(seconds))
        : value === "G"
          ? granted
          : named(value).replaceAll(/"([abc])"/g, (_, each: string) => `"${named(each)}"`);
    };
    for (const line of text.trim().split("\n")) {
      const [, seconds] = /^now\+(\d+)$/.exec(line) ?? [];
      if (seconds !== undefined) {
        client.now += Number(seconds);
        continue;
      }
      const [, by, op = "", sent = "", result] = /^(\w+): (\w+) (.*) -> (.*)$/.exec(line) ?? [];
      const params = sent.split(" ").map((each): [string, string | object] => {
        const [name = "", value = ""] = each.split("=");
        return [name, sentValue(value)];
      });
      const proof = sent.includes("keys=") ? PROOF : {};
      const all = { ...Object.fromEntries(params), ...proof };
      const answer = await client.send(op, by === "nobody" ? "" : a, all);
      assert.equal(answer.summary, result, line);
      granted = op === "grant" ? (answer.record.parameters[1] as string) : granted;
    }
  });
}

test("authority: three sections have an example", () => {
  assert.equal(examples, 3);
});
