import assert from "node:assert/strict";
import { test } from "node:test";
import { DERIVED_OPERATIONS, OPERATIONS, READS } from "@moneta/protocol";
import { publicPem, TestNode } from "../node/testing/test-node.ts";
import {
  type Actor,
  everyItem,
  Moneta,
  openingKey,
  Proposal,
  type SentWrite,
  type Sign,
  type SignerWeight,
  SigningKey,
  seal,
  signTogether,
} from "./index.ts";

// Every operation and every read, as a program would call it; the compiler looks at the types of
// what is sent and answered.

const DAY_SECONDS = 86_400;
const PAGE = "https://rpg.example/";

const called: Set<string> = new Set();

function noting<T extends object>(object: T): T {
  return new Proxy(object, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") {
        return member;
      }
      return (...args: unknown[]) => {
        called.add(String(name));
        return Reflect.apply(member, target, args);
      };
    },
  });
}

interface Cast {
  readonly node: TestNode;
  readonly moneta: Moneta;
  readonly alice: Actor;
  readonly bob: Actor;
}

test("every operation and every read is called as its types say, and answers as they say", async () => {
  await using node = await TestNode.startWithOperator("--mrc400-answer", "object");
  const moneta = noting(new Moneta(node.url));
  const newActor = async (): Promise<Actor> => {
    const actor = noting(await moneta.createAddress(await SigningKey.generate()));
    await moneta.faucet({ address: actor.address, amount: 1_000_000n });
    return actor;
  };
  const cast: Cast = { node, moneta, alice: await newActor(), bob: await newActor() };
  await paymentsAndKeys(cast);
  const token = await tokens(cast);
  await tokenMarket(cast, token);
  await orderExchange(cast, token);
  const mrc400id = await projects(cast);
  await items(cast, mrc400id);
  await itemAuctions(cast, mrc400id);
  await units(cast, mrc400id);
  await unitMarket(cast);
  await offers(cast, mrc400id);
  await sealedTexts(cast);
  await blocksAndProofs(cast);

  const { operator } = node;
  const { privateKey } = operator;
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const announcer = noting(moneta.actor(operator.address, await SigningKey.fromPem(pem)));
  const next = (await moneta.service()).protocol.version + 1;
  await announcer.protocol({ version: next, height: (await node.height()) + 1000, note: "soon" });
  assert.equal((await moneta.service()).protocol.next, next);
  await keysAndRecovery(cast);

  const all = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS].map(({ name }) => name);
  assert.deepEqual(
    all.filter((name) => !called.has(name)),
    [],
  );
});

