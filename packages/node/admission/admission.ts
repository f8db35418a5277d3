import {
  type HeldKey,
  invariant,
  isRepeat,
  keyHolder,
  type LedgerReader,
  type Outcome,
  type RuledOperation,
  refuseKeys,
  refuseKeysTwice,
  type Signing,
  signingsOf,
  temporaryKeysOf,
  type Unit,
} from "@moneta/ledger";
import {
  type Address,
  type Bundle,
  type Fault,
  isFullySigned,
  operationText,
  protocol,
  Refused,
  type Request,
  refuse,
  type Signer,
  signedAround,
  signedStrings,
  type TemporaryKey,
  type Texts,
} from "@moneta/protocol";
import { ClientShares } from "../client-shares.ts";
import type { Turn } from "../fair-queue.ts";
import type { LedgerQueue } from "../ledger-thread/ledger-queue.ts";
import type { Claim, ClaimVerdict, SignaturePool } from "../signatures/signature-pool.ts";
import { lengthOf, type Search, SignatureSearches } from "../signatures/signature-searches.ts";
import type { TemporaryKeys } from "./temporary-keys.ts";
import type { WriteQuota, Writer } from "./write-quota.ts";

type RefusedUnit = Extract<Outcome, { readonly kind: "refused" }>;

/** The outcome of signed operations, and who acts in each of them. */
export type SignedOutcome =
  | RefusedUnit
  | (Exclude<Outcome, RefusedUnit> & { readonly actors: readonly Address[] });

/** An operation of a group, whose parameters are well-formed. */
export interface GroupedRequest {
  readonly ruled: RuledOperation;
  readonly request: Request;
}

/**
 * Refused by what the views have. With a shared log they may lag behind it. Source: cluster §4.
 */
class RefusedByViews<T> {
  readonly outcome: T;

  constructor(outcome: T) {
    this.outcome = outcome;
  }
}

/** An operation of a group, and whom its temporary keys were issued to, one for each signer. */
interface KeyedMember extends GroupedRequest {
  readonly keys: readonly HeldKey[];
}

/** A signature that is to be verified. */
interface ClaimedSignature extends Signing {
  readonly of: Request;
  readonly decided: Texts;
  readonly whose: Whose;
}

/** In whose turn signatures are verified, and whether their client has disconnected. */
type Whose = Turn & Pick<Claim, "isAbandoned">;

/** The place of an operation in a batch. Source: batches §1.3, §1.5. */
export interface PlaceInBatch {
  /** What all operations of the batch share: they take turns with those of other requests. */
  readonly request: object;
  /**
   * Calls `submit` once all operations before it have been queued or refused; refuses if the batch
   * has been stopped.
   */
  submitInOrder(submit: () => Promise<Outcome>): Promise<Outcome>;
}

/** Where an operation comes from. */
export interface Origin {
  /** As `clientOf` names it; undefined for the node's own operations. */
  readonly client: string | undefined;
  /** Undefined for a request of one operation. */
  readonly place?: PlaceInBatch | undefined;
  /** Whether the client has disconnected: what has not been verified then is refused. */
  readonly isAbandoned?: (() => boolean) | undefined;
}

export interface AdmissionOptions {
  readonly reader: LedgerReader;
  /** Opens `reader` on what is the newest now. */
  readonly readingNewest: () => LedgerReader;
  readonly queue: LedgerQueue;
  readonly keys: TemporaryKeys;
  readonly signatures: SignaturePool;
  readonly ledgerId: string;
  /**
   * Maximum of operations under way and of their characters, half of them of one client. Beyond
   * them requests get 9002.
   */
  readonly queueMax: number;
  readonly queueBytesMax: number;
  /** Why no write may be done now; undefined if writes may be, or may wait. */
  readonly writeFault: () => Fault | undefined;
  /** Why other nodes forbid to announce a version of the rules, undefined if none does. */
  readonly protocolFault: (version: number) => Promise<Fault | undefined>;
  /** What each client and each actor may write. Beyond it requests get 9001. */
  readonly quota: WriteQuota;
  /**
   * With a shared log: resolves to a height that the log had after the call, once the views have
   * it and `reader` is open on it; undefined if that block did not come in time.
   */
  readonly catchUp?: (() => Promise<number | undefined>) | undefined;
}

