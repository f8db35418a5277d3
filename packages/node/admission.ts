import {
  checkTemporaryKey,
  isRepeat,
  type LedgerReader,
  type Outcome,
  type RuledOperation,
} from "@moneta/ledger";
import {
  type Address,
  type Fault,
  operationText,
  parseTemporaryKey,
  Refused,
  type Request,
  refuse,
  signedString,
  type Texts,
} from "@moneta/protocol";
import type { LedgerQueue } from "./ledger-queue.ts";
import type { SignaturePool } from "./signature-pool.ts";
import type { TemporaryKeys } from "./temporary-keys.ts";

/**
 * Lets into the ledger's queue what its actor has signed: existence, temporary key, signature, in this order, so that the ledger thread has nothing to
 * do that can be done beside it. Source: conventions §3 to §5, design.
 */
export class Admission {
  readonly #reader: LedgerReader;
  readonly #queue: LedgerQueue;
  readonly #keys: TemporaryKeys;
  readonly #signatures: SignaturePool;
  readonly #ledgerId: string;
  readonly #queueMax: number;
  readonly #queueBytesMax: number;
  #isClosed = false;

  constructor(options: {
    readonly reader: LedgerReader;
    readonly queue: LedgerQueue;
    readonly keys: TemporaryKeys;
    readonly signatures: SignaturePool;
    readonly ledgerId: string;
    /** Operations that may wait, and their characters; more are refused with 9002. */
    readonly queueMax: number;
    readonly queueBytesMax: number;
  }) {
    this.#reader = options.reader;
    this.#queue = options.queue;
    this.#keys = options.keys;
    this.#signatures = options.signatures;
    this.#ledgerId = options.ledgerId;
    this.#queueMax = options.queueMax;
    this.#queueBytesMax = options.queueBytesMax;
  }

  /** From now on everything is refused with 9002. */
  close(): void {
    this.#isClosed = true;
  }

  /** Executes a signed request, or says why not; a repeat is answered as the first one was. `reader` is open. */
  async submitSigned(ruled: RuledOperation, request: Request): Promise<Outcome> {
    const busy = this.#busy();
    if (busy !== undefined) {
      return { kind: "refused", fault: busy };
    }
    const actor: Address | Refused = ruled.rule.actor(this.#reader.state, request.values) as
      | Address
      | Refused;
    if (actor instanceof Refused) {
      return this.#repeatOr(actor.fault, ruled, request, undefined);
    }
    const refused = await this.#checkKeyAndSignature(actor, ruled, request);
    if (refused !== undefined) {
      return this.#repeatOr(refused.fault, ruled, request, actor);
    }
    return this.#queue.submit(textOf(ruled, request, actor, {}));
  }

  /** Executes a request that nobody signs, with what has been decided for it. */
  async submitUnsigned(ruled: RuledOperation, request: Request, decided: Texts): Promise<Outcome> {
    const busy = this.#busy();
    return busy === undefined
      ? this.#queue.submit(textOf(ruled, request, "", decided))
      : { kind: "refused", fault: busy };
  }

  #busy(): Fault | undefined {
    if (this.#isClosed) {
      return { code: "9002", reason: "The service is shutting down", retryAfter: 10 };
    }
    return this.#queue.length >= this.#queueMax || this.#queue.bytes >= this.#queueBytesMax
      ? { code: "9002", reason: "Too many writes are waiting", retryAfter: 1 }
      : undefined;
  }

  async #checkKeyAndSignature(
    actor: Address,
    { operation }: RuledOperation,
    { params, signatures }: Request,
  ): Promise<Refused | undefined> {
    const parameter = operation.temporaryKey as string;
    const entry = this.#reader.state.address(actor);
    const key = parseTemporaryKey(params[parameter] ?? "");
    const refused = checkTemporaryKey(key, entry, this.#reader.state.time, parameter);
    if (refused !== undefined || key === undefined || entry === undefined) {
      return refused;
    }
    if (!this.#keys.isOurs(key, operation.name)) {
      const reason = "this deployment has not issued it, or for another operation";
      return refuse({ code: "2020", parameter, reason });
    }
    const text = signedString(operation, params, this.#ledgerId);
    this.#queue.beginVerifying(text.length);
    const verdict = await this.#signatures.check({
      publicKey: entry.publicKey,
      text,
      signature: signatures["signature"] ?? "",
    });
    this.#queue.endVerifying(text.length);
    if (verdict === "malformed") {
      return refuse({ code: "2230", parameter: "signature" });
    }
    const fullOnly = entry.signed === "full" && params["signed"] !== "full";
    return verdict === "misfits" || fullOnly
      ? refuse({ code: "2010", actor, fullOnly })
      : undefined;
  }

  /**
   * A request that is refused may repeat one that was done, and then is answered as that was, before any check. A key that has served something
   * else is 2021 rather than a wrong signature. Source: conventions §5.3, accounts §1.1.
   */
  #repeatOr(
    fault: Fault,
    ruled: RuledOperation,
    { params, signatures }: Request,
    actor: Address | undefined,
  ): Outcome {
    const parameter = ruled.operation.temporaryKey as string;
    const key = parseTemporaryKey(params[parameter] ?? "");
    const use = key && this.#reader.latest(() => this.#reader.keyUse(key));
    if (use !== undefined) {
      const { op, actor: first, decided } = use.operation;
      const again = {
        op: ruled.operation.name,
        actor: actor ?? first,
        params,
        signatures,
        decided,
      };
      if (op === again.op && isRepeat(ruled, use.operation, again)) {
        return { kind: "repeat", transactionId: use.transactionId };
      }
      if (fault.code === "2010" || fault.code === "2230") {
        return { kind: "refused", fault: { code: "2021", parameter } };
      }
    }
    return { kind: "refused", fault };
  }
}

function textOf(
  { operation }: RuledOperation,
  { params, signatures }: Request,
  actor: Address | "",
  decided: Texts,
): string {
  return operationText({ op: operation.name, actor, params, decided, signatures });
}
