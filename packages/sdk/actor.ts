import { SignedOperations } from "./api.ts";
import type { Call, CallOptions, WireAnswer } from "./call.ts";
import { type AnySigner, signatureText } from "./keys/signing-key.ts";
import { expiresAt, isTemporaryKey, TemporaryKeys } from "./keys/temporary-keys.ts";
import type { Ledger } from "./ledger.ts";
import { ProblemError } from "./nodes/errors.ts";
import { refuseUnknown } from "./values/refuse-unknown.ts";
import { fullSignedString, wireTexts } from "./values/wire-text.ts";
import {
  type BundledOperation,
  type BundleOptions,
  type BundleResults,
  bundledText,
  sentBundle,
  withActor,
} from "./writes/bundle.ts";
import type { ForecastWrite } from "./writes/dry-run.ts";
import { keyOf, type PreparedWrite } from "./writes/prepared-write.ts";

/**
 * An address with its signer. Uses full signatures, which cover every parameter and the ledger.
 * Source: conventions §4.5.
 */
export class Actor extends SignedOperations {
  readonly address: string;
  /** The public key of a signer that has one. */
  readonly publicKeyPem: string | undefined;
  readonly #signer: AnySigner;
  readonly #ledger: Ledger;
  readonly #keys: TemporaryKeys;
  readonly #grant: { readonly grant?: string };

  constructor(
    ledger: Ledger,
    address: string,
    signer: AnySigner,
    grant: { readonly grant?: string },
  ) {
    super();
    this.#grant = grant;
    this.address = address;
    this.publicKeyPem = typeof signer === "function" ? undefined : signer.publicKeyPem;
    this.#ledger = ledger;
    this.#signer = signer;
    this.#keys = new TemporaryKeys((count) => ledger.temporaryKeys(address, count));
  }

  /** Fetches temporary keys in advance, so that the first of many writes need not wait. */
  async prefetchKeys(count: number): Promise<void> {
    await this.#keys.prefetch(count);
  }

  /**
   * Signs an operation by its name, and sends nothing: the result can be stored before
   * `moneta.send` sends it, so that it is done exactly once. Fetches a temporary key if there is
   * none. Throws TypeError for an unsigned operation. Source: conventions §5.3.
   */
  async prepare(name: string, request: object = {}): Promise<PreparedWrite> {
    return await this.#sign(name, this.#ownCall(name, request), request);
  }

  /** Sends an operation by its name; returns the raw response. */
  async request(name: string, request: object, options: CallOptions = {}): Promise<WireAnswer> {
    const call = this.#ledger.callOf(name);
    if (!isActorsOwn(call)) {
      return await this.#ledger.request(name, request, options);
    }
    refuseUnknown(name, call.parameters, request);
    return await this.#sendFresh(() => this.#sign(name, call, request), options);
  }

  /** Signs up to 500 operations with one signature, and sends nothing: see `bundle`, `prepare`. */
  async prepareBundle(
    operations: readonly BundledOperation[],
    options: Pick<BundleOptions, "skip"> = {},
  ): Promise<PreparedWrite> {
    return await this.#signed("bundle", (await this.draftBundle(operations, options)).params);
  }

