import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import {
  type Address,
  addressAround,
  canonicalJson,
  NO_BLOCK,
  parseAddress,
  publicKeyText,
  type TransactionRecord,
} from "@moneta/protocol";
import { openForWriting } from "../database.ts";
import { Ledger } from "../ledger.ts";
import { sha256 } from "../sha256.ts";
import { PROTOCOL } from "../state/entries.ts";
import { BlockList } from "../testing/block-list.ts";
import { replay, T, TEST_KEY } from "../testing/test-ledger.ts";
import { type Genesis, genesisContent, genesisOperations, readGenesis } from "./genesis.ts";

const PEM = publicKeyText(TEST_KEY);
const ALICE = addressAround("Alice0000000000000000000000000");
const BOB = addressAround("Bob000000000000000000000000000");
const OTHER_PEM = generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey.export({
  type: "spki",
  format: "pem",
}) as string;

const ENTRY = { address: ALICE, publickey: PEM, amount: "1000" };
const COIN = {
  name: "Test Coin",
  symbol: "TST",
  decimal: 8,
  totalsupply: "1000",
  treasury: [ENTRY],
};
const CONTENT = { ledger: "localhost/test", timestamp: T, coin: COIN };

/** Block 0 of these settings, with the records of its transactions. */
async function begin(genesis: Genesis): Promise<{
  readonly log: BlockList;
  readonly records: readonly Record<string, unknown>[];
  readonly ledger: Ledger;
}> {
  const database = openForWriting(":memory:");
  const log = new BlockList();
  const ledger = new Ledger(database, log);
  await ledger.begin(genesisOperations(genesis), genesis.timestamp);
  const rows = database.prepare("SELECT record FROM transaction_record ORDER BY number").all();
  return { log, ledger, records: rows.map((row) => JSON.parse(row["record"] as string)) };
}

function refusal(content: unknown): string {
  try {
    readGenesis(content, T);
  } catch (thrown) {
    assert(thrown instanceof Error && thrown.name === "GenesisProblem");
    return thrown.message;
  }
  return "accepted";
}

const coinWith = (change: object): object => ({ ...CONTENT, coin: { ...COIN, ...change } });
const entryWith = (change: object): object => coinWith({ treasury: [{ ...ENTRY, ...change }] });

