import { groupText, toHex } from "@moneta/protocol/client";
import type { Actor } from "../actor.ts";
import { CALLS } from "../api.ts";
import type { Call, CallOptions } from "../call.ts";
import { expiresAt, isTemporaryKey } from "../keys/temporary-keys.ts";
import { subtle } from "../keys/web-crypto.ts";
import type { Moneta } from "../moneta.ts";
import { ProblemError } from "../nodes/errors.ts";
import { type OwnerPowers, ownerPowers, type TermsOfItem } from "../values/owner-powers.ts";
import { refuseUnknown } from "../values/refuse-unknown.ts";
import { wireTexts } from "../values/wire-text.ts";
import { type GroupEffects, GroupForecast } from "./group-forecast.ts";
import type { SentWrite } from "./prepared-write.ts";
import { isObject, readSignedFile, shown } from "./signed-file.ts";

/** An operation that is proposed for a group: its name, who acts, and its own parameters. */
export interface ProposedOperation {
  readonly actor: string;
  readonly operation: string;
  readonly [parameter: string]: unknown;
}

/** An operation of a group. */
export interface GroupOperation {
  readonly operation: string;
  /** The address that acts. */
  readonly actor: string;
  /** All that a signature covers, by canonical names: temporary key and group included. */
  readonly params: Readonly<Record<string, string>>;
  /** Standard base64; undefined until somebody has signed. */
  readonly signature: string | undefined;
}

/** A group as JSON: what `POST /group` takes, with ledger, id and actors beside it. */
export interface GroupFile {
  readonly ledger_id: string;
  readonly group: string;
  /** Who acts in each operation. */
  readonly actors: readonly string[];
  readonly operations: readonly Readonly<Record<string, string>>[];
}

/** What depends on the state in which a group is done, and not on what was signed. */
export type OpenTerm =
  /** Of the price, how much goes to others than the seller. */
  | "fees"
  /** What a melted item or unit pays out. */
  | "reserve"
  /** Whether a bid stands, buys at once, or is outbid later. */
  | "outcome"
  /** Which draft becomes the token. */
  | "draft";

/** What a signer has to know. Source: batches §2.11. */
export type GroupWarning =
  /** The first temporary key expires then: until then whoever signs last decides. */
  | { readonly is: "long"; readonly expiresAt: number }
  | { readonly is: "expired"; readonly expiresAt: number }
  /** A purchase or bid that would pay any price, or for any lot, because it does not name these. */
  | { readonly is: "unguarded"; readonly index: number; readonly missing: readonly string[] }
  | { readonly is: "open"; readonly index: number; readonly depends: readonly OpenTerm[] };

/**
 * What the owner of a project may still change of an item that the group moves; `unknown` of an item
 * that is not on the ledger yet. Source: mrc401 §2.6.
 */
export interface GroupOwnerPowers {
  readonly item: string;
  readonly powers: OwnerPowers | "unknown";
}

/** What a group file has is wrong. `index` is the operation's, undefined for the whole. */
export class GroupError extends TypeError {
  override readonly name: string = "GroupError";
  readonly index: number | undefined;

  constructor(message: string, index?: number) {
    super(index === undefined ? message : `operation ${index + 1} of the group: ${message}`);
    this.index = index;
  }
}

/** How many operations a group has. Source: batches §2.1. */
const GROUP_MIN = 2;
const GROUP_MAX = 16;
/** How many entries the lists of a group have together. Source: batches §2.12. */
const ITEMS_MAX = 100;
/** Above this validity whoever signs last has long to choose. Source: batches §2.11. */
const LONG_SECONDS = 3600;
const ID = /^[0-9a-f]{64}$/;
const ADDRESS = /^MT[0-9A-Za-z]{38}$/;
const SIGNATURE = /^[A-Za-z0-9+/]{1,400}={0,2}$/;

const OPEN_TERMS: { readonly [operation: string]: readonly OpenTerm[] } = {
  tokencreate: ["draft"],
  mrc401buy: ["fees"],
  mrc402buy: ["fees"],
  mrc010bid: ["outcome"],
  mrc401bid: ["outcome", "fees"],
  mrc402bid: ["outcome", "fees"],
  mrc401melt: ["reserve", "fees"],
  mrc402melt: ["reserve", "fees"],
};

/**
 * Operations of one or several signers that are done together or not at all. Whoever signs one of
 * them signs all. Source: batches §2.
 */
