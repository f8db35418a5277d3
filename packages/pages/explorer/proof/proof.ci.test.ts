import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Moneta } from "@moneta/sdk";
import { verifyRead } from "@moneta/sdk/proof";
import type { Browser, Page } from "playwright-core";
import { someCases } from "../../../ledger/testing/lane.ts";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import { TestNode } from "../../../node/testing/test-node.ts";
import { until } from "../../../node/testing/until.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import { OpenedPage } from "../../testing/opened-page.ts";
import { pinOtherKey } from "../../testing/pinned-key.ts";
import { openWallet } from "../../wallet/testing/opened-wallet.ts";

/** In a base64 or hex text. */
const changed = (text: string): string => {
  const at = Math.floor(text.length / 2);
  return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
};

/** By a node between ledger and browser, and the check that finds it. */
type Alteration = readonly [
  name: string,
  path: RegExp,
  alter: (text: string) => string,
  fails: RegExp,
];

interface Body {
  readonly proof: readonly string[];
  readonly leaf: string;
  readonly checkpoint: string;
  readonly parameters: readonly string[];
  readonly timestamp: number;
  readonly operation: object;
  readonly block: object;
}

const inJson =
  (alter: (body: Body) => object) =>
  (text: string): string => {
    const body = JSON.parse(text) as Body;
    return JSON.stringify({ ...body, ...alter(body) });
  };

/** After four bytes of the key's id. */
const withOtherSignature = (note: string): string =>
  note.replace(/.{12}\n$/, (end) => `${end.startsWith("A") ? "B" : "A"}${end.slice(1)}`);

const PROOF = /\/transaction\/[0-9a-f]{64}\/proof$/;
const TRANSACTION = /\/transaction\/[0-9a-f]{64}$/;