for (const { content, names } of [
  { content: undefined, names: "genesis file" },
  { content: [], names: "genesis file" },
  { content: { ...CONTENT, coin: undefined }, names: "coin" },
  { content: coinWith({ name: "" }), names: "coin.name" },
  { content: coinWith({ name: undefined }), names: "coin.name" },
  { content: coinWith({ name: "n".repeat(129) }), names: "coin.name" },
  { content: coinWith({ name: "a|b" }), names: "coin.name" },
  { content: coinWith({ name: "a\u0000b" }), names: "coin.name" },
  { content: coinWith({ name: "\ud834" }), names: "coin.name" },
  { content: coinWith({ name: 5 }), names: "coin.name" },
  { content: coinWith({ symbol: "" }), names: "coin.symbol" },
  { content: coinWith({ symbol: "s".repeat(33) }), names: "coin.symbol" },
  { content: coinWith({ symbol: "a|b" }), names: "coin.symbol" },
  { content: coinWith({ decimal: -1 }), names: "coin.decimal" },
  { content: coinWith({ decimal: 19 }), names: "coin.decimal" },
  { content: coinWith({ decimal: 1.5 }), names: "coin.decimal" },
  { content: coinWith({ decimal: "8" }), names: "coin.decimal" },
  { content: coinWith({ decimal: undefined }), names: "coin.decimal" },
  { content: coinWith({ totalsupply: "0" }), names: "coin.totalsupply" },
  { content: coinWith({ totalsupply: `1${"0".repeat(39)}1` }), names: "coin.totalsupply" },
  { content: coinWith({ totalsupply: 1000 }), names: "coin.totalsupply" },
  { content: coinWith({ totalsupply: "1e3" }), names: "coin.totalsupply" },
  { content: coinWith({ totalsupply: "1001" }), names: "coin.treasury" },
  { content: coinWith({ treasury: [] }), names: "coin.treasury" },
  { content: coinWith({ treasury: undefined }), names: "coin.treasury" },
  { content: coinWith({ treasury: ENTRY }), names: "coin.treasury" },
  { content: coinWith({ treasury: Array(101).fill(ENTRY) }), names: "coin.treasury" },
  { content: coinWith({ treasury: [5] }), names: "coin.treasury[0]" },
  { content: entryWith({ address: BOB.slice(1) }), names: "coin.treasury[0].address" },
  { content: entryWith({ publickey: "" }), names: "coin.treasury[0].publickey" },
  { content: entryWith({ publickey: "hello" }), names: "coin.treasury[0].publickey" },
  { content: entryWith({ amount: "0" }), names: "coin.treasury[0].amount" },
  { content: entryWith({ amount: "x" }), names: "coin.treasury[0].amount" },
  { content: entryWith({ unlockdate: -1 }), names: "coin.treasury[0].unlockdate" },
  { content: entryWith({ unlockdate: 2147483648 }), names: "coin.treasury[0].unlockdate" },
  { content: coinWith({ owner: BOB }), names: "coin.owner" },
  { content: coinWith({ owner: "x" }), names: "coin.owner" },
  { content: { ...CONTENT, ledger: undefined }, names: "ledger" },
  { content: { ...CONTENT, ledger: "" }, names: "ledger" },
  { content: { ...CONTENT, ledger: "Ledger" }, names: "ledger" },
  { content: { ...CONTENT, ledger: "a_b" }, names: "ledger" },
  { content: { ...CONTENT, ledger: "l".repeat(129) }, names: "ledger" },
  { content: { ...CONTENT, note: "a|b" }, names: "note" },
  { content: { ...CONTENT, timestamp: -1 }, names: "timestamp" },
  { content: { ...CONTENT, timestamp: 1.5 }, names: "timestamp" },
  { content: { ...CONTENT, auctionMin: -1 }, names: "auctionMin" },
  { content: { ...CONTENT, auctionMin: 10, auctionMax: 9 }, names: "auctionMax" },
  { content: { ...CONTENT, operator: {} }, names: "operator.publickey" },
  { content: { ...CONTENT, operator: { publickey: "x" } }, names: "operator.publickey" },
  {
    content: { ...CONTENT, operater: { publickey: OTHER_PEM } },
    names: "operater is no setting of a genesis file. Did you mean operator?",
  },
  {
    content: { ...CONTENT, operator: { publickey: OTHER_PEM, comment: "ours" } },
    names: "operator.comment",
  },
  { content: coinWith({ decimals: 2 }), names: "coin.decimals" },
  {
    content: entryWith({ unlockDate: 2147483647 }),
    names: "coin.treasury[0].unlockDate is no setting of a genesis file. Did you mean unlockdate?",
  },
]) {
  test(`accounts §12: ${canonical(content)} is refused, naming ${names}`, () => {
    const message = refusal(content);
    assert(message.includes(names), message);
  });
}

function canonical(content: unknown): string {
  return (JSON.stringify(content) ?? "nothing")
    .replaceAll(JSON.stringify(PEM), "key")
    .slice(0, 200);
}

