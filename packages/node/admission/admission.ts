import {
  checkKeys,
  isRepeat,
  type KeyChecks,
  type KeyVersions,
  keyHolder,
  type LedgerReader,
  type Outcome,
  type ReadOperation,
  temporaryKeysOf,
  type Unit,
} from "@moneta/ledger";
import {
  type Address,
  type Bundle,
  type Fault,
  type GroupFault,
  isSignatureList,
  operationText,
  parseKeySignatures,
  protocol,
  Refused,
  type Request,
  type Texts,
} from "@moneta/protocol";
import { ClientShares } from "../client-shares.ts";
import type { Turn } from "../fair-queue.ts";
import type { LedgerQueue } from "../ledger-thread/ledger-queue.ts";
import type { ClaimVerdict, SignaturePool } from "../signatures/signature-pool.ts";
import { SHUTTING_DOWN, UNTIL_MENDED_SECONDS } from "../write-state.ts";
import {
  type Admitting,
  SignatureChecks,
  type Verified,
  type WellFormed,
  type Whose,
} from "./signature-checks.ts";
import type { TemporaryKeys } from "./temporary-keys.ts";
import type { WriteQuota, Writer } from "./write-quota.ts";

type RefusedUnit = Extract<Outcome, { readonly kind: "refused" }>;

/** With the actor of each operation, `""` for unsigned ones. */
export type AdmittedOutcome =
  | RefusedUnit
  | (Exclude<Outcome, RefusedUnit> & { readonly actors: readonly Address[] });

const NO_VERSIONS: readonly number[] = [];

/** While the keys of signers change. Source: authority §1.4. */
const VERIFIED_MAX = 3;

/** A refusal based on the views, which may lag behind a shared log. Source: cluster §4. */
class RefusedByViews {
  readonly outcome: RefusedUnit;

  constructor(refused: GroupFault) {
    this.outcome = { kind: "refused", ...refused };
  }
}

/** The position of an operation in a batch. Source: batches §1.3, §1.5. */
export interface PlaceInBatch {
  readonly request: object;
  /** Calls `submit` after all previous operations; refuses if the batch has been stopped. */
  submitInOrder(submit: () => Promise<Outcome>): Promise<Outcome>;
}

export interface Origin {
  /** The client by `clientOf`; undefined for the node's own operations. */
  readonly client: string | undefined;
  readonly place?: PlaceInBatch | undefined;
  readonly isAbandoned?: (() => boolean) | undefined;
}

export interface AdmissionOptions {
  readonly reader: LedgerReader;
  readonly readingNewest: () => LedgerReader;
  readonly queue: LedgerQueue;
  readonly keys: TemporaryKeys;
  readonly signatures: SignaturePool;
  readonly ledgerId: string;
  /** Pending operations and their characters, half of them for one client; more get 9002. */
  readonly queueMax: number;
  readonly queueBytesMax: number;
  readonly writeFault: () => Fault | undefined;
  /** Why this version of the rules may not be announced yet, if so. */
  readonly protocolFault: (version: number) => Promise<Fault | undefined>;
  readonly quota: WriteQuota;
  /** A height that the log had after the call, once `reader` is open on it. */
  readonly catchUp?: (() => Promise<number | undefined>) | undefined;
}

/** Checks actor, key and signature, then queues. Source: conventions §3 to §5. */
export class Admission {
  readonly #reader: LedgerReader;
  readonly #readingNewest: () => LedgerReader;
  readonly #queue: LedgerQueue;
  readonly #keys: TemporaryKeys;
  readonly #queueMax: number;
  readonly #queueBytesMax: number;
  readonly #signatureChecks: SignatureChecks;
  readonly #writeFault: () => Fault | undefined;
  readonly #protocolFault: (version: number) => Promise<Fault | undefined>;
  readonly #quota: WriteQuota;
  readonly #catchUp: AdmissionOptions["catchUp"];
  readonly #underWay: ClientShares;
  readonly #underWayLength: ClientShares;
  /** Verdicts on the signatures of refused requests, which batches submit again. */
  readonly #verdicts: WeakMap<Request, Map<string, ClaimVerdict>> = new WeakMap();
  readonly #isOurs: NonNullable<KeyChecks["isOurs"]> = (key, operation) =>
    this.#keys.isOurs(key, operation);

