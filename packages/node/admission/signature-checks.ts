import {
  choicesOf,
  invariant,
  type KeyClaim,
  type LedgerReader,
  type ReadOperation,
  type RequiredSignature,
  type RuledOperation,
  requiredSignatures,
} from "@moneta/ledger";
import {
  type Address,
  type Fault,
  Refused,
  type Request,
  refuse,
  signedAround,
  type Texts,
} from "@moneta/protocol";
import type { Turn } from "../fair-queue.ts";
import type { LedgerQueue } from "../ledger-thread/ledger-queue.ts";
import type { Claim, ClaimVerdict, SignaturePool } from "../signatures/signature-pool.ts";
import { lengthOf, type Search, SignatureSearches } from "../signatures/signature-searches.ts";
import { SHUTTING_DOWN } from "../write-state.ts";
import type { WriteQuota } from "./write-quota.ts";

export interface WellFormed {
  readonly ruled: RuledOperation;
  readonly request: Request;
  /** The node's decisions; undefined if a signature or the ledger decides. */
  readonly decided?: Texts;
}

export interface Admitting extends Required<WellFormed>, ReadOperation {
  readonly weight: number;
  readonly length: number;
  /** By the keys that verified them: the signer's keys may change. */
  readonly verdicts: Map<string, ClaimVerdict>;
}

export interface Verified {
  readonly decided: Texts;
  readonly keyVersions: readonly number[];
}

export type Whose = Turn & Pick<Claim, "isAbandoned">;

const SEARCHES_WAIT: Fault = {
  code: "9002",
  reason:
    "Too many requests wait for the node to find out which draft or token their signatures are for; an update that names its token does not wait for that",
  retryAfter: 2,
};

const ABANDONED: Fault = { code: "9002", reason: "The client has disconnected", retryAfter: 1 };

const SEARCHES_SHARE = 1 / 4;

/** Of requests that are admitted. Source: conventions §4, authority §2.2. */
export class SignatureChecks {
  readonly #reader: LedgerReader;
  readonly #queue: LedgerQueue;
  readonly #signatures: SignaturePool;
  readonly #searches: SignatureSearches;
  readonly #quota: WriteQuota;
  readonly #ledgerId: string;
  #isClosed = false;

  constructor(options: {
    readonly reader: LedgerReader;
    readonly queue: LedgerQueue;
    readonly signatures: SignaturePool;
    readonly quota: WriteQuota;
    readonly ledgerId: string;
    readonly queueMax: number;
    readonly queueBytesMax: number;
  }) {
    this.#reader = options.reader;
    this.#queue = options.queue;
    this.#signatures = options.signatures;
    this.#quota = options.quota;
    this.#ledgerId = options.ledgerId;
    this.#searches = new SignatureSearches(options.signatures, {
      costMax: Math.floor(options.queueMax * SEARCHES_SHARE),
      lengthMax: Math.floor(options.queueBytesMax * SEARCHES_SHARE),
    });
  }

  get searchCount(): number {
    return this.#searches.count;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#searches.close();
  }

  /** If the signature of one decides, and too many of the client's wait. */
  searchFault(unit: readonly Admitting[], client: string | undefined): Fault | undefined {
    return unit.some(isSearched) && this.#searches.isFullFor(client ?? "")
      ? SEARCHES_WAIT
      : undefined;
  }

  /** Refused if the signature fits no choice, or another is invalid. */
  async check(
    one: Admitting,
    signers: readonly Address[],
    whose: Whose,
  ): Promise<Verified | Refused> {
    const { params } = one.request;
    const [actor] = signers;
    const { state } = this.#reader;
    const choices =
      actor === undefined || params["group"] !== undefined
        ? [one.decided]
        : choicesOf(state, one, actor);
    if (choices instanceof Refused) {
      return choices;
    }
    const [decided = {}] = choices;
    const ledgerId = this.#ledgerId;
    const required = requiredSignatures(state, one, signers, { ledgerId, decided });
    if (required instanceof Refused) {
      return required;
    }
    const keyVersions = required.map(({ keysVersion }) => keysVersion);
    const [first] = required;
    const around =
      first === undefined || choices.length === 1 || first.isShort
        ? undefined
        : signedAround(first.signer, params, { ledgerId, actor: first.address });
    if (first === undefined || around === undefined) {
      const verdicts = required.map((each) => this.#misfitOf(each, one, decided, whose));
      const refused =
        verdicts.length === 1
          ? await verdicts[0]
          : (await Promise.all(verdicts)).find((each) => each !== undefined);
      return refused ?? { decided, keyVersions };
    }
    invariant(required.length === 1, "only the signature of a sole signer decides");
    const [claim] = first.claims;
    const { publicKey, signature } = claim;
    const { isAbandoned } = whose;
    const verdict = await this.#search(one, whose.client, {
      ...{ publicKey, signature, ...around, isAbandoned },
      choices: choices.flatMap((choice) => Object.values(choice)),
    });
    return verdict === "refused"
      ? refuse(this.#isClosed ? SHUTTING_DOWN : SEARCHES_WAIT)
      : (misfit(verdict, first, claim) ?? {
          ...{ decided: choices[verdict as number] as Texts, keyVersions },
        });
  }

  async #misfitOf(
    required: RequiredSignature,
    { verdicts: known }: Admitting,
    decided: Texts,
    whose: Whose,
  ): Promise<Refused | undefined> {
    for (const [index, claim] of required.claims.entries()) {
      const { parameter, publicKey, signedTexts: texts, signature, exact } = claim;
      const name = `${parameter} ${publicKey} ${required.address} ${JSON.stringify(decided)}`;
      const verdict =
        known.get(name) ?? (await this.#verify({ publicKey, texts, signature, exact, ...whose }));
      known.set(name, verdict);
      const refused = misfit(verdict, required, claim) ?? claim.refused;
      if (refused !== undefined) {
        if (verdict === "misfits" && index > 0) {
          // The previous ones were valid, and were verified for nothing.
          this.#quota.noteWrong(whose.client, index);
        }
        return refused;
      }
    }
    return undefined;
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

  /** Counts one queued operation for each choice, because each costs a verification. */
  async #search(
    { verdicts: known }: Admitting,
    client: string | undefined,
    { choices: all, ...search }: Search,
  ): Promise<ClaimVerdict | "refused"> {
    const nameOf = (choice: string): string => `choice ${search.publicKey} ${choice}`;
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
}

function isSearched({ ruled: { operation, rule }, request: { params } }: Admitting): boolean {
  const isOpen = operation.decided?.some((name) => params[name] === undefined) === true;
  return rule.choices !== undefined && isOpen && params["signed"] !== "full";
}

function misfit(
  verdict: ClaimVerdict,
  { address: actor, isShort: fullOnly }: RequiredSignature,
  { parameter, isProof }: KeyClaim,
): Refused | undefined {
  if (verdict === "abandoned") {
    return refuse(ABANDONED);
  }
  if (verdict === "malformed") {
    return refuse({ code: "2230", parameter });
  }
  if (verdict === "misfits" && isProof === true) {
    const reason = "is not a signature of the signed string by the new key at its place";
    return refuse({ code: "2012", parameter, reason });
  }
  return verdict === "misfits" || fullOnly
    ? refuse({ code: "2010", parameter, actor, fullOnly })
    : undefined;
}