for (const content of [
  CONTENT,
  coinWith({ name: "𝄞".repeat(128), symbol: "é".repeat(32), decimal: 0 }),
  coinWith({
    decimal: 18,
    totalsupply: `1${"0".repeat(40)}`,
    treasury: [{ ...ENTRY, amount: `1${"0".repeat(40)}` }],
  }),
  coinWith({ owner: ALICE }),
  coinWith({ owner: "" }),
  coinWith({ treasury: Array(100).fill({ ...ENTRY, amount: "10" }) }),
  entryWith({ unlockdate: 2147483647 }),
  { ...CONTENT, ledger: "l".repeat(128), note: "first" },
  { ...CONTENT, operator: { publickey: OTHER_PEM }, auctionMin: 1, auctionMax: 1 },
]) {
  test(`accounts §12: ${canonical(content)} makes a block 0 that replays`, async () => {
    const genesis = readGenesis(content, T);
    const { log, ledger } = await begin(genesis);
    assert.equal(replay(log.blocks).ledger.head.id, ledger.head.id);
  });

  test(`what is written out of ${canonical(content)} makes the same block 0`, () => {
    const genesis = readGenesis(content, T);
    const again = readGenesis(JSON.parse(JSON.stringify(genesisContent(genesis))), T + 1);
    assert.deepEqual(genesisOperations(again), genesisOperations(genesis));
    assert.equal(again.timestamp, genesis.timestamp);
  });
}

test("chain §8: block 0 of the test defaults", async () => {
  const { log, records, ledger } = await begin(readGenesis(CONTENT, T));
  const [block] = log.blocks;
  assert(block !== undefined && log.blocks.length === 1);
  assert.equal(block.header.sn, 0);
  assert.equal(block.header.previous, NO_BLOCK);
  assert.equal(block.header.timestamp, T);
  assert.equal(block.header.protocol, 1);
  assert.deepEqual([block.header.count, block.header.size], [3, 3]);
  assert.equal(ledger.head.id, block.id);

  const treasury = `[{"address":"${ALICE}","value":"1000","unlockdate":0}]`;
  assert.deepEqual(
    block.operations.map((text) => JSON.parse(text)),
    [
      {
        v: 1,
        op: "protocol",
        actor: "",
        params: {
          version: "1",
          height: "0",
          ledger: "localhost/test",
          auctionMin: "3600",
          auctionMax: "1814400",
        },
        decided: {},
        signatures: {},
      },
      {
        v: 1,
        op: "address",
        actor: "",
        params: { publickey: PEM },
        decided: { address: ALICE },
        signatures: {},
      },
      {
        v: 1,
        op: "coin",
        actor: "",
        params: {
          name: "Test Coin",
          symbol: "TST",
          decimal: "8",
          totalsupply: "1000",
          treasury,
        },
        decided: {},
        signatures: {},
      },
    ],
  );

  assert.deepEqual(records, [
    {
      type: "Chaincode Install or Update",
      address: "",
      token: 0,
      parameters: ["1", "0", ""],
      values: {},
      effects: [],
    },
    {
      type: "NewWallet",
      address: ALICE,
      token: 0,
      parameters: [ALICE, PEM, ""],
      values: {
        addinfo: "",
        balance: [{ token: "0", balance: "0", unlockdate: 0 }],
        password: PEM,
        regdate: T,
      },
      effects: [],
    },
    {
      type: "tokenRegister",
      address: "",
      token: 0,
      parameters: ["0", "", "TST", "Test Coin", "", "1000", "8", "", treasury, "", ""],
      values: {},
      effects: [
        {
          type: "token_reserve",
          address: ALICE,
          token: 0,
          parameters: ["", ALICE, "1000", "0"],
          values: {
            balance: [{ token: "0", balance: "1000", unlockdate: 0 }],
            moved: [{ amount: "1000", token: "0" }],
          },
        },
      ],
    },
  ]);
});