/** The keys of an address change to two, both of which sign; then a third key recovers the address. */
async function keysAndRecovery({ node, moneta }: Cast): Promise<void> {
  const [first, phone, safe, friend, next] = (await Promise.all(
    Array.from({ length: 5 }, () => SigningKey.generate()),
  )) as [SigningKey, SigningKey, SigningKey, SigningKey, SigningKey];
  const created = noting(await moneta.createAddress(first));
  const { address } = created;
  await moneta.faucet({ address, amount: 10n });
  const key = ({ publicKeyPem: publickey }: SigningKey): { readonly publickey: string } => ({
    publickey,
  });
  const both = signTogether([
    [0, phone],
    [1, safe],
  ]);
  const recovery = { recoverykeys: [key(friend)], recoverythreshold: 1, recoverydelay: 86_400 };
  await created.addresskeys({
    ...{ keys: [key(phone), key(safe)], threshold: 2, version: 1, ...recovery },
    proof: both,
  });
  const actor = noting(moneta.actor(address, both));
  const to = node.treasury.address;
  await actor.transfer({ to, token: 0, amount: 1n });
  const payment = { operation: "transfer", to, token: 0, amount: 1n } as const;
  const [bundled] = await actor.bundle([payment, { ...payment, memo: "second" }]);
  assert.match((bundled as SentWrite).transaction_id, /^[0-9a-f]{64}$/);
  const group = await Proposal.propose(moneta, [
    { ...payment, actor: address },
    { ...payment, actor: address, amount: 2n },
  ]);
  // As in an HSM: its public key says which of the keys it is. As a passkey it signs one text at a time.
  const { publicKeyPem } = safe;
  let isBusy = false;
  const sign: Sign = async (bytes) => {
    assert.ok(!isBusy);
    isBusy = true;
    const signature = await safe.sign(bytes);
    isBusy = false;
    return signature;
  };
  await group.sign(moneta.actor(address, { publicKeyPem, sign }));
  const passedOn = await Proposal.from(JSON.stringify(group), moneta);
  assert.deepEqual(passedOn.missing, [address]);
  const [{ needed, given, signed }] = passedOn.weights as [SignerWeight];
  assert.deepEqual([needed, given, signed], [2, 1, [1]]);
  await assert.rejects(passedOn.submit(), { name: "ProposalError" });
  await assert.rejects(passedOn.sign(moneta.actor(address, first)), /key is none of MT/);
  await passedOn.sign(moneta.actor(address, phone));
  assert.equal((await passedOn.submit()).length, 2);
  const recover = { address, keys: [key(next)], threshold: 1, version: 2, proof: next };
  const byFriend = noting(moneta.actor(address, friend));
  await byFriend.addressrecover(recover);
  await actor.addressrecovercancel();
  const { proof: _, ...terms } = recover;
  const recovering = await Proposal.propose(moneta, [{ operation: "addressrecover", ...terms }]);
  await recovering.sign(byFriend);
  assert.deepEqual(recovering.missing, [address]);
  await recovering.sign(moneta.actor(address, next));
  await recovering.submit();
  node.now += 86_400;
  await moneta.addressrecoverfinish({ address });
  await moneta.actor(address, next).transfer({ to: node.treasury.address, token: 0, amount: 1n });
  await byAnAgent(moneta, noting(moneta.actor(address, next)), to);
  const { items } = await moneta.addressesOfKey({ publickey: friend.publicKeyPem });
  assert.deepEqual(items, [{ address, role: "recovery", weight: 1, sum: 1, threshold: 1 }]);
}

/** An agent pays within its grant, alone and in a bundle, and not beyond it. */
async function byAnAgent(moneta: Moneta, owner: Actor, to: string): Promise<void> {
  const key = await SigningKey.generate();
  await moneta.faucet({ address: owner.address, amount: 10n });
  const until = Math.floor(moneta.clock.now()) + 86_400;
  const { grantid } = await owner.grant({
    ...{ agent: key.publicKeyPem, operations: ["transfer", "grantend"], until },
    ...{ limits: [{ token: 0, amount: 3n, period: 86_400 }], payees: [to] },
  });
  const agent = noting(moneta.actor(owner.address, key, { grant: grantid }));
  const payment = { to, token: 0, amount: 1n } as const;
  await agent.transfer(payment);
  await agent.bundle([{ operation: "transfer", ...payment }]);
  await assert.rejects(agent.transfer({ ...payment, amount: 2n }), { code: "7005" });
  const { periods } = await moneta.grantDetails({ grantid });
  assert.equal(periods[0]?.spent, 2n);
  assert.equal((await moneta.grants({ address: owner.address })).items.length, 1);
  await agent.grantend({ grantid });
}

