import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "@moneta/ledger";
import { cursorText, groupId, keyhashText } from "@moneta/protocol";
import { Story } from "../../testing/clients/example-story.ts";
import { documentOf } from "../../testing/clients/openapi-document.ts";
import { SAMPLE_LANGUAGES } from "../../testing/clients/sample-languages.ts";
import { signedExchange } from "../../testing/requests/exchange-requests.ts";
import { TemporaryDirectory } from "../../testing/temporary-directory.ts";
import { type KeyHolder, type Params, parsed, TestNode } from "../../testing/test-node.ts";

// All examples of the document work, in the order of a story, with real ids. An operation or a read
// that the story lacks fails it.

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
const BLOCK_ID = "2f7e444cedf225c0ac4b101a2a6a10b8b7e190c3447ba8b3b76a5bcba6b41813";
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
const UNIT_LISTING = "DEX402_9b0d6c1f83e2a5470c4de98f1b37a2650";

for (const { form, signs } of [
  { form: "application/x-www-form-urlencoded", signs: "short" },
  { form: "application/json", signs: "full" },
] as const) {
  test(`every example of the document is answered as it says, ${form}, signature ${signs}`, async () => {
    await using node = await TestNode.startWithOperator();
    // The page's document has both forms of bodies.
    const document = documentOf(await node.get("/docs/openapi.json"));
    const story = new Story(node, document, { form, signs });
    await tellAll(story, node);
    assert.deepEqual(story.untold(), []);
  });
}

for (const { label, missing, runner: runnerIn } of SAMPLE_LANGUAGES) {
  test(`every sample in ${label} runs as it is, and prints what the document says`, {
    skip: missing,
  }, async () => {
    await using node = await TestNode.startWithOperator();
    using directory = new TemporaryDirectory("samples");
    await using runner = runnerIn(directory.path);
    const document = documentOf(await node.get("/openapi.json"));
    const samples = { label, directory: directory.path, runner };
    const story = new Story(node, document, { form: "application/json", signs: "full" }, samples);
    writeFileSync(
      join(directory.path, "public.pem"),
      `${story.exampleOf("POST /address", "publickey")}`,
    );
    await tellAll(story, node);
    assert.deepEqual(story.untoldSamples(), []);
  });
}

async function tellAll(story: Story, node: TestNode): Promise<void> {
  await tellOfAddresses(story, node);
  await tellOfProofs(story, node);
  await tellOfTokens(story, node);
  await tellOfListings(story);
  await tellOfGroups(story, node);
  await tellOfAuctions(story, node);
  await tellOfItems(story);
  await tellOfItemAuctions(story, node);
  await tellOfUnits(story);
  await tellOfUnitLists(story);
  await tellOfUnitOffers(story);
  await tellOfUnitAuctions(story, node);
  await tellOfSeals(story, node);
  story.meet(OPERATOR, node.operator);
  await story.tell("POST /protocol", { by: OPERATOR });
}

async function tellOfAddresses(story: Story, node: TestNode): Promise<void> {
  await story.tell("GET /");
  const privateKey = privateKeyOne(`${story.exampleOf("POST /address", "publickey")}`);
  const alice = { address: (await story.tell("POST /address")).text, privateKey };
  story.meet(ALICE, alice);
  await story.tell("POST /address"); // so that there is one after Alice's
  await story.tell("POST /batch");
  await story.tell("POST /address/bykey");
  await story.tell("GET /address/{address}");
  story.meet(BOB, await node.holder({ coins: 1_000n }));
  story.meet(MARKET, await node.holder());
  await story.tell("POST /faucet");

  for (const route of ["GET /nonce/{address}", "GET /getkey/{kind}/{address}"]) {
    await story.tell(route);
    await story.tell(route, { without: ["count"] });
  }

  await story.tell("POST /transfer", { by: ALICE });
  await story.tell("GET /balance/{address}/{token}");
  await story.tell("POST /multitransfer", { by: ALICE });

  // The specification's block and transaction, as in the examples.
  const plain = await story.tell("POST /transfer", {
    by: ALICE,
    without: ["tags", "unlockdate", "signed"],
  });
  story.is.set(TRANSACTION, parsed<{ transaction_id: string }>(plain).transaction_id);
  story.is.set(BLOCK, (await story.tell("GET /block")).text);
  const block = await story.tell("GET /block/{block}");
  story.is.set(BLOCK_ID, parsed<{ id: string }>(block).id);
  await story.tell("GET /block/{block}/raw");
  await tellOfPages(story, "GET /blocks");
  await story.tell("GET /blocks/raw");
  await story.tell("GET /transaction/{transaction_id}");
  await story.tell("GET /events");
  await story.tell("POST /transfer", { by: ALICE });
  await tellOfPages(story, "GET /transactions");
  await story.tell("GET /totals");
  await story.tell("GET /totals", { without: ["step", "since", "until"] });
  await story.tell("GET /transactions", { form: "block" });
  await tellOfPages(story, "GET /address/{address}/transactions");
}

