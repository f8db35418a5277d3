import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { test } from "node:test";
import {
  type Address,
  type AnyOperation,
  type Block,
  type Signer as DescribedSigner,
  type LedgerOperation,
  mrc010Auction,
  mrc010Auctionfinish,
  mrc010Sell,
  operationText,
  signedStrings,
  type Texts,
  tokenBurn,
  tokenCreate,
  tokenIncrease,
  tokenSave,
  tokenUpdate,
} from "@moneta/protocol";
import { InvalidBlock } from "./chain/invalid-block.ts";
import { VerifyingKey } from "./chain/signature-check.ts";
import type { SignatureClaim } from "./replay.ts";
import { operationOf, replay, T, TestLedger } from "./testing/test-ledger.ts";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const KEY_BODY = publicKey.export({ type: "spki", format: "der" }).toString("base64");

/** Makes operations of one address, signed for real. */
class Signer {
  readonly ledger: TestLedger;
  readonly address: Address;
  readonly #key: KeyObject = privateKey;

  constructor(ledger: TestLedger, address: Address = ledger.treasury) {
    this.ledger = ledger;
    this.address = address;
  }

  /** What has been `decided` is what was signed, unless another value is given. */
  operation(
    description: AnyOperation,
    sent: Texts,
    {
      decided = {},
      signedFor = decided,
    }: { readonly decided?: Texts; readonly signedFor?: Texts } = {},
  ): LedgerOperation {
    const signer = description.signers[0] as DescribedSigner;
    const params = {
      [signer.temporaryKey]: this.ledger.key(this.address),
      ...sent,
      signature: "MEQ=",
    };
    const text = operationOf(description, params, this.address, decided);
    const operation = JSON.parse(text) as LedgerOperation;
    const ledgerId = (this.ledger.blocks[0] as Block).id;
    const implied = { ledgerId, actor: this.address, decided: signedFor };
    const [signed = ""] = signedStrings(signer, operation.params, implied);
    const signature = sign("sha256", Buffer.from(signed), this.#key).toString("base64");
    return { ...operation, signatures: { signature } };
  }

  save(name: string, more: Texts = {}): LedgerOperation {
    const draft = { owner: this.address, symbol: "S", name, totalsupply: "100", ...more };
    return this.operation(tokenSave, draft);
  }

  create(name: string, signedFor = name): LedgerOperation {
    const names = { decided: { name }, signedFor: { name: signedFor } };
    return this.operation(tokenCreate, {}, names);
  }

  update(sent: Texts, decided: Texts = {}, signedFor: Texts = decided): LedgerOperation {
    const texts = { url: "https://x/", info: "i", image: "ipfs://x", ...sent };
    return this.operation(tokenUpdate, texts, { decided, signedFor });
  }

  /** Executes operations that nothing refuses, one block. */
  done(...operations: readonly LedgerOperation[]): Promise<string[]> {
    return this.ledger.done(...operations.map(operationText));
  }
}

/**
 * A ledger on which one address owns tokens 1 and 2 and has a draft, and another one owns token 3
 * and has a draft.
 */
async function begin(): Promise<{
  readonly ledger: TestLedger;
  readonly owner: Signer;
  readonly other: Signer;
}> {
  const ledger = await TestLedger.begin({ publicKey: KEY_BODY });
  const created = ledger.drawAddress();
  await ledger.done(ledger.addressOperation(created, { publickey: KEY_BODY }));
  const owner = new Signer(ledger);
  const other = new Signer(ledger, created);
  await owner.done(owner.save("Stale"));
  ledger.now += 3600;
  await owner.done(owner.save("A"), owner.save("B"), owner.save("C"));
  await owner.done(other.save("D"), other.save("E"));
  await owner.done(owner.create("A"), owner.create("B"), other.create("D"));
  return { ledger, owner, other };
}

/** Every signature that the blocks claim, whether it fits, and what it should be of. */
function claimsOf(
  ledger: TestLedger,
): readonly (Pick<SignatureClaim, "height" | "position" | "signedTexts"> & { fits: boolean })[] {
  const claims: SignatureClaim[] = [];
  replay(ledger.blocks, (claim) => claims.push(claim)).database.close();
  return claims.map(({ height, position, publicKey: body, signedTexts, signature }) => {
    const verdict = new VerifyingKey(body).check(signedTexts, signature);
    return { height, position, signedTexts, fits: typeof verdict === "number" };
  });
}

/** The claims of the newest block. */
function newestClaims(ledger: TestLedger): { signedTexts: readonly string[]; fits: boolean }[] {
  return claimsOf(ledger)
    .filter(({ height }) => height === ledger.ledger.head.height)
    .map(({ signedTexts, fits }) => ({ signedTexts, fits }));
}

test("chain §6.5: signatures over what was decided fit, and blocks with them are replayed", async () => {
  const { ledger, owner } = await begin();
  using _ = ledger;
  await owner.done(owner.update({}, { token: "2" }), owner.update({ token: "1" }));
  const claims = claimsOf(ledger);
  assert.equal(claims.length, 11);
  assert(claims.every(({ fits }) => fits));
});

test("tokens §4, chain §6.5: a token that is created from another draft than the signature names is found", async () => {
  const { ledger, owner } = await begin();
  using _ = ledger;
  await owner.done(owner.save("X"), owner.save("Y"));
  const [honest, forged] = [owner.create("X"), owner.create("Y", "C")];
  await owner.done(honest, forged);
  assert.deepEqual(newestClaims(ledger), [
    { signedTexts: [`${owner.address}|X|${honest.params["tkey"]}`], fits: true },
    { signedTexts: [`${owner.address}|Y|${forged.params["tkey"]}`], fits: false },
  ]);
});

test("tokens §6, chain §6.5: an update of another token than the signature names is found", async () => {
  const { ledger, owner } = await begin();
  using _ = ledger;
  const honest = owner.update({}, { token: "1" });
  const forged = owner.update({ info: "j" }, { token: "2" }, { token: "1" });
  await owner.done(honest, forged);
  assert.deepEqual(newestClaims(ledger), [
    { signedTexts: [`1|https://x/|i|ipfs://x|${honest.params["tkey"]}`], fits: true },
    { signedTexts: [`2|https://x/|j|ipfs://x|${forged.params["tkey"]}`], fits: false },
  ]);
});

test("tokens §3: a save without token may have been signed with nothing or 0 in its place, one with token only as sent", async () => {
  const { ledger, owner } = await begin();
  using _ = ledger;
  const absent = owner.save("X");
  const zero = owner.save("Y", { token: "0" });
  const { token: _0, ...paramsWithout } = zero.params;
  const signedWithZero = { ...zero, params: paramsWithout };
  const tagged = owner.save("Z", { token: "new" });
  await owner.done(absent, signedWithZero, tagged);
  const string = ({ params }: LedgerOperation, token: string): string =>
    `${owner.address}|S|${token}|${params["name"]}||${params["Temporarykey"]}`;
  assert.deepEqual(newestClaims(ledger), [
    { signedTexts: [string(absent, ""), string(absent, "0")], fits: true },
    { signedTexts: [string(zero, ""), string(zero, "0")], fits: true },
    { signedTexts: [string(tagged, "new")], fits: true },
  ]);
});

/**
 * Replays the blocks of a ledger and one more, which holds an operation that no rule has let in;
 * says where that stops.
 */
function stopsAt(
  ledger: TestLedger,
  operation: LedgerOperation,
): { readonly height: number; readonly position: number | undefined } | undefined {
  const { header } = ledger.newestBlock;
  const forged: Block = {
    header: { ...header, sn: header.sn + 1, previous: ledger.newestBlock.id },
    id: "0".repeat(64),
    operations: [operationText(operation)],
  };
  try {
    replay([...ledger.blocks, forged]).database.close();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof InvalidBlock) {
      return { height: thrown.height - header.sn, position: thrown.position };
    }
    throw thrown;
  }
}