async function paymentsAndKeys({ node, moneta, alice, bob }: Cast): Promise<void> {
  const { coin, deployment } = await moneta.service();
  assert.equal(coin.totalsupply, 10n ** 18n);
  assert.equal(deployment, "test");
  const { address } = bob;
  await alice.transfer({ to: address, token: 0, amount: 100n, memo: "May", unlockdate: 0 });
  await alice.multitransfer({
    token: coin.token,
    transferlist: [
      { address, amount: 5n, unlockdate: 0 },
      { address, amount: 7n, unlockdate: node.now + 1000, tag: "later" },
    ],
  });
  const [paid] = await moneta.batch([
    await bob.prepare("transfer", { to: alice.address, token: 0, amount: 1n }),
  ]);
  assert.match((paid as SentWrite).transaction_id, /^[0-9a-f]{64}$/);
  const [first, second] = await alice.bundle([
    { operation: "transfer", to: address, token: 0, amount: 2n },
    { operation: "transfer", to: address, token: 0, amount: 3n, memo: "second" },
  ]);
  assert.equal((first as SentWrite).transaction_id, (second as SentWrite).transaction_id);
  await alice.transfer({ to: address, token: 0, amount: 1n });
  const group = await Proposal.propose(moneta, [
    { actor: alice.address, operation: "transfer", to: address, token: 0, amount: 2n },
    { actor: address, operation: "transfer", to: alice.address, token: 0, amount: 2n },
  ]);
  await group.sign(alice);
  await group.sign(bob);
  const done = (await group.submit()).map(({ transaction_id }) => transaction_id);
  assert.deepEqual(await moneta.groupTransactions({ id: group.id }), done);
  const locked = (await moneta.balanceOfToken({ address, token: 0 })).find(
    ({ unlockdate }) => unlockdate > 0,
  );
  assert.equal(locked?.balance, 7n);
  assert.equal((await moneta.balance({ address, limit: 1 })).length, 1);
  const shown = await moneta.addressRead({ address, view: "full" });
  assert.equal(shown.balance[0]?.balance, 1_000_110n);
  assert.deepEqual(await moneta.addressByKey({ publickey: shown.publickey ?? "" }), [address]);
  const publickey = publicPem(node.treasury.privateKey);
  const other = await moneta.address({ publickey, addinfo: "plain", signed: "full" });
  assert.match(other.address, /^MT/);
  assert.match((await moneta.nonce({ address })).slice(0, 1), /^K$/);
  const keys = await moneta.getkey({ address, kind: "transfer", count: 3 });
  assert.deepEqual(
    keys.map((key) => key.charAt(0)),
    ["K", "K", "K"],
  );
}

async function tokens({ moneta, alice, bob }: Cast): Promise<string> {
  const reserve = [{ address: bob.address, value: 400n }];
  const draft = { symbol: "GLD", name: "Gold", totalsupply: 100_000n, decimal: 2, reserve };
  const { tkey } = await alice.tokensave({ ...draft, tier: [{ level: 1 }] });
  assert.match(tkey, /^K/);
  const { token, transaction_id } = await alice.tokencreate();
  assert.match(transaction_id, /^[0-9a-f]{64}$/);
  await alice.tokenburn({ token, amount: 500n });
  await alice.tokenincrease({ token, amount: 300n, memo: "more" });
  const image = "data:image/png;base64,iVBORw0KGgo=";
  await alice.tokenupdate({ token, url: PAGE, info: "Gold in a vault", image });
  const gold = await moneta.token({ token });
  assert.deepEqual(
    [gold.totalsupply, gold.burnningamount, gold.reserve[0]?.value, gold.decimal],
    [100_300n, 500n, 400n, 2],
  );
  assert.equal(await moneta.totalsupply({ token }), "998");
  assert.deepEqual([...(await moneta.tokenImage({ token }))].slice(0, 4), [0x89, 0x50, 0x4e, 0x47]);
  const { items } = await moneta.tokens({ owner: alice.address, symbol: "GLD" });
  assert.equal(items[0]?.totalsupply, 100_300n);
  assert.deepEqual(await moneta.search({ text: "gol" }), [
    { kind: "token", id: token, name: "Gold", symbol: "GLD" },
  ]);
  const holders = await Array.fromAsync(
    everyItem((cursor) => moneta.tokenHolders({ token, order: "balance", limit: 1, cursor })),
  );
  assert.deepEqual(
    holders.map(({ balance }) => balance),
    [99_400n, 400n],
  );
  await assert.rejects(
    Array.fromAsync(everyItem(() => moneta.tokenHolders({ token, limit: 1 }))),
    /pass the cursor on/,
  );
  return token;
}