  constructor(options: AdmissionOptions) {
    this.#reader = options.reader;
    this.#readingNewest = options.readingNewest;
    this.#queue = options.queue;
    this.#keys = options.keys;
    this.#queueMax = options.queueMax;
    this.#queueBytesMax = options.queueBytesMax;
    this.#signatureChecks = new SignatureChecks(options);
    this.#writeFault = options.writeFault;
    this.#protocolFault = options.protocolFault;
    this.#quota = options.quota;
    this.#catchUp = options.catchUp;
    this.#underWay = new ClientShares(options.queueMax);
    this.#underWayLength = new ClientShares(options.queueBytesMax);
  }

  isFullFor(client: string | undefined): boolean {
    return this.#fullFault(client) !== undefined;
  }

  #fullFault(client: string | undefined, count = 1): Fault | undefined {
    if (this.#queue.length + count > this.#queueMax || this.#queue.bytes >= this.#queueBytesMax) {
      return FULL;
    }
    const hasTooMany =
      client !== undefined &&
      (this.#underWay.isOver(client, count) || this.#underWayLength.isOver(client));
    return hasTooMany ? CLIENT_FULL : undefined;
  }

  get searchCount(): number {
    return this.#signatureChecks.searchCount;
  }

  close(): void {
    this.#signatureChecks.close();
  }

  /**
   * Does all operations or none; a repeat returns the first result. `reader` is open.
   * Source: conventions §3, §5.3; batches §2.3, §2.10.
   */
  async submit(requests: readonly WellFormed[], origin: Origin): Promise<AdmittedOutcome> {
    const unit = requests.map(({ ruled, request, decided = {} }): Admitting => {
      const keys = temporaryKeysOf(ruled, request);
      const length = lengthOfTexts(request.params);
      const weight = weightOf(request);
      const verdicts = this.#verdicts.get(request) ?? new Map<string, ClaimVerdict>();
      return { ruled, request, decided, keys, length, weight, verdicts };
    });
    const outcome = await this.#caughtUp(unit, origin);
    if (outcome.kind === "refused") {
      for (const { request, verdicts } of unit) {
        this.#verdicts.set(request, verdicts);
      }
    }
    return outcome;
  }

