import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import { sha256 } from "@moneta/ledger";
import { cursorText, keyhashText } from "@moneta/protocol";
import { type GroupMember, signedGroup } from "../requests/batch-requests.ts";
import { signedExchange } from "../requests/exchange-requests.ts";
import { type KeyHolder, type Params, parsed, type TestNode } from "../test-node.ts";
import type { Story } from "./example-story.ts";

const DAY_SECONDS = 86_400;

// Names in the examples.
const ALICE = "MTAlice00000000000000000000000005dc33c90";
const BOB = "MTBob0000000000000000000000000005f59bcba";
/** In no example, but its key signs one. */
const OPERATOR = "the operator";
const MARKET = "MTMarket00000000000000000000000098bfe971";
const GOLD = "7";
const SILVER = "12";
const ORDER = "MRC040_05c5d23e7dfb1fd779c58091dda52bffc";
const TRADE = "TRD040_af8e773a70ead8169f4936d3e0e5daa07";
const SEAL = `MRC020_${ALICE}_letter`;
const KEYHASH = "9a31e97284d518b148a9c27f501272014cc5755c361208f0e66581c63e250c1f";
const REFERENCE = "letter";
const LISTING = "DEX010_3f0c5a24d7f03d8dc3c3666969e6fa5bb";
const BLOCK = "258";
const BLOCK_ID = "fbd75e5549e796003288b70707d54e5bb1a7e782189942fbe6c4cd085e11ee52";
const TRANSACTION = "00000000000001020000000062838ec1189d0b649eba4bbbac485d6e94fb6834";
const SIZE = "1001";
const EARLIER_SIZE = "1000";
const PROJECT = "MRC400_c7735425f08d740230c98da57e9977dfc";
const SWORD_NUMBER = "Sword00000000000000000000000000000000001";
const SHIELD_NUMBER = "Shield0000000000000000000000000000000001";
const POTION_NUMBER = "Potion0000000000000000000000000000000001";
const ARROW_NUMBER = "Arrow00000000000000000000000000000000001";
const PRINT = "MRC402_5f1c2b8e4a7d903c6e5b4a3f2d1c0b9a8";
const TEMPORARY_KEY = "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX";
const SIGNATURE =
  "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==";
const GROUP = "4d12db3fd7b41a3242c93f44bfb3258af17bd25a685b789a3f8070d1b3989a11";
const OFFER = "OFF401_2d1f9f4b1f3f6a7bb08f2e5f8a6f2b1c7";
const UNIT_OFFER = "OFF402_8c0f6e2a94d7b3158a6cd20f41e9b7d35";
const GRANT = "GRT_4be1d2f0a95c8e7736d0b1f2c49a5e860";
const UNIT_LISTING = "DEX402_9b0d6c1f83e2a5470c4de98f1b37a2650";

/**
 * Sends every example of the document, in an order in which each is accepted: creation before use.
 * They are the scenes of the request matrix.
 */
export async function sendAllExamples(story: Story, node: TestNode): Promise<void> {
  await sendAddressExamples(story, node);
  await sendGrantExamples(story);
  await sendProofExamples(story, node);
  await sendTokenExamples(story, node);
  await sendListingExamples(story);
  await sendGroupExamples(story, node);
  await story.send("POST /bundle", { by: ALICE });
  await sendAuctionExamples(story, node);
  await sendItemExamples(story);
  await sendItemAuctionExamples(story, node);
  await sendUnitExamples(story);
  await sendUnitListExamples(story);
  await sendUnitSaleExamples(story);
  await sendUnitAuctionExamples(story, node);
  await sendItemOfferExamples(story, node);
  await sendUnitOfferExamples(story, node);
  await sendSealExamples(story, node);
  story.addHolder(OPERATOR, node.operator);
  await story.send("POST /protocol", { by: OPERATOR });
  await sendKeyExamples(story, node);
}