/**
 * Checks the actor, the temporary key and the signature of an operation, in this order, and queues
 * it. So the ledger thread does only what must be serial. Source: conventions §3 to §5,
 * ARCHITECTURE.md.
 */
export class Admission {
  readonly #reader: LedgerReader;
  readonly #readingNewest: () => LedgerReader;
  readonly #queue: LedgerQueue;
  readonly #keys: TemporaryKeys;
  readonly #signatures: SignaturePool;
  readonly #ledgerId: string;
  readonly #queueMax: number;
  readonly #queueBytesMax: number;
  readonly #searches: SignatureSearches;
  readonly #writeFault: () => Fault | undefined;
  readonly #protocolFault: (version: number) => Promise<Fault | undefined>;
  readonly #quota: WriteQuota;
  readonly #catchUp: AdmissionOptions["catchUp"];
  /** Operations of clients from here to their outcome, and the characters of their parameters. */
  readonly #underWay: ClientShares;
  readonly #underWayLength: ClientShares;
  /**
   * Verdicts on the signatures of each request, which are made once: none of what they depend on
   * changes while the request is under way.
   */
  readonly #verdicts: WeakMap<Request, Map<string, ClaimVerdict>> = new WeakMap();
  #isClosed = false;

  constructor(options: AdmissionOptions) {
    this.#reader = options.reader;
    this.#readingNewest = options.readingNewest;
    this.#queue = options.queue;
    this.#keys = options.keys;
    this.#signatures = options.signatures;
    this.#ledgerId = options.ledgerId;
    this.#queueMax = options.queueMax;
    this.#queueBytesMax = options.queueBytesMax;
    this.#searches = new SignatureSearches(options.signatures, {
      costMax: Math.floor(options.queueMax * SEARCHES_SHARE),
      lengthMax: Math.floor(options.queueBytesMax * SEARCHES_SHARE),
    });
    this.#writeFault = options.writeFault;
    this.#protocolFault = options.protocolFault;
    this.#quota = options.quota;
    this.#catchUp = options.catchUp;
    this.#underWay = new ClientShares(options.queueMax);
    this.#underWayLength = new ClientShares(options.queueBytesMax);
  }

  /** Whether no more operations of a client may be queued now. */
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

  /** Counts the operations of a client as under way until `work` is done. */
  async #counted<T>(
    client: string | undefined,
    requests: readonly Request[],
    work: () => Promise<T>,
  ): Promise<T> {
    if (client === undefined) {
      return await work();
    }
    const length = requests.reduce((sum, { params }) => sum + lengthOfTexts(params), 0);
    const count = requests.reduce((sum, request) => sum + operationsIn(request), 0);
    this.#underWay.add(client, count);
    this.#underWayLength.add(client, length);
    try {
      return await work();
    } finally {
      this.#underWay.remove(client, count);
      this.#underWayLength.remove(client, length);
    }
  }

  /** Requests whose signatures are being searched for, or wait for that. */
  get searchCount(): number {
    return this.#searches.count;
  }

  /** Refuses with 9002 all further requests and all waiting searches. */
  close(): void {
    this.#isClosed = true;
    this.#searches.close();
  }

  /**
   * Executes a signed request, or returns why not. A repeat returns what the first one did.
   * `reader` is open.
   */
  async submitSigned(
    ruled: RuledOperation,
    request: Request,
    origin: Origin,
  ): Promise<SignedOutcome> {
    return await this.#caughtUp(
      () => this.#submitSigned(ruled, request, origin),
      (fault) => ({ kind: "refused", fault }),
    );
  }

  /**
   * Brings the views to the height that a shared log has now. Returns a fault if that was not found
   * out in time. Source: cluster §4.
   */
  async reachLog(): Promise<Fault | undefined> {
    const isReached = this.#catchUp === undefined || (await this.#catchUp()) !== undefined;
    return isReached ? undefined : { code: "9003", height: this.#queue.height, wanted: undefined };
  }

  /**
   * Does something again whose refusal may be due to blocks that the node did not have when it
   * began. Source: cluster §4.
   */
  async #caughtUp<T>(
    submit: () => Promise<T | RefusedByViews<T>>,
    refusal: (fault: Fault) => T,
  ): Promise<T> {
    const before = this.#reader.height;
    const first = await submit();
    if (!(first instanceof RefusedByViews)) {
      return first;
    }
    if (this.#catchUp === undefined) {
      return first.outcome;
    }
    const height = await this.#catchUp();
    if (height === undefined) {
      return refusal({ code: "9003", height: this.#queue.height, wanted: undefined });
    }
    if (height <= before) {
      return first.outcome;
    }
    const second = await submit();
    return second instanceof RefusedByViews ? second.outcome : second;
  }

  async #submitSigned(
    ruled: RuledOperation,
    request: Request,
    origin: Origin,
  ): Promise<SignedOutcome | RefusedByViews<SignedOutcome>> {
    const { client } = origin;
    const held = this.#writeFault();
    if (held !== undefined) {
      // A repeat has its answer although nothing can be written: 9002 would say that nothing was done.
      const outcome = this.#repeatOr(refuse(held), "existence", ruled, request, undefined);
      return outcome instanceof RefusedByViews ? outcome.outcome : outcome;
    }
    const busy =
      this.#busy(client, operationsIn(request)) ??
      this.#quota.check(client) ??
      this.#quota.checkSignatures(client);
    return busy === undefined
      ? await this.#counted(client, [request], () => this.#admit(ruled, request, origin))
      : { kind: "refused", fault: busy };
  }

  async #admit(
    ruled: RuledOperation,
    request: Request,
    origin: Origin,
  ): Promise<SignedOutcome | RefusedByViews<SignedOutcome>> {
    const { client } = origin;
    if (this.#isSearched(ruled, request) && this.#searches.isFullFor(client ?? "")) {
      return { kind: "refused", fault: SEARCHES_WAIT };
    }
    const { state } = this.#reader;
    const { signers } = ruled.operation;
    const [{ temporaryKey }] = signers as [Signer];
    const keys = temporaryKeysOf(ruled, request);
    const acting = ruled.rule.actor(state, request.values, () =>
      keyHolder(state, keys[0], temporaryKey),
    );
    if (acting instanceof Refused) {
      return this.#repeatOr(acting, "existence", ruled, request, undefined);
    }
    const { actor } = acting;
    invariant(actor !== "", "what is signed has an actor");
    const signings = signingsOf(ruled.operation, { actor, values: request.values });
    const held = signings.map(({ signer, address: holder }, index): HeldKey => {
      return { parameter: signer.temporaryKey, key: keys[index], holder };
    });
    const refused = refuseKeys(state, held, { isOurs: this.#issued(ruled) });
    if (refused !== undefined) {
      return this.#repeatOr(refused, "existence", ruled, request, actor);
    }
    const decided = await this.#checkSignatures(signings, ruled, request, origin);
    if (decided instanceof Refused && decided.fault.code === "9002") {
      // Not known to be a repeat either: the signature may be for another draft or token.
      return { kind: "refused", fault: decided.fault };
    }
    if (!(decided instanceof Refused) && ruled.operation === protocol) {
      const fault = await this.#protocolFault(Number(request.values["version"]));
      if (fault !== undefined) {
        return this.#repeatOr(refuse(fault), "existence", ruled, request, actor);
      }
    }
    if (decided instanceof Refused) {
      return this.#repeatOr(decided, "signature", ruled, request, actor);
    }
    const text = textOf(ruled, request, actor, decided);
    const addresses = [signings.map(({ address }) => address)];
    const outcome = await this.#submit([text], addresses, origin, operationsIn(request));
    return outcome.kind === "refused" ? outcome : { ...outcome, actors: [actor] };
  }

  /**
   * Executes a request without a signature, with the values decided for it. What its rule refuses
   * whatever the time costs a look at the state, and does not reach the ledger thread. `reader` is
   * open.
   */
  async submitUnsigned(
    ruled: RuledOperation,
    request: Request,
    origin: Origin & { readonly decided: Texts },
  ): Promise<Outcome> {
    return await this.#caughtUp<Outcome>(
      () => this.#submitUnsigned(ruled, request, origin),
      (fault) => ({ kind: "refused", fault }),
    );
  }

  async #submitUnsigned(
    ruled: RuledOperation,
    request: Request,
    { decided, ...origin }: Origin & { readonly decided: Texts },
  ): Promise<Outcome | RefusedByViews<Outcome>> {
    const { state } = this.#reader;
    const { client } = origin;
    const fault = this.#busy(client) ?? this.#quota.check(client);
    if (fault !== undefined) {
      return { kind: "refused", fault };
    }
    const acting = ruled.rule.actor(state, request.values, () => keyHolder(state, undefined, ""));
    return acting instanceof Refused
      ? new RefusedByViews({ kind: "refused", fault: acting.fault })
      : await this.#counted(client, [request], () =>
          this.#submit([textOf(ruled, request, "", decided)], [], origin),
        );
  }

  /**
   * Executes the operations of a group, whose id is theirs, together or not at all. A fault is of
   * one operation, or of the whole. `reader` is open. Source: batches §2.3, §2.10.
   */
  async submitGroup(
    members: readonly GroupedRequest[],
    origin: Omit<Origin, "place">,
  ): Promise<SignedOutcome> {
    return await this.#caughtUp(
      () => this.#submitGroup(members, origin),
      (fault) => ({ kind: "refused", fault }),
    );
  }

  async #submitGroup(
    members: readonly GroupedRequest[],
    origin: Omit<Origin, "place">,
  ): Promise<SignedOutcome | RefusedByViews<SignedOutcome>> {
    const { client } = origin;
    const held = this.#writeFault();
    if (held !== undefined) {
      const repeat = this.#repeatedGroup(members.map((member) => this.#keyed(member)));
      return repeat ?? { kind: "refused", fault: held };
    }
    const busy =
      this.#busy(client, members.length) ??
      this.#quota.check(client) ??
      this.#quota.checkSignatures(client);
    const requests = members.map(({ request }) => request);
    return busy === undefined
      ? await this.#counted(client, requests, () => this.#admitGroup(members, origin))
      : { kind: "refused", fault: busy };
  }

  async #admitGroup(
    members: readonly GroupedRequest[],
    { client, isAbandoned }: Omit<Origin, "place">,
  ): Promise<SignedOutcome | RefusedByViews<SignedOutcome>> {
    const keyed = members.map((member) => this.#keyed(member));
    const twice = refuseKeysTwice(keyed);
    if (twice !== undefined) {
      return { kind: "refused", ...twice };
    }
    const signers = signersOf(keyed);
    const actors = actorsOf(keyed);
    const repeat = this.#repeatedGroup(keyed);
    if (repeat !== undefined) {
      return repeat;
    }
    const whose = { client, request: members, isAbandoned };
    const refused = await this.#checkMembers(keyed, whose);
    if (refused !== undefined) {
      return new RefusedByViews(refused);
    }
    const texts = keyed.map(({ ruled, request }, index) =>
      textOf(ruled, request, actors[index] as Address, {}),
    );
    const outcome = await this.#submit(texts, signers, { client });
    return outcome.kind === "refused" ? outcome : { ...outcome, actors };
  }

  #keyed({ ruled, request }: GroupedRequest): KeyedMember {
    const parsed = temporaryKeysOf(ruled, request);
    const keys = ruled.operation.signers.map(({ temporaryKey: parameter }, index): HeldKey => {
      const key = parsed[index];
      return { parameter, key, holder: keyHolder(this.#reader.state, key, parameter) };
    });
    return { ruled, request, keys };
  }

  /** The outcome of the same group, if it has been done. Source: batches §2.7. */
  #repeatedGroup(members: readonly KeyedMember[]): SignedOutcome | undefined {
    const [first] = members;
    const { key, holder } = first?.keys[0] ?? {};
    if (first === undefined || key === undefined || holder instanceof Refused) {
      return undefined;
    }
    const { ruled, request } = first;
    const use = this.#readingNewest().keyUse(key);
    const { params, signatures } = request;
    const again = {
      op: ruled.operation.name,
      actor: holder as Address,
      params,
      signatures,
      decided: {},
    };
    const transactionIds =
      use !== undefined && isRepeat(ruled, use.operation, again)
        ? this.#reader.groupTransactions(params["group"] ?? "")
        : undefined;
    return transactionIds && { kind: "repeat", transactionIds, actors: actorsOf(members) };
  }

  /** Keys and signatures, the first operation that fails: all are verified at once. */
  async #checkMembers(
    members: readonly KeyedMember[],
    whose: Whose,
  ): Promise<RefusedUnit | undefined> {
    const faults = members.map((member) => this.#keyFault(member));
    const bad = faults.findIndex((fault) => fault !== undefined);
    const count = bad === -1 ? members.length : bad;
    const checked = await Promise.all(
      members.slice(0, count).map((member) => this.#signatureFault(member, whose)),
    );
    // The signatures of the operations before the first bad key come before that key.
    const all = [...checked, faults[bad]];
    const index = all.findIndex((fault) => fault !== undefined);
    return index === -1 ? undefined : { kind: "refused", index, fault: all[index] as Fault };
  }

  #keyFault({ ruled, keys }: KeyedMember): Fault | undefined {
    const isUsed = (key: TemporaryKey): boolean => this.#reader.keyUse(key) !== undefined;
    return refuseKeys(this.#reader.state, keys, { isOurs: this.#issued(ruled), isUsed })?.fault;
  }

  /** Whether this deployment has issued a key for an operation. */
  #issued({ operation: { name } }: RuledOperation): (key: TemporaryKey) => boolean {
    return (key) => this.#keys.isOurs(key, name);
  }

  async #signatureFault(
    { ruled, request: of, keys }: KeyedMember,
    whose: Whose,
  ): Promise<Fault | undefined> {
    const claims = ruled.operation.signers.map((signer, index) => {
      return { signer, address: keys[index]?.holder as Address, of, decided: {}, whose };
    });
    return (await this.#firstMisfit(claims))?.fault;
  }

  /** Why so many operations of a client cannot be admitted now. */
  #busy(client: string | undefined, count = 1): Fault | undefined {
    if (this.#isClosed) {
      return SHUTTING_DOWN;
    }
    return this.#writeFault() ?? this.#fullFault(client, count);
  }

  /** A bundle counts as `count` operations. */
  #submit(
    unit: Unit,
    signers: readonly Writer["signers"][],
    { client, place }: Origin,
    count: number = unit.length,
  ): Promise<Outcome> {
    const turn = { client, request: place?.request };
    const submit = (): Promise<Outcome> => this.#submitNow(unit, signers, turn, count);
    return place === undefined ? submit() : place.submitInOrder(submit);
  }

  async #submitNow(
    unit: Unit,
    signers: readonly Writer["signers"][],
    turn: Turn,
    count: number,
  ): Promise<Outcome> {
    const taken: (readonly [number, Writer])[] = [];
    const giveBack = (): void => {
      for (const [bytes, writer] of taken) {
        this.#quota.giveBack(bytes, writer);
      }
    };
    for (const [index, text] of unit.entries()) {
      const bytes = Buffer.byteLength(text);
      const writer = { client: turn.client, signers: signers[index] ?? [] };
      const fault = this.#quota.take(bytes, writer);
      if (fault !== undefined) {
        giveBack();
        return { kind: "refused", index, fault };
      }
      taken.push([bytes, writer]);
    }
    const outcome = await this.#queue.submit(unit, turn, count);
    // A refused bundle has cost what its operations cost. Source: bundles §8.
    const isRefusedBundle = outcome.kind === "refused" && count > unit.length;
    if (outcome.kind !== "done" && !isRefusedBundle) {
      giveBack();
    }
    return outcome;
  }

  /** Whether the signature may need to be verified against many choices. */
  #isSearched({ operation, rule }: RuledOperation, { params }: Request): boolean {
    const isOpen = operation.decided?.some((name) => params[name] === undefined) === true;
    return rule.choices !== undefined && isOpen && params["signed"] !== "full";
  }

  /**
   * The values that the actor's signature decides. Refused if no choice fits it, or if the signature
   * of another signer does not fit; all are verified at once.
   */
  async #checkSignatures(
    signings: readonly Signing[],
    { rule }: RuledOperation,
    of: Request,
    { client, place, isAbandoned }: Origin,
  ): Promise<Texts | Refused> {
    const { params, signatures, values } = of;
    const [first] = signings as readonly [Signing];
    const choices: readonly Texts[] | Refused =
      rule.choices?.(this.#reader.state, values, first.address) ?? NO_CHOICE;
    if (choices instanceof Refused) {
      return choices;
    }
    const [decided = {}] = choices;
    const { publicKey, isFullOnly } = this.#signerEntry(first, params);
    const implied = { ledgerId: this.#ledgerId, actor: first.address };
    // Where a full signature is required, no other can fit.
    const around =
      choices.length === 1 || isFullOnly ? undefined : signedAround(first.signer, params, implied);
    if (around === undefined) {
      // Several signatures of one operation take one turn.
      const request = place?.request ?? (signings.length > 1 ? of : undefined);
      const whose = { client, request, isAbandoned };
      const claims = signings.map((one) => ({ ...one, of, decided, whose }));
      return (await this.#firstMisfit(claims)) ?? decided;
    }
    invariant(signings.length === 1, "only the signature of a sole signer decides");
    const { signature: parameter } = first.signer;
    const verdict = await this.#search(of, client, {
      ...{ publicKey, signature: signatures[parameter] ?? "", ...around, isAbandoned },
      choices: choices.flatMap((choice) => Object.values(choice)),
    });
    return verdict === "refused"
      ? refuse(this.#isClosed ? SHUTTING_DOWN : SEARCHES_WAIT)
      : (misfit(verdict, { parameter, actor: first.address, fullOnly: false }) ??
          (choices[verdict as number] as Texts));
  }

  /** Verifies signatures at once; the first that does not fit, in their order. */
  async #firstMisfit(claims: readonly ClaimedSignature[]): Promise<Refused | undefined> {
    const verdicts = await Promise.all(claims.map((claim) => this.#misfitOf(claim)));
    return verdicts.find((refused) => refused !== undefined);
  }

  async #misfitOf(claim: ClaimedSignature): Promise<Refused | undefined> {
    const { signer, address: actor, of, decided, whose } = claim;
    const { params, signatures } = of;
    const { publicKey, isFullOnly: fullOnly } = this.#signerEntry(claim, params);
    const { signature: parameter } = signer;
    const known = this.#verdictsOn(of);
    const name = JSON.stringify([parameter, actor, decided]);
    const verdict =
      known.get(name) ??
      (await this.#verify({
        publicKey,
        texts: signedStrings(signer, params, { ledgerId: this.#ledgerId, actor, decided }),
        signature: signatures[parameter] ?? "",
        ...whose,
      }));
    known.set(name, verdict);
    return misfit(verdict, { parameter, actor, fullOnly });
  }

  #verdictsOn(request: Request): Map<string, ClaimVerdict> {
    const known = this.#verdicts.get(request) ?? new Map<string, ClaimVerdict>();
    this.#verdicts.set(request, known);
    return known;
  }

  /** The key of a signer, and whether it takes no signature like that of these parameters. */
  #signerEntry(
    { signer, address }: Signing,
    params: Texts,
  ): { readonly publicKey: string; readonly isFullOnly: boolean } {
    const entry = this.#reader.state.address(address);
    invariant(entry !== undefined, "the key was issued to an address of this ledger");
    const isFullOnly = entry.signed === "full" && !isFullySigned(signer, params);
    return { publicKey: entry.publickey, isFullOnly };
  }

  async #verify(claim: Claim): Promise<ClaimVerdict> {
    const length = claim.texts.reduce((sum, text) => sum + text.length, 0);
    this.#queue.beginVerifying(length);
    try {
      const verdict = await this.#signatures.check(claim);
      this.#noteVerdict(claim.client, verdict, claim.texts.length);
      return verdict;
    } finally {
      this.#queue.endVerifying(length);
    }
  }

  /**
   * Counts one queued operation for each choice, because each costs a verification. Choices that the
   * signature is known not to fit are left out.
   */
  async #search(
    of: Request,
    client: string | undefined,
    { choices: all, ...search }: Search,
  ): Promise<ClaimVerdict | "refused"> {
    const known = this.#verdictsOn(of);
    const nameOf = (choice: string): string => `choice ${choice}`;
    const choices = all.filter((choice) => known.get(nameOf(choice)) !== "misfits");
    if (choices.length === 0) {
      return "misfits";
    }
    const cost = choices.length;
    const length = lengthOf({ ...search, choices });
    this.#queue.hold(cost, length);
    try {
      const verdict = await this.#searches.search(client ?? "", { ...search, choices });
      if (verdict === "misfits") {
        this.#noteVerdict(client, verdict, cost);
        for (const choice of choices) {
          known.set(nameOf(choice), verdict);
        }
      }
      return typeof verdict === "number" ? all.indexOf(choices[verdict] as string) : verdict;
    } finally {
      this.#queue.release(cost, length);
    }
  }

  #noteVerdict(client: string | undefined, verdict: ClaimVerdict, texts: number): void {
    if (verdict === "misfits") {
      this.#quota.noteWrong(client, texts);
    }
  }

  /**
   * A refused request may repeat one that was done; then it gets the same answer, before any check.
   * A key used for something else is 2021, not a wrong signature. Source: conventions §5.3,
   * accounts §1.1.
   */
  #repeatOr(
    { fault }: Refused,
    refusedFor: "existence" | "signature",
    ruled: RuledOperation,
    { params, signatures, values }: Request,
    actor: Address | undefined,
  ): SignedOutcome | RefusedByViews<SignedOutcome> {
    const reader = this.#readingNewest();
    const uses = temporaryKeysOf(ruled, { values }).map((key) => key && reader.keyUse(key));
    const [use] = uses;
    if (use !== undefined) {
      const { actor: first, decided } = use.operation;
      const again = {
        op: ruled.operation.name,
        actor: actor ?? first,
        params,
        signatures,
        decided,
      };
      if (isRepeat(ruled, use.operation, again)) {
        const actors = [again.actor as Address];
        return { kind: "repeat", transactionIds: [use.transactionId], actors };
      }
    }
    const used = uses.findIndex((one) => one !== undefined);
    if (refusedFor === "signature" && used !== -1) {
      const parameter = (ruled.operation.signers[used] as Signer).temporaryKey;
      return new RefusedByViews({ kind: "refused", fault: { code: "2021", parameter } });
    }
    return new RefusedByViews({ kind: "refused", fault });
  }
}

