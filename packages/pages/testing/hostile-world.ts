import { type Actor, type Moneta, SigningKey } from "@moneta/sdk";
import { sealSoon } from "../../../examples/demo/seals.ts";
import { ledgerTime, onceDue } from "../../../examples/demo/town.ts";
import type { Things } from "./views.ts";

const SCRIPT = "globalThis.hacked=1";
const MARKUP = `"'><script>${SCRIPT}</script><img src=x onerror=${SCRIPT}><svg onload=${SCRIPT}>`;
/** Overrides direction, hides, stacks accents. */
const RIGHT_TO_LEFT = "\u202e gnp.txe\u202c \u2067مرحبا\u2069 שלום\u200b\u200f\ufeff Z̤͔ͧ̑̓ä͖̭̈̇lͮ̒ͫǧ̗͚̚o̙̔ͮ̇͐̇ ";
const URL_TAIL = `/"><script>${SCRIPT}</script>?\u202e`;
const AMOUNT_MAX = 10n ** 40n;

/** Nothing may be requested there without a click. */
export const HOSTILE_ORIGIN = "https://evil.example";

/** Markup, right-to-left text, then a word without end. */
function text(length: number): string {
  return `${MARKUP}${RIGHT_TO_LEFT}${"W".repeat(length)}`.slice(0, length);
}

/** For texts that are too short for both. */
function shortText(length: number): string {
  return `<b>${RIGHT_TO_LEFT}${"M".repeat(length)}`.slice(0, length);
}

function url(length: number): string {
  return `${HOSTILE_ORIGIN}${URL_TAIL}${"w".repeat(length)}`.slice(0, length);
}

const SVG_IMAGE = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script><image href="${HOSTILE_ORIGIN}/i.png"/></svg>`,
)}`;
const HTML_IMAGE = `data:text/html,<script>${SCRIPT}</script>`;

/**
 * The worst that the ledger accepts: the longest texts with markup and deceptive characters, the
 * largest amounts, URLs and images that try to run.
 */