async function sendGrantExamples(story: Story): Promise<void> {
  const { grantid } = parsed<{ grantid: string }>(await story.send("POST /grant", { by: ALICE }));
  story.realNames.set(GRANT, grantid);
  await story.send("GET /grant/{grantid}");
  await story.send("POST /grant", { by: ALICE });
  await story.send("POST /grant", { by: ALICE });
  await sendPages(story, "GET /grants");
  await story.send("POST /grant/end/{grantid}", { by: ALICE });
}

/** Alice's keys change, and she recovers them: her first key is the one that recovers. */
async function sendKeyExamples(story: Story, node: TestNode): Promise<void> {
  const first = story.holderOf(ALICE);
  const [{ publickey }] = story.exampleOf("POST /address/keys/{address}", "keys") as readonly [
    { readonly publickey: string },
  ];
  const proof = privateKeyOf(
    `-----BEGIN PUBLIC KEY-----\n${publickey}\n-----END PUBLIC KEY-----\n`,
    "2",
  );
  const second = { ...first, privateKey: proof };
  await story.send("POST /address/keys/{address}", { by: ALICE, form: "no recovery", proof });
  story.addHolder(ALICE, second);
  await story.send("POST /address/keys/{address}", { by: ALICE, proof });
  story.addHolder(ALICE, first);
  await story.send("POST /address/recover/{address}", { by: ALICE, proof });
  await sendAddressesOfKey(story);
  story.addHolder(ALICE, second);
  await story.send("POST /address/recover/cancel/{address}", { by: ALICE });
  story.addHolder(ALICE, first);
  await story.send("POST /address/recover/{address}", { by: ALICE, proof });
  node.now += 7 * DAY_SECONDS;
  await story.send("POST /address/recover/finish/{address}");
  await story.send("POST /address", { form: "passkey" });
}

async function sendAddressExamples(story: Story, node: TestNode): Promise<void> {
  await story.send("GET /");
  const privateKey = privateKeyOne(`${story.exampleOf("POST /address", "publickey")}`);
  const alice = { address: (await story.send("POST /address")).text, privateKey };
  story.addHolder(ALICE, alice);
  await story.send("POST /address"); // so that there is one after Alice's
  await story.send("POST /batch");
  await story.send("POST /address/bykey");
  await story.send("GET /address/{address}");
  story.addHolder(BOB, await node.holder({ coins: 1_000n }));
  story.addHolder(MARKET, await node.holder());
  await story.send("POST /faucet");

  for (const route of ["GET /nonce/{address}", "GET /getkey/{kind}/{address}"]) {
    await story.send(route);
    await story.send(route, { without: ["count"] });
  }

  await story.send("POST /transfer", { by: ALICE });
  await story.send("GET /balance/{address}/{token}");
  await story.send("POST /multitransfer", { by: ALICE });

  // The specification's block and transaction, as in the examples.
  const plain = await story.send("POST /transfer", {
    by: ALICE,
    without: ["tags", "unlockdate", "signed"],
  });
  story.realNames.set(TRANSACTION, parsed<{ transaction_id: string }>(plain).transaction_id);
  story.realNames.set(BLOCK, (await story.send("GET /block")).text);
  const block = await story.send("GET /block/{block}");
  story.realNames.set(BLOCK_ID, parsed<{ id: string }>(block).id);
  await story.send("GET /block/{block}/raw");
  await sendPages(story, "GET /blocks");
  await story.send("GET /blocks/raw");
  await story.send("GET /transaction/{transaction_id}");
  await story.send("GET /events");
  await story.send("POST /transfer", { by: ALICE });
  await sendPages(story, "GET /transactions");
  await story.send("GET /totals");
  await story.send("GET /totals", { without: ["step", "since", "until"] });
  await story.send("GET /totals", { form: "day" });
  await story.send("GET /transactions", { form: "block" });
  await sendPages(story, "GET /address/{address}/transactions");
}