type Make = (owner: Signer, other: Signer) => LedgerOperation;

/** An operation with other members of `decided`. */
const deciding =
  (make: Make, decided: Texts): Make =>
  (owner, other) => ({ ...make(owner, other), decided });

const create: Make = (owner) => owner.create("C");
const update: Make = (owner) => owner.update({}, { token: "1" });
const updateNamed: Make = (owner) => owner.update({ token: "1" });
const sell: Make = (owner) =>
  owner.operation(mrc010Sell, {
    ...{ mrc010id: "1", address: owner.address, amount: "5", token: "0", price: "1" },
  });

for (const { what, make } of [
  { what: "a create that does not say of which draft", make: deciding(create, {}) },
  { what: "a create that says more", make: deciding(create, { name: "C", token: "4" }) },
  { what: "a create that says something else", make: deciding(create, { token: "4" }) },
  { what: "a create from no draft", make: deciding(create, { name: "Nothing" }) },
  { what: "a create from a draft that is a token by now", make: deciding(create, { name: "A" }) },
  { what: "a create from an old draft", make: deciding(create, { name: "Stale" }) },
  { what: "a create from another owner's draft", make: deciding(create, { name: "E" }) },
  { what: "an update without token that does not say of which", make: deciding(update, {}) },
  {
    what: "an update without token that says more",
    make: deciding(update, { token: "1", name: "A" }),
  },
  { what: "an update with token that says it again", make: deciding(updateNamed, { token: "1" }) },
  { what: "an update with token that says another", make: deciding(updateNamed, { token: "2" }) },
  { what: "an update of another owner's token", make: deciding(update, { token: "3" }) },
  { what: "an update of the native coin", make: deciding(update, { token: "0" }) },
  { what: "an update of no token", make: deciding(update, { token: "4" }) },
  { what: "an update of a token in other words", make: deciding(update, { token: "01" }) },
  {
    what: "an update that names another owner's token",
    make: (owner) => owner.update({ token: "3" }),
  },
  { what: "a save that decides", make: deciding((owner) => owner.save("X"), { name: "X" }) },
  {
    what: "a burn that decides",
    make: deciding((owner) => owner.operation(tokenBurn, { token: "1", amount: "1" }), {
      token: "1",
    }),
  },
  { what: "a sale that decides", make: deciding(sell, { dexid: "x" }) },
  {
    what: "an increase by another address",
    make: (_, other) => other.operation(tokenIncrease, { token: "1", amount: "1" }),
  },
  {
    what: "an increase by the owner with a key of another address",
    make: (owner, other) =>
      owner.operation(tokenIncrease, {
        ...{ token: "1", amount: "1", tkey: other.ledger.key(other.address) },
      }),
  },
  {
    what: "a sale by another address than it names",
    make: (owner, other) => ({ ...sell(owner, other), actor: other.address }),
  },
] satisfies readonly { readonly what: string; readonly make: Make }[]) {
  test(`chain §4.1, §6.4: ${what} makes the block invalid, and the transaction is named`, async () => {
    const { ledger, owner, other } = await begin();
    using _ = ledger;
    assert.deepEqual(stopsAt(ledger, make(owner, other)), { height: 1, position: 0 });
  });
}