  /**
   * A bundle without a signature, for `Moneta.dryRun`. Throws TypeError for operations that bundles
   * do not take. Source: bundles §7.
   */
  async draftBundle(
    operations: readonly BundledOperation[],
    { skip }: Pick<BundleOptions, "skip"> = {},
  ): Promise<ForecastWrite> {
    const texts = operations.map((one) => bundledText(this.#ledger, this.address, one));
    const actor = JSON.stringify(this.address);
    const tkey = JSON.stringify(await this.#keys.take());
    const skipped = skip === undefined ? "" : `,"skip":${JSON.stringify(skip)}`;
    const { grant } = this.#grant;
    const granted = grant === undefined ? "" : `,"grant":${JSON.stringify(grant)}`;
    const body = `{"actor":${actor},"tkey":${tkey}${granted},"operations":[${texts.join()}]${skipped}}`;
    return { operation: "bundle", params: { body } };
  }

  /**
   * Does up to 500 operations in order, each on the result of those before it, in one transaction
   * under one signature: all of them, or none if one is refused with a code that is not in `skip`.
   * Returns for each what its method returns, or the ProblemError of one that was left out. Throws
   * ProblemError with the `index` of the refused operation, also if all were left out;
   * UnansweredError; and TypeError for operations that bundles do not take. Source: bundles §1.
   */
  async bundle<const All extends readonly BundledOperation[]>(
    operations: All,
    { skip, ...options }: BundleOptions = {},
  ): Promise<BundleResults<All>> {
    const answer = await this.#sendFresh(() => this.prepareBundle(operations, { skip }), options);
    const { results } = sentBundle(this.#ledger, operations, answer);
    return results as unknown as BundleResults<All>;
  }

  async #sendFresh(sign: () => Promise<PreparedWrite>, options: CallOptions): Promise<WireAnswer> {
    const prepared = await sign();
    try {
      return await this.#send(prepared, options);
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === "2020")) {
        throw error;
      }
      this.#keys.clear(); // the other keys of its age have expired, too
      // While its key is valid, a node that falsely claims expiry could do both writes.
      if (!this.#ledger.clock.hasPassed(expiresAt(keyOf(prepared)))) {
        throw error;
      }
    }
    return await this.#send(await sign(), options);
  }

  keepKey(key: string | null): void {
    if (isTemporaryKey(key)) {
      this.#keys.give(key);
    }
  }

  protected async write<A>(name: string, request: object, options?: CallOptions): Promise<A> {
    return this.#ledger.answerOf<A>(name, await this.request(name, request, options));
  }

  async #send(prepared: PreparedWrite, options: CallOptions): Promise<WireAnswer> {
    try {
      const answer = await this.#ledger.sendPrepared(prepared, options);
      this.keepKey(answer.headers.get("replay-nonce"));
      return answer;
    } catch (error) {
      // A refused operation leaves its key unused. Source: conventions §3.
      if (error instanceof ProblemError && !/^202[01]$/.test(error.code)) {
        this.#keys.give(keyOf(prepared) as string);
      }
      throw error;
    }
  }

  /**
   * The full signature of an operation with all parameters, temporary key and `signed` included, in
   * standard base64. Throws TypeError for another ledger. Source: conventions §4.5.
   */
  async signatureOf(
    write: Pick<PreparedWrite, "operation" | "params" | "ledgerId">,
  ): Promise<string> {
    this.#ledger.checkId(write, await this.#ledger.id());
    const text = fullSignedString(write.operation, write.params, write.ledgerId);
    return await signatureText(this.#signer, text);
  }

  /**
   * An operation without a signature, for `Moneta.dryRun`. A write can use its temporary key
   * afterwards: `keepKey`. Throws TypeError for an operation with no or several signers.
   */
  async draft(name: string, request: object = {}): Promise<ForecastWrite> {
    const call = this.#ownCall(name, request);
    const { [call.proof ?? ""]: _, ...given } = request as Record<string, unknown>;
    return { operation: name, params: await this.#params(call, given) };
  }

  async #sign(operation: string, call: Call, request: object): Promise<PreparedWrite> {
    const { [call.proof ?? ""]: proof, ...given } = request as Record<string, unknown>;
    const prepared = await this.#signed(operation, await this.#params(call, given));
    if (proof === undefined) {
      return prepared;
    }
    const text = fullSignedString(operation, prepared.params, prepared.ledgerId);
    return { ...prepared, proof: await signatureText(proof as AnySigner, text) };
  }

  async #signed(operation: string, params: PreparedWrite["params"]): Promise<PreparedWrite> {
    const ledgerId = await this.#ledger.id();
    const signature = await this.signatureOf({ operation, params, ledgerId });
    const preparedAt = Math.floor(this.#ledger.clock.now());
    return { operation, actor: this.address, ledgerId, params, signature, preparedAt };
  }

  async #params(call: Call, request: object): Promise<PreparedWrite["params"]> {
    const key = await this.#keys.take();
    const own = { [call.key as string]: key, signed: "full", ...this.#grant };
    return wireTexts({ ...withActor(call, this.address, request), ...own }, true);
  }

  #ownCall(name: string, request: object): Call {
    const call = this.#ledger.callOf(name);
    if (!isActorsOwn(call)) {
      throw new TypeError(
        `${name} is not signed by one actor, so it cannot be prepared: use moneta.request`,
      );
    }
    refuseUnknown(name, call.parameters, request);
    return call;
  }
}

function isActorsOwn({ key, signers }: Call): boolean {
  return Boolean(key) && signers === undefined;
}