/** Who signs each operation of a group, as far as the keys tell. */
function signersOf(members: readonly KeyedMember[]): readonly (readonly Address[])[] {
  return members.map(({ keys }) =>
    keys
      .map(({ holder }) => holder)
      .filter((holder): holder is Address => !(holder instanceof Refused)),
  );
}

function actorsOf(members: readonly KeyedMember[]): readonly Address[] {
  return signersOf(members).flatMap(([actor]) => (actor === undefined ? [] : [actor]));
}

/** Refuses a signature that does not fit, or that must be full and is not. */
function misfit(
  verdict: ClaimVerdict,
  { parameter, ...whose }: Omit<Extract<Fault, { readonly code: "2010" }>, "code">,
): Refused | undefined {
  if (verdict === "abandoned") {
    return refuse(ABANDONED);
  }
  if (verdict === "malformed") {
    return refuse({ code: "2230", parameter });
  }
  return verdict === "misfits" || whose.fullOnly
    ? refuse({ code: "2010", parameter, ...whose })
    : undefined;
}

const NO_CHOICE: readonly Texts[] = [{}];

const FULL: Fault = { code: "9002", reason: "Too many writes are waiting", retryAfter: 1 };

const CLIENT_FULL: Fault = {
  code: "9002",
  reason: "Too many writes of this client are waiting",
  retryAfter: 1,
};

/** Nobody reads it. */
const ABANDONED: Fault = { code: "9002", reason: "The client has disconnected", retryAfter: 1 };

/**
 * The share of the queue that searches may take. The rest is for operations that need no search.
 */
const SEARCHES_SHARE = 1 / 4;

export const SHUTTING_DOWN: Fault = {
  code: "9002",
  reason: "The service is shutting down",
  retryAfter: 10,
};
const SEARCHES_WAIT: Fault = {
  code: "9002",
  reason:
    "Too many requests wait for the node to find out which draft or token their signatures are for; an update that names its token does not wait for that",
  retryAfter: 2,
};

function textOf(
  { operation }: RuledOperation,
  { params, signatures }: Request,
  actor: Address | "",
  decided: Texts,
): string {
  return operationText({ op: operation.name, actor, params, decided, signatures });
}

/** How many operations a request has, more than one if it is a bundle. */
function operationsIn({ values: { body } }: Request): number {
  return (body as Bundle | undefined)?.operations.length ?? 1;
}

function lengthOfTexts(texts: Texts): number {
  return Object.values(texts).reduce((sum, text) => sum + text.length, 0);
}