async function tokenMarket({ node, moneta, alice, bob }: Cast, token: string): Promise<void> {
  const offer = {
    mrc010id: token,
    amount: 100n,
    token: 0,
    price: 3n,
    min_trade_unit: "10",
  } as const;
  const { mrc010dexid: dexid } = await alice.mrc010sell({ ...offer, platform_commission: "2.5" });
  await bob.mrc010buy({ dexid, amount: 20n });
  const listing = await moneta.tokenListing({ dexid });
  assert.deepEqual(
    [listing.remain_amount, listing.sell_price, listing.buy_price, listing.auction_current_price],
    [80n, 3n, undefined, undefined],
  );
  await alice.mrc010unsell({ dexid });
  const asked = await bob.mrc010reqsell(offer);
  await alice.mrc010acceptreqsell({ dexid: asked.mrc010dexid, amount: 10n });
  await bob.mrc010unreqsell({ dexid: asked.mrc010dexid });
  const lot = { mrc010id: token, amount: 5n, token: 0, auction_start_price: 10n };
  const first = await alice.mrc010auction(lot);
  await alice.mrc010unauction({ dexid: first.mrc010dexid });
  const { mrc010dexid: auction } = await alice.mrc010auction({ ...lot, auction_bidding_unit: 5n });
  await bob.mrc010bid({ dexid: auction, amount: 15n });
  node.now += DAY_SECONDS;
  await moneta.mrc010auctionfinish({ dexid: auction });
  const { items } = await moneta.tokenListings({ token, state: "sold", side: "auction" });
  assert.deepEqual([items[0]?.auction_current_price, items[0]?.buyer], [15n, bob.address]);
  const { items: trades } = await moneta.tokenTrades({ token, limit: 1 });
  assert.deepEqual([trades[0]?.dexid, trades[0]?.payment], [auction, 15n]);
  const candles = await moneta.tokenCandles({ token, paytoken: 0, step: "day" });
  assert.deepEqual(
    candles.map((each) => [each.volume, each.trades]),
    [
      [30n, 2],
      [5n, 1],
    ],
  );
}

async function sealedTexts({ node, moneta, alice }: Cast): Promise<void> {
  const key = openingKey("bid 4200");
  const sealing = {
    ...{ ledgerId: await moneta.ledgerId(), owner: alice.address },
    ...{ referencekey: "bid", opendate: node.now + DAY_SECONDS, data: "for lot 7" },
  };
  const { mrc020key } = await alice.mrc020(await seal(sealing, key));
  const owner = alice.address;
  const { items } = await moneta.seals({ owner, state: "closed" });
  assert.deepEqual(
    items.map(({ id, publickey }) => [id, publickey]),
    [[mrc020key, ""]],
  );
  node.now += DAY_SECONDS;
  await moneta.mrc020open({ mrc020key, key });
  const opened = await moneta.seal({ mrc020key });
  assert.deepEqual([opened.is_open, opened.publickey, opened.opened], [1, key, node.now]);
}

async function orderExchange({ moneta, alice, bob }: Cast, token: string): Promise<void> {
  await alice.tokensave({ symbol: "SLV", name: "Silver", totalsupply: 1000n });
  const { token: base } = await alice.tokencreate();
  await alice.tokensetbase({ token, baseToken: base });
  await alice.tokenaddtarget({ token: base, targetToken: token });
  await alice.tokenremovetarget({ token: base, targetToken: token });
  await alice.tokensetbase({ token, baseToken: 0 });

  const { decimal } = await moneta.token({ token });
  const whole = 10n ** BigInt(decimal);
  const terms = {
    ...{ fromAddr: alice.address, fromAmount: whole, fromToken: token },
    ...{ toAddr: bob.address, toAmount: 3n, toToken: 0 },
  };
  const offer = await Proposal.propose(moneta, [{ operation: "exchange", ...terms }]);
  await offer.sign(alice);
  await offer.sign(bob);
  const {
    fromTkey = "",
    toTkey = "",
    fromSign = "",
    toSign = "",
  } = offer.toJSON().operations[0] ?? {};
  const signed = { ...terms, fromTkey, toTkey, fromSign, toSign, signed: "full" } as const;
  const { transaction_id } = await moneta.exchange(signed);
  assert.match(transaction_id, /^[0-9a-f]{64}$/);

  const pair = { basetoken: 0, targettoken: token, price: 3n } as const;
  const sold = await alice.mrc040create({ ...pair, side: "SELL", qtt: 20n * whole });
  const { mrc040id } = sold;
  const book = await moneta.orderBook({ basetoken: 0, targettoken: token });
  assert.ok("asks" in book, "without a side it has both");
  assert.deepEqual(book.asks, [{ price: 3n, qtt: 20n * whole, orders: 1 }]);
  const pending = await moneta.pendingOrders({ address: alice.address });
  assert.equal(pending.items[0]?.pending, 20n * whole);
  const bought = await bob.mrc040request({ ...pair, side: "BUY", qtt: 5n * whole });
  assert.equal(bought.doneqtt, 5n * whole);
  await bob.mrc040exchange({ mrc040id, qtt: whole });
  await alice.mrc040cancel({ mrc040id });
  const { status, remainqtt } = await moneta.order({ mrc040id });
  assert.deepEqual([status, remainqtt], ["CANCEL", 14n * whole]);
  const { items } = await moneta.orders({ owner: alice.address, state: "all" });
  assert.equal(items.length, 1);
  const trades = await moneta.orderTrades({ mrc040id });
  assert.deepEqual(
    trades.items.map(({ amount }) => amount),
    [3n, 15n],
  );
  const trade = await moneta.orderTrade({ id: trades.items[0]?.id ?? "" });
  assert.equal(trade.requester, bob.address);
}