const OF_TRANSACTION: readonly Alteration[] = [
  [
    "a hash of the path",
    PROOF,
    inJson(({ proof }) => ({ proof: [changed(proof[0] ?? ""), ...proof.slice(1)] })),
    /the path leads from the leaf to the root/,
  ],
  [
    "the leaf",
    PROOF,
    inJson(({ leaf }) => ({ leaf: leaf.replace(/"id":"0/, '"id":"1') })),
    /the id is that of the leaf/,
  ],
  [
    "the signature of the checkpoint",
    PROOF,
    inJson(({ checkpoint }) => ({ checkpoint: withOtherSignature(checkpoint) })),
    /the signature of the checkpoint is right/,
  ],
  [
    "the size in the checkpoint",
    PROOF,
    inJson(({ checkpoint }) => ({
      checkpoint: checkpoint.replace(/\n[0-9]+\n/, "\n999\n"),
    })),
    /size and root are those of the checkpoint/,
  ],
  [
    "the amount in the record",
    TRANSACTION,
    inJson(({ parameters }) => ({
      parameters: parameters.map((one, place) => (place === 2 ? "6" : one)),
    })),
    /the shown record has the hash in the leaf/,
  ],
  [
    "the time of the record",
    TRANSACTION,
    inJson(({ timestamp }) => ({ timestamp: timestamp + 1 })),
    /the time is that of the leaf/,
  ],
  [
    "what was signed",
    PROOF,
    inJson(({ operation }) => ({ operation: { ...operation, memo: "forged" } })),
    /what was signed has the hash in the leaf/,
  ],
  ["the form of the answer", PROOF, () => "[]", /the node answers in the form of its interface/],
];

/** Its only transaction creates an address. */
const OF_BLOCK: readonly Alteration[] = [
  [
    "a byte of a leaf",
    /\/tlog\/tile\/entries\//,
    (bytes) => bytes.replace(/"operation":"./g, '"operation":"g'),
    /the leaves have the root in the block’s header/,
  ],
  [
    "a hash in the header",
    PROOF,
    inJson(({ block }) => ({ block: { ...block, tree: "0".repeat(64) } })),
    /the leaves lead from the ledger before the block/,
  ],
  [
    "the time of the block",
    /\/block\/1$/,
    inJson(({ timestamp }) => ({ timestamp: timestamp + 60 })),
    /the header has the shown id, number and count/,
  ],
];

describe("a proof checked in the page", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;
  let id: string;
  /** Whose visits follow each other. */
  let reader: OpenedPage;

  inBrowser(testNode, async (started) => {
    ({ node, browser } = started);
    await node.holder({ coins: 1000n });
    const [paid] = (await new Moneta(node.url).transactions({ type: "transfer", limit: 1 })).items;
    assert.ok(paid !== undefined);
    ({ id } = paid);
    reader = await OpenedPage.open(browser, node.url, `/explorer/transaction/${id}`);
  });

  test("says what was checked and what was not, keeps the key, and sees that the ledger grows", async () => {
    const { page } = reader;
    const proof = page.getByRole("region", { name: "Proof" });
    await proof.getByRole("heading", { name: "Verified here" }).waitFor();
    const { ledger, checkpoint_keys } = await new Moneta(node.url).service();
    const keyId = checkpoint_keys?.[0]?.split("+")[1];
    const text = await proof.innerText();
    assert.match(
      text,
      new RegExp(`in the ledger that\\s+${ledger}\\+${keyId}\\s+has signed at size`),
    );
    assert.match(text, /This page came from the same node/);
    assert.match(text, /Not checked: whether what it did follows from the rules/);
    assert.match(text, /has seen the key for the first time/);

    await node.holder();
    await page.reload();
    await proof.getByText("The ledger has only grown since this browser saw it").waitFor();
    await proof.getByText("The key is the one that this browser knows.").waitFor();
    assert.deepEqual(reader.complaints, []);
    assert.deepEqual(reader.elsewhere, []);
  });

  test("a ledger that is smaller than an earlier visit saw it is red", async () => {
    const { page } = reader;
    const proof = page.getByRole("region", { name: "Proof" });
    const answer = await fetch(`${node.url}/transaction/${id}/proof`);
    const old = Buffer.from(await answer.arrayBuffer()).toString("latin1");
    await node.holder();
    await page.reload();
    await proof.getByText("The ledger has only grown since").waitFor();
    await alterAnswers(page, PROOF, () => old);
    await page.reload();
    await expectWrong(page, /the ledger has only grown/);
    await page.unrouteAll();
  });

  test("another key than the one seen first is a warning until the reader believes it", async () => {
    const { page } = reader;
    const proof = page.getByRole("region", { name: "Proof" });
    await pinOtherKey(reader);
    await page.reload();
    await expectWrong(page, /a known key has signed the checkpoint/);
    await proof.getByText("This node shows other keys than the one").waitFor();
    await proof.getByRole("button", { name: "Trust these keys from now on" }).click();
    await proof.getByRole("heading", { name: "Verified here" }).waitFor();
    assert.deepEqual(reader.complaints, []);
  });

  // The client library tests each check.
  const altered = [...someCases(OF_TRANSACTION, 2), ...someCases(OF_BLOCK)];
  for (const [name, path, alter, fails] of altered) {
    const isOfBlock = OF_BLOCK.some(([one]) => one === name);
    test(`${name} is changed: red, and it says which check failed`, async () => {
      const { page } = reader;
      await alterAnswers(page, path, alter);
      const view = isOfBlock ? "block/1" : `transaction/${id}`;
      await page.goto(`${node.url}/explorer/${view}`);
      await expectWrong(page, fails);
      await page.unrouteAll();
      assert.deepEqual(reader.complaints, []);
    });
  }

  test("of a block, its leaves are checked", async () => {
    const { page } = reader;
    await page.goto(`${node.url}/explorer/block/1`);
    const proof = page.getByRole("region", { name: "Proof" });
    await proof.getByText("This block and all its transactions are in the ledger").waitFor();
    assert.deepEqual(reader.complaints, []);
  });
});

describe("the state checked in the page", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(
    () => TestNode.start("--state-roots", "1"),
    (started) => {
      ({ node, browser } = started);
    },
  );

  async function isRooted(address: string): Promise<void> {
    const asked = { read: "balanceOfToken", params: { address, token: "0" } };
    const client = new Moneta(node.url);
    await until(async () => {
      const { proven } = await verifyRead(client, asked, { notBefore: 0 });
      return Object.values(proven?.entries ?? {}).some((entry) => entry !== null);
    }, "a root has the address");
  }

  const forged = (text: string): string =>
    text.replace('"value":{"free":"1000"', '"value":{"free":"1001"');

  test("explorer §2: a balance and the keys of an address are checked when the reader asks", async () => {
    const { address } = await node.holder({ coins: 1000n });
    await isRooted(address);
    await using opened = await OpenedPage.open(browser, node.url, `/explorer/address/${address}`);
    const { page } = opened;
    const proof = page.getByRole("region", { name: "Proof" });
    for (const name of [`Check proof of ${address} 0`, `Check proof of ${address}`]) {
      await page.getByRole("button", { name, exact: true }).click();
      await proof.getByRole("heading", { name: "Verified here" }).waitFor();
      await proof.getByText("agrees with the state of the ledger").waitFor();
      await page.keyboard.press("Escape");
    }
    await alterAnswers(page, /\/balance\/\w+\/0$/, forged);
    await page.reload();
    await page.getByRole("button", { name: `Check proof of ${address} 0` }).click();
    await expectWrong(page, /the record in the ledger names this root/);
    assert.deepEqual(opened.complaints, []);
  });

  test("explorer §3: the wallet checks the balances of the tokens that it lists", async () => {
    const { opened, address } = await openWallet(browser, node.url, { node, coins: 1000n });
    await using _ = opened;
    const { page } = opened;
    await isRooted(address);
    await page.goto(`${node.url}/wallet/tokens`);
    await page.locator(".checked.verified").waitFor();
    await alterAnswers(page, /\/balance\/\w+\/0$/, forged);
    await page.reload();
    await page.locator(".checked.wrong").waitFor();
    assert.deepEqual(opened.complaints, []);
  });
});

/** As a node in between. */
async function alterAnswers(
  page: Page,
  path: RegExp,
  alter: (text: string) => string,
): Promise<void> {
  await page.route(
    (url) => path.test(url.pathname) && !url.pathname.startsWith("/explorer"),
    async (route) => {
      const response = await route.fetch();
      // Some responses are not text.
      const body = alter((await response.body()).toString("latin1"));
      await route.fulfill({ response, body: Buffer.from(body, "latin1") });
    },
  );
}

async function expectWrong(page: Page, fails: RegExp): Promise<void> {
  const proof = page.getByRole("region", { name: "Proof" });
  const heading = proof.getByRole("heading", { name: "The proof is wrong" });
  await heading.waitFor();
  await proof.getByRole("listitem").filter({ hasText: fails }).first().waitFor();
  const isRed = (color: string): boolean => {
    const [red = 0, green = 0] = (color.match(/\d+/g) ?? []).map(Number);
    return red > 150 && green < 60;
  };
  assert.ok(isRed(await heading.evaluate((element) => getComputedStyle(element).color)));
}