export async function fillHostileWorld(moneta: Moneta): Promise<Things> {
  const join = async (): Promise<Actor> => {
    const key = await SigningKey.generate();
    const actor = await moneta.createAddress(key, { addinfo: text(2048) });
    await moneta.faucet({ address: actor.address });
    return actor;
  };
  const [mallory, buyer] = await Promise.all([join(), join()]);
  const token = await createToken(mallory, "18");
  const whole = await createToken(mallory, "0");
  const now = await ledgerTime(moneta);

  const paid = await mallory.transfer({
    to: buyer.address,
    token,
    amount: AMOUNT_MAX / 2n,
    memo: text(4_000_000),
    tags: shortText(64),
  });
  const locked = await mallory.multitransfer({
    token: whole,
    transferlist: [0, 1, 2, 3].map((year) => ({
      address: buyer.address,
      amount: AMOUNT_MAX / 8n,
      unlockdate: year === 0 ? 0 : now + year * 365 * 86_400,
      tag: shortText(64),
      memo: text(2048),
    })),
  });

  const sealing = {
    ledgerId: await moneta.ledgerId(),
    owner: mallory.address,
    referencekey: "W".repeat(64),
    data: text(2048),
    algorithm: shortText(64),
  };
  const openingKey = text(4096);
  const sealed = await sealSoon({ moneta, actor: mallory }, sealing, openingKey);

  const platform = {
    platform_name: text(255).replaceAll("|", ""),
    platform_url: url(255),
    platform_commission: "10",
    platform_address: buyer.address,
  };
  const project = await createProject(mallory, buyer);
  const reserve = { initial_reserve: AMOUNT_MAX / 100n, initial_token: token };
  const ware = {
    ...{ item_url: url(255), item_image_url: url(255), groupid: shortText(64), ...reserve },
    attributes: { [text(64)]: text(256), [shortText(64)]: shortText(256), "\u200b": "\u202e" },
    metadatahash: "ab".repeat(32),
  };
  const { mrc401ids, transaction_id: minted } = await mallory.mrc401create({
    mrc400id: project,
    itemdata: [
      { ...ware, sell_price: AMOUNT_MAX, sell_token: token },
      { ...ware, item_image_url: HTML_IMAGE, sell_price: AMOUNT_MAX / 1000n, sell_token: whole },
      {
        ...ware,
        auction_start_price: 1n,
        auction_token: token,
        auction_buynow_price: AMOUNT_MAX,
        auction_end: now + 86_400,
      },
      ware,
    ],
  });
  const [onSale = "", sold = "", onAuction = "", idle = ""] = mrc401ids;
  const bought = await buyer.mrc401buy({ mrc401id: sold });
  await buyer.mrc401bid({ mrc401id: onAuction, amount: AMOUNT_MAX / 4n });

  const { offerid } = await buyer.mrc401offer({
    ...{ id: project, groupid: shortText(64), end: now + 86_400 },
    ...{ price: AMOUNT_MAX / 1000n, token: whole },
  });

  const { mrc402id: units = "" } = await mallory.mrc402create({
    name: text(128),
    url: url(255),
    imageurl: url(255),
    totalsupply: 9n,
    creatorcommission: "10",
    shareholder: { [buyer.address]: "10" },
    initialreserve: { [token]: AMOUNT_MAX / 1000n },
    data: text(40_960),
    information: text(40_960),
    socialmedia: { [text(100)]: url(2000), [shortText(100)]: url(255) },
    copyright_registration_country: "KR",
    copyright_registrar: text(128),
    copyright_registration_number: shortText(64),
    category: shortText(64),
    description: text(4096),
    itemurl: url(255),
    itemimageurl: url(255),
    ...platform,
  });
  const offeredUnits = await mallory.mrc402sell({
    id: units,
    amount: 2n,
    price: AMOUNT_MAX / 1000n,
    token: whole,
    ...platform,
  });
  const boughtUnits = await buyer.mrc402buy({ id: offeredUnits.mrc402dexid, amount: 1n });
  const lotOfUnits = await mallory.mrc402auction({
    id: units,
    amount: 1n,
    token,
    auction_start_price: AMOUNT_MAX / 1000n,
    auction_bidding_unit: 1n,
    auction_end_date: now + 86_400,
    ...platform,
  });

  const offer = await mallory.mrc010sell({
    mrc010id: token,
    token: whole,
    amount: AMOUNT_MAX / 1000n,
    price: AMOUNT_MAX / 1000n / 10n ** 36n,
    min_trade_unit: "1",
    ...platform,
  });
  await mallory.tokensetbase({ token, baseToken: whole });
  await mallory.tokenaddtarget({ token: whole, targetToken: token });
  const pair = { basetoken: whole, targettoken: token } as const;
  const sale = { ...pair, side: "SELL", price: AMOUNT_MAX / 10n ** 20n } as const;
  const { mrc040id: order } = await mallory.mrc040create({ ...sale, qtt: AMOUNT_MAX / 1000n });
  await buyer.mrc040create({
    ...sale,
    side: "BUY",
    qtt: AMOUNT_MAX / 10n ** 4n,
    price: 10n ** 19n,
  });
  const traded = await buyer.mrc040exchange({ mrc040id: order, qtt: AMOUNT_MAX / 10n ** 5n });
  await onceDue(() => moneta.mrc020open({ mrc020key: sealed, key: openingKey }));
  return {
    seal: { sealed },
    pair: { tokens: `${whole}-${token}` },
    order: { order },
    address: { mallory: mallory.address, buyer: buyer.address },
    block: { newest: String(await moneta.height()) },
    token: { token, whole },
    project: { project },
    item: { onSale, sold, onAuction, idle, units },
    listing: {
      offer: offer.mrc010dexid,
      units: offeredUnits.mrc402dexid,
      lot: lotOfUnits.mrc402dexid,
    },
    offer: { group: offerid },
    transaction: {
      paid: paid.transaction_id,
      locked: locked.transaction_id,
      minted,
      bought: bought.transaction_id,
      boughtUnits: boughtUnits.transaction_id,
      traded: traded.transaction_id,
    },
  };
}

async function createToken(owner: Actor, decimal: string): Promise<string> {
  await owner.tokensave({
    symbol: shortText(32),
    name: text(128),
    decimal: Number(decimal),
    totalsupply: AMOUNT_MAX,
    tier: [{ [text(50)]: text(1000), nested: { list: [text(100), AMOUNT_MAX.toString()] } }],
    category: shortText(64),
    url: url(255),
    image: SVG_IMAGE,
  });
  const { token } = await owner.tokencreate();
  await owner.tokenupdate({ token, url: url(255), info: text(4096), image: SVG_IMAGE });
  return token;
}

async function createProject(owner: Actor, partner: Actor): Promise<string> {
  const { mrc400id } = await owner.mrc400create({
    name: text(128),
    url: url(255),
    imageurl: HTML_IMAGE,
    category: shortText(64),
    description: text(4096),
    itemurl: url(255),
    itemimageurl: url(255),
    data: text(4096),
    socialmedia: { [text(100)]: url(2000), [shortText(100)]: url(255) },
    partner: { [partner.address]: "seller" },
  });
  return mrc400id;
}