test("chain §4.6, §5: the changes of block 0 are all state entries that it makes", async () => {
  const { log } = await begin(readGenesis(CONTENT, T));
  const changes = {
    [`address/${ALICE}`]: {
      addinfo: "",
      createdate: T,
      number: 0,
      publickey: TEST_KEY,
      signed: "",
    },
    [`balance/${ALICE}/0`]: { free: "1000" },
    "count/address": 1,
    "count/token": 0,
    protocol: {
      ...{ version: 1, next: 0, height: 0, note: "" },
      ...{ auctionMin: 3600, auctionMax: 1_814_400 },
    },
    "token/0": {
      id: "0",
      token: 0,
      owner: "",
      symbol: "TST",
      name: "Test Coin",
      category: "",
      decimal: 8,
      createdate: T,
      totalsupply: "1000",
      burnningamount: "0",
      reservedamount: "0",
      reserve: [{ address: ALICE, value: "1000", unlockdate: 0 }],
      tier: [],
      url: "",
      information: "",
      image: "",
      type: "010",
      status: "",
      basetoken: 0,
      targettoken: {},
      logger: {},
    },
  };
  assert.equal(log.blocks[0]?.header.changes, sha256.hex(canonicalJson(changes)));
});

test("chain §8: the treasury entries in order, then the operator, each address once", async () => {
  const content = {
    ...CONTENT,
    note: "first",
    operator: { address: BOB, publickey: OTHER_PEM },
    coin: {
      ...COIN,
      owner: BOB,
      treasury: [
        { ...ENTRY, amount: "300", unlockdate: T + 100 },
        { address: BOB, publickey: OTHER_PEM, amount: "200" },
        { ...ENTRY, amount: "500" },
      ],
    },
  };
  const { records, log, ledger } = await begin(readGenesis(content, T));
  assert.deepEqual(
    records.map(({ type, address }) => [type, address]),
    [
      ["Chaincode Install or Update", ""],
      ["NewWallet", ALICE],
      ["NewWallet", BOB],
      ["tokenRegister", BOB],
    ],
  );
  assert.deepEqual(records[0]?.["parameters"], ["1", "0", "first"]);
  const [first] = log.blocks[0]?.operations ?? [];
  assert.equal(JSON.parse(first as string).params.operator, BOB);
  const free = { token: "0", balance: "500", unlockdate: 0 };
  const locked = { token: "0", balance: "300", unlockdate: T + 100 };
  const ofBob = { balance: [{ token: "0", balance: "200", unlockdate: 0 }] };
  const coin = records[3] as unknown as TransactionRecord;
  assert.deepEqual(coin.values, ofBob);
  const moved = (amount: string): object => ({ moved: [{ amount, token: "0" }] });
  assert.deepEqual(
    coin.effects.map(({ parameters, values }) => ({ parameters, values })),
    [
      {
        parameters: [BOB, ALICE, "300", "0"],
        values: { balance: [free, locked], ...moved("300") },
      },
      { parameters: [BOB, BOB, "200", "0"], values: { ...ofBob, ...moved("200") } },
      { parameters: [BOB, ALICE, "500", "0"], values: { balance: [free], ...moved("500") } },
    ],
  );
  assert.equal(ledger.state.find(PROTOCOL, "")?.note, "first");
});

test("accounts §12: an address that is left out follows from the key, and is the same on every node", () => {
  const { address: _, ...withoutAddress } = ENTRY;
  const read = (): Address | undefined =>
    readGenesis(coinWith({ treasury: [withoutAddress] }), T).coin.treasury[0]?.address;
  assert.equal(read(), read());
  assert.equal(parseAddress(String(read())), read());
});

test("accounts §12: two entries without address and with one key are two addresses", () => {
  const { address: _, ...withoutAddress } = ENTRY;
  const half = { ...withoutAddress, amount: "500" };
  const { treasury } = readGenesis(coinWith({ treasury: [half, half] }), T).coin;
  assert.notEqual(treasury[0]?.address, treasury[1]?.address);
});

test("one address with two keys is refused", () => {
  const half = { ...ENTRY, amount: "500" };
  assert.notEqual(
    refusal(coinWith({ treasury: [half, { ...half, publickey: OTHER_PEM }] })),
    "accepted",
  );
  assert.notEqual(
    refusal({ ...CONTENT, operator: { address: ALICE, publickey: OTHER_PEM } }),
    "accepted",
  );
});