async function sendProofExamples(story: Story, node: TestNode): Promise<void> {
  const size = (await node.get("/checkpoint")).text.split("\n")[1] ?? "";
  story.realNames.set(SIZE, size);
  story.realNames.set(EARLIER_SIZE, String(Number(size) - 1));
  await story.send("GET /checkpoint");
  await story.send("GET /tlog/checkpoint");
  await story.send("GET /checkpoint/key");
  await story.send("GET /checkpoint/consistency");
  await story.send("GET /checkpoint/consistency", { without: ["to"] });
  await story.send("GET /transaction/{transaction_id}/proof");
  await story.send("GET /transaction/{transaction_id}/proof", { without: ["size"] });
  await story.send("GET /tlog/tile/{level}/{tile}");
  await story.send("GET /tlog/tile/entries/{tile}");
  // Elsewhere these are amounts.
  story.realNames.delete(SIZE);
  story.realNames.delete(EARLIER_SIZE);
}

async function sendTokenExamples(story: Story, node: TestNode): Promise<void> {
  // More than two pages have.
  await createToken(story);
  await createToken(story);
  await createToken(story);
  await sendPages(story, "GET /tokens");
  await story.send("GET /search");
  await story.send("GET /search", { without: ["kind", "limit"] });
  await sendPages(story, "GET /token/holders/{token}");
  await story.send("GET /token/holders/{token}", { form: "largest" });
  await story.send("GET /token/{token}");
  await story.send("GET /token/{token}/image");
  await story.send("PUT /token/burn/{tkey}", { by: ALICE });
  await story.send("PUT /token/increase/{tkey}", { by: ALICE });
  await story.send("PUT /token/update/{tkey}", { by: ALICE });
  await story.send("GET /totalsupply/{token}");
  await sendPairExamples(story, node);
  await story.send("GET /balance/{address}");
}

async function sendPairExamples(story: Story, node: TestNode): Promise<void> {
  story.realNames.set(SILVER, story.real(GOLD));
  await createToken(story);
  const pair = "{tkey}/{token}/{baseToken}";
  await story.send(`POST /tokenUpdate/TokenBase/${pair}`, { by: ALICE, signed: { owner: ALICE } });
  const target = "{tkey}/{token}/{targetToken}";
  await story.send(`POST /tokenUpdate/TokenTargetAdd/${target}`, { by: ALICE });
  await sendOrderExamples(story, node);
  await sendExchanges(story, node);
  await story.send(`POST /tokenUpdate/TokenTargetRemove/${target}`, { by: ALICE });
}

/** Both sign the example's offers; each example is sent once. */
async function sendExchanges(story: Story, node: TestNode): Promise<void> {
  const [from, to] = [story.holderOf(ALICE), story.holderOf(BOB)];
  for (const route of ["POST /exchange", "POST /exchange/{fromTkey}/{toTkey}"]) {
    for (let time = 0; time < 2; time++) {
      const names = story.parametersOf(route);
      const example = Object.fromEntries(
        names.flatMap((name) => {
          const example = story.exampleOf(route, name);
          return example === undefined ? [] : [[name, `${example}`]];
        }),
      );
      const {
        fromSign = "",
        toSign = "",
        signed = "",
        fromTkey = "",
        toTkey = "",
        ...terms
      } = example;
      story.realNames.set(fromTkey, await node.key(from));
      story.realNames.set(toTkey, await node.key(to));
      const sent = Object.fromEntries(
        Object.entries({ ...terms, fromTkey, toTkey }).map(([name, text]) => [
          name,
          story.real(text),
        ]),
      );
      const isFull = !story.signsShort && signed === "full";
      const request = signedExchange(node, sent, { from, to, isFull });
      story.realNames.set(fromSign, request["fromSign"] ?? "");
      story.realNames.set(toSign, request["toSign"] ?? "");
      await story.send(route);
      for (const text of [fromTkey, toTkey, fromSign, toSign]) {
        story.realNames.delete(text);
      }
    }
  }
}

