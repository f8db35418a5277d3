import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { TestClient } from "../../testing/test-client.ts";
import { createToken } from "../../testing/trade/creations.ts";

let client: TestClient;
let o: Address;
let a: Address;
let token: string;
beforeEach(async () => {
  client = await TestClient.open();
  ({ o, a } = await client.people(["o", "a"]));
  token = await createToken(client, o);
});
afterEach(() => client[Symbol.dispose]());

const USUAL = {
  url: "https://gold.example/",
  info: "Gold in a vault",
  image: "https://gold.example/bar.png",
};

function updating({ signedFor, ...change }: Params & { signedFor?: string } = {}): Promise<Answer> {
  return signedFor === undefined
    ? client.send("tokenupdate", o, { ...USUAL, token, ...change })
    : client.send("tokenupdate", o, { ...USUAL, ...change }, { decided: { token: signedFor } });
}

function assertUpdated(id: string, { url, info, image } = USUAL): void {
  client.assertEntry(id, { url, information: info, image });
}

for (const isNamed of [true, false]) {
  for (const form of [{}, { signed: "full" }]) {
    test(`tokens §6: an update ${isNamed ? "with" : "without"} token, ${form.signed ?? "short"} signature: texts and record`, async () => {
      const earlier = client.entry(token);
      const { record } = await updating({ ...form, ...(isNamed ? {} : { signedFor: token }) });
      assert.equal(record.parameters[0], token);
      const { url, info: information, image } = USUAL;
      assert.deepEqual(client.entry(token), { ...earlier, url, information, image });
    });
  }
}

test("tokens §6: without token the signature says which of the owner's tokens is meant", async () => {
  await createToken(client, a);
  const second = await createToken(client, o);
  await createToken(client, o);
  assert.equal((await updating({ signedFor: second })).summary, "done");
  assertUpdated(second);
  assertUpdated(token, { url: "", info: "", image: "" });
});

test("tokens §6: a full signature without token fits each of them: the first in order of ids changes", async () => {
  await createToken(client, o);
  await client.done("tokenupdate", o, { ...USUAL, signed: "full" });
  assertUpdated(token);
});

test("tokens §6: with the stored url, info and image: 4900; one that differs is enough", async () => {
  assert.equal((await updating()).summary, "done");
  assert.equal((await updating()).code, "400 4900");
  assert.equal((await updating({ signedFor: token })).code, "400 4900");
  for (const change of [{ url: "https://b.example/" }, { info: "b" }, { image: "ipfs://b" }]) {
    assert.equal((await updating(change)).summary, "done");
    assert.equal((await updating()).summary, "done");
  }
});

test("tokens §6: an empty image keeps the stored one, an empty url clears it", async () => {
  const stored = { url: "https://b.example/", image: "ipfs://b" };
  assert.equal((await updating({ ...stored, info: "b" })).summary, "done");
  assert.equal((await updating({ ...stored, info: "b", image: "" })).code, "400 4900");
  assert.equal((await updating({ ...stored, info: "c", image: "" })).summary, "done");
  assertUpdated(token, { ...stored, info: "c" });
  assert.equal((await updating({ ...stored, info: "c", url: "" })).summary, "done");
  assertUpdated(token, { ...stored, info: "c", url: "" });
});

for (const name of ["info", "signature"]) {
  test(`tokens §6: an update without ${name}: 1000`, async () => {
    assert.equal((await updating({ [name]: "" })).summary, `400 1000 ${name}`);
  });
}

test("tokens §6: update with token refuses in the order of its checks", async () => {
  const wrong = { token: "x", url: "x", info: "\u0000", image: "x" };
  await client.done("tokenupdate", o, { ...USUAL, token });
  await client.mending("tokenupdate", { by: o, stranger: a }, [
    [{ token: "x", url: "x", info: "", image: "x", signature: "" }, "400 1000 info"],
    [{ info: "\u0000" }, "400 1000 signature"],
    [{ ...wrong, signature: "MEQ=" }, "400 1101 token"],
    [{ token: "999999" }, "400 3005 url"],
    [{ url: USUAL.url }, "400 1006 info"],
    [{ info: USUAL.info }, "400 3005 image"],
    [{ image: USUAL.image }, "404 4001 token"],
    [{ token: "0" }, "403 7001"],
    [{ token }, "key"],
    [{}, "400 4900"],
    [{ info: "new" }, "done"],
  ]);
});

test("tokens §6: update without token refuses in the order of its checks", async () => {
  const foreign = await createToken(client, a);
  const sending = async (change: Params, by = o, decided = token): Promise<string> =>
    (await client.send("tokenupdate", by, { ...USUAL, ...change }, { decided: { token: decided } }))
      .code;
  const expired = client.ledger.key(o);
  client.now += 601;
  const { b: tokenless } = await client.people(["b"]);
  assert.equal(await sending({ url: "x", tkey: "unknown" }), "400 3005");
  assert.equal(await sending({ tkey: "unknown" }), "401 2020");
  assert.equal(await sending({ tkey: expired }), "401 2020");
  assert.equal(await sending({}, tokenless), "404 4001");
  assert.equal(await sending({ tkey: client.ledger.key(o) }, a), "401 2010");
  for (const other of [foreign, "0", "", "999999"]) {
    assert.equal(await sending({}, o, other), "401 2010", other);
  }
  const tkey = client.ledger.key(o);
  assert.equal(await sending({ tkey }), "done");
  assert.equal(await sending({ tkey, info: "other" }), "409 2021");
});

test("tokens §6: with more than 64 tokens the owner has to say which", async () => {
  for (let count = 1; count < 63; count += 1) {
    await createToken(client, o);
  }
  const last = await createToken(client, o);
  const first = await updating({ signedFor: last });
  assertUpdated(last);
  const more = await createToken(client, o);
  const tkey = client.ledger.key(o);
  for (const signedFor of [token, more]) {
    assert.equal((await updating({ signedFor, tkey })).summary, "400 1000 token");
  }
  assert.equal((await updating({ token: more, tkey })).summary, "done");
  assertUpdated(more);
  const again = await updating({ signedFor: last, tkey: first.tkey });
  assert.deepEqual([again.summary, again.id], ["repeat", first.id]);
});

test("conventions §5.3: one key for two tokens updates one; a repeat is found when nothing would change any more", async () => {
  const second = await createToken(client, o);
  const first = await updating({ signedFor: token });
  const { tkey } = first;
  assert.equal((await updating({ signedFor: second, tkey })).summary, "409 2021 tkey");
  assertUpdated(second, { url: "", info: "", image: "" });
  assert.equal((await updating({ info: "later" })).summary, "done");
  const again = await updating({ signedFor: token, tkey });
  assert.deepEqual([again.summary, again.id], ["repeat", first.id]);
  assertUpdated(token, { ...USUAL, info: "later" });
});