async function tellOfProofs(story: Story, node: TestNode): Promise<void> {
  const size = (await node.get("/checkpoint")).text.split("\n")[1] ?? "";
  story.is.set(SIZE, size);
  story.is.set(EARLIER_SIZE, String(Number(size) - 1));
  await story.tell("GET /checkpoint");
  await story.tell("GET /tlog/checkpoint");
  await story.tell("GET /checkpoint/key");
  await story.tell("GET /checkpoint/consistency");
  await story.tell("GET /checkpoint/consistency", { without: ["to"] });
  await story.tell("GET /transaction/{transaction_id}/proof");
  await story.tell("GET /transaction/{transaction_id}/proof", { without: ["size"] });
  await story.tell("GET /tlog/tile/{level}/{tile}");
  await story.tell("GET /tlog/tile/entries/{tile}");
  // Elsewhere these are amounts.
  story.is.delete(SIZE);
  story.is.delete(EARLIER_SIZE);
}

async function tellOfTokens(story: Story, node: TestNode): Promise<void> {
  // More than two pages have.
  await createToken(story);
  await createToken(story);
  await createToken(story);
  await tellOfPages(story, "GET /tokens");
  await tellOfPages(story, "GET /token/holders/{token}");
  await story.tell("GET /token/{token}");
  await story.tell("GET /token/{token}/image");
  await story.tell("PUT /token/burn/{tkey}", { by: ALICE });
  await story.tell("PUT /token/increase/{tkey}", { by: ALICE });
  await story.tell("PUT /token/update/{tkey}", { by: ALICE });
  await story.tell("GET /totalsupply/{token}");
  await tellOfPairs(story, node);
  await story.tell("GET /balance/{address}");
}

/** Gold that is traded for silver, which is an older token of Alice. */
async function tellOfPairs(story: Story, node: TestNode): Promise<void> {
  story.is.set(SILVER, story.real(GOLD));
  await createToken(story);
  const pair = "{tkey}/{token}/{baseToken}";
  await story.tell(`POST /tokenUpdate/TokenBase/${pair}`, { by: ALICE, signed: { owner: ALICE } });
  const target = "{tkey}/{token}/{targetToken}";
  await story.tell(`POST /tokenUpdate/TokenTargetAdd/${target}`, { by: ALICE });
  await tellOfOrders(story, node);
  await tellOfExchange(story, node);
  await story.tell(`POST /tokenUpdate/TokenTargetRemove/${target}`, { by: ALICE });
}

/** Both sign what the example has, as what they hand over; each example is sent once. */
async function tellOfExchange(story: Story, node: TestNode): Promise<void> {
  const [from, to] = [story.holderOf(ALICE), story.holderOf(BOB)];
  for (const route of ["POST /exchange", "POST /exchange/{fromTkey}/{toTkey}"]) {
    for (let time = 0; time < 2; time++) {
      const names = story.parametersOf(route);
      const example = Object.fromEntries(
        names.map((name) => [name, `${story.exampleOf(route, name)}`]),
      );
      const {
        fromSign = "",
        toSign = "",
        signed = "",
        fromTkey = "",
        toTkey = "",
        ...terms
      } = example;
      story.is.set(fromTkey, await node.key(from));
      story.is.set(toTkey, await node.key(to));
      const sent = Object.fromEntries(
        Object.entries({ ...terms, fromTkey, toTkey }).map(([name, text]) => [
          name,
          story.real(text),
        ]),
      );
      const isFull = !story.signsShort && signed === "full";
      const request = signedExchange(node, sent, { from, to, isFull });
      story.is.set(fromSign, request["fromSign"] ?? "");
      story.is.set(toSign, request["toSign"] ?? "");
      await story.tell(route);
      for (const text of [fromTkey, toTkey, fromSign, toSign]) {
        story.is.delete(text);
      }
    }
  }
}

