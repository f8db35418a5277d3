import { Actor } from "./actor.ts";
import { UnsignedCalls } from "./api.ts";
import { toHex } from "./byte-texts.ts";
import type { CallOptions, WireAnswer } from "./call.ts";
import {
  type EventFilter,
  type EventOptions,
  eventStream,
  type LedgerEvent,
} from "./event-stream.ts";
import { Ledger } from "./ledger.ts";
import { refuseUnknown } from "./refuse-unknown.ts";
import type { Sign, Signer } from "./signing-key.ts";
import { wireTexts } from "./wire-text.ts";

export interface MonetaOptions {
  /** The id of block 0, known from elsewhere: signatures are then for this ledger, whatever a node says. Asked for if absent. */
  readonly ledgerId?: string;
  /** In the place of the platform's own. */
  readonly fetch?: typeof fetch;
  /** How long one attempt may wait for its answer, 30000 ms if absent. */
  readonly timeoutMs?: number;
  /** How often what went unanswered, or came too early, is sent again; 6 if absent, which takes some 5 s of pauses. */
  readonly retries?: number;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 6;

/** A ledger, by the URL of one of its nodes: what anybody may ask of it, and actors, who may ask for more. */
export class Moneta extends UnsignedCalls {
  readonly url: string;
  readonly #ledger: Ledger;

  constructor(url: string, options: MonetaOptions = {}) {
    super();
    if (typeof url !== "string" || !/^https?:\/\//.test(url)) {
      throw new TypeError(
        `new Moneta() takes the URL of a node, such as "http://127.0.0.1:20922", and not ${JSON.stringify(url)}`,
      );
    }
    this.url = url.replace(/\/+$/, "");
    this.#ledger = new Ledger(
      {
        url: this.url,
        fetch: options.fetch ?? ((input, init) => fetch(input, init)),
        timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
        retries: options.retries ?? RETRIES,
      },
      options.ledgerId,
    );
  }

  /** The id of block 0, part of all that is signed. */
  ledgerId(): Promise<string> {
    return this.#ledger.id();
  }

  /** An address of which somebody has the key: a SigningKey, or whatever signs. */
  actor(address: string, signer: Pick<Signer, "sign"> | Sign): Actor {
    return new Actor(
      this.#ledger,
      address,
      typeof signer === "function" ? signer : (bytes) => signer.sign(bytes),
    );
  }

  /** Creates an address for a key, once also if the answer is lost on its way. `signed: "full"`: it will accept no other signatures. Source: accounts §4. */
  async createAddress(
    signer: Signer,
    request: { readonly addinfo?: string; readonly signed?: "full" } = {},
    options: CallOptions = {},
  ): Promise<Actor> {
    refuseUnknown("createAddress", "addinfo signed", request);
    const call = this.#ledger.callOf("address");
    const texts = wireTexts({ ...request, publickey: signer.publicKeyPem }, true);
    const answer = await this.#ledger.send(call, texts, options, {
      "Idempotency-Key": randomText(),
    });
    const actor = this.actor(answer.body as string, signer);
    actor.keepKey(answer.headers.get("replay-nonce"));
    return actor;
  }

  /**
   * Transactions as they become durable, from now on or from where the filter says. Comes back when the connection is lost, and misses and repeats nothing. Source: chain
   * §11.
   */
  events(
    filter: EventFilter = {},
    options: EventOptions = {},
  ): AsyncGenerator<LedgerEvent, void, undefined> {
    return eventStream(this.#ledger.transport, filter, options);
  }

  /** Sends a read or an operation that nobody signs by its name; answers what came, on the wire's terms. */
  async request(name: string, request: object, options: CallOptions = {}): Promise<WireAnswer> {
    return await this.#ledger.request(name, request, options);
  }

  protected async call<A>(name: string, request: object, options?: CallOptions): Promise<A> {
    return this.#ledger.answerOf<A>(name, await this.request(name, request, options));
  }
}

/** 32 hex digits that nobody else has. */
function randomText(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}