async function projects({ moneta, alice, bob }: Cast): Promise<string> {
  const { mrc400id } = await alice.mrc400create({
    name: "Meta-RPG",
    url: PAGE,
    imageurl: PAGE,
    category: "game",
    description: "Items of a game",
    itemurl: `${PAGE}{id}`,
    itemimageurl: `${PAGE}{id}.png`,
    data: "season 1",
    socialmedia: { chat: PAGE },
    partner: { [bob.address]: "seller" },
  });
  await alice.mrc400update({ mrc400id, description: "Items of a great game", partner: {} });
  const project = await moneta.mrc400({ mrc400id });
  assert.deepEqual([project.partner, project.socialmedia["chat"]], [{}, PAGE]);
  const { items } = await moneta.mrc400Projects({ owner: alice.address, category: "game" });
  assert.equal(items[0]?.id, mrc400id);
  return mrc400id;
}

/** New items of a project, idle. */
async function mint({ alice }: Cast, mrc400id: string, count: number): Promise<readonly string[]> {
  const itemdata = Array.from({ length: count }, () => ({ groupid: "swords" }));
  return (await alice.mrc401create({ mrc400id, itemdata })).mrc401ids;
}

async function items(cast: Cast, mrc400id: string): Promise<void> {
  const { moneta, alice, bob } = cast;
  const item = { sell_price: 30n, sell_token: 0, sell_fee: "2.5", initial_reserve: 5n };
  const { mrc401ids } = await alice.mrc401create({ mrc400id, itemdata: [item, {}] });
  const [sold = "", kept = ""] = mrc401ids;
  await bob.mrc401buy({ mrc401id: sold, price: 30n, token: 0 });
  const bought = await moneta.mrc401({ mrc401id: sold });
  assert.deepEqual([bought.holder, bought.last_trade_amount], [bob.address, 30n]);
  const { day_volume: volumes } = await moneta.mrc400Market({ mrc400id });
  assert.deepEqual(volumes, [{ token: "0", volume: 30n, trades: 1 }]);
  await bob.mrc401melt({ mrc401id: sold });
  await alice.mrc401update({ mrc400id, itemdata: [{ id: kept, attributes: { level: 7 } }] });
  const { attributes } = await moneta.mrc401Metadata({ mrc401id: kept });
  assert.deepEqual(attributes, [{ trait_type: "level", value: 7, display_type: "number" }]);
  await alice.mrc401sell({ itemdata: [{ id: kept, price: 7n, token: 0 }] });
  const filters = { mrc400id, state: "sale", token: 0, attribute: "level:7" } as const;
  const { items: onSale } = await moneta.mrc401Items(filters);
  assert.deepEqual(
    onSale.map(({ id, sell_price }) => [id, sell_price]),
    [[kept, 7n]],
  );
  await alice.mrc401unsell({ mrc400id, itemdata: [kept] });
  await alice.mrc401transfer({ mrc401id: kept, toAddr: bob.address });
  const more = await mint(cast, mrc400id, 2);
  await alice.mrc401transfer({ itemdata: more, toAddr: bob.address });
  const owned = await moneta.addressItems({ address: bob.address, kind: "mrc401", mrc400id });
  assert.equal(owned.items.length, 3);
  const full = await moneta.addressItems({ address: bob.address, view: "full", limit: 1 });
  assert.equal(typeof full.items[0]?.record?.auction_current_price, "bigint");
  const life = await moneta.itemTransactions({ id: sold, type: ["mrc401_buy"] });
  assert.deepEqual(
    life.items.map(({ item, type }) => ({ item, type })),
    [{ item: sold, type: "mrc401_buy" }],
  );
}