async function sendOrderExamples(story: Story, node: TestNode): Promise<void> {
  const silver = { to: story.addressOf(BOB), token: story.real(SILVER), amount: "10000" };
  const payment = await node.transfer(story.holderOf(ALICE), silver);
  assert.equal((await node.post("/transfer", payment)).status, 200);
  for (let sales = 0; sales < 3; sales++) {
    const sale = await story.send("POST /mrc040/create/{tkey}", { by: ALICE });
    if (sales === 0) {
      story.realNames.set(ORDER, parsed<{ mrc040id: string }>(sale).mrc040id);
    }
  }
  await sendPages(story, "GET /mrc040/orders");
  for (let trades = 0; trades < 3; trades++) {
    const taken = await story.send("POST /mrc040/exchange/{tkey}", { by: BOB });
    story.realNames.set(TRADE, parsed<{ trades: { id: string }[] }>(taken).trades[0]?.id ?? "");
  }
  await story.send("POST /mrc040/request/{tkey}", { by: BOB });
  await sendPages(story, "GET /mrc040/trades");
  await story.send("GET /mrc040/trades/{id}");
  await story.send("GET /mrc040/{mrc040id}");
  await story.send("GET /mrc040/book/{basetoken}/{targettoken}", { form: "main" });
  await sendBookSide(story);
  await sendPendingOrders(story);
  await story.send("POST /mrc040/cancel/{tkey}", { by: ALICE });
}

/** Three letters of Alice, of which the last is opened. Keyhashes are for this ledger and for her. */
async function sendSealExamples(story: Story, node: TestNode): Promise<void> {
  const route = "POST /mrc020";
  const example = (name: string): string => `${story.exampleOf(route, name)}`;
  const opendate = String(node.now + DAY_SECONDS);
  story.realNames.set(example("opendate"), opendate);
  for (const referencekey of ["first", "second", "third"]) {
    const bound = {
      ...{ ledgerId: node.ledgerId, owner: story.addressOf(ALICE), referencekey, opendate },
      ...{ algorithm: example("algorithm"), data: example("data") },
      key: `${story.exampleOf("POST /mrc020/open/{mrc020key}", "key")}`,
    };
    story.realNames.set(REFERENCE, referencekey);
    story.realNames.set(KEYHASH, sha256.hex(keyhashText(bound)));
    const sealed = await story.send(route, { by: ALICE });
    story.realNames.set(SEAL, parsed<{ mrc020key: string }>(sealed).mrc020key);
  }
  await sendPages(story, "GET /mrc020");
  await story.send("GET /mrc020/{mrc020key}");
  node.now += DAY_SECONDS;
  await story.send("POST /mrc020/open/{mrc020key}");
}

/** A level has a price, and the example's cursor is one. */
async function sendBookSide(story: Story): Promise<void> {
  const route = "GET /mrc040/book/{basetoken}/{targettoken}";
  const filters = { basetoken: story.real(SILVER), targettoken: story.real(GOLD), side: "SELL" };
  const example = cursorText("book", "200", { ...filters, basetoken: SILVER, targettoken: GOLD });
  story.realNames.set(example, cursorText("book", "200", filters));
  await story.send(route, { form: "side" });
}

/** An address has one entry for each token, so no first page has a cursor. */
async function sendPendingOrders(story: Story): Promise<void> {
  const route = "GET /mrc040/pending/{address}";
  const cursor = `${story.exampleOf(route, "cursor")}`;
  const [list = "", last = ""] = cursor.split(".");
  story.realNames.set(cursor, cursorText(list, last, { address: story.addressOf(ALICE) }));
  await story.send(route);
}

async function createToken(story: Story): Promise<void> {
  await story.send("POST /token", { by: ALICE });
  const signed = { owner: ALICE, name: "Gold" }; // those of the draft
  const created = await story.send("POST /token/{tkey}", { by: ALICE, signed });
  story.realNames.set(GOLD, created.headers.get("location")?.replace("/token/", "") ?? "");
}

