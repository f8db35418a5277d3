import { Actor } from "./actor.ts";
import { UnsignedCalls } from "./api.ts";
import type { CallOptions, WireAnswer } from "./call.ts";
import type { AnySigner, Signer } from "./keys/signing-key.ts";
import { Ledger } from "./ledger.ts";
import type { ProblemError } from "./nodes/errors.ts";
import {
  type EventFilter,
  type EventOptions,
  eventStream,
  type LedgerEvent,
} from "./nodes/event-stream.ts";
import type { LedgerClock } from "./nodes/ledger-clock.ts";
import { Nodes } from "./nodes/nodes.ts";
import { refuseUnknown } from "./values/refuse-unknown.ts";
import { wireTexts } from "./values/wire-text.ts";
import { type BatchWrite, checkWrite, resultsOf, sendBatch, writtenOf } from "./writes/batch.ts";
import { sendBatchStream } from "./writes/batch-stream.ts";
import { sentBundle } from "./writes/bundle.ts";
import { dryRun, type ForecastRecord, type ForecastWrite } from "./writes/dry-run.ts";
import { Pipeline } from "./writes/pipeline.ts";
import {
  type FoundWrite,
  findInHistory,
  type PreparedWrite,
  type SentWrite,
} from "./writes/prepared-write.ts";

export interface MonetaOptions {
  /**
   * The id of block 0 from a trusted source: signatures are for this ledger only. Fetched if
   * absent.
   */
  readonly ledgerId?: string;
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: typeof fetch;
  /** 30000 ms by default. */
  readonly timeoutMs?: number;
  /** 6 by default, with pauses of 5 s in all. */
  readonly retries?: number;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 6;

/**
 * A ledger, by the URLs of one or several of its nodes: reads, operations without a signature, and
 * actors that sign.
 */
export class Moneta extends UnsignedCalls {
  readonly #ledger: Ledger;

  /** Requests go to the first of several nodes, to the next one if it fails. Source: cluster §4. */
  constructor(url: string | readonly string[], options: MonetaOptions = {}) {
    super();
    const urls = typeof url === "string" ? [url] : url;
    if (!Array.isArray(urls) || urls.length === 0 || !urls.every(isUrl)) {
      throw new TypeError(
        `new Moneta() takes the URL of a node, such as "http://127.0.0.1:20922", or a list of them, and not ${JSON.stringify(url)}`,
      );
    }
    this.#ledger = new Ledger(
      {
        nodes: new Nodes(urls.map((each) => each.replace(/\/+$/, ""))),
        fetch: options.fetch ?? ((input, init) => fetch(input, init)),
        timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
        retries: options.retries ?? RETRIES,
      },
      options.ledgerId,
    );
  }

  /** The URL of the node in use. */
  get url(): string {
    return this.#ledger.transport.nodes.url;
  }

  /** The ledger's time, learned from responses. */
  get clock(): LedgerClock {
    return this.#ledger.clock;
  }

  /** The id of block 0, which every signature covers. */
  ledgerId(): Promise<string> {
    return this.#ledger.id();
  }