  /** Brings the views to the current height of a shared log. Source: cluster §4. */
  async reachLog(): Promise<Fault | undefined> {
    const isReached = this.#catchUp === undefined || (await this.#catchUp()) !== undefined;
    return isReached ? undefined : { code: "9003", height: this.#queue.height, wanted: undefined };
  }

  /** Repeats an attempt whose refusal may be due to missing blocks. Source: cluster §4. */
  async #caughtUp(unit: readonly Admitting[], origin: Origin): Promise<AdmittedOutcome> {
    const before = this.#reader.height;
    const { isBehind } = this.#queue;
    const first = await this.#submit(unit, origin);
    if (!(first instanceof RefusedByViews)) {
      return first;
    }
    if (this.#catchUp === undefined && !isBehind) {
      return first.outcome;
    }
    const height = await (this.#catchUp ?? this.#flushed)();
    if (height === undefined) {
      const fault: Fault = { code: "9003", height: this.#queue.height, wanted: undefined };
      return { kind: "refused", fault };
    }
    if (height <= before) {
      return first.outcome;
    }
    const second = await this.#submit(unit, origin);
    return second instanceof RefusedByViews ? second.outcome : second;
  }

  /** Makes all answered writes visible to the reader, and opens it. */
  readonly #flushed = async (): Promise<number | undefined> => {
    const isFlushed = (await this.#queue.flushed()) ?? true;
    return isFlushed ? this.#readingNewest().height : undefined;
  };

  async #submit(
    unit: readonly Admitting[],
    origin: Origin,
  ): Promise<AdmittedOutcome | RefusedByViews> {
    const { client } = origin;
    const held = this.#writeFault();
    if (held !== undefined) {
      if (this.#queue.isBehind && isSigned(unit) && (await this.#flushed()) === undefined) {
        // It may repeat one of the answered writes that are not readable now.
        return { kind: "refused", fault: { code: "9004", retryAfter: UNTIL_MENDED_SECONDS } };
      }
      // A repeat has a result; 9002 would claim that nothing was done.
      return this.#repeat(unit) ?? { kind: "refused", fault: held };
    }
    const count = sumOfWeights(unit);
    const fault =
      (this.#signatureChecks.isClosed ? SHUTTING_DOWN : this.#fullFault(client, count)) ??
      this.#quota.check(client) ??
      (isSigned(unit) ? this.#quota.checkSignatures(client) : undefined);
    if (fault !== undefined) {
      return { kind: "refused", fault };
    }
    if (client === undefined) {
      return await this.#admit(unit, origin);
    }
    const length = unit.reduce((sum, one) => sum + one.length, 0);
    this.#underWay.add(client, count);
    this.#underWayLength.add(client, length);
    try {
      return await this.#admit(unit, origin);
    } finally {
      this.#underWay.remove(client, count);
      this.#underWayLength.remove(client, length);
    }
  }

  async #admit(
    unit: readonly Admitting[],
    origin: Origin,
  ): Promise<AdmittedOutcome | RefusedByViews> {
    const { client, place, isAbandoned } = origin;
    const waits = this.#signatureChecks.searchFault(unit, client);
    if (waits !== undefined) {
      return { kind: "refused", fault: waits };
    }
    if (this.#queue.isBehind && unit.some(({ ruled }) => ruled.rule.choices !== undefined)) {
      // The choice depends on the client's earlier operations.
      const height = await this.#flushed();
      if (height === undefined) {
        const behind: Fault = { code: "9003", height: this.#queue.height, wanted: undefined };
        return { kind: "refused", fault: behind };
      }
    }
    // The ledger thread checks for used keys, because that costs a look-up each.
    const { signers, refused } = checkKeys(this.#reader.state, unit, { isOurs: this.#isOurs });
    // Several signatures of one request take one turn.
    const isOne = unit.length === 1 && unit[0]?.keys.length === 1;
    const whose = { client, request: place?.request ?? (isOne ? undefined : unit), isAbandoned };
    const checks = isSigned(unit)
      ? signers.map((addresses, index) =>
          this.#signatureChecks.check(unit[index] as Admitting, addresses, whose),
        )
      : undefined;
    // Unsigned units queue without waiting, or the queue would exceed its bound. `Promise.all`
    // costs much for a single signature.
    const verified =
      checks === undefined
        ? unit.map(({ decided }) => ({ decided, keyVersions: NO_VERSIONS }))
        : checks.length === 1
          ? [await checks[0]]
          : await Promise.all(checks);
    const index = verified.findIndex((one) => one instanceof Refused);
    const fault = index === -1 ? undefined : (verified[index] as Refused).fault;
    if (fault?.code === "9002") {
      // Also not known to be a repeat: the signature may be for another draft or token.
      return { kind: "refused", ...blamed(unit, { index, fault }) };
    }
    const [{ ruled, request }] = unit as readonly [Admitting];
    const refusedVersion =
      ruled.operation === protocol && fault === undefined && refused === undefined
        ? await this.#protocolFault(Number(request.values["version"]))
        : undefined;
    const first =
      fault !== undefined
        ? { index, fault }
        : (refused ?? (refusedVersion && { fault: refusedVersion }));
    if (first !== undefined) {
      return (
        this.#repeat(unit) ??
        new RefusedByViews(blamed(unit, this.#usedBefore(unit, first) ?? first))
      );
    }
    const actors = signers.map(([actor]) => actor ?? ("" as Address));
    const turn = { client, request: place?.request };
    const submit = (): Promise<Outcome> =>
      this.#queued(unit, verified as readonly Verified[], { signers, turn, whose });
    const outcome = await (place === undefined ? submit() : place.submitInOrder(submit));
    return outcome.kind === "refused" ? outcome : { ...outcome, actors };
  }

  /** Source: conventions §5.3, batches §2.7. */
  #repeat(unit: readonly Admitting[]): AdmittedOutcome | undefined {
    const reader = this.#readingNewest();
    const [{ ruled, request, keys }] = unit as readonly [Admitting];
    const use = keys[0] && reader.keyUse(keys[0]);
    const { params, signatures } = request;
    // The same key was issued to the same actor, but the decision of its signature is not known.
    const again = use && { ...use.operation, op: ruled.operation.name, params, signatures };
    if (use === undefined || again === undefined || !isRepeat(ruled, use.operation, again)) {
      return undefined;
    }
    const { group } = params;
    const transactionIds =
      group === undefined ? ([use.transactionId] as const) : reader.groupTransactions(group);
    const actors = unit.map((one) => keyHolder(reader.state, one.keys[0], "") as Address);
    return transactionIds && { kind: "repeat", transactionIds, actors };
  }

  #usedBefore(unit: readonly Admitting[], { index = 0 }: GroupFault): GroupFault | undefined {
    const reader = this.#readingNewest();
    const { refused } = checkKeys(reader.state, unit.slice(0, index + 1), {
      isOurs: this.#isOurs,
      isUsed: (key) => reader.keyUse(key) !== undefined,
    });
    return refused;
  }

  /** Verifies again if keys have changed, without losing the place. Source: authority §1.4. */
  async #queued(
    unit: readonly Admitting[],
    first: readonly Verified[],
    {
      signers,
      turn,
      whose,
    }: {
      readonly signers: readonly (readonly Address[])[];
      readonly turn: Turn;
      readonly whose: Whose;
    },
  ): Promise<Outcome> {
    let verified = first;
    for (let attempt = 1; ; attempt += 1) {
      const texts = unit.map((one, at) =>
        textOf(one, signers[at]?.[0] ?? "", verified[at]?.decided ?? {}),
      );
      const isChanged = verified.some(({ keyVersions }) => keyVersions.some((each) => each > 0));
      const outcome = await this.#charged(texts, signers, {
        ...{ turn, count: sumOfWeights(unit) },
        keyVersions: isChanged ? verified.map(({ keyVersions }) => keyVersions) : undefined,
      });
      if (outcome.kind !== "refused" || outcome.isStale !== true || attempt === VERIFIED_MAX) {
        return outcome;
      }
      if ((await (this.#catchUp ?? this.#flushed)()) === undefined) {
        return outcome;
      }
      this.#readingNewest();
      const again: Verified[] = [];
      for (const [index, one] of unit.entries()) {
        const each = await this.#signatureChecks.check(one, signers[index] ?? [], whose);
        if (each instanceof Refused) {
          const first = { index, fault: each.fault };
          return { kind: "refused", ...blamed(unit, this.#usedBefore(unit, first) ?? first) };
        }
        again.push(each);
      }
      verified = again;
    }
  }

  async #charged(
    unit: Unit,
    signers: readonly Writer["signers"][],
    {
      turn,
      count,
      keyVersions,
    }: { readonly turn: Turn; readonly count: number; readonly keyVersions: KeyVersions },
  ): Promise<Outcome> {
    const taken: { readonly bytes: number; readonly writer: Writer }[] = [];
    for (const text of unit) {
      const index = taken.length;
      const bytes = Buffer.byteLength(text);
      const writer = { client: turn.client, signers: signers[index] ?? [] };
      const fault = this.#quota.take(bytes, writer);
      if (fault !== undefined) {
        this.#giveBack(taken);
        return { kind: "refused", ...blamed(unit, { index, fault }) };
      }
      taken.push({ bytes, writer });
    }
    const outcome = await this.#queue.submit(unit, turn, count, keyVersions);
    // A refused bundle has cost as much as its operations. Source: bundles §8.
    const isRefusedBundle = outcome.kind === "refused" && count > unit.length;
    if (outcome.kind !== "done" && !isRefusedBundle) {
      this.#giveBack(taken);
    }
    return outcome;
  }

  #giveBack(taken: readonly { readonly bytes: number; readonly writer: Writer }[]): void {
    for (const { bytes, writer } of taken) {
      this.#quota.giveBack(bytes, writer);
    }
  }
}

function isSigned(unit: readonly ReadOperation[]): boolean {
  return unit.some(({ keys }) => keys.length > 0);
}

/** The index of a bundle's refusal is that of an operation in it. */
function blamed(unit: readonly unknown[], { index, fault }: GroupFault): GroupFault {
  return unit.length === 1 ? { fault } : { index, fault };
}

const FULL: Fault = { code: "9002", reason: "Too many writes are waiting", retryAfter: 1 };

const CLIENT_FULL: Fault = {
  code: "9002",
  reason: "Too many writes of this client are waiting",
  retryAfter: 1,
};

function textOf(
  { ruled: { operation }, request: { params, signatures } }: WellFormed,
  actor: Address | "",
  decided: Texts,
): string {
  return operationText({ op: operation.name, actor, params, decided, signatures });
}

/** Source: bundles §8, authority §2.2. */
function weightOf({ values, signatures }: Request): number {
  return ((values["body"] as Bundle | undefined)?.weight ?? 1) + moreSignatures(signatures);
}

function sumOfWeights(unit: readonly Admitting[]): number {
  return unit.reduce((sum, { weight }) => sum + weight, 0);
}

function moreSignatures(signatures: Texts): number {
  let more = 0;
  for (const name in signatures) {
    const text = signatures[name] as string;
    const list = isSignatureList(text) ? parseKeySignatures(text) : [];
    more += "code" in list ? 0 : Math.max(0, list.length - 1);
  }
  return more;
}

function lengthOfTexts(texts: Texts): number {
  return Object.values(texts).reduce((sum, text) => sum + text.length, 0);
}