async function tellOfOrders(story: Story, node: TestNode): Promise<void> {
  const silver = { to: story.addressOf(BOB), token: story.real(SILVER), amount: "10000" };
  const payment = await node.transfer(story.holderOf(ALICE), silver);
  assert.equal((await node.post("/transfer", payment)).status, 200);
  for (let sales = 0; sales < 3; sales++) {
    const sale = await story.tell("POST /mrc040/create/{tkey}", { by: ALICE });
    if (sales === 0) {
      story.is.set(ORDER, parsed<{ mrc040id: string }>(sale).mrc040id);
    }
  }
  await tellOfPages(story, "GET /mrc040/orders");
  for (let trades = 0; trades < 3; trades++) {
    const taken = await story.tell("POST /mrc040/exchange/{tkey}", { by: BOB });
    story.is.set(TRADE, parsed<{ trades: { id: string }[] }>(taken).trades[0]?.id ?? "");
  }
  await story.tell("POST /mrc040/request/{tkey}", { by: BOB });
  await tellOfPages(story, "GET /mrc040/trades");
  await story.tell("GET /mrc040/trades/{id}");
  await story.tell("GET /mrc040/{mrc040id}");
  await story.tell("GET /mrc040/book/{basetoken}/{targettoken}", { form: "main" });
  await tellOfSide(story);
  await tellOfPending(story);
  await story.tell("POST /mrc040/cancel/{tkey}", { by: ALICE });
}

/** Three letters of Alice, of which the last is opened. Keyhashes are for this ledger and for her. */
async function tellOfSeals(story: Story, node: TestNode): Promise<void> {
  const route = "POST /mrc020";
  const example = (name: string): string => `${story.exampleOf(route, name)}`;
  const opendate = String(node.now + DAY_SECONDS);
  story.is.set(example("opendate"), opendate);
  for (const referencekey of ["first", "second", "third"]) {
    const bound = {
      ...{ ledgerId: node.ledgerId, owner: story.addressOf(ALICE), referencekey, opendate },
      ...{ algorithm: example("algorithm"), data: example("data") },
      key: `${story.exampleOf("POST /mrc020/open/{mrc020key}", "key")}`,
    };
    story.is.set(REFERENCE, referencekey);
    story.is.set(KEYHASH, sha256.hex(keyhashText(bound)));
    const sealed = await story.tell(route, { by: ALICE });
    story.is.set(SEAL, parsed<{ mrc020key: string }>(sealed).mrc020key);
  }
  await tellOfPages(story, "GET /mrc020");
  await story.tell("GET /mrc020/{mrc020key}");
  node.now += DAY_SECONDS;
  await story.tell("POST /mrc020/open/{mrc020key}");
}

/** A level has a price, and the example's cursor is one. */
async function tellOfSide(story: Story): Promise<void> {
  const route = "GET /mrc040/book/{basetoken}/{targettoken}";
  const filters = { basetoken: story.real(SILVER), targettoken: story.real(GOLD), side: "SELL" };
  const example = cursorText("book", "200", { ...filters, basetoken: SILVER, targettoken: GOLD });
  story.is.set(example, cursorText("book", "200", filters));
  await story.tell(route, { form: "side" });
}

/** An address has one entry for each token, so no first page has a cursor. */
async function tellOfPending(story: Story): Promise<void> {
  const route = "GET /mrc040/pending/{address}";
  const cursor = `${story.exampleOf(route, "cursor")}`;
  const [list = "", last = ""] = cursor.split(".");
  story.is.set(cursor, cursorText(list, last, { address: story.addressOf(ALICE) }));
  await story.tell(route);
}

/** The token of the following examples. */
async function createToken(story: Story): Promise<void> {
  await story.tell("POST /token", { by: ALICE });
  const signed = { owner: ALICE, name: "Gold" }; // those of the draft
  const created = await story.tell("POST /token/{tkey}", { by: ALICE, signed });
  story.is.set(GOLD, created.headers.get("location")?.replace("/token/", "") ?? "");
}

