import type { Actor } from "../actor.ts";
import type { AddressKey, KeySet } from "../api.ts";
import type { CallOptions } from "../call.ts";
import { type PlacedSignature, placedSignatures, placeOfKey } from "../keys/signing-key.ts";
import { expiresAt, isTemporaryKey } from "../keys/temporary-keys.ts";
import type { Moneta } from "../moneta.ts";
import { ProblemError, UnansweredError } from "../nodes/errors.ts";
import { refuseUnknown } from "../values/refuse-unknown.ts";
import { wireTexts } from "../values/wire-text.ts";
import type { SentWrite } from "./prepared-write.ts";
import {
  checkCount,
  checkSigners,
  GROUP,
  idOf,
  isOwn,
  newKeysOf,
  ownParameters,
  ProposalError,
  type ProposalFile,
  type ProposalOperation,
  readProposal,
  type SetOfKeys,
  type Slot,
  signedCall,
  slotsOf,
  slotsOfOperation,
} from "./proposal-file.ts";
import { type ProposalEffects, ProposalForecast } from "./proposal-forecast.ts";
import { itemsOf, type ProposalOwnerPowers, powersOver } from "./proposal-powers.ts";

/**
 * An operation to propose: its name, its own parameters, and the actor. An operation with several
 * signers, such as `exchange`, names them in its parameters and has no `actor`.
 */
export interface ProposedOperation {
  readonly operation: string;
  readonly actor?: string | undefined;
  readonly [parameter: string]: unknown;
}

/** The weight of the signatures of an address so far. Source: authority §1.1. */
export interface SignerWeight {
  readonly address: string;
  /** Whether these are new keys, which sign as proof. Source: authority §1.3. */
  readonly isProof?: true;
  readonly needed: number;
  readonly given: number;
  readonly keys: readonly AddressKey[];
  readonly signed: readonly number[];
}

/** A term that depends on the state when the proposal is done, and not on the signed text. */
export type OpenTerm =
  /** The part of the price that goes to others than the seller. */
  | "fees"
  /** The amount that a melted item or unit pays out. */
  | "reserve"
  /** Whether a bid stands, buys at once, or is outbid later. */
  | "outcome"
  /** The draft that becomes the token. */
  | "draft";

/** Source: batches §2.11. */
export type ProposalWarning =
  /** The first temporary key expires at this time; until then the last signer decides. */
  | { readonly is: "long"; readonly expiresAt: number }
  | { readonly is: "expired"; readonly expiresAt: number }
  /** A purchase or bid without a guard of its price or lot. */
  | { readonly is: "unguarded"; readonly index: number; readonly missing: readonly string[] }
  | { readonly is: "open"; readonly index: number; readonly depends: readonly OpenTerm[] };

/** Entries in the lists of a group together. Source: batches §2.12. */
const ITEMS_MAX = 100;
/** Above this validity the last signer has long to choose. Source: batches §2.11. */
const LONG_SECONDS = 3600;
const WITHDRAWN = "proposal withdrawn";

const OPEN_TERMS: { readonly [operation: string]: readonly OpenTerm[] } = {
  tokencreate: ["draft"],
  mrc401buy: ["fees"],
  mrc402buy: ["fees"],
  mrc401acceptoffer: ["fees"],
  mrc402acceptoffer: ["fees"],
  mrc010bid: ["outcome"],
  mrc401bid: ["outcome", "fees"],
  mrc402bid: ["outcome", "fees"],
  mrc401melt: ["reserve", "fees"],
  mrc402melt: ["reserve", "fees"],
};

/**
 * Operations that need the signatures of one or several addresses: one operation, or 2 to 16 that
 * are done together or not at all, as a group. It passes from signer to signer as a file. Each
 * signature covers the whole proposal. Source: batches §2, protocols §2.
 */
export class Proposal {
  /** SHA-256 of ledger and operations, hex; of several operations, the id of their group. */
  readonly id: string;
  readonly ledgerId: string;
  readonly #moneta: Moneta;
  readonly #keys: ReadonlyMap<string, SigningKeys>;
  #operations: readonly ProposalOperation[];

