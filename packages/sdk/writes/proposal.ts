import { groupText, toHex } from "@moneta/protocol/client";
import type { Actor } from "../actor.ts";
import { type AddressKey, CALLS, type KeySet } from "../api.ts";
import type { Call, CallOptions } from "../call.ts";
import {
  keyBody,
  type PlacedSignature,
  placedSignatures,
  placeOfKey,
} from "../keys/signing-key.ts";
import { expiresAt, isTemporaryKey } from "../keys/temporary-keys.ts";
import { subtle } from "../keys/web-crypto.ts";
import type { Moneta } from "../moneta.ts";
import { ProblemError, UnansweredError } from "../nodes/errors.ts";
import { type OwnerPowers, ownerPowers, type TermsOfItem } from "../values/owner-powers.ts";
import { refuseUnknown } from "../values/refuse-unknown.ts";
import { wireTexts } from "../values/wire-text.ts";
import type { SentWrite } from "./prepared-write.ts";
import { type ProposalEffects, ProposalForecast } from "./proposal-forecast.ts";

/**
 * An operation to propose: its name, its own parameters, and the actor. An operation with several
 * signers, such as `exchange`, names them in its parameters and has no `actor`.
 */
export interface ProposedOperation {
  readonly operation: string;
  readonly actor?: string | undefined;
  readonly [parameter: string]: unknown;
}

export interface ProposalOperation {
  readonly operation: string;
  readonly signers: readonly string[];
  /** All signed parameters by canonical names, temporary keys and group included. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * By the name of the parameter, `signature`, or `fromSign` and `toSign`: standard base64, or JSON
   * text of the signatures by the address's keys so far. Source: authority §2.1.
   */
  readonly signatures: Readonly<Record<string, string>>;
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

/** A proposal as JSON, for a file or a message. */
export interface ProposalFile {
  readonly ledger_id: string;
  readonly signers: readonly (readonly string[])[];
  /** Each with its signatures so far; two or more form the body of `POST /group`. */
  readonly operations: readonly Readonly<Record<string, string>>[];
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

/**
 * Changes that the owner of a project can still make to an item of the proposal; `unknown` for an
 * item that is not on the ledger yet. Source: mrc401 §2.6.
 */
export interface ProposalOwnerPowers {
  readonly item: string;
  readonly powers: OwnerPowers | "unknown";
}

/** A wrong proposal or file. `index` is the operation's; undefined for the whole. */
export class ProposalError extends TypeError {
  override readonly name: string = "ProposalError";
  readonly index: number | undefined;