/** The first two pages of a list. */
async function tellOfPages(story: Story, route: string): Promise<void> {
  const page = await story.tell(route, { without: ["cursor"] });
  const cursor = `${story.exampleOf(route, "cursor")}`;
  story.is.set(cursor, parsed<{ cursor: string }>(page).cursor);
  await story.tell(route);
}

async function tellOfListings(story: Story): Promise<void> {
  await list(story, "POST /token/sell/{mrc010id}");
  await list(story, "POST /token/sell/{mrc010id}");
  await list(story, "POST /token/sell/{mrc010id}");
  await tellOfPages(story, "GET /token/dex");
  await story.tell("GET /token/dex", { form: "cheapest" });
  await story.tell("POST /token/buy/{dexid}", { by: BOB });
  await story.tell("GET /token/dex/{dexid}");
  await story.tell("POST /token/unsell/{dexid}", { by: ALICE });

  await list(story, "POST /token/reqsell/{mrc010id}");
  await story.tell("POST /token/acceptreqsell/{dexid}", { by: BOB });
  await story.tell("POST /token/acceptreqsell/{dexid}", { by: BOB });
  await tellOfPages(story, "GET /token/trades/{token}");
  await story.tell("POST /token/unreqsell/{dexid}", { by: ALICE });
}

/** A swap of coins for gold, which Alice and Bob have signed. */
async function tellOfGroups(story: Story, node: TestNode): Promise<void> {
  const route = "POST /group";
  const example = story.exampleOf(route, "operations") as readonly Params[];
  const signers = [story.holderOf(ALICE), story.holderOf(BOB)] as const;
  const [alice, bob] = signers;
  const gold = { to: bob.address, token: story.real(GOLD), amount: "100" };
  assert.equal((await node.post("/transfer", await node.transfer(alice, gold))).status, 200);
  for (const [index, params] of example.entries()) {
    story.is.set(params["checkkey"] as string, await node.key(signers[index] as KeyHolder));
  }
  const members = example.map(({ operation, signature: _, group: __, ...params }) => ({
    op: `${operation}`,
    params: Object.fromEntries(
      Object.entries(params).map(([name, text]) => [name, story.real(text)]),
    ),
  }));
  const group = groupId(members, { ledgerId: node.ledgerId, sha256 });
  story.is.set(GROUP, group);
  const signed = members.map(({ op, params }, index) => ({
    operation: op,
    ...node.fullySigned(op, { ...params, group }, signers[index] as KeyHolder),
  }));
  for (const [index, { signature }] of signed.entries()) {
    story.is.set(example[index]?.["signature"] as string, signature);
  }
  const whole = JSON.stringify(example);
  story.is.set(whole, JSON.stringify(signed));
  await story.tell(route);
  await story.tell("GET /group/{id}");
  // Other examples have them for other operations.
  for (const text of [whole, SIGNATURE, TEMPORARY_KEY]) {
    story.is.delete(text);
  }
}

async function tellOfAuctions(story: Story, node: TestNode): Promise<void> {
  await list(story, "POST /token/auction/{mrc010id}");
  await story.tell("POST /token/unauction/{dexid}", { by: ALICE });
  for (const route of ["GET /token/auctionfinish/{dexid}", "POST /token/auctionfinish/{dexid}"]) {
    await list(story, "POST /token/auction/{mrc010id}");
    await story.tell("POST /token/bid/{dexid}", { by: BOB });
    await story.tell("GET /token/dex", { form: "bids" });
    node.now += DAY_SECONDS;
    await story.tell(route);
  }
}

/** Alice's listing is that of the following examples. */
async function list(story: Story, route: string): Promise<void> {
  const listed = await story.tell(route, { by: ALICE });
  story.is.set(LISTING, parsed<{ mrc010dexid: string }>(listed).mrc010dexid);
}