for (const { what, make } of [
  { what: "create", make: create },
  { what: "update without token", make: update },
  { what: "update with token", make: updateNamed },
  { what: "sale", make: sell },
]) {
  test(`an honest ${what} is missed nothing but the header`, async () => {
    const { ledger, owner, other } = await begin();
    using _ = ledger;
    assert.deepEqual(stopsAt(ledger, make(owner, other)), { height: 1, position: undefined });
  });
}

test("tokens §12: an auctionfinish is unsigned, and one that is signed, too early or has an actor makes the block invalid", async () => {
  const { ledger, owner } = await begin();
  using _ = ledger;
  const end = T + 3600 + 5000;
  const terms = { mrc010id: "1", address: owner.address, amount: "5", token: "0" };
  const dates = { auction_start_price: "1", auction_end_date: String(end) };
  const auction = owner.operation(mrc010Auction, { ...terms, ...dates });
  const [id] = await owner.done(auction);
  const dexid = ledger.record(id as string).parameters[0] as string;
  const finish = JSON.parse(operationOf(mrc010Auctionfinish, { dexid }, "")) as LedgerOperation;
  assert.deepEqual(stopsAt(ledger, finish), { height: 1, position: 0 }, "it is still running");

  ledger.now = end;
  await owner.done(owner.update({ token: "1" }));
  for (const forged of [
    { ...finish, actor: owner.address },
    { ...finish, signatures: { signature: "MEQ=" } },
    { ...finish, decided: { dexid } },
    { ...finish, params: { dexid, tkey: ledger.key(owner.address) } },
  ]) {
    assert.deepEqual(stopsAt(ledger, forged), { height: 1, position: 0 });
  }
  await owner.done(finish);
  assert.deepEqual(newestClaims(ledger), []);
  assert.deepEqual(stopsAt(ledger, finish), { height: 1, position: 0 }, "once only");
});