export class Group {
  /** SHA-256 of the operations, which every signature covers; 64 hex digits. */
  readonly id: string;
  /** The ledger that the signatures are for. */
  readonly ledgerId: string;
  readonly #moneta: Moneta;
  #operations: readonly GroupOperation[];

  private constructor(
    moneta: Moneta,
    whole: {
      readonly id: string;
      readonly ledgerId: string;
      readonly operations: readonly GroupOperation[];
    },
  ) {
    this.#moneta = moneta;
    this.id = whole.id;
    this.ledgerId = whole.ledgerId;
    this.#operations = whole.operations;
  }

  /**
   * A group of 2 to 16 signed operations, in the order in which they will be done. Fetches a
   * temporary key for each; they are valid for `validSeconds`, ten minutes if it is left out. Take
   * the shortest time in which all can sign. Throws TypeError for what cannot be in a group.
   */
  static async propose(
    moneta: Moneta,
    proposed: readonly ProposedOperation[],
    {
      validSeconds = 600,
      ...options
    }: CallOptions & { readonly validSeconds?: number | undefined } = {},
  ): Promise<Group> {
    checkCount(proposed.length);
    const whole = proposed.map(({ actor, operation, ...request }, index) => {
      const call = signedCall(operation, index);
      try {
        refuseUnknown(operation, call.parameters, request);
      } catch (thrown) {
        throw new GroupError((thrown as Error).message, index);
      }
      if (!ADDRESS.test(actor)) {
        throw new GroupError(`its actor must be an address, not ${shown(actor)}`, index);
      }
      const named = call.actor === undefined ? {} : { [call.actor]: actor };
      const given = Object.entries(request).filter(([, value]) => value !== undefined);
      return { actor, operation, call, request: { ...named, ...Object.fromEntries(given) } };
    });
    const ledgerId = await moneta.ledgerId();
    const keys = new Map<string, string[]>();
    for (const address of new Set(whole.map(({ actor }) => actor))) {
      const count = whole.filter(({ actor }) => actor === address).length;
      const fetched = await moneta.nonce({ address, count, valid: validSeconds }, options);
      keys.set(address, [fetched].flat());
    }
    const unnamed = whole.map(({ actor, operation, call, request }, index) => {
      const key = keys.get(actor)?.shift();
      if (!isTemporaryKey(key)) {
        throw new GroupError("the node has no temporary key for it", index);
      }
      const params = wireTexts({ ...request, [call.key as string]: key, signed: "full" }, true);
      checkActor(params, { actor, call, index });
      return { operation, actor, params, signature: undefined };
    });
    const id = await groupIdOf(unnamed, ledgerId);
    const operations = unnamed.map((one) => ({ ...one, params: { ...one.params, group: id } }));
    return new Group(moneta, { id, ledgerId, operations });
  }

  /**
   * Reads what `toJSON` gave, as text or parsed, for the ledger of `moneta`. It may come from
   * anybody: nothing of it is used before its id has been computed anew. Throws GroupError if it is
   * no whole group, is of another ledger, or has another id.
   */
  static async from(json: unknown, moneta: Moneta): Promise<Group> {
    const {
      ledger_id: ledgerId,
      group: id,
      actors,
      operations: given,
    } = readSignedFile(json, (message) => new GroupError(message));
    const wanted = await moneta.ledgerId();
    if (ledgerId !== wanted) {
      throw new GroupError(`it is for the ledger ${shown(ledgerId)}, and this is ${wanted}`);
    }
    if (typeof id !== "string" || !ID.test(id)) {
      throw new GroupError(`"group" must be its id, 64 lower-case hex digits, not ${shown(id)}`);
    }
    if (!Array.isArray(given) || !Array.isArray(actors) || given.length !== actors.length) {
      throw new GroupError('it must have a list of "operations", and one of "actors" as long');
    }
    checkCount(given.length);
    const operations = given.map((one, index) => readOperation(one, actors[index], { id, index }));
    const keys = operations.map(({ operation, params }) => params[keyName(operation)]);
    const twice = keys.findIndex((key, index) => keys.indexOf(key) < index);
    if (twice !== -1) {
      throw new GroupError("its temporary key is that of an operation before it", twice);
    }
    if ((await groupIdOf(operations, wanted)) !== id) {
      throw new GroupError(
        "its id is not that of its operations: somebody has changed one of them or their order",
      );
    }
    return new Group(moneta, { id, ledgerId: wanted, operations });
  }

  /** Its operations, in the order in which they are done. */
  get operations(): readonly GroupOperation[] {
    return this.#operations;
  }