test("chain §8: the time of block 0 is the clock's where the file has none", () => {
  const { timestamp: _, ...withoutTime } = CONTENT;
  assert.equal(readGenesis(withoutTime, T + 7).timestamp, T + 7);
});

/** Changes parameters of the operation at a place of block 0, and what was decided for it. */
function changed(at: number, params: object, decided: object = {}) {
  return (texts: readonly string[]): string[] =>
    texts.map((text, index) => {
      const operation = JSON.parse(text);
      const forged = {
        ...operation,
        params: { ...operation.params, ...params },
        decided: { ...operation.decided, ...decided },
      };
      return index === at % texts.length ? canonicalJson(forged) : text;
    });
}

const COIN_AT = 2;
const twice = (place: number) => (texts: readonly string[]) => [
  ...texts.slice(0, place + 1),
  ...texts.slice(place),
];

for (const { what, forge, reason } of [
  {
    what: "pays the treasury more than there is",
    forge: changed(COIN_AT, { totalsupply: "999" }),
    reason: /add up to 1000 but coin.totalsupply is 999/,
  },
  {
    what: "pays the treasury less than there is",
    forge: changed(COIN_AT, { totalsupply: "1001" }),
    reason: /add up to 1000 but coin.totalsupply is 1001/,
  },
  { what: "has two coins", forge: twice(COIN_AT), reason: /not what the genesis file/ },
  {
    what: "has no coin",
    forge: (texts: readonly string[]) => texts.slice(0, COIN_AT),
    reason: /no genesis file/,
  },
  { what: "lays down the rules twice", forge: twice(0), reason: /not what the genesis file/ },
  {
    what: "has an address that neither treasury nor operator has",
    forge: (texts: readonly string[]) => [
      ...changed(1, {}, { address: BOB })(texts).slice(0, COIN_AT),
      ...texts.slice(1),
    ],
    reason: /not what the genesis file/,
  },
  {
    what: "has an operator without an address",
    forge: changed(0, { operator: BOB }),
    reason: /operator.publickey/,
  },
  {
    what: "has auctions that end before they may",
    forge: changed(0, { auctionMin: "10", auctionMax: "9" }),
    reason: /auctionMax/,
  },
  {
    what: "says no length of auctions",
    forge: (texts: readonly string[]) =>
      changed(0, {})(texts.map((text) => text.replace(/"auctionM..":"\d+",/g, ""))),
    reason: /auctionMin/,
  },
  {
    what: "has a name that breaks the lines of checkpoints",
    forge: changed(0, { ledger: "a\nb" }),
    reason: /ledger may only have/,
  },
]) {
  test(`a block 0 that ${what} is invalid, though its hashes fit`, async () => {
    const log = new BlockList();
    const ledger = new Ledger(openForWriting(":memory:"), log);
    await ledger.begin(forge(genesisOperations(readGenesis(CONTENT, T))), T);
    assert.throws(() => replay(log.blocks), { name: "InvalidBlock", message: reason });
  });
}

const MOST = { address: ALICE, value: `1${"0".repeat(40)}`, unlockdate: 0 };

for (const { what, params } of [
  { what: "gives an address more than can be", params: { treasury: JSON.stringify([MOST, MOST]) } },
  { what: "has an unknown owner of the coin", params: { owner: BOB } },
  { what: "has a treasury that is no list", params: { treasury: "[null" } },
]) {
  test(`a block 0 that ${what} is invalid, and does not end who replays it`, async () => {
    const { log } = await begin(readGenesis(CONTENT, T));
    const [block] = log.blocks;
    assert(block !== undefined);
    const operations = changed(COIN_AT, params)(block.operations);
    assert.throws(() => replay([{ ...block, operations }]), { name: "InvalidBlock" });
  });
}

test("block 0 is made once", async () => {
  const genesis = readGenesis(CONTENT, T);
  const { ledger } = await begin(genesis);
  await assert.rejects(ledger.begin(genesisOperations(genesis), T), /block 0 is made once/);
});