  constructor(message: string, index?: number) {
    super(index === undefined ? message : `operation ${index + 1}: ${message}`);
    this.index = index;
  }
}

/** Source: batches §2.1. */
const OPERATIONS_MAX = 16;
/** Entries in the lists of a group together. Source: batches §2.12. */
const ITEMS_MAX = 100;
/** Above this validity the last signer has long to choose. Source: batches §2.11. */
const LONG_SECONDS = 3600;
/** The largest body that a node takes, characters. Source: batches §1.1. */
const FILE_LENGTH_MAX = 4 << 20;
const GROUP = "group";
const ADDRESS = /^MT[0-9A-Za-z]{38}$/;
const SIGNATURE = /^[A-Za-z0-9+/]{1,400}={0,2}$/;
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

interface Slot {
  readonly address: string;
  readonly key: string;
  readonly signature: string;
  /** Whether the new keys of the operation sign. Source: authority §1.3. */
  readonly isProof?: true;
}

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

/** See `Proposal.from`. */
export async function readProposal(
  json: unknown,
  wanted: string,
): Promise<Pick<Proposal, "id" | "ledgerId" | "operations">> {
  const { ledger_id: ledgerId, signers, operations: given } = readFile(json);
  if (ledgerId !== wanted) {
    throw new ProposalError(`it is for the ledger ${shown(ledgerId)}, and this is ${wanted}`);
  }
  if (!Array.isArray(given) || !Array.isArray(signers) || given.length !== signers.length) {
    throw new ProposalError('it must have a list of "operations", and one of "signers" as long');
  }
  checkCount(given.length);
  const operations = given.map((one, index) => readOperation(one, signers[index], index));
  const used = operations.map((one) =>
    slotsOfOperation(one)
      .filter(isOwn)
      .map(({ key }) => one.params[key]),
  );
  const twice = used.findIndex((own, index) =>
    own.some((key) => [...used.slice(0, index).flat(), ...own].filter((k) => k === key).length > 1),
  );
  if (twice !== -1) {
    throw new ProposalError("its temporary key is that of another signature before it", twice);
  }
  const id = await idOf(operations, wanted);
  const group = operations.length > 1 ? id : undefined;
  if (operations.some(({ params }) => params[GROUP] !== group)) {
    throw new ProposalError(
      group === undefined
        ? "it is one operation of a group, and the others are missing"
        : "its operations are not those of their group: somebody has changed one of them or their order",
    );
  }
  return { id, ledgerId: wanted, operations };
}

/** Source: batches §2.2. */
async function idOf(
  operations: readonly Pick<ProposalOperation, "operation" | "params">[],
  ledgerId: string,
): Promise<string> {
  const members = operations.map(({ operation: op, params }) => ({ op, params }));
  const text = new TextEncoder().encode(groupText(members, ledgerId));
  return toHex(new Uint8Array(await subtle().digest("SHA-256", text)));
}

function slotsOf(call: Call, signers: readonly string[]): readonly Slot[] {
  const own = signers.map((address, index): Slot => {
    const [, key = call.key ?? "", signature = "signature"] =
      call.signers?.[index]?.split(" ") ?? [];
    return { address, key, signature };
  });
  const { proof } = call;
  return proof === undefined
    ? own
    : own.flatMap((slot) => [slot, { ...slot, signature: proof, isProof: true }]);
}

function isOwn({ isProof }: Slot): boolean {
  return isProof !== true;
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

function slotsOfOperation({ operation, signers }: ProposalOperation): readonly Slot[] {
  return slotsOf(CALLS[operation] as Call, signers);
}

type SetOfKeys = Pick<KeySet, "keys" | "threshold"> & { readonly isSet: boolean };
type SigningKeys = SetOfKeys & { readonly recovery: SetOfKeys };

/** Source: authority §1.3. */
function newKeysOf({ keys = "", threshold }: ProposalOperation["params"]): SetOfKeys {
  const given = JSON.parse(keys) as readonly Partial<AddressKey>[];
  const all = given.map(({ publickey = "", kind = "raw", weight = 1 }) => ({
    ...{ publickey: keyBody(publickey), kind, weight: Number(weight) },
  }));
  return { keys: all, threshold: Number(threshold), isSet: true };
}

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

/** Whether an untrusted text is a signature, or several signatures. */
function isSignatureText(text: string): boolean {
  try {
    const all: unknown = text.startsWith("[") && JSON.parse(text);
    return all ? (all as unknown[]).every(isObject) : SIGNATURE.test(text);
  } catch {
    return false;
  }
}

function ownParameters(call: Call): readonly string[] {
  const signing = (call.signers ?? []).flatMap((names) => names.split(" ").slice(1));
  const left = ["signed", call.proof, ...signing];
  return call.parameters.split(" ").filter((name) => !left.includes(name));
}

type ItemKind = "mrc401" | "mrc402";

/** Items, or listings of units, that an operation gives to another address. */
function itemsOf({
  operation,
  params,
}: ProposalOperation): readonly (readonly [string, ItemKind])[] {
  if (!/^mrc40[12](?:buy|bid|transfer)$/.test(operation)) {
    return [];
  }
  const { mrc401id, mrc402id, id, itemdata } = params;
  const named = mrc401id ?? mrc402id ?? id;
  const ids = named === undefined ? listedIds(itemdata) : [named];
  return ids.map((item) => [item, operation.slice(0, 6) as ItemKind]);
}

/** The node refuses malformed lists. */
function listedIds(itemdata = "[]"): readonly string[] {
  try {
    const list: unknown = JSON.parse(itemdata);
    return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

async function powersOver(
  moneta: Moneta,
  { item, kind }: { readonly item: string; readonly kind: ItemKind },
  options: CallOptions,
): Promise<OwnerPowers | "unknown" | undefined> {
  try {
    return ownerPowers(await termsOf(moneta, { item, kind }, options));
  } catch (error) {
    if (error instanceof ProblemError && error.code === "6004") {
      return "unknown";
    }
    throw error;
  }
}

async function termsOf(
  moneta: Moneta,
  { item, kind }: { readonly item: string; readonly kind: ItemKind },
  options: CallOptions,
): Promise<TermsOfItem> {
  if (kind === "mrc401") {
    return await moneta.mrc401({ mrc401id: item }, options);
  }
  const isListing = item.startsWith("DEX402_");
  const mrc402id = isListing ? (await moneta.mrc402Listing({ dexid: item }, options)).mrc402 : item;
  return await moneta.mrc402({ mrc402id }, options);
}

function checkCount(count: number): void {
  if (count < 1 || count > OPERATIONS_MAX) {
    throw new ProposalError(`a proposal has 1 to ${OPERATIONS_MAX} operations, and not ${count}`);
  }
}

/** Throws ProposalError for any other. */
function signedCall(operation: unknown, index: number): Call {
  const call =
    typeof operation === "string" && Object.hasOwn(CALLS, operation) ? CALLS[operation] : undefined;
  if (!call?.key || operation === "protocol") {
    throw new ProposalError(`${shown(operation)} is no operation that can be proposed`, index);
  }
  return call;
}

function checkSignerCount(
  signers: readonly string[],
  { signers: several }: Call,
  index: number,
): void {
  const count = several?.length ?? 1;
  if (signers.length !== count || new Set(signers).size !== count) {
    throw new ProposalError(
      `it needs ${count === 1 ? "one signer" : `${count} different signers`}`,
      index,
    );
  }
}

/** Throws ProposalError unless the parameters of the signers name exactly these, each once. */
function checkSigners(
  params: Readonly<Record<string, string>>,
  {
    signers,
    call,
    index,
  }: { readonly signers: readonly string[]; readonly call: Call; readonly index: number },
): void {
  const names =
    call.signers === undefined ? [call.actor] : call.signers.map((all) => all.split(" ")[0]);
  checkSignerCount(signers, call, index);
  for (const [place, name] of names.entries()) {
    const signer = signers[place];
    const named = name === undefined ? undefined : params[name];
    if (signer === undefined || !ADDRESS.test(signer)) {
      const what = call.signers === undefined ? "its actor" : name;
      throw new ProposalError(`${what} must be an address, not ${shown(signer)}`, index);
    }
    if (named !== undefined && named !== signer) {
      throw new ProposalError(`its signer is ${signer}, but its ${name} is ${shown(named)}`, index);
    }
  }
}

function missingGuards({ operation, params }: ProposalOperation): readonly string[] {
  const isBid = /^mrc40.bid$/.test(operation);
  const guards = isBid ? ["token"] : /^mrc40.buy$/.test(operation) ? ["price", "token"] : [];
  const missing = guards.filter((name) => params[name] === undefined);
  // The next auction of the same item may be of fewer units.
  return isBid && params["id"]?.startsWith("MRC") ? [...missing, "listing"] : missing;
}

/** Every member must be a text, so that signatures cover it. */
function readOperation(given: unknown, signers: unknown, index: number): ProposalOperation {
  if (!isObject(given)) {
    throw new ProposalError("it must be a JSON object", index);
  }
  const { operation, ...members } = given;
  const call = signedCall(operation, index);
  const name = operation as string;
  if (!Array.isArray(signers) || !signers.every((one) => typeof one === "string")) {
    throw new ProposalError(
      `its signers must be a list of addresses, not ${shown(signers)}`,
      index,
    );
  }
  checkSignerCount(signers, call, index);
  const slots = slotsOf(call, signers);
  const known = [...ownParameters(call), ...slots.map(({ key }) => key), "signed", GROUP];
  const params: Record<string, string> = {};
  const signatures: Record<string, string> = {};
  for (const [member, value] of Object.entries(members)) {
    const isSignature = slots.some(({ signature }) => signature === member);
    if (!isSignature && !known.includes(member)) {
      throw new ProposalError(`${name} has no parameter ${shown(member)}`, index);
    }
    if (typeof value !== "string" || value === "" || !value.isWellFormed()) {
      throw new ProposalError(`${member} must be a text, and not empty`, index);
    }
    if (isSignature && !isSignatureText(value)) {
      throw new ProposalError(`${member} must be base64, or a list of signatures`, index);
    }
    (isSignature ? signatures : params)[member] = value;
  }
  if (params["signed"] !== "full") {
    throw new ProposalError(
      '"signed" must be "full": short signatures do not cover all of it',
      index,
    );
  }
  for (const { key } of slots) {
    if (!isTemporaryKey(params[key])) {
      throw new ProposalError(`${key} must be a temporary key`, index);
    }
  }
  checkSigners(params, { signers, call, index });
  if (call.proof !== undefined) {
    try {
      newKeysOf(params);
    } catch {
      throw new ProposalError("keys must be JSON text of a list of keys", index);
    }
  }
  return { operation: name, signers, params, signatures };
}

function readFile(json: unknown): Readonly<Record<string, unknown>> {
  let value = json;
  if (typeof json === "string") {
    if (json.length > FILE_LENGTH_MAX) {
      throw new ProposalError(`it has more than ${FILE_LENGTH_MAX} characters`);
    }
    try {
      value = JSON.parse(json);
    } catch {
      throw new ProposalError("it is no JSON text");
    }
  }
  if (!isObject(value)) {
    throw new ProposalError("it is no JSON object");
  }
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