async function sendPages(story: Story, route: string): Promise<void> {
  const page = await story.send(route, { without: ["cursor"] });
  const cursor = `${story.exampleOf(route, "cursor")}`;
  story.realNames.set(cursor, parsed<{ cursor: string }>(page).cursor);
  await story.send(route);
}

async function sendListingExamples(story: Story): Promise<void> {
  await list(story, "POST /token/sell/{mrc010id}");
  await list(story, "POST /token/sell/{mrc010id}");
  await list(story, "POST /token/sell/{mrc010id}");
  await sendPages(story, "GET /token/dex");
  await story.send("GET /token/dex", { form: "cheapest" });
  await story.send("POST /token/buy/{dexid}", { by: BOB });
  await story.send("GET /token/dex/{dexid}");
  await story.send("POST /token/unsell/{dexid}", { by: ALICE });

  await list(story, "POST /token/reqsell/{mrc010id}");
  await story.send("POST /token/acceptreqsell/{dexid}", { by: BOB });
  await story.send("POST /token/acceptreqsell/{dexid}", { by: BOB });
  await sendPages(story, "GET /token/trades/{token}");
  await story.send("GET /token/candles/{token}");
  await story.send("GET /token/candles/{token}", {
    without: ["paytoken", "step", "since", "until"],
  });
  await story.send("POST /token/unreqsell/{dexid}", { by: ALICE });
}

/** A swap of coins for gold, which Alice and Bob have signed. */
async function sendGroupExamples(story: Story, node: TestNode): Promise<void> {
  const route = "POST /group";
  const example = story.exampleOf(route, "operations") as readonly Params[];
  const signers = [story.holderOf(ALICE), story.holderOf(BOB)] as const;
  const [alice, bob] = signers;
  const gold = { to: bob.address, token: story.real(GOLD), amount: "100" };
  assert.equal((await node.post("/transfer", await node.transfer(alice, gold))).status, 200);
  for (const [index, params] of example.entries()) {
    story.realNames.set(params["checkkey"] as string, await node.key(signers[index] as KeyHolder));
  }
  const members = example.map(
    ({ operation, signature: _, group: __, signed: ___, ...params }, index): GroupMember => ({
      by: [signers[index] as KeyHolder],
      operation: `${operation}`,
      params: Object.fromEntries(
        Object.entries(params).map(([name, text]) => [name, story.real(text)]),
      ),
    }),
  );
  const signed = signedGroup(node, members);
  story.realNames.set(GROUP, signed[0]?.["group"] ?? "");
  for (const [index, { signature = "" }] of signed.entries()) {
    story.realNames.set(example[index]?.["signature"] as string, signature);
  }
  const whole = JSON.stringify(example);
  story.realNames.set(whole, JSON.stringify(signed));
  await story.send(route);
  await story.send("GET /group/{id}");
  // Other examples have them for other operations.
  for (const text of [whole, SIGNATURE, TEMPORARY_KEY]) {
    story.realNames.delete(text);
  }
}

async function sendAuctionExamples(story: Story, node: TestNode): Promise<void> {
  await list(story, "POST /token/auction/{mrc010id}");
  await story.send("POST /token/unauction/{dexid}", { by: ALICE });
  for (const route of ["GET /token/auctionfinish/{dexid}", "POST /token/auctionfinish/{dexid}"]) {
    await list(story, "POST /token/auction/{mrc010id}");
    await story.send("POST /token/bid/{dexid}", { by: BOB });
    await story.send("GET /token/dex", { form: "bids" });
    node.now += DAY_SECONDS;
    await story.send(route);
  }
}

async function list(story: Story, route: string): Promise<void> {
  const listed = await story.send(route, { by: ALICE });
  story.realNames.set(LISTING, parsed<{ mrc010dexid: string }>(listed).mrc010dexid);
}

