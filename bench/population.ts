import { type Curve, type KeyPair, makeKeyPair } from "./curves.ts";
import { answers } from "./load.ts";
import {
  askFaucet,
  createAddress,
  getTemporaryKeys,
  multitransfer,
  type Payer,
} from "./requests.ts";

/** Who pays and who is paid. */
export interface Population {
  /** Every payer has a key of its own, so that no cache of keys does better here than it would for real users. */
  readonly payers: Readonly<Record<Curve, readonly Payer[]>>;
  /** Addresses of the keys of P-256 payers. */
  readonly payees: readonly string[];
}

export interface PopulationSize {
  readonly payersPerCurve: number;
  readonly payees: number;
}

/** A payer and one of its unused temporary keys: what one signed request takes. */
export interface Turn {
  readonly payer: Payer;
  readonly temporaryKey: string;
}

const FAUCET_MAX = 1e11;
const FUNDS_EACH = 1.5e7; // a payer's 30,000 transfers of 500 on the average; 6,000 payers need 0.9 of FAUCET_MAX
const RECIPIENTS_MAX = 100;
const TEMPORARY_KEYS_MAX = 1000;

/** Creates the addresses and funds the payers of the given curves; P-256 is always among them. */
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
  return { payers, payees };
}

/** `count` turns, round and round among the payers. Temporary keys serve for 10 minutes, and once. */
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

/** One call of the faucet and multitransfers from there: the faucet gives an address only so many coins a day. */
async function fund(port: number, payers: readonly Payer[]): Promise<void> {
  const [funder] = (await makePayers(port, "p256", 1)) as [Payer];
  await answers(port, [askFaucet(funder.address, FAUCET_MAX)]);
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