async function itemAuctions(cast: Cast, mrc400id: string): Promise<void> {
  const { node, moneta, alice, bob } = cast;
  const [first = "", second = ""] = await mint(cast, mrc400id, 2);
  const terms = { token: 0, start: 10n, bidding: 5n };
  await alice.mrc401auction({
    itemdata: [
      { id: first, ...terms },
      { id: second, ...terms, buynow: 100n },
    ],
  });
  await alice.mrc401unauction({ itemdata: [first] });
  await bob.mrc401bid({ mrc401id: second, amount: 15n, token: 0 });
  assert.equal((await moneta.mrc401({ mrc401id: second })).auction_current_price, 15n);
  node.now += DAY_SECONDS * 30;
  await moneta.mrc401auctionfinish({ mrc401id: second });
  assert.equal((await moneta.mrc401({ mrc401id: second })).holder, bob.address);
}

/** Bob offers for an item and for units: one is withdrawn, one accepted, one ends. */
async function offers(cast: Cast, mrc400id: string): Promise<void> {
  const { node, moneta, alice, bob } = cast;
  const { mrc401ids: [id = ""] = [] } = await alice.mrc401create({ mrc400id, itemdata: [{}] });
  const mrc402id = await print(cast);
  const terms = (): { price: bigint; token: number; end: number } => ({
    ...{ price: 5n, token: 0, end: node.now + DAY_SECONDS },
  });
  for (const make of [
    () => bob.mrc401offer({ id, ...terms() }),
    () => bob.mrc401offer({ id, ...terms() }),
    () => bob.mrc401offer({ id: mrc400id, ...terms() }),
  ]) {
    await make();
  }
  const { items: open } = await moneta.mrc401Offers({ buyer: bob.address });
  const [last = "", second = "", first = ""] = open.map(({ offerid }) => offerid);
  await bob.mrc401unoffer({ offerid: first });
  await alice.mrc401acceptoffer({ offerid: second, atleast: 1n });
  assert.equal((await moneta.mrc401({ mrc401id: id })).holder, bob.address);
  assert.equal((await moneta.mrc401Offer({ offerid: second })).held, 0n);
  const units = await bob.mrc402offer({ id: mrc402id, amount: 3n, ...terms() });
  const rest = await bob.mrc402offer({ id: mrc402id, amount: 1n, ...terms() });
  await alice.mrc402acceptoffer({ offerid: units.offerid, amount: 1n });
  assert.equal((await moneta.mrc402Offer({ offerid: units.offerid })).remain_amount, 2n);
  await bob.mrc402unoffer({ offerid: units.offerid });
  assert.equal((await moneta.mrc402Offers({ id: mrc402id })).items.length, 1);
  node.now += DAY_SECONDS;
  await moneta.mrc401offerfinish({ offerid: last });
  await moneta.mrc402offerfinish({ offerid: rest.offerid });
}

/** A multi-unit item of Alice that stands alone. */
async function print({ alice }: Cast): Promise<string> {
  const { mrc402id } = await alice.mrc402create({
    name: "Sunset",
    url: PAGE,
    imageurl: PAGE,
    totalsupply: 20n,
    initialreserve: { "0": 2n },
    creatorcommission: "1.5",
  });
  return mrc402id;
}

async function units(cast: Cast, mrc400id: string): Promise<void> {
  const { moneta, alice, bob } = cast;
  const mrc402id = await print(cast);
  await alice.mrc402mint({ mrc402id, amount: 5n, memo: "second edition" });
  await alice.mrc402burn({ mrc402id, amount: 3n });
  await alice.mrc402transfer({ mrc402id, toAddr: bob.address, amount: 4n });
  await bob.mrc402melt({ mrc402id, amount: 1n });
  await alice.mrc402update({ mrc402id, information: "A sunset", socialmedia: { chat: PAGE } });
  assert.equal((await moneta.mrc402Metadata({ mrc402id })).name, "Sunset");
  const shown = await moneta.mrc402({ mrc402id });
  assert.deepEqual(
    [shown.totalsupply, shown.meltedamount, shown.initialreserve, shown.reserve],
    [22n, 1n, { "0": 2n }, { "0": 42n }],
  );
  const { items: holdings } = await moneta.mrc402Holdings({ address: bob.address });
  assert.deepEqual(holdings, [
    { mrc402: mrc402id, balance: 3n, saleamount: 0n, auctionamount: 0n },
  ]);
  const { items: holders } = await moneta.mrc402Holders({ mrc402id });
  assert.equal(holders.length, 2);

  const { mrc402ids } = await alice.mrc402create({
    mrc400id,
    itemdata: [{ totalsupply: 50n, sell_price: 3n, sell_token: 0 }],
  });
  // The compiler knows that one entry makes one item.
  const arrows: string = mrc402ids[0];
  const changes = [{ id: arrows, groupid: "arrows", sell_fee: "1" }];
  await alice.mrc402itemupdate({ mrc400id, itemdata: changes });
  const { items: created } = await moneta.mrc402Items({ mrc400id, creator: alice.address });
  assert.deepEqual([created[0]?.groupid, created[0]?.sell_price], ["arrows", 3n]);
}