  private constructor(
    moneta: Moneta,
    whole: {
      readonly id: string;
      readonly ledgerId: string;
      readonly operations: readonly ProposalOperation[];
      readonly keys: ReadonlyMap<string, SigningKeys>;
    },
  ) {
    this.#moneta = moneta;
    this.id = whole.id;
    this.ledgerId = whole.ledgerId;
    this.#keys = whole.keys;
    this.#operations = whole.operations;
  }

  /**
   * Proposes 1 to 16 operations, in the order in which they are to be done. Fetches the temporary
   * keys of all signers; they are valid for `validSeconds`, ten minutes by default. Take the
   * shortest time in which all can sign. Throws ProposalError for an invalid proposal, and
   * ProblemError for an unknown address.
   */
  static async propose(
    moneta: Moneta,
    proposed: readonly ProposedOperation[],
    {
      validSeconds = 600,
      ...options
    }: CallOptions & { readonly validSeconds?: number | undefined } = {},
  ): Promise<Proposal> {
    checkCount(proposed.length);
    const whole = proposed.map(({ actor, operation, ...request }, index) => {
      const call = signedCall(operation, index);
      try {
        refuseUnknown(operation, ownParameters(call).join(" "), request);
      } catch (thrown) {
        throw new ProposalError((thrown as Error).message, index);
      }
      const given = Object.entries(request).filter(([, value]) => value !== undefined);
      const named = call.actor === undefined || actor === undefined ? {} : { [call.actor]: actor };
      const texts = wireTexts({ ...named, ...Object.fromEntries(given), signed: "full" }, true);
      const addressOf = (name = ""): string => texts[name] ?? "";
      const signers =
        call.signers === undefined
          ? [actor ?? addressOf(call.actor)]
          : call.signers.map((names) => addressOf(names.split(" ")[0]));
      checkSigners(texts, { signers, call, index });
      return { operation, signers, slots: slotsOf(call, signers), texts };
    });
    const ledgerId = await moneta.ledgerId();
    const temporaryKeys = new Map<string, string[]>();
    const needed = Map.groupBy(
      whole.flatMap(({ slots }) => slots.filter(isOwn)),
      ({ address }) => address,
    );
    for (const [address, { length: count }] of needed) {
      const fetched = await moneta.nonce({ address, count, valid: validSeconds }, options);
      temporaryKeys.set(address, [fetched].flat());
    }
    const unnamed = whole.map(({ operation, signers, slots, texts }, index) => {
      const own = slots.filter(isOwn).map((slot) => {
        const key = temporaryKeys.get(slot.address)?.shift();
        if (!isTemporaryKey(key)) {
          throw new ProposalError("the node has no temporary key for it", index);
        }
        return [slot.key, key] as const;
      });
      const params = { ...texts, ...Object.fromEntries(own) };
      return { operation, signers, params, signatures: {} };
    });
    const id = await idOf(unnamed, ledgerId);
    const group = unnamed.length > 1 ? { [GROUP]: id } : {};
    const operations = unnamed.map((one) => ({ ...one, params: { ...one.params, ...group } }));
    const keys = await keysOf(moneta, needed.keys(), options);
    return new Proposal(moneta, { id, ledgerId, operations, keys });
  }

  /**
   * Reads the output of `toJSON`, as text or parsed, for the ledger of `moneta`. It is untrusted:
   * its id is computed again before anything of it is used. Throws ProposalError if it is
   * incomplete, is of another ledger, or if the operations are not those of its group; ProblemError
   * for an unknown address.
   */
  static async from(json: unknown, moneta: Moneta): Promise<Proposal> {
    const whole = await readProposal(json, await moneta.ledgerId());
    const signers = new Set(whole.operations.flatMap((one) => one.signers));
    return new Proposal(moneta, { ...whole, keys: await keysOf(moneta, signers, {}) });
  }

  /** The operations in order. */
  get operations(): readonly ProposalOperation[] {
    return this.#operations;
  }

