import { suggestion, toHex } from "@moneta/protocol/client";
import { CALLS } from "./api.ts";
import type { Call, CallOptions, WireAnswer } from "./call.ts";
import { isTemporaryKey } from "./keys/temporary-keys.ts";
import { UnansweredError } from "./nodes/errors.ts";
import { LedgerClock } from "./nodes/ledger-clock.ts";
import { deliver, type TransportOptions, type WireRequest } from "./nodes/transport.ts";
import { refuseUnknown } from "./values/refuse-unknown.ts";
import { readAmounts, wireTexts } from "./values/wire-text.ts";
import type { PreparedWrite } from "./writes/prepared-write.ts";

export class Ledger {
  readonly transport: TransportOptions;
  readonly clock: LedgerClock = new LedgerClock();
  #id: Promise<string> | undefined;
  /**
   * The block that later reads must reflect: of our newest write, or of our newest read if the next
   * may go to another node.
   */
  #height = 0;

  constructor(transport: TransportOptions, id: string | undefined) {
    this.transport = transport;
    this.#id = id === undefined ? undefined : Promise.resolve(checkedId(id));
  }

  id(): Promise<string> {
    this.#id ??= this.request("service", {}, {}).then(
      ({ body }) => checkedId((body as { readonly ledger_id?: unknown }).ledger_id),
      (reason: unknown) => {
        this.#id = undefined;
        throw reason;
      },
    );
    return this.#id;
  }

  async temporaryKeys(address: string, count: number): Promise<readonly string[]> {
    const { body } = await this.request("nonce", { address, count }, {});
    const keys = [body].flat();
    if (!keys.every(isTemporaryKey)) {
      throw this.senseless("no temporary key", false);
    }
    return keys;
  }

  callOf(name: string): Call {
    const call = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
    if (call === undefined) {
      throw new TypeError(
        `there is no operation or read ${name}.${suggestion(name, Object.keys(CALLS))}`,
      );
    }
    return call;
  }

  async request(name: string, request: object, options: CallOptions): Promise<WireAnswer> {
    const call = this.callOf(name);
    refuseUnknown(name, call.parameters, request);
    return await this.send(call, wireTexts({ ...request }, call.key !== undefined), options);
  }

  async sendPrepared(prepared: PreparedWrite, options: CallOptions): Promise<WireAnswer> {
    this.checkId(prepared, await this.id());
    const { operation, params, signature, proof } = prepared;
    if (operation === "bundle") {
      const headers = { "Moneta-Signature": signature };
      const sending = { ...options, headers, isRepeatable: true };
      return await this.post("/bundle", params["body"] as string, sending);
    }
    const signed = { ...params, signature, ...(proof === undefined ? {} : { proof }) };
    return await this.send(this.callOf(operation), signed, options);
  }

  checkId(
    { operation, ledgerId }: Pick<PreparedWrite, "operation" | "ledgerId">,
    id: string,
  ): void {
    if (ledgerId !== id) {
      throw new TypeError(`the prepared ${operation} is for another ledger, ${ledgerId}`);
    }
  }

  /** Sends writes, or asks for a forecast. */
  async post(
    path: string,
    body: string,
    {
      isRepeatable,
      isWrite = true,
      onDoubt,
      headers: more,
      ...options
    }: CallOptions & {
      readonly headers?: Readonly<Record<string, string>>;
      readonly isRepeatable: boolean;
      readonly isWrite?: boolean;
      readonly onDoubt?: () => void;
    },
  ): Promise<WireAnswer> {
    const headers = { "Content-Type": "application/json", ...more };
    const request = { method: "POST", path, headers, body, isRepeatable, isWrite, onDoubt };
    const response = await this.#deliver(request, options);
    return await this.#answered({}, isWrite, response);
  }

  /** Makes later reads reflect a transaction. */
  noteTransaction(id: string | undefined): void {
    this.#raise(Number.parseInt(id?.slice(0, 16) ?? "", 16));
  }

  /** The header that makes a node wait until it has our newest block. Source: conventions §2.3. */
  heightMin(isWrite: boolean, minHeight: number = this.#height): Record<string, string> {
    // The header needs a CORS preflight, which writes to a single node do not need.
    const isNeeded = minHeight > 0 && (!isWrite || this.transport.nodes.areSeveral);
    return isNeeded ? { "Ledger-Height-Min": String(minHeight) } : {};
  }

  /** Later reads reflect the response, even a refusal. */
  #deliver(
    request: Omit<WireRequest, "onResponse">,
    { signal, traceparent, bytesMax, minHeight, onHeight }: CallOptions,
  ): Promise<Response> {
    const { isWrite } = request;
    const headers = {
      ...request.headers,
      ...this.heightMin(isWrite, minHeight),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const onResponse = (response: Response): void => {
      this.clock.note(response);
      if (response.headers.has("ledger-height")) {
        onHeight?.(Number(response.headers.get("ledger-height")));
      }
      if (isWrite || this.transport.nodes.areSeveral) {
        this.#raise(Number(response.headers.get("ledger-height")));
      }
    };
    return deliver({ ...request, signal, bytesMax, headers, onResponse }, this.transport);
  }

  /** A height that is not an integer would make all later reads fail. */
  #raise(height: number): void {
    if (Number.isSafeInteger(height)) {
      this.#height = Math.max(this.#height, height);
    }
  }

  senseless(what: string, mayHaveHappened: boolean, cause?: unknown): UnansweredError {
    const message = `${this.transport.nodes.url} has answered what is ${what}`;
    return new UnansweredError(message, { mayHaveHappened, cause });
  }

  /** Sends path parameters in the path, the others as a form or in the query. */
  async send(
    call: Call,
    texts: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<WireAnswer> {
    const isWrite = call.key !== undefined;
    const { method, path, rest } = routed(call, texts);
    const form = new URLSearchParams(rest).toString();
    const isInBody = method !== "GET";
    // A repeat at any node returns the same address. Source: accounts §4.
    const repeating =
      call.routes[0] === "POST /address" ? { "Idempotency-Key": randomText() } : undefined;
    const response = await this.#deliver(
      {
        method,
        path: isInBody || form === "" ? path : `${path}?${form}`,
        headers: {
          ...(isInBody ? { "Content-Type": "application/x-www-form-urlencoded" } : {}),
          ...repeating,
        },
        body: isInBody ? form : undefined,
        isRepeatable: call.key !== "" || repeating !== undefined,
        isWrite,
      },
      options,
    );
    return await this.#answered(call, isWrite, response);
  }

  async #answered(
    call: Pick<Call, "answer">,
    isWrite: boolean,
    response: Response,
  ): Promise<WireAnswer> {
    const { status, headers } = response;
    try {
      return { status, headers, body: await bodyOf(call, response) };
    } catch (cause) {
      throw this.senseless("no JSON", isWrite, cause);
    }
  }

  /** Amounts as integers, every write with its transaction id. */
  answerOf<A>(name: string, { headers, body }: WireAnswer): A {
    const { key, answer, member, amounts = "" } = this.callOf(name);
    const isWrite = key !== undefined;
    if (!readAmounts(body, amounts)) {
      throw this.senseless("no amount", isWrite);
    }
    if (!isWrite) {
      return body as A;
    }
    const transaction_id =
      answer === undefined
        ? (body as { readonly transaction_id?: unknown } | null)?.transaction_id
        : headers.get("transaction-id");
    if (!isId(transaction_id)) {
      throw this.senseless("no transaction", true);
    }
    if (answer === undefined) {
      return body as A;
    }
    return answer === "nothing"
      ? ({ transaction_id, token: headers.get("location")?.split("/").pop() } as A)
      : typeof body === "string"
        ? ({ transaction_id, [member as string]: body } as A)
        : ({ ...(body as A), transaction_id } as A);
  }
}