  /** Who has to sign. */
  get signers(): readonly string[] {
    return [...new Set(this.#operations.map(({ actor }) => actor))];
  }

  /** Who has still to sign. */
  get missing(): readonly string[] {
    const unsigned = this.#operations.filter(({ signature }) => signature === undefined);
    return [...new Set(unsigned.map(({ actor }) => actor))];
  }

  /** When the first of its temporary keys expires, in ledger time, Unix seconds. */
  get expiresAt(): number {
    return Math.min(
      ...this.#operations.map(({ operation, params }) => expiresAt(params[keyName(operation)])),
    );
  }

  /** What a signer has to know; `now` is Unix seconds, by the ledger's clock if left out. */
  warnings(now: number = Math.floor(this.#moneta.clock.now())): readonly GroupWarning[] {
    const { expiresAt } = this;
    const ofTime: readonly GroupWarning[] =
      expiresAt < now
        ? [{ is: "expired", expiresAt }]
        : expiresAt > now + LONG_SECONDS
          ? [{ is: "long", expiresAt }]
          : [];
    const ofOperations = this.#operations.flatMap((one, index): readonly GroupWarning[] => {
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
   * Signs all operations of an address. Throws GroupError if it has none, or if one of them buys at
   * any price, without `price` and `token`, or bids in any token or auction. Source: batches §2.11.
   */
  async sign(actor: Actor): Promise<void> {
    const own = this.#operations.filter((one) => one.actor === actor.address);
    if (own.length === 0) {
      throw new GroupError(`${actor.address} has no operation in this group`);
    }
    for (const [index, one] of this.#operations.entries()) {
      const missing = one.actor === actor.address ? missingGuards(one) : [];
      if (missing.length > 0) {
        throw new GroupError(`it would pay any price without ${missing.join(" and ")}`, index);
      }
    }
    const { ledgerId } = this;
    const signed = await Promise.all(
      this.#operations.map(async (one) =>
        one.actor === actor.address
          ? { ...one, signature: await actor.signatureOf({ ...one, ledgerId }) }
          : one,
      ),
    );
    // Meanwhile another actor may have signed.
    this.#operations = this.#operations.map((one, index) =>
      one.actor === actor.address ? (signed[index] as GroupOperation) : one,
    );
  }

  /**
   * Does all of it. May be repeated: a group that is done is answered as the first time. Throws
   * ProblemError with the `index` of the refused operation, then nothing was done; GroupError if a
   * signature is missing; UnansweredError.
   */
  async submit(options: CallOptions = {}): Promise<readonly SentWrite[]> {
    if (this.missing.length > 0) {
      throw new GroupError(`it still needs the signature of ${this.missing.join(", ")}`);
    }
    return await this.#moneta.group(
      this.#operations.map((one) => ({ ...one, signature: one.signature as string })),
      options,
    );
  }

  /**
   * What the group would do now, signed or not. It is a forecast: until the group is done anybody
   * may change prices, fees and balances. Source: batches §2.
   */
  async forecast(options: CallOptions = {}): Promise<GroupForecast> {
    const results = await this.#moneta.dryRun(this.#operations, { ...options, isGroup: true });
    return GroupForecast.of(results);
  }

  /**
   * What owners of projects may still change of the items that are bought, bid for or transferred,
   * to the cost of whoever then holds them; items without such terms are left out.
   */
  async ownerPowers(options: CallOptions = {}): Promise<readonly GroupOwnerPowers[]> {
    const items = new Map(this.#operations.flatMap(itemsOf).slice(0, ITEMS_MAX));
    const found = await Promise.all(
      [...items].map(async ([item, kind]) => ({
        item,
        powers: await powersOver(this.#moneta, { item, kind }, options),
      })),
    );
    return found.flatMap(({ item, powers }) => (powers === undefined ? [] : { item, powers }));
  }

  /** What an address would give and get. For several addresses ask `forecast` once. */
  async effects(address: string, options: CallOptions = {}): Promise<GroupEffects> {
    return (await this.forecast(options)).of(address);
  }

  /** For a file, or a message to the other signers. */
  toJSON(): GroupFile {
    return {
      ledger_id: this.ledgerId,
      group: this.id,
      actors: this.#operations.map(({ actor }) => actor),
      operations: this.#operations.map(({ operation, params, signature }) => ({
        operation,
        ...params,
        ...(signature === undefined ? {} : { signature }),
      })),
    };
  }
}