  /**
   * An address with a signer: a SigningKey, or any signing function. With the id of a `grant` the
   * signer is an agent, which acts within the grant. Source: authority §5.
   */
  actor(address: string, signer: AnySigner, options: { readonly grant?: string } = {}): Actor {
    return new Actor(this.#ledger, address, signer, options);
  }

  /**
   * Creates one address for a key, even if a response is lost. With `signed: "full"` the address
   * accepts only full signatures. Source: accounts §4.
   */
  async createAddress(
    signer: Signer,
    request: { readonly addinfo?: string; readonly signed?: "full" } = {},
    options: CallOptions = {},
  ): Promise<Actor> {
    refuseUnknown("createAddress", "addinfo signed", request);
    const call = this.#ledger.callOf("address");
    const texts = wireTexts(
      { ...request, publickey: signer.publicKeyPem, ...signer.keyParameters },
      true,
    );
    const answer = await this.#ledger.send(call, texts, options);
    const actor = this.actor(answer.body as string, signer);
    actor.keepKey(answer.headers.get("replay-nonce"));
    return actor;
  }

  /**
   * Sends a write of `actor.prepare`, and returns what the method of the operation returns; for
   * `actor.prepareBundle` a `SentBundle`. Can be repeated: the ledger does it once, and returns the
   * same until a day after the temporary key has expired. Throws ProblemError, UnansweredError, and
   * TypeError for another ledger's write. Source: conventions §5.3, accounts §7.4.
   */
  async send<A = SentWrite>(prepared: PreparedWrite, options: CallOptions = {}): Promise<A> {
    const answer = await this.#ledger.sendPrepared(prepared, options);
    return prepared.operation === "bundle"
      ? (sentBundle(
          this.#ledger,
          JSON.parse(prepared.params["body"] as string).operations,
          answer,
        ) as A)
      : this.#ledger.answerOf<A>(prepared.operation, answer);
  }

  /**
   * An actor whose calls are merged into bundles: calls made during a request go together into the
   * next one, in order, under one signature. A lone call is sent alone, and so is one with options
   * or of an operation that bundles do not take. A refused call does not affect the others: each
   * promise settles like that of the actor's own method, but if a bundle gets no response, all its
   * calls throw the UnansweredError. Source: bundles §1.
   */
  pipeline(actor: Actor): Pipeline {
    return new Pipeline(this.#ledger, actor);
  }

  /**
   * Sends many operations in few requests, each as if sent alone after those before it. Returns for
   * each, in order, what the method of the operation returns, or the `ProblemError` that it would
   * throw. A repeat of prepared writes does none of them twice. Throws UnansweredError, also if one
   * of them may have been done and nodes refuse temporarily; ProblemError if none was admitted; and
   * TypeError for writes that batches do not take. Source: batches §1.
   */
  async batch(
    writes: readonly BatchWrite[],
    options: CallOptions = {},
  ): Promise<readonly (SentWrite | ProblemError)[]> {
    return await sendBatch(this.#ledger, writes, options);
  }

  /**
   * Throws TypeError for a write that batches do not take: a read, an unknown operation, an unknown
   * parameter. Sends nothing.
   */
  checkWrite(write: BatchWrite): void {
    checkWrite(write, this.#ledger);
  }

  /**
   * Sends any number of operations as they come, and returns a result for each, in order, while
   * more are sent. Takes at most 1,000 operations, and 8 MiB, ahead of the oldest result that the
   * caller has not taken. Node, Deno and Bun stream; browsers, which cannot read while they write,
   * send batches of 1,000. Throws the errors of `batch` and of the iteration of the writes.
   * Source: batches §1.2.
   */
  batchStream(
    writes: Iterable<BatchWrite> | AsyncIterable<BatchWrite>,
    options: CallOptions = {},
  ): AsyncGenerator<SentWrite | ProblemError, void, undefined> {
    return sendBatchStream(this.#ledger, writes, options);
  }

  /**
   * Sends signed operations that are done together or not at all; `Proposal` prepares them. Can be
   * repeated: the ledger does them once. Throws ProblemError with the `index` of the refused
   * operation, and UnansweredError. Source: batches §2.
   */
  async group(
    writes: readonly (Pick<PreparedWrite, "operation" | "params"> & {
      readonly signature?: string | undefined;
    })[],
    options: CallOptions = {},
  ): Promise<readonly SentWrite[]> {
    const operations = writes.map(({ operation, params, signature }) => ({
      operation,
      ...params,
      ...(signature === undefined ? {} : { signature }),
    }));
    const asked = JSON.stringify({ operations });
    const { body } = await this.#ledger.post("/group", asked, { ...options, isRepeatable: true });
    return resultsOf(body, operations.length).map(
      (result, index) =>
        writtenOf(this.#ledger, operations[index]?.operation ?? "", result) as SentWrite,
    );
  }

  /**
   * Forecasts up to 16 operations, one after the other, and writes nothing: the record of each, or
   * the ProblemError that would refuse it, which ends a group. Throws ProblemError `9404` if the
   * node makes no dry runs. Source: batches §2.
   */
  async dryRun(
    writes: readonly ForecastWrite[],
    { isGroup = false, ...options }: CallOptions & { readonly isGroup?: boolean } = {},
  ): Promise<readonly (ForecastRecord | ProblemError)[]> {
    return await dryRun(this.#ledger, isGroup ? "/group" : "/batch", writes, options);
  }

  /**
   * Looks for a prepared write in the history of its actor; undefined if it has not been done.
   * After `send` throws `2020`, its temporary key is used or expired, so an honest node cannot do
   * it later. Before you sign again, wait until the key has expired by your own clock. Needs
   * WebCrypto. Source: chain §4.3.
   */
  async findSent(
    prepared: PreparedWrite,
    options: CallOptions = {},
  ): Promise<FoundWrite | undefined> {
    return await findInHistory(prepared, (page) => this.addressTransactions(page, options));
  }

  /**
   * Transactions as they become durable, from now on or from the position in the filter. Reconnects
   * without missing or repeating any. Source: chain §11.
   */
  events(
    filter: EventFilter = {},
    options: EventOptions = {},
  ): AsyncGenerator<LedgerEvent, void, undefined> {
    return eventStream(this.#ledger.transport, filter, options);
  }

  /** Sends a read or an unsigned operation by its name; returns the raw response. */
  async request(name: string, request: object, options: CallOptions = {}): Promise<WireAnswer> {
    return await this.#ledger.request(name, request, options);
  }

  protected async call<A>(name: string, request: object, options?: CallOptions): Promise<A> {
    return this.#ledger.answerOf<A>(name, await this.request(name, request, options));
  }
}

function isUrl(url: unknown): url is string {
  return typeof url === "string" && /^https?:\/\//.test(url);
}