async function sendItemExamples(story: Story): Promise<void> {
  for (let projects = 0; projects < 3; projects++) {
    const project = await story.send("POST /mrc400", { by: ALICE });
    story.realNames.set(PROJECT, project.text);
    // Each page of projects begins with one that has trades.
    await createItems(story);
    await story.send("POST /mrc401/sell", { by: ALICE });
    await story.send("POST /mrc401/buy/{mrc401id}", { by: BOB });
  }
  await story.send("GET /mrc400/market/{mrc400id}");
  await sendPages(story, "GET /mrc400");
  await story.send("GET /mrc400/{mrc400id}");
  await story.send("PUT /mrc400/{mrc400id}", { by: ALICE });
  await createItems(story);
  await story.send("GET /mrc401/{mrc401id}");
  await story.send("GET /mrc401/{mrc401id}/metadata");
  await story.send("PUT /mrc401/{mrc400id}", { by: ALICE });
  for (const way of ["", "/{mrc400id}"]) {
    await story.send(`POST /mrc401/sell${way}`, { by: ALICE });
    await story.send(`POST /mrc401/unsell${way}`, { by: ALICE });
  }
  await story.send("POST /mrc401/sell", { by: ALICE, without: ["seller"] });
  await sendPages(story, "GET /item/{id}/transactions");
  await story.send("POST /mrc401/buy/{mrc401id}", { by: BOB });
  await story.send("GET /events", { form: "item" });

  for (let sales = 0; sales < 3; sales++) {
    await createItems(story);
    await story.send("POST /mrc401/sell", { by: ALICE });
  }
  await sendPages(story, "GET /mrc401");
  await story.send("GET /mrc401", { form: "cheapest" });

  await createItems(story);
  await story.send("POST /mrc401/transfer", { by: ALICE, form: "itemdata" });
  await createItems(story);
  await story.send("POST /mrc401/transfer", { by: ALICE });
  await createItems(story);
  await story.send("POST /mrc401/transfer/{mrc401id}", { by: ALICE });
  await createItems(story);
  await story.send("POST /mrc401/melt/{mrc401id}", { by: ALICE });
}

async function sendItemAuctionExamples(story: Story, node: TestNode): Promise<void> {
  await createItems(story);
  for (const way of ["", "/{mrc400id}"]) {
    await story.send(`POST /mrc401/auction${way}`, { by: ALICE });
    await story.send(`POST /mrc401/unauction${way}`, { by: ALICE });
  }
  for (const method of ["GET", "POST"]) {
    await createItems(story);
    await story.send("POST /mrc401/auction", { by: ALICE });
    await story.send("POST /mrc401/bid/{mrc401id}", { by: BOB });
    await story.send("GET /mrc401", { form: "bids" });
    node.now += DAY_SECONDS;
    await story.send(`${method} /mrc401/auctionfinish/{mrc401id}`);
  }
}

async function createItems(story: Story): Promise<void> {
  setNumbers(story, SWORD_NUMBER, SHIELD_NUMBER);
  await story.send("POST /mrc401/{mrc400id}", { by: ALICE });
}

const SHORTLY_CREATED = new Set(["creator", "name", "url", "imageurl", "tkey", "signature"]);

/** Signed only where given. */
const EXTRAS = [
  ..."allowtoken|category|description|itemurl|itemimageurl".split("|"),
  ..."platform_name|platform_url|platform_address|platform_commission".split("|"),
];

async function sendUnitExamples(story: Story): Promise<void> {
  // In each of the forms that are signed differently.
  const others = story.parametersOf("POST /mrc402").filter((name) => !SHORTLY_CREATED.has(name));
  await createPrint(story, others);
  await story.send("PUT /mrc402/update/{mrc402id}", { by: ALICE });
  await createPrint(story, EXTRAS);
  await createPrint(story);
  await story.send("GET /mrc402/{mrc402id}");
  await story.send("PUT /mrc402/mint/{mrc402id}", { by: ALICE });
  await story.send("PUT /mrc402/burn/{mrc402id}", { by: ALICE });
  for (const without of [[], ["amount"]]) {
    await story.send("POST /mrc402/transfer/{mrc402id}", { by: ALICE, without });
    await story.send("POST /mrc402/melt/{mrc402id}", { by: ALICE, without });
  }
}