async function unitMarket(cast: Cast): Promise<void> {
  const { node, moneta, alice, bob } = cast;
  const id = await print(cast);
  const { mrc402dexid: offer } = await alice.mrc402sell({
    id,
    amount: 5n,
    price: 30n,
    token: 0,
  });
  await bob.mrc402buy({ id: offer, amount: 2n, price: 30n });
  const listing = await moneta.mrc402Listing({ dexid: offer });
  assert.deepEqual([listing.remain_amount, listing.auction_current_price], [3n, undefined]);
  await alice.mrc402unsell({ id: offer });
  const lot = { id, amount: 2n, auction_start_price: 10n, token: 0 };
  await alice.mrc402auction(lot);
  await alice.mrc402unauction({ itemdata: [id] });
  const { mrc402dexid: auction } = await alice.mrc402auction(lot);
  await bob.mrc402bid({ id: auction, amount: 12n });
  node.now += DAY_SECONDS;
  await moneta.mrc402auctionfinish({ id: auction });
  const { items } = await moneta.mrc402Listings({ mrc402id: id, state: "sold" });
  assert.deepEqual([items[0]?.auction_current_price, items[0]?.buyer], [12n, bob.address]);
}

async function blocksAndProofs({ moneta, alice, bob }: Cast): Promise<void> {
  const { transaction_id } = await alice.transfer({ to: bob.address, token: 0, amount: 1n });
  const height = Number(await moneta.height());
  const block = await moneta.block({ block: String(height) });
  assert.deepEqual(block.transaction.at(-1)?.id, transaction_id);
  assert.equal((await moneta.blocks({ limit: 1 })).items[0]?.id, block.id);
  assert.equal((await moneta.blockRaw({ block: block.id })).id, block.id);
  const raw = new TextDecoder().decode(await moneta.blocksRaw({ from: height, limit: 1 }));
  assert.equal(JSON.parse(raw).id, block.id);
  const { items: history } = await moneta.addressTransactions({
    address: bob.address,
    type: ["receive", "transfer"],
    token: 0,
    limit: 1,
  });
  assert.equal(history[0]?.id, transaction_id);
  const { items: paid } = await moneta.transactions({ type: ["transfer"], limit: 1 });
  assert.equal(paid[0]?.id, transaction_id);
  const [hour] = await moneta.totals({ step: "hour" });
  const [day] = await moneta.totals({ step: "day" });
  assert.ok((day?.addresses ?? 0) > 0);
  assert.ok((hour?.count ?? 0) > 0);
  assert.equal((await moneta.transaction({ transaction_id })).effects[0]?.type, "receive");

  const proof = await moneta.transactionProof({ transaction_id });
  assert.equal(proof.tree_size, proof.leaf_index + 1);
  const grown = await moneta.checkpointConsistency({ from: 1, to: proof.tree_size });
  assert.equal(grown.to_root, proof.root);
  assert.equal((await moneta.checkpoint()).split("\n")[1], String(proof.tree_size));
  assert.match(await moneta.checkpointKey(), /^localhost\/test\+/);
  const tile = `000.p/${Math.min(proof.tree_size, 255)}`;
  assert.equal((await moneta.tile({ level: 0, tile })).length % 32, 0);
  assert.ok((await moneta.entryBundle({ tile })).length > 0);
  const stream = moneta.events({ address: [bob.address] });
  assert.equal((await stream.next()).done, false);
  await stream.return();
}