async function tellOfItems(story: Story): Promise<void> {
  for (let projects = 0; projects < 3; projects++) {
    const project = await story.tell("POST /mrc400", { by: ALICE });
    story.is.set(PROJECT, project.text);
  }
  await tellOfPages(story, "GET /mrc400");
  await story.tell("GET /mrc400/{mrc400id}");
  await story.tell("PUT /mrc400/{mrc400id}", { by: ALICE });
  await createItems(story);
  await story.tell("GET /mrc401/{mrc401id}");
  await story.tell("PUT /mrc401/{mrc400id}", { by: ALICE });
  for (const way of ["", "/{mrc400id}"]) {
    await story.tell(`POST /mrc401/sell${way}`, { by: ALICE });
    await story.tell(`POST /mrc401/unsell${way}`, { by: ALICE });
  }
  await story.tell("POST /mrc401/sell", { by: ALICE, without: ["seller"] });
  await tellOfPages(story, "GET /item/{id}/transactions");
  await story.tell("POST /mrc401/buy/{mrc401id}", { by: BOB });
  await story.tell("GET /events", { form: "item" });

  for (let sales = 0; sales < 3; sales++) {
    await createItems(story);
    await story.tell("POST /mrc401/sell", { by: ALICE });
  }
  await tellOfPages(story, "GET /mrc401");
  await story.tell("GET /mrc401", { form: "cheapest" });

  await createItems(story);
  await story.tell("POST /mrc401/transfer", { by: ALICE, form: "itemdata" });
  await createItems(story);
  await story.tell("POST /mrc401/transfer", { by: ALICE });
  await createItems(story);
  await story.tell("POST /mrc401/transfer/{mrc401id}", { by: ALICE });
  await createItems(story);
  await story.tell("POST /mrc401/melt/{mrc401id}", { by: ALICE });
}

async function tellOfItemAuctions(story: Story, node: TestNode): Promise<void> {
  await createItems(story);
  for (const way of ["", "/{mrc400id}"]) {
    await story.tell(`POST /mrc401/auction${way}`, { by: ALICE });
    await story.tell(`POST /mrc401/unauction${way}`, { by: ALICE });
  }
  for (const method of ["GET", "POST"]) {
    await createItems(story);
    await story.tell("POST /mrc401/auction", { by: ALICE });
    await story.tell("POST /mrc401/bid/{mrc401id}", { by: BOB });
    await story.tell("GET /mrc401", { form: "bids" });
    node.now += DAY_SECONDS;
    await story.tell(`${method} /mrc401/auctionfinish/{mrc401id}`);
  }
}

/** A sword and a shield, the items of the following examples. */
async function createItems(story: Story): Promise<void> {
  setNumbers(story, SWORD_NUMBER, SHIELD_NUMBER);
  await story.tell("POST /mrc401/{mrc400id}", { by: ALICE });
}

/** The required parameters of a print. */
const SHORTLY_CREATED = new Set(["creator", "name", "url", "imageurl", "tkey", "signature"]);

/** Signed only where given. */
const EXTRAS = [
  ..."allowtoken|category|description|itemurl|itemimageurl".split("|"),
  ..."platform_name|platform_url|platform_address|platform_commission".split("|"),
];

async function tellOfUnits(story: Story): Promise<void> {
  // In each of the forms that are signed differently.
  const others = story.parametersOf("POST /mrc402").filter((name) => !SHORTLY_CREATED.has(name));
  await createPrint(story, others);
  await story.tell("PUT /mrc402/update/{mrc402id}", { by: ALICE });
  await createPrint(story, EXTRAS);
  await createPrint(story);
  await story.tell("GET /mrc402/{mrc402id}");
  await story.tell("PUT /mrc402/mint/{mrc402id}", { by: ALICE });
  await story.tell("PUT /mrc402/burn/{mrc402id}", { by: ALICE });
  for (const without of [[], ["amount"]]) {
    await story.tell("POST /mrc402/transfer/{mrc402id}", { by: ALICE, without });
    await story.tell("POST /mrc402/melt/{mrc402id}", { by: ALICE, without });
  }
}

async function tellOfUnitLists(story: Story): Promise<void> {
  // More holders, items and listings than two pages have.
  await story.tell("POST /mrc402/transfer/{mrc402id}", { by: ALICE });
  story.is.set(BOB, story.addressOf(MARKET));
  await story.tell("POST /mrc402/transfer/{mrc402id}", { by: ALICE });
  story.is.set(BOB, story.addressOf(BOB));
  await createUnits(story, "POST /mrc402");
  await createUnits(story, "POST /mrc402");
  await createUnits(story, "POST /mrc402/{mrc400id}");
  await story.tell("PUT /mrc402/{mrc400id}", { by: ALICE });
  for (let offers = 0; offers < 3; offers++) {
    await story.tell("POST /mrc402/sell", { by: ALICE, form: "itemdata" });
  }
  await tellOfPages(story, "GET /mrc402");
  await tellOfPages(story, "GET /mrc402/dex");
  await tellOfPages(story, "GET /address/{address}/items");
  await tellOfPages(story, "GET /mrc402/holders/{mrc402id}");
  await tellOfHoldings(story);
}

