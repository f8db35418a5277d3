import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keyBody, Moneta, SigningKey } from "@moneta/sdk";
import type { Browser, Page } from "playwright-core";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import type { TestNode } from "../../../node/testing/test-node.ts";
import { follow } from "../../testing/follow.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import { OpenedPage } from "../../testing/opened-page.ts";
import { Authenticator } from "../testing/authenticator.ts";
import { type OpenedWallet, openWallet, shownAddress } from "../testing/opened-wallet.ts";
import { isProven, isReviewed, review, sign } from "../testing/signing.ts";

const DAY_SECONDS = 86_400;

describe("keys of an account in the wallet", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;
  let moneta: Moneta;
  /** Browsers make no passkeys for IP addresses. */
  let named: string;

  /** For tests that need no browser of their own. */
  let wallet: OpenedWallet;

  inBrowser(testNode, async (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
    named = node.url.replace("127.0.0.1", "localhost");
    moneta = new Moneta(node.url);
    wallet = await openWallet(browser, node.url);
  });

  /** With an authenticator and a passkey's account. */
  async function device(): Promise<readonly [OpenedPage, string]> {
    const opened = await OpenedPage.open(browser, named, undefined);
    await Authenticator.of(opened.page);
    await opened.page.goto(`${named}/wallet`);
    await opened.page.getByRole("button", { name: "Create an account" }).click();
    return [opened, await shownAddress(opened)];
  }

  async function keySetOf(address: string) {
    return (await moneta.addressRead({ address, view: "full" })).keyset;
  }

  async function code(page: Pick<Page, "getByText">): Promise<string> {
    return await page
      .getByText(/^[0-9a-f]{4}( [0-9a-f]{4}){3}$/)
      .first()
      .innerText();
  }

  /** For others to sign. */
  async function linkOn(page: Page): Promise<string> {
    return await page.locator(".proposal-link code").innerText();
  }

  /** Waits until the proof is checked. */
  async function haveDone(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".swap-proposal").getByText("checked by proof").waitFor();
  }

  async function importKey(opened: OpenedPage, key: SigningKey): Promise<void> {
    const { page } = opened;
    await follow(opened, "/wallet/new-account");
    await page.getByLabel("Private key").fill(await key.privateKeyPem());
    await page.getByRole("button", { name: "Import" }).click();
    await page.waitForURL("**/wallet/accounts");
    await opened.isShown();
  }

  /** 5 of a new token, whose id is returned, and an item that can only be sold. */
  async function goldAndTicket(to: string): Promise<string> {
    const maker = await moneta.createAddress(await SigningKey.generate());
    await moneta.faucet({ address: maker.address });
    await maker.tokensave({ symbol: "GLD", name: "Gold", decimal: 0, totalsupply: 5n });
    const { token } = await maker.tokencreate();
    await maker.transfer({ to, token, amount: 5n });
    const url = "https://game.example/{id}";
    const { mrc400id } = await maker.mrc400create({
      ...{ name: "Tickets", url: "https://game.example", imageurl: "https://game.example/i.png" },
      ...{ allowtoken: "0", category: "game", description: "d", data: "d" },
      ...{ itemurl: url, itemimageurl: url, policy: { transfers: "market" } },
    });
    const { mrc401ids } = await maker.mrc401create({ mrc400id, itemdata: [{}] });
    await maker.mrc401transfer({ mrc401id: mrc401ids[0], toAddr: to });
    return token;
  }

  async function change(page: Page, part: string, fill?: () => Promise<void>): Promise<void> {
    await page.getByText(part, { exact: true }).click();
    await fill?.();
    await review(page);
    await isReviewed(page);
    await sign(page);
    await isProven(page);
  }

  test("explorer §3: a second device is added by a code that both show, signs, and is removed", async () => {
    const [first, address] = await device();
    await using _ = first;
    await moneta.faucet({ address });
    const [second] = await device();
    await using __ = second;
    await follow(second, "/wallet/device");
    const shown = await code(second.page);
    const link = await second.page.locator(".receive dd code").nth(1).innerText();

    const { page } = first;
    await page.goto(link);
    await review(page);
    await isReviewed(page);
    const facts = page.locator(".write-form .facts");
    assert.equal(await code(facts), shown);
    await facts.getByText("Any one of these keys signs.").waitFor();
    await sign(page);
    await isProven(page);
    assert.deepEqual(
      (await keySetOf(address))?.keys.map(({ kind, rpid, weight }) => [kind, rpid, weight]),
      [
        ["webauthn", "localhost", 1],
        ["webauthn", "localhost", 1],
      ],
    );

    await second.page.getByText("Any one of these keys signs.").waitFor();
    await second.page.getByRole("button", { name: "Use here" }).click();
    assert.equal(await shownAddress(second), address);
    const to = await node.holder();
    const request = encodeURIComponent(`moneta:${to.address}?token=0&amount=7`);
    await follow(second, `/wallet/send?request=${request}`);
    await review(second.page);
    await sign(second.page);
    await isProven(second.page);
    assert.deepEqual(await node.balances(to, "0"), ["7"]);

    await page.goto(`${named}/wallet/keys`);
    await change(page, "Remove a key", async () => {
      await page.getByLabel("Which one").selectOption({ index: 1 });
    });
    assert.equal((await keySetOf(address))?.keys.length, 1);
    await second.page.getByText("does not sign for this address any more").waitFor();
    await second.page.goto(`${named}/wallet/send?request=${request}`);
    await review(second.page);
    await second.page.getByRole("alert").getByText("does not sign").waitFor();
    const complaints = [...first.complaints, ...second.complaints];
    assert.deepEqual(
      complaints.filter((one) => !one.includes("pubKeyCredParams")),
      [],
    );
  });

  test("authority §4: people who can help are named; a recovery that they begin is shown at each visit and cancelled by one tap", async () => {
    const friendKey = await SigningKey.generate();
    const friend = await moneta.createAddress(friendKey);
    const { opened, address } = wallet;
    const { page } = opened;
    await follow(opened, "/wallet/keys");
    await page.getByText("None. If all keys are lost").waitFor();
    const addresses = page.getByLabel("Their addresses");
    await page.getByText("Name people who can help", { exact: true }).click();
    for (const [typed, says] of [
      ["MTnobody", "MTnobody is not an address."],
      [address, "This is the account itself"],
    ] as const) {
      await addresses.fill(typed);
      await review(page);
      await page.locator(".error").getByText(says).waitFor();
    }
    await addresses.fill(friend.address);
    await page.getByLabel("Delay in days").fill("366");
    await review(page);
    await page.locator(".error").getByText("A whole number from 1 to 365.").waitFor();
    await page.getByLabel("Delay in days").fill("2");
    await review(page);
    await isReviewed(page);
    await sign(page);
    await isProven(page);
    const helped = await keySetOf(address);
    assert.deepEqual(
      [helped?.recoverykeys?.length, helped?.recoverythreshold, helped?.recoverydelay],
      [1, 1, 2 * DAY_SECONDS],
    );
    await page.getByText("It takes 2 days, in which you can cancel it.").waitFor();

    await moneta.actor(address, friendKey).addressrecover({
      keys: [{ publickey: friendKey.publicKeyPem }],
      ...{ threshold: 1, version: 2, proof: friendKey },
    });
    await page.goto(`${node.url}/wallet`);
    await page.getByText("The keys of this account are being replaced.").waitFor();
    await follow(opened, "/wallet/receive");
    await page.getByRole("button", { name: "Cancel the recovery" }).click();
    await page.locator(".key-notice").waitFor({ state: "detached" });
    assert.equal((await keySetOf(address))?.pendingkeys?.length ?? 0, 0);

    await follow(opened, "/wallet/keys");
    await change(page, "Remove these people");
    assert.equal((await keySetOf(address))?.recoverykeys?.length ?? 0, 0);
    assert.deepEqual(opened.complaints, []);
  });

  test("authority §4: two helpers give a lost account the key of a new device, each by the link of the one before", async () => {
    const keys = await Promise.all([1, 2, 3].map(() => SigningKey.generate({ extractable: true })));
    const [lostKey, ...helperKeys] = keys as [SigningKey, SigningKey, SigningKey];
    const lost = await moneta.createAddress(lostKey);
    await Promise.all(helperKeys.map((key) => moneta.createAddress(key)));
    const [own, ...recoverykeys] = keys.map(({ publicKeyPem }) => ({ publickey: publicKeyPem }));
    const recovery = { recoverykeys, recoverythreshold: 2, recoverydelay: DAY_SECONDS };
    await lost.addresskeys({
      ...{ keys: [own as { publickey: string }], threshold: 1, version: 1, proof: lostKey },
      ...recovery,
    });

    const [asker] = await device();
    await using _ = asker;
    await follow(asker, "/wallet/device");
    const shown = await code(asker.page);
    const address = asker.page.getByLabel("Address of the account");
    await address.fill((await node.holder()).address);
    await asker.page.getByRole("button", { name: "Make the link" }).click();
    await asker.page.getByText("This address has no recovery keys").waitFor();
    await address.fill(lost.address);
    await asker.page.getByRole("button", { name: "Make the link" }).click();
    let link = await linkOn(asker.page);

    for (const [at, key] of helperKeys.entries()) {
      const { opened } = at === 0 ? wallet : await openWallet(browser, node.url);
      opened.complaints.length = 0;
      const { page } = opened;
      await page.goto(link.replace(named, node.url));
      await page
        .getByText("This proposal needs no signature from the key of this account")
        .waitFor();
      await importKey(opened, key);
      await page.goto(link.replace(named, node.url));
      await page.getByText("Speak to the person who requests it.").waitFor();
      await page.getByText(`${at} of 2`).waitFor();
      const afterwards = page.locator(".swap-proposal dd", { hasText: "One key signs." });
      assert.equal(await code(afterwards), shown);
      await page.getByRole("button", { name: "Sign", exact: true }).click();
      if (at === 0) {
        link = await linkOn(page);
      } else {
        await haveDone(page);
        await page.close();
      }
      assert.deepEqual(opened.complaints, []);
    }
    await asker.page.goto(`${named}/wallet/device`);
    await asker.page.getByText("will sign for it once its recovery is over").waitFor();
    node.now += DAY_SECONDS;
    await moneta.addressrecoverfinish({ address: lost.address });
    await asker.page.getByRole("button", { name: "Use here" }).click();
    assert.equal(await shownAddress(asker), lost.address);
    assert.equal((await keySetOf(lost.address))?.keys[0]?.kind, "webauthn");
  });

  test("authority §5: what other keys may do is shown in words, stays when a key is added, and ends by one tap", async () => {
    const [key, agent] = await Promise.all([
      SigningKey.generate({ extractable: true }),
      SigningKey.generate(),
    ]);
    const owner = await moneta.createAddress(key);
    const { address } = owner;
    await moneta.faucet({ address });
    const to = await node.holder();
    const granted = { agent: agent.publicKeyPem, operations: ["transfer"], payees: [to.address] };
    const limits = [{ token: 0, amount: 500n, period: DAY_SECONDS }];
    const until = node.now + 5 * DAY_SECONDS;
    const { grantid } = await owner.grant({ ...granted, limits, until, note: "The game" });
    await owner.grant({ ...granted, until: node.now + 60 });
    await moneta
      .actor(address, agent, { grant: grantid })
      .transfer({ to: to.address, token: 0, amount: 20n });

    const { opened } = wallet;
    const { page } = opened;
    await follow(opened, "/wallet/new-account");
    await page.getByLabel("Private key").fill(await key.privateKeyPem());
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByText(address).first().waitFor();
    await follow(opened, "/wallet/keys");
    const list = page.getByRole("region", { name: "Who may act for me" });
    const game = list.getByText("The game");
    await list.getByText("It may spend 0.000005 TST in a day: 0.0000002 TST spent").waitFor();
    await list.getByText("It may pay.").first().waitFor();
    await list.getByText("It may pay only").waitFor();
    await list.getByText("It may spend nothing.").waitFor();

    const device = (await moneta.createAddress(await SigningKey.generate())).address;
    await change(page, "Add a device", () => page.getByLabel("Address that the").fill(device));
    await game.waitFor();
    await list
      .getByRole("listitem")
      .filter({ hasText: "The game" })
      .getByText("End it now")
      .click();
    await game.waitFor({ state: "detached" });
    assert.notEqual((await moneta.grantDetails({ grantid })).ended, 0);
    // Removing a key ends its grants.
    await change(page, "Remove a key", async () => {
      await page.getByLabel("Which one").selectOption({ index: 1 });
    });
    await page.getByText("None. Games, shops and programs").waitFor();
    assert.deepEqual(opened.complaints, []);
  });

  test("authority §5: the link of a program fills in a grant, whose review is what is signed; the program then spends within it", async () => {
    const agent = await SigningKey.generate();
    const to = await node.holder();
    const { opened } = wallet;
    const { page } = opened;
    await follow(opened, "/wallet");
    const address = await shownAddress(opened);
    await node.pay({ address, privateKey: node.treasury.privateKey }, 1000n);
    opened.complaints.length = 0;
    const until = Math.floor((node.now + 9 * DAY_SECONDS) / 60) * 60;
    const asked = new URLSearchParams({
      agent: keyBody(agent.publicKeyPem),
      ...{ note: "The shop", operations: "transfer,multitransfer", amount: "500" },
      ...{ period: String(DAY_SECONDS), payees: to.address, until: String(until) },
    });
    await page.goto(`${node.url}/wallet/grant?${asked}`);
    await page.getByLabel("Limit").fill("0.000004");
    await review(page);
    await isReviewed(page);
    const facts = page.locator(".write-form .facts");
    await facts.getByText("It may pay.", { exact: true }).waitFor();
    await facts.getByText("It may spend 0.000004 TST in a day", { exact: true }).waitFor();
    await facts.getByText("It may pay only").waitFor();
    await sign(page);
    await isProven(page);
    const grantid = await page.locator(".write-form code.hash", { hasText: "GRT_" }).innerText();
    const { operations, limits, payees, items, ...rest } = await moneta.grantDetails({ grantid });
    assert.deepEqual(
      [operations, limits, payees, items, rest.until, rest.note],
      [
        ["transfer", "multitransfer"],
        [{ token: "0", amount: 400n, period: DAY_SECONDS }],
        [to.address],
        [],
        until,
        "The shop",
      ],
    );
    const shop = moneta.actor(address, agent, { grant: grantid });
    await shop.transfer({ to: to.address, token: 0, amount: 300n });
    await assert.rejects(shop.transfer({ to: to.address, token: 0, amount: 101n }), {
      code: "7005",
    });
    await page.getByRole("link", { name: "Who may act for me" }).click();
    await page.getByText("It may spend 0.000004 TST in a day: 0.000003 TST spent").waitFor();

    // From the wallet or the node.
    await page.getByRole("link", { name: "Let a program act for me" }).click();
    for (const [label, typed, says] of [
      ["It may pay only these", "MTnobody", "MTnobody is not an address."],
      ["It may pay only these", `${address}\n`.repeat(101), "There may be at most 100 lines."],
      ["Public key of the program", "hello", "not base64"],
    ] as const) {
      await page.getByLabel("Public key of the program").fill(keyBody(agent.publicKeyPem));
      await page.getByLabel(label).fill(typed);
      await review(page);
      await page.locator(".error").getByText(says).waitFor();
      await page.getByLabel(label).fill("");
    }
    assert.deepEqual(
      opened.complaints.filter((one) => !one.includes(" 400 ")),
      [],
    );
  });

  test("authority §2.3: an address of two keys pays from two devices, by a link, and each sees what it signs", async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => SigningKey.generate({ extractable: true })),
    );
    const { address } = await moneta.createAddress(one as SigningKey);
    await moneta.faucet({ address });
    const token = await goldAndTicket(address);
    const added = (await moneta.createAddress(two as SigningKey)).address;
    const first = wallet.opened;
    await importKey(first, one as SigningKey);
    first.complaints.length = 0;
    const { page } = first;
    await follow(first, "/wallet/keys");
    await change(page, "Add a device", () => page.getByLabel("Address that the").fill(added));

    // Both keys sign that from now on both are needed.
    await page.goto(`${node.url}/wallet/keys`);
    await page.getByText("Set how many keys must sign", { exact: true }).click();
    const number = page.getByLabel("How many keys must sign together");
    await number.fill("3");
    await review(page);
    await page.locator(".error").getByText("A whole number from 1 to 2.").waitFor();
    await number.fill("2");
    await review(page);
    await page.getByText("If one of these keys is lost").waitFor();
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    const toChange = await linkOn(page);
    assert.equal((await keySetOf(address))?.threshold, 1);
    const { opened: second } = await openWallet(browser, node.url);
    await using _ = second;
    await importKey(second, two as SigningKey);
    const { page: other } = second;
    await other.goto(toChange);
    await other.getByText("All of these keys must sign together.").waitFor();
    await other.getByText("(its new keys)").waitFor();
    await other.getByRole("button", { name: "Sign", exact: true }).click();
    await haveDone(other);
    assert.equal((await keySetOf(address))?.threshold, 2);

    const to = await node.holder();
    const request = encodeURIComponent(`moneta:${to.address}?token=0&amount=9`);
    await follow(first, `/wallet/send?request=${request}`);
    await review(page);
    await page.getByText("Other keys must sign this, too.").waitFor();
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    await page.getByText("1 of 2").waitFor();
    const link = await linkOn(page);
    await page.getByRole("img", { name: "QR code of the link" }).waitFor();
    await page.reload();
    assert.equal(await linkOn(page), link);
    await other.goto(link.slice(0, -9));
    await other.getByText(/This link is incomplete|cannot be trusted/).waitFor();

    // It has only the key, not the account.
    await other.goto(link);
    const payer = other.locator(".forecast-party", { hasText: address.slice(0, 6) });
    await payer.getByText(/^gives 0.00000009 TST$/).waitFor();
    await other.getByRole("button", { name: "Sign", exact: true }).click();
    await haveDone(other);
    assert.deepEqual(await node.balances(to, "0"), ["9"]);

    // The ticket may not leave.
    await follow(first, "/wallet/sweep");
    await page.getByLabel("To", { exact: true }).fill(to.address);
    await review(page);
    await page.getByText("Other keys must sign this, too.").waitFor();
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    await other.goto(await linkOn(page));
    await payer.getByText(`gives 5 GLD #${token}`).waitFor();
    await other.getByRole("button", { name: "Sign", exact: true }).click();
    await haveDone(other);
    assert.deepEqual(await node.balances(to, "0"), ["10000000000"]);
    assert.deepEqual(await node.balances(to, token), ["5"]);
    assert.deepEqual([...first.complaints, ...second.complaints], []);
  });
});