/** SHA-256 of the operations without `group` and signatures. Source: batches §2.2. */
async function groupIdOf(
  operations: readonly Pick<GroupOperation, "operation" | "params">[],
  ledgerId: string,
): Promise<string> {
  const members = operations.map(({ operation: op, params }) => ({ op, params }));
  const text = new TextEncoder().encode(groupText(members, ledgerId));
  return toHex(new Uint8Array(await subtle().digest("SHA-256", text)));
}

type ItemKind = "mrc401" | "mrc402";

/** Items, or listings of units, that an operation gives to somebody; with the kind of item. */
function itemsOf({ operation, params }: GroupOperation): readonly (readonly [string, ItemKind])[] {
  if (!/^mrc40[12](?:buy|bid|transfer)$/.test(operation)) {
    return [];
  }
  const { mrc401id, mrc402id, id, itemdata } = params;
  const named = mrc401id ?? mrc402id ?? id;
  const ids = named === undefined ? listedIds(itemdata) : [named];
  return ids.map((item) => [item, operation.slice(0, 6) as ItemKind]);
}

/** Ids in a list that somebody else may have written; the node refuses any other list. */
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
  if (count < GROUP_MIN || count > GROUP_MAX) {
    throw new GroupError(`a group has ${GROUP_MIN} to ${GROUP_MAX} operations, and not ${count}`);
  }
}

/** How to send an operation that somebody signs; throws GroupError for any other. */
function signedCall(operation: unknown, index: number): Call {
  const call =
    typeof operation === "string" && Object.hasOwn(CALLS, operation) ? CALLS[operation] : undefined;
  if (call?.key === undefined || operation === "protocol") {
    throw new GroupError(`${shown(operation)} is no operation that a group takes`, index);
  }
  if (call.signers !== undefined) {
    throw new GroupError(`${shown(operation)} has several signers: use two transfers`, index);
  }
  return call;
}

function keyName(operation: string): string {
  return CALLS[operation]?.key ?? "";
}

function checkActor(
  params: Readonly<Record<string, string>>,
  { actor, call, index }: { readonly actor: string; readonly call: Call; readonly index: number },
): void {
  const named = call.actor === undefined ? undefined : params[call.actor];
  if (named !== undefined && named !== actor) {
    throw new GroupError(`its actor is ${actor}, but its ${call.actor} is ${shown(named)}`, index);
  }
}

function missingGuards({ operation, params }: GroupOperation): readonly string[] {
  const isBid = /^mrc40.bid$/.test(operation);
  const guards = isBid ? ["token"] : /^mrc40.buy$/.test(operation) ? ["price", "token"] : [];
  const missing = guards.filter((name) => params[name] === undefined);
  // The next auction of the same item may be of fewer units.
  return isBid && params["id"]?.startsWith("MRC") ? [...missing, "listing"] : missing;
}

/** Reads an operation of a file. Every member must be a text that its signature would cover. */
function readOperation(
  given: unknown,
  actor: unknown,
  { id, index }: { readonly id: string; readonly index: number },
): GroupOperation {
  if (!isObject(given)) {
    throw new GroupError("it must be a JSON object", index);
  }
  const { operation, signature, ...params } = given;
  const call = signedCall(operation, index);
  const name = operation as string;
  if (typeof actor !== "string" || !ADDRESS.test(actor)) {
    throw new GroupError(`its actor must be an address, not ${shown(actor)}`, index);
  }
  const known = `${call.parameters} ${call.key} signed group`.trim().split(" ");
  for (const [parameter, value] of Object.entries(params)) {
    if (!known.includes(parameter)) {
      throw new GroupError(`${name} has no parameter ${shown(parameter)}`, index);
    }
    if (typeof value !== "string" || value === "" || !value.isWellFormed()) {
      throw new GroupError(`${parameter} must be a text, and not empty`, index);
    }
  }
  const texts = params as Readonly<Record<string, string>>;
  if (texts["group"] !== id) {
    throw new GroupError(`its group is ${shown(texts["group"])}, and not ${id}`, index);
  }
  if (texts["signed"] !== "full") {
    throw new GroupError('"signed" must be "full"', index);
  }
  if (!isTemporaryKey(texts[call.key as string])) {
    throw new GroupError(`${call.key} must be a temporary key`, index);
  }
  if (signature !== undefined && (typeof signature !== "string" || !SIGNATURE.test(signature))) {
    throw new GroupError("its signature must be base64", index);
  }
  checkActor(texts, { actor, call, index });
  return { operation: name, actor, params: texts, signature };
}