  /** The addresses that have to sign. */
  get signers(): readonly string[] {
    return [...new Set(this.#operations.flatMap(({ signers }) => signers))];
  }

  /** The weight of the signatures of each signing address. */
  get weights(): readonly SignerWeight[] {
    const all = this.#operations.flatMap((one) =>
      slotsOfOperation(one).map((slot) => ({ one, slot, keys: this.#keysFor(slot, one) })),
    );
    const groups = Map.groupBy(all, ({ slot }) => `${slot.address} ${slot.isProof}`);
    return [...groups.values()].flatMap((slots) => {
      const given = slots.map(({ one, slot: { signature } }) =>
        placedSignatures(one.signatures[signature] ?? "[]"),
      );
      return slots.slice(0, 1).map(({ slot: { address, isProof }, keys: { keys, threshold } }) => {
        const signed = keys.flatMap((_, place) =>
          given.every((own) => own.some(({ key }) => key === place)) ? place : [],
        );
        const weights = signed.map((place) => (keys[place] as AddressKey).weight);
        return {
          ...{ address, keys, signed, needed: threshold },
          ...(isProof && { isProof }),
          given: weights.reduce((sum, one) => sum + one, 0),
        };
      });
    });
  }

  /** The addresses whose signatures are missing. */
  get missing(): readonly string[] {
    const short = this.weights.filter(({ needed, given }) => given < needed);
    return [...new Set(short.map(({ address }) => address))];
  }

  /** Expiry of the first temporary key, ledger time, Unix seconds. */
  get expiresAt(): number {
    const keys = this.#operations.flatMap((one) =>
      slotsOfOperation(one).map(({ key }) => expiresAt(one.params[key])),
    );
    return Math.min(...keys);
  }

  /** Warnings for a signer; `now` is Unix seconds, by default of the ledger's clock. */
  warnings(now: number = Math.floor(this.#moneta.clock.now())): readonly ProposalWarning[] {
    const { expiresAt } = this;
    const ofTime: readonly ProposalWarning[] =
      expiresAt < now
        ? [{ is: "expired", expiresAt }]
        : expiresAt > now + LONG_SECONDS
          ? [{ is: "long", expiresAt }]
          : [];
    const ofOperations = this.#operations.flatMap((one, index): readonly ProposalWarning[] => {
      const missing = missingGuards(one);
      const depends = OPEN_TERMS[one.operation];
      return [
        ...(missing.length === 0 ? [] : [{ is: "unguarded", index, missing } as const]),
        ...(depends === undefined ? [] : [{ is: "open", index, depends } as const]),
      ];
    });
    return [...ofTime, ...ofOperations];
  }

  /**
   * Signs all operations that need the actor's address: with the actor's key at its place among the
   * address's keys; a function without a public key signs as key 0, or as `signTogether` directs.
   * Throws ProposalError if it has nothing to sign or is not a key of the address, and if an
   * operation buys at any price, without `price` and `token`, or bids in any token or auction.
   * Source: batches §2.11, authority §2.1.
   */
  async sign(actor: Actor): Promise<void> {
    const { address } = actor;
    this.#slotOf(address);
    for (const [index, one] of this.#operations.entries()) {
      const missing = one.signers.includes(address) ? missingGuards(one) : [];
      if (missing.length > 0) {
        throw new ProposalError(`it would pay any price without ${missing.join(" and ")}`, index);
      }
    }
    const { ledgerId } = this;
    const signed: { index: number; name: string; text: string; length: number }[] = [];
    for (const [index, one] of this.#operations.entries()) {
      // One after the other, because a browser shows one passkey prompt at a time.
      for (const slot of slotsOfOperation(one).filter((each) => each.address === address)) {
        const keys = this.#keysFor(slot, one);
        const text = await signatureBy(actor, { ...one, ledgerId }, { ...keys, ...slot });
        if (text !== undefined) {
          signed.push({ index, name: slot.signature, text, length: keys.keys.length });
        }
      }
    }
    if (signed.length === 0) {
      throw new ProposalError(`its key is none of ${address}`);
    }
    // Another actor may have signed in the meantime.
    this.#operations = this.#operations.map((one, at) => {
      const own = signed
        .filter(({ index }) => index === at)
        .map(({ name, text, length }) => [name, together(one.signatures[name], text, length)]);
      return { ...one, signatures: { ...one.signatures, ...Object.fromEntries(own) } };
    });
  }