async function sendUnitListExamples(story: Story): Promise<void> {
  // More holders, items and listings than two pages have.
  await story.send("POST /mrc402/transfer/{mrc402id}", { by: ALICE });
  story.realNames.set(BOB, story.addressOf(MARKET));
  await story.send("POST /mrc402/transfer/{mrc402id}", { by: ALICE });
  story.realNames.set(BOB, story.addressOf(BOB));
  await createUnits(story, "POST /mrc402");
  await createUnits(story, "POST /mrc402");
  await createUnits(story, "POST /mrc402/{mrc400id}");
  await story.send("GET /mrc402/{mrc402id}/metadata");
  await story.send("PUT /mrc402/{mrc400id}", { by: ALICE });
  for (let offers = 0; offers < 3; offers++) {
    await story.send("POST /mrc402/sell", { by: ALICE, form: "itemdata" });
  }
  await sendPages(story, "GET /mrc402");
  await sendPages(story, "GET /mrc402/dex");
  await sendPages(story, "GET /address/{address}/items");
  await sendPages(story, "GET /mrc402/holders/{mrc402id}");
  await sendHoldings(story);
}

/** Alice is the only one whose changed keys have this key, so no first page has a cursor. */
async function sendAddressesOfKey(story: Story): Promise<void> {
  const route = "GET /addresses";
  const cursor = `${story.exampleOf(route, "cursor")}`;
  const publickey = `${story.exampleOf(route, "publickey")}`;
  // Block 0 has the first addresses.
  story.realNames.set(cursor, cursorText("addresses", 1, { publickey }));
  await story.send(route);
}

/** An address has one holding of an item, so no first page has a cursor. */
async function sendHoldings(story: Story): Promise<void> {
  const route = "GET /mrc402/balance/{address}";
  const item = story.real(`${story.exampleOf(route, "mrc402id")}`);
  const filters = { address: story.addressOf(ALICE), mrc402id: item };
  const cursor = `${story.exampleOf(route, "cursor")}`;
  const [list = "", last = ""] = cursor.split(".");
  story.realNames.set(cursor, cursorText(list, story.real(last), filters));
  await story.send(route);
}

async function sendUnitSaleExamples(story: Story): Promise<void> {
  for (const way of ["", "/{id}"]) {
    await createPrint(story);
    await listUnits(story, `POST /mrc402/sell${way}`);
    await story.send("GET /mrc402/dex/{dexid}");
    await story.send("POST /mrc402/buy/{id}", { by: BOB });
    await story.send("POST /mrc402/buy/{id}", { by: BOB, form: "item" });
    await story.send(`POST /mrc402/unsell${way}`, { by: ALICE });
  }
  await createUnits(story, "POST /mrc402");
  await listUnits(story, "POST /mrc402/sell", "itemdata");
  await story.send("POST /mrc402/unsell", { by: ALICE, form: "itemdata" });
}

async function sendUnitAuctionExamples(story: Story, node: TestNode): Promise<void> {
  for (const way of ["", "/{id}"]) {
    await createPrint(story);
    await listUnits(story, `POST /mrc402/auction${way}`);
    await story.send(`POST /mrc402/unauction${way}`, { by: ALICE });
  }
  await createUnits(story, "POST /mrc402");
  await listUnits(story, "POST /mrc402/auction", "itemdata");
  await story.send("POST /mrc402/unauction", { by: ALICE, form: "itemdata" });
  for (const method of ["GET", "POST"]) {
    for (const form of ["main", "item"]) {
      await createPrint(story);
      await listUnits(story, "POST /mrc402/auction/{id}");
      await story.send("POST /mrc402/bid/{id}", { by: BOB, form });
      await story.send("GET /mrc402/dex", { form: "bids" });
      node.now += DAY_SECONDS;
      await story.send(`${method} /mrc402/auctionfinish/{id}`, { form });
    }
  }
}