/** An address has one holding of an item, so no first page has a cursor. */
async function tellOfHoldings(story: Story): Promise<void> {
  const route = "GET /mrc402/balance/{address}";
  const item = story.real(`${story.exampleOf(route, "mrc402id")}`);
  const filters = { address: story.addressOf(ALICE), mrc402id: item };
  const cursor = `${story.exampleOf(route, "cursor")}`;
  const [list = "", last = ""] = cursor.split(".");
  story.is.set(cursor, cursorText(list, story.real(last), filters));
  await story.tell(route);
}

async function tellOfUnitOffers(story: Story): Promise<void> {
  for (const way of ["", "/{id}"]) {
    await createPrint(story);
    await listUnits(story, `POST /mrc402/sell${way}`);
    await story.tell("GET /mrc402/dex/{dexid}");
    await story.tell("POST /mrc402/buy/{id}", { by: BOB });
    await story.tell("POST /mrc402/buy/{id}", { by: BOB, form: "item" });
    await story.tell(`POST /mrc402/unsell${way}`, { by: ALICE });
  }
  await createUnits(story, "POST /mrc402");
  await listUnits(story, "POST /mrc402/sell", "itemdata");
  await story.tell("POST /mrc402/unsell", { by: ALICE, form: "itemdata" });
}

async function tellOfUnitAuctions(story: Story, node: TestNode): Promise<void> {
  for (const way of ["", "/{id}"]) {
    await createPrint(story);
    await listUnits(story, `POST /mrc402/auction${way}`);
    await story.tell(`POST /mrc402/unauction${way}`, { by: ALICE });
  }
  await createUnits(story, "POST /mrc402");
  await listUnits(story, "POST /mrc402/auction", "itemdata");
  await story.tell("POST /mrc402/unauction", { by: ALICE, form: "itemdata" });
  for (const method of ["GET", "POST"]) {
    for (const form of ["main", "item"]) {
      await createPrint(story);
      await listUnits(story, "POST /mrc402/auction/{id}");
      await story.tell("POST /mrc402/bid/{id}", { by: BOB, form });
      await story.tell("GET /mrc402/dex", { form: "bids" });
      node.now += DAY_SECONDS;
      await story.tell(`${method} /mrc402/auctionfinish/{id}`, { form });
    }
  }
}

/** The print of the following examples. */
async function createPrint(story: Story, without: readonly string[] = []): Promise<void> {
  const created = await story.tell("POST /mrc402", { by: ALICE, without });
  story.is.set(PRINT, parsed<{ mrc402id: string }>(created).mrc402id);
}

/** Potions and arrows of the following examples. */
async function createUnits(story: Story, route: string): Promise<void> {
  setNumbers(story, POTION_NUMBER, ARROW_NUMBER);
  await story.tell(route, { by: ALICE, form: route.endsWith("}") ? "" : "itemdata" });
}

async function listUnits(story: Story, route: string, form?: string): Promise<void> {
  const listed = await story.tell(route, { by: ALICE, ...(form === undefined ? {} : { form }) });
  const { mrc402dexid, mrc402dexids: [first = ""] = [] } = parsed<{
    mrc402dexid?: string;
    mrc402dexids?: string[];
  }>(listed);
  story.is.set(UNIT_LISTING, mrc402dexid ?? first);
}

/** New numbers for what the examples number. */
function setNumbers(story: Story, ...numbers: readonly string[]): void {
  for (const number of numbers) {
    story.is.set(number, randomBytes(20).toString("hex"));
  }
}

/** The private key of the examples' public key. Source: accounts §2. */
function privateKeyOne(pem: string): KeyObject {
  const d = Buffer.from("1".padStart(64, "0"), "hex").toString("base64url");
  return createPrivateKey({
    key: { ...createPublicKey(pem).export({ format: "jwk" }), d },
    format: "jwk",
  });
}