  /**
   * Does all of it. Can be repeated: a finished proposal returns its first result again. Throws
   * ProblemError, of a group with the `index` of the refused operation, and then nothing was done;
   * ProposalError if a signature is missing; UnansweredError.
   */
  async submit(options: CallOptions = {}): Promise<readonly SentWrite[]> {
    const { missing } = this;
    // The keys may have changed since a finished proposal was signed.
    if (missing.length > 0 && (await this.transactions(options)) === undefined) {
      throw new ProposalError(`it still needs the signature of ${missing.join(", ")}`);
    }
    const [only, ...others] = this.#operations as [ProposalOperation, ...ProposalOperation[]];
    if (others.length > 0) {
      const writes = this.#operations.map(({ operation, params, signatures }) => ({
        operation,
        params: { ...params, ...signatures },
      }));
      return await this.#moneta.group(writes, options);
    }
    const { operation, params, signatures, signers } = only;
    const [actor = "", ...cosigners] = signers;
    if (cosigners.length > 0) {
      const request = { ...params, ...signatures };
      return [(await this.#moneta.request(operation, request, options)).body as SentWrite];
    }
    const { ledgerId } = this;
    const preparedAt = Math.floor(this.#moneta.clock.now());
    const write = { operation, actor, ledgerId, params, signature: "", preparedAt, ...signatures };
    return [await this.#moneta.send(write, options)];
  }

  /**
   * The ids of its transactions, in the order of its operations; undefined if it is not done, or if
   * the history of its first signer is too long to be searched.
   */
  async transactions(options: CallOptions = {}): Promise<readonly string[] | undefined> {
    const { id, ledgerId, expiresAt: preparedAt } = this;
    if (this.#operations.some((one) => slotsOfOperation(one).some(isUnsigned(one)))) {
      return undefined;
    }
    const [only, ...others] = this.#operations as [ProposalOperation, ...ProposalOperation[]];
    try {
      if (others.length > 0) {
        return await this.#moneta.groupTransactions({ id }, options);
      }
      const { operation, params, signers } = only;
      const [actor = ""] = signers;
      // Done before its keys expire, at most a day after they were made.
      const write = { operation, actor, ledgerId, params, signature: "", preparedAt };
      const found = await this.#moneta.findSent(write, options);
      return found && [found.transaction_id];
    } catch (error) {
      const isUnknown =
        (error instanceof ProblemError && error.code === "6009") ||
        (error instanceof UnansweredError && error.mayHaveHappened);
      if (isUnknown) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Invalidates the signatures of an address while the proposal is not done: uses one of their
   * temporary keys for a payment of 0 to another signer. Throws ProblemError `2021` if the proposal
   * is done already, and ProposalError if the address signs nothing of it.
   */
  async withdraw(actor: Actor, options: CallOptions = {}): Promise<SentWrite> {
    const { ledgerId } = this;
    const { address } = actor;
    const checkkey = this.#slotOf(address).temporaryKey;
    const other = this.signers.find((signer) => signer !== address);
    if (other === undefined) {
      throw new ProposalError("no other address signs it: it ends when its temporary key expires");
    }
    const greeting = [{ address: other, amount: "0", unlockdate: "0", memo: WITHDRAWN }];
    const operation = "multitransfer";
    const params = {
      ...{ from: address, token: "0", signed: "full" },
      transferlist: JSON.stringify(greeting),
      checkkey,
    };
    const keys = this.#keys.get(address) as SigningKeys;
    const signature = await signatureBy(actor, { operation, params, ledgerId }, keys);
    if (signature === undefined) {
      throw new ProposalError(`its key is none of ${address}`);
    }
    const preparedAt = Math.floor(this.#moneta.clock.now());
    const write = { operation, actor: address, ledgerId, params, signature, preparedAt };
    return await this.#moneta.send(write, options);
  }

  /**
   * The effects of the proposal now, signed or not. It is a forecast: until the proposal is done,
   * prices, fees and balances may change. Source: batches §2.
   */
  async forecast(options: CallOptions = {}): Promise<ProposalForecast> {
    const isGroup = this.#operations.length > 1;
    const results = await this.#moneta.dryRun(this.#operations, { ...options, isGroup });
    return ProposalForecast.of(results);
  }

  /**
   * Changes that owners of projects can still make, at the holder's cost, to the items that are
   * bought, bid for or transferred; items without such terms are left out.
   */
  async ownerPowers(options: CallOptions = {}): Promise<readonly ProposalOwnerPowers[]> {
    const items = new Map(this.#operations.flatMap(itemsOf).slice(0, ITEMS_MAX));
    const found = await Promise.all(
      [...items].map(async ([item, kind]) => ({
        item,
        powers: await powersOver(this.#moneta, { item, kind }, options),
      })),
    );
    return found.flatMap(({ item, powers }) => (powers === undefined ? [] : { item, powers }));
  }

  /** For several addresses call `forecast` once. */
  async effects(address: string, options: CallOptions = {}): Promise<ProposalEffects> {
    return (await this.forecast(options)).of(address);
  }

  /** For a file, or a message to the other signers. */
  toJSON(): ProposalFile {
    return {
      ledger_id: this.ledgerId,
      signers: this.#operations.map(({ signers }) => signers),
      operations: this.#operations.map(({ operation, params, signatures }) => ({
        operation,
        ...params,
        ...signatures,
      })),
    };
  }

  /** New ones as proof, and for a recovery the recovery keys. */
  #keysFor({ address, isProof }: Slot, { operation, params }: ProposalOperation): SetOfKeys {
    const own = this.#keys.get(address) as SigningKeys;
    return isProof ? newKeysOf(params) : operation === "addressrecover" ? own.recovery : own;
  }

  #slotOf(address: string): { readonly temporaryKey: string } {
    for (const one of this.#operations) {
      const slot = slotsOfOperation(one).find((each) => each.address === address);
      if (slot !== undefined) {
        return { temporaryKey: one.params[slot.key] as string };
      }
    }
    throw new ProposalError(`${address} signs no operation of this proposal`);
  }
}

function isUnsigned({ signatures }: ProposalOperation): (slot: Slot) => boolean {
  return ({ signature }) => signatures[signature] === undefined;
}

/**
 * For a set of keys with the place of the actor's. Undefined if its key is not in the set; a
 * function without a public key cannot show that it is.
 */
async function signatureBy(
  actor: Actor,
  write: Parameters<Actor["signatureOf"]>[0],
  { keys, isSet, isProof }: SetOfKeys & Pick<Slot, "isProof">,
): Promise<string | undefined> {
  const { publicKeyPem } = actor;
  const place = isSet && publicKeyPem !== undefined ? placeOfKey(keys, publicKeyPem) : undefined;
  if (place === -1 || (isProof && place === undefined)) {
    return undefined;
  }
  const text = await actor.signatureOf(write);
  return isSet
    ? JSON.stringify(placedSignatures(text).map((one) => ({ ...one, key: place ?? one.key })))
    : text;
}

type SigningKeys = SetOfKeys & { readonly recovery: SetOfKeys };

async function keysOf(
  moneta: Moneta,
  addresses: Iterable<string>,
  options: CallOptions,
): Promise<ReadonlyMap<string, SigningKeys>> {
  const all = [...addresses].map(async (address) => {
    const { keyset } = await moneta.addressRead({ address, view: "full" }, options);
    const { version, keys, threshold, recoverykeys = [], recoverythreshold = 0 } = keyset as KeySet;
    const isSet = version > 0 || keys.some(({ kind }) => kind === "webauthn");
    const recovery = { keys: recoverykeys, threshold: recoverythreshold, isSet: true };
    return [address, { keys, threshold, isSet, recovery }] as const;
  });
  return new Map(await Promise.all(all));
}

function together(before: string | undefined, text: string, keyCount: number): string {
  if (!text.startsWith("[")) {
    return text;
  }
  const own = placedSignatures(text);
  const isLeft = ({ key }: PlacedSignature): boolean =>
    key < keyCount && !own.some((one) => one.key === key);
  const kept = placedSignatures(before ?? "[]").filter(isLeft);
  return JSON.stringify([...kept, ...own].toSorted((a, b) => a.key - b.key));
}

function missingGuards({ operation, params }: ProposalOperation): readonly string[] {
  const isBid = /^mrc40.bid$/.test(operation);
  const guards = isBid ? ["token"] : /^mrc40.buy$/.test(operation) ? ["price", "token"] : [];
  const missing = guards.filter((name) => params[name] === undefined);
  // The next auction of the same item may be of fewer units.
  return isBid && params["id"]?.startsWith("MRC") ? [...missing, "listing"] : missing;
}