/** Offers of Bob for a sword: one is accepted, one withdrawn, one ends. */
async function sendItemOfferExamples(story: Story, node: TestNode): Promise<void> {
  await createItems(story);
  const make = (): Promise<void> => makeOffer(story, node, "POST /mrc401/offer", OFFER);
  await make();
  await story.send("POST /mrc401/offer", { by: BOB, form: "project" });
  await story.send("POST /mrc401/unoffer/{offerid}", { by: BOB });
  await make();
  await make();
  await make();
  await sendPages(story, "GET /mrc401/offers");
  await story.send("GET /mrc401/offers", { form: "best" });
  await story.send("GET /mrc401/offers", { form: "group" });
  await story.send("GET /mrc401/offers", { form: "held" });
  await story.send("GET /mrc401/offer/{offerid}");
  await story.send("POST /mrc401/acceptoffer/{offerid}", { by: ALICE });
  await createItems(story);
  await make();
  node.now += DAY_SECONDS;
  await story.send("POST /mrc401/offerfinish/{offerid}");
  story.realNames.delete(`${story.exampleOf("POST /mrc401/offer", "end")}`);
}

async function sendUnitOfferExamples(story: Story, node: TestNode): Promise<void> {
  await createPrint(story);
  const make = (): Promise<void> => makeOffer(story, node, "POST /mrc402/offer", UNIT_OFFER);
  await make();
  await story.send("POST /mrc402/unoffer/{offerid}", { by: BOB });
  await make();
  await make();
  await make();
  await sendPages(story, "GET /mrc402/offers");
  await story.send("GET /mrc402/offers", { form: "best" });
  await story.send("GET /mrc402/offers", { form: "held" });
  await story.send("GET /mrc402/offer/{offerid}");
  await story.send("POST /mrc402/acceptoffer/{offerid}", { by: ALICE });
  node.now += DAY_SECONDS;
  await story.send("POST /mrc402/offerfinish/{offerid}");
  story.realNames.delete(`${story.exampleOf("POST /mrc402/offer", "end")}`);
}

async function makeOffer(
  story: Story,
  node: TestNode,
  route: string,
  example: string,
): Promise<void> {
  story.realNames.set(`${story.exampleOf(route, "end")}`, String(node.now + DAY_SECONDS));
  const form = route.startsWith("POST /mrc401") ? { form: "main" } : {};
  const made = await story.send(route, { by: BOB, ...form });
  story.realNames.set(example, parsed<{ offerid: string }>(made).offerid);
}

async function createPrint(story: Story, without: readonly string[] = []): Promise<void> {
  const created = await story.send("POST /mrc402", { by: ALICE, without });
  story.realNames.set(PRINT, parsed<{ mrc402id: string }>(created).mrc402id);
}

async function createUnits(story: Story, route: string): Promise<void> {
  setNumbers(story, POTION_NUMBER, ARROW_NUMBER);
  await story.send(route, { by: ALICE, form: route.endsWith("}") ? "" : "itemdata" });
}

async function listUnits(story: Story, route: string, form?: string): Promise<void> {
  const listed = await story.send(route, { by: ALICE, ...(form === undefined ? {} : { form }) });
  const { mrc402dexid, mrc402dexids: [first = ""] = [] } = parsed<{
    mrc402dexid?: string;
    mrc402dexids?: string[];
  }>(listed);
  story.realNames.set(UNIT_LISTING, mrc402dexid ?? first);
}

function setNumbers(story: Story, ...numbers: readonly string[]): void {
  for (const number of numbers) {
    story.realNames.set(number, randomBytes(20).toString("hex"));
  }
}

/** The private key of the examples' public key. Source: accounts §2. */
function privateKeyOne(pem: string): KeyObject {
  return privateKeyOf(pem, "1");
}

function privateKeyOf(pem: string, scalar: string): KeyObject {
  const d = Buffer.from(scalar.padStart(64, "0"), "hex").toString("base64url");
  return createPrivateKey({
    key: { ...createPublicKey(pem).export({ format: "jwk" }), d },
    format: "jwk",
  });
}