export function randomText(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

export function isId(id: unknown): id is string {
  return typeof id === "string" && /^[0-9a-f]{64}$/.test(id);
}

/** The signed string must not contain anything but a hash from a node. */
function checkedId(id: unknown): string {
  if (!isId(id)) {
    throw new TypeError("the node has no ledger id: its answer is not 64 hex digits");
  }
  return id;
}

/** Throws TypeError if a path parameter is missing. */
function routed(
  { routes }: Call,
  texts: Readonly<Record<string, string>>,
): { readonly method: string; readonly path: string; readonly rest: Record<string, string> } {
  const rest = { ...texts };
  const route =
    routes.find((one) => namesIn(one).length > 0 && namesIn(one).every((name) => name in texts)) ??
    routes.find((one) => namesIn(one).length === 0) ??
    (routes[0] as string);
  const [method = "", path = ""] = route.split(" ");
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const text = rest[name];
      if (text === undefined) {
        throw new TypeError(`${name} is missing`);
      }
      delete rest[name];
      // Names of tiles contain slashes.
      return encodeURIComponent(text).replaceAll("%2F", "/");
    }),
    rest,
  };
}

function namesIn(route: string): string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

async function bodyOf({ answer }: Pick<Call, "answer">, response: Response): Promise<unknown> {
  switch (answer) {
    case "file":
      return new Uint8Array(await response.arrayBuffer());
    case "nothing":
      return undefined;
    default:
      // One temporary key is text, several are JSON; a project's id is either.
      return (response.headers.get("content-type") ?? "").startsWith("application/json")
        ? await response.json()
        : await response.text();
  }
}
