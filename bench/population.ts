import { type Curve, type KeyPair, makeKeyPair } from "./curves.ts";
import { answers } from "./load.ts";
import {
  createAddress,
  get,
  getTemporaryKeys,
  multitransfer,
  operation,
  type Payer,
  post,
} from "./requests.ts";

export interface Population {
  readonly payers: Readonly<Record<Curve, readonly Payer[]>>;
  readonly payees: readonly string[];
  readonly traders: Traders;
  readonly tokens: readonly string[];
  readonly projects: readonly string[];
  readonly height: number;
}

export interface Traders {
  readonly sellers: readonly Payer[];
  readonly buyers: readonly Payer[];
  readonly platform: string;
}

export type Need = "tokens" | "projects";

export interface PopulationSize {
  readonly payersPerCurve: number;
  readonly payees: number;
  readonly needs: ReadonlySet<Need>;
}

export interface Turn {
  readonly payer: Payer;
  readonly temporaryKey: string;
}

const FAUCET_MAX = 1e11;
const FUNDS_EACH = 1.5e7; // 6,000 payers need 0.9 of FAUCET_MAX
const UNITS_EACH = 1e9;
const RECIPIENTS_MAX = 100;
const TEMPORARY_KEYS_MAX = 1000;

export async function populate(
  port: number,
  curves: ReadonlySet<Curve>,
  size: PopulationSize,
): Promise<Population> {
  const payersOf = async (curve: Curve) =>
    curve === "p256" || curves.has(curve) ? await makePayers(port, curve, size.payersPerCurve) : [];
  const p256 = await payersOf("p256");
  const payers = { p256, p384: await payersOf("p384"), p521: await payersOf("p521") };
  const payees = await makeAddresses(
    port,
    Array.from({ length: size.payees }, (_, n) => (p256[n % p256.length] as Payer).key),
  );
  await fund(port, [...payers.p256, ...payers.p384, ...payers.p521]);
  const traders = tradersOf(p256, payees[0] as string);
  const tokens = size.needs.has("tokens") ? await issueTokens(port, traders.sellers) : [];
  const projects = size.needs.has("projects") ? await openProjects(port, traders.sellers) : [];
  const [height] = await answers(port, [get("/block")]);
  return { payers, payees, traders, tokens, projects, height: Number(height) };
}

/** Temporary keys serve for 10 minutes, and once. */
export async function takeTurns(
  port: number,
  payers: readonly Payer[],
  count: number,
): Promise<Turn[]> {
  const rounds = Math.ceil(count / payers.length);
  if (rounds > TEMPORARY_KEYS_MAX) {
    throw new Error(`${count} turns are too many for ${payers.length} payers`);
  }
  const bodies = await answers(
    port,
    payers.slice(0, count).map((payer) => getTemporaryKeys(payer.address, rounds)),
  );
  const temporaryKeys = bodies.map((body) => JSON.parse(body) as string[]);
  return Array.from({ length: count }, (_, n) => ({
    payer: payers[n % payers.length] as Payer,
    temporaryKey: temporaryKeys[n % payers.length]?.[Math.floor(n / payers.length)] as string,
  }));
}

async function makePayers(port: number, curve: Curve, count: number): Promise<Payer[]> {
  const keys = Array.from({ length: count }, () => makeKeyPair(curve));
  const addresses = await makeAddresses(port, keys);
  return keys.map((key, n) => ({ key, address: addresses[n] as string }));
}

async function makeAddresses(port: number, keys: readonly KeyPair[]): Promise<string[]> {
  return await answers(port, keys.map(createAddress));
}

function tradersOf(payers: readonly Payer[], platform: string): Traders {
  const sellers = payers.slice(0, Math.ceil(payers.length / 4));
  return { sellers, buyers: payers.slice(sellers.length), platform };
}

const PROJECT = {
  ...{ name: "Bench", url: "https://bench.example/", description: "Items of a game" },
  ...{ imageurl: "https://bench.example/project.png", category: "game", data: "{}" },
  itemurl: "https://bench.example/item/{id}",
  itemimageurl: "https://bench.example/image/{id}",
};

async function openProjects(port: number, owners: readonly Payer[]): Promise<string[]> {
  const turns = await takeTurns(port, owners, owners.length);
  const requests = turns.map(({ payer, temporaryKey }) =>
    operation("mrc400create", payer, temporaryKey, PROJECT),
  );
  return await answers(port, await Promise.all(requests));
}

async function issueTokens(port: number, holders: readonly Payer[]): Promise<string[]> {
  const owners = holders.filter((_, n) => n % RECIPIENTS_MAX === 0);
  const turns = await takeTurns(port, owners, owners.length);
  const saves = turns.map(({ payer, temporaryKey }, n) => {
    const held = holders.slice(n * RECIPIENTS_MAX, (n + 1) * RECIPIENTS_MAX);
    const reserve = held.map(({ address }) => ({ address, value: String(UNITS_EACH) }));
    const totalsupply = String(UNITS_EACH * held.length);
    const terms = {
      symbol: "B",
      name: `Bench ${n}`,
      totalsupply,
      reserve: JSON.stringify(reserve),
    };
    return operation("tokensave", payer, temporaryKey, terms);
  });
  const temporaryKeys = await answers(port, await Promise.all(saves));
  const creates = owners.map((owner, n) =>
    operation(
      "tokencreate",
      owner,
      temporaryKeys[n] as string,
      {},
      { decided: { name: `Bench ${n}` } },
    ),
  );
  await answers(port, await Promise.all(creates));
  const balances = await answers(
    port,
    holders.map(({ address }) => get(`/balance/${address}`)),
  );
  return balances.map(onlyToken);
}

function onlyToken(balances: string): string {
  const [token] = (JSON.parse(balances) as { token: string }[])
    .map((entry) => entry.token)
    .filter((id) => id !== "0");
  if (token === undefined) {
    throw new Error(`a token is missing: ${balances}`);
  }
  return token;
}

/** The faucet gives an address only so many coins a day. */
async function fund(port: number, payers: readonly Payer[]): Promise<void> {
  const [funder] = (await makePayers(port, "p256", 1)) as [Payer];
  await answers(port, [post(`/faucet?address=${funder.address}&amount=${FAUCET_MAX}`)]);
  const turns = await takeTurns(port, [funder], Math.ceil(payers.length / RECIPIENTS_MAX));
  const requests = turns.map(({ payer, temporaryKey }, n) =>
    multitransfer(
      payer,
      temporaryKey,
      payers
        .slice(n * RECIPIENTS_MAX, (n + 1) * RECIPIENTS_MAX)
        .map(({ address }) => ({ address, amount: FUNDS_EACH })),
    ),
  );
  await answers(port, await Promise.all(requests));
}
