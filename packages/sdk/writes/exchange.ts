import type { Actor } from "../actor.ts";
import { CALLS, type ExchangeRequest } from "../api.ts";
import type { Call, CallOptions } from "../call.ts";
import { expiresAt, isTemporaryKey } from "../keys/temporary-keys.ts";
import type { Moneta } from "../moneta.ts";
import type { ProblemError } from "../nodes/errors.ts";
import { wireTexts } from "../values/wire-text.ts";
import type { ForecastRecord } from "./dry-run.ts";
import type { SentWrite } from "./prepared-write.ts";
import { isObject, readSignedFile, shown } from "./signed-file.ts";

/** What is proposed: addresses, amounts and tokens, fees, tags and memos of both sides. */
export type ProposedExchange = Omit<
  ExchangeRequest,
  "fromTkey" | "fromSign" | "toTkey" | "toSign" | "signed"
>;

/** An exchange as JSON, for a file or a message. */
export interface ExchangeFile {
  readonly ledger_id: string;
  /** The parameters of `POST /exchange`, with the signatures that there are. */
  readonly exchange: Readonly<Record<string, string>>;
}

/** What one side of an exchange gives and gets. */
export interface ExchangeTerms {
  /** The other side. */
  readonly with: string;
  readonly gives: { readonly amount: bigint; readonly token: string };
  readonly gets: { readonly amount: bigint; readonly token: string };
  /** What it pays besides, undefined if nothing. */
  readonly fee:
    | { readonly amount: bigint; readonly token: string; readonly to: string }
    | undefined;
}

/** What an exchange file has is wrong. */
export class ExchangeError extends TypeError {
  override readonly name: string = "ExchangeError";
}

const NAME = "exchange";

/** The parameters of a side: its address, temporary key and signature. */
const SIDES = ((CALLS[NAME] as Call).signers ?? []).map((parameters) => {
  const [address = "", key = "", signature = ""] = parameters.split(" ");
  return { address, key, signature, prefix: address.replace("Addr", "") };
});
const SIGNATURES: readonly string[] = SIDES.map(({ signature }) => signature);

/**
 * A swap of two tokens between two addresses. One side proposes and signs it, and hands it over; the
 * other reads what it says, signs, and submits. Both sign all of it: keys, fees, tags and memos.
 * Source: protocols §2.
 */
export class Exchange {
  /** The ledger that the signatures are for. */
  readonly ledgerId: string;
  /** All that both signatures cover. */
  readonly params: Readonly<Record<string, string>>;
  readonly #moneta: Moneta;
  #signatures: Readonly<Record<string, string>>;

  private constructor(
    moneta: Moneta,
    ledgerId: string,
    {
      params,
      signatures,
    }: {
      readonly params: Readonly<Record<string, string>>;
      readonly signatures: Readonly<Record<string, string>>;
    },
  ) {
    this.#moneta = moneta;
    this.ledgerId = ledgerId;
    this.params = params;
    this.#signatures = signatures;
  }

  /**
   * Fetches a temporary key of each side, valid for `validSeconds`, ten minutes if it is left out: so
   * long whoever signs last decides. Throws ProblemError for an unknown address.
   */
  static async propose(
    moneta: Moneta,
    proposed: ProposedExchange,
    {
      validSeconds = 600,
      ...options
    }: CallOptions & { readonly validSeconds?: number | undefined } = {},
  ): Promise<Exchange> {
    const ledgerId = await moneta.ledgerId();
    const terms = wireTexts({ ...proposed }, true);
    const keys = await Promise.all(
      SIDES.map(async ({ address, key }) => {
        const valid = { address: terms[address] ?? "", valid: validSeconds };
        return [key, await moneta.nonce(valid, options)] as const;
      }),
    );
    const params = { ...terms, ...Object.fromEntries(keys), signed: "full" };
    checkParams(params);
    return new Exchange(moneta, ledgerId, { params, signatures: {} });
  }

  /**
   * Reads what `toJSON` gave, as text or parsed, for the ledger of `moneta`. It may come from anybody:
   * look at `terms` before you sign. Throws ExchangeError if it is no exchange, or of another ledger.
   */
  static async from(json: unknown, moneta: Moneta): Promise<Exchange> {
    const wanted = await moneta.ledgerId();
    const fail = (message: string): Error => new ExchangeError(message);
    const { ledger_id: ledgerId, exchange } = readSignedFile(json, fail);
    if (ledgerId !== wanted) {
      throw new ExchangeError(`it is for the ledger ${shown(ledgerId)}, and this is ${wanted}`);
    }
    if (!isObject(exchange)) {
      throw new ExchangeError('"exchange" must be an object of parameters');
    }
    const params: Record<string, string> = {};
    const signatures: Record<string, string> = {};
    for (const [name, value] of Object.entries(exchange)) {
      if (typeof value !== "string" || value === "" || !value.isWellFormed()) {
        throw new ExchangeError(`${shown(name)} must be a text, and not empty`);
      }
      (SIGNATURES.includes(name) ? signatures : params)[name] = value;
    }
    checkParams(params);
    return new Exchange(moneta, wanted, { params, signatures });
  }

  /** Who has to sign: the from side, then the to side. */
  get signers(): readonly string[] {
    return SIDES.map(({ address }) => this.params[address] ?? "");
  }

  /** Who has still to sign. */
  get missing(): readonly string[] {
    const unsigned = SIDES.filter(({ signature }) => this.#signatures[signature] === undefined);
    return unsigned.map(({ address }) => this.params[address] ?? "");
  }

  /** When the first of its temporary keys expires, in ledger time, Unix seconds. */
  get expiresAt(): number {
    return Math.min(...SIDES.map(({ key }) => expiresAt(this.params[key])));
  }

  /** What an address gives and gets; throws ExchangeError if it is no side. */
  terms(address: string): ExchangeTerms {
    const { prefix } = this.#sideOf(address);
    const other = SIDES.find((side) => side.prefix !== prefix)?.prefix ?? "";
    const text = (side: string, name: string): string => this.params[`${side}${name}`] ?? "";
    const amount = (side: string, name = ""): { amount: bigint; token: string } => ({
      amount: BigInt(text(side, name === "" ? "Amount" : `${name}amount`) || 0),
      token: text(side, name === "" ? "Token" : `${name}token`),
    });
    const fee = amount(prefix, "Fee");
    return {
      with: text(other, "Addr"),
      gives: amount(prefix),
      gets: amount(other),
      fee: fee.amount === 0n ? undefined : { ...fee, to: text(prefix, "Feesendto") },
    };
  }

  /** Signs the half of an address. Throws ExchangeError if it is no side. */
  async sign(actor: Actor): Promise<void> {
    const { signature } = this.#sideOf(actor.address);
    const { params, ledgerId } = this;
    const signed = await actor.signatureOf({ operation: NAME, params, ledgerId });
    this.#signatures = { ...this.#signatures, [signature]: signed };
  }

  /**
   * Does it. May be repeated, at any node: an exchange that is done is answered as the first time.
   * Throws ProblemError, ExchangeError if a signature is missing, and UnansweredError.
   */
  async submit(options: CallOptions = {}): Promise<SentWrite> {
    if (this.missing.length > 0) {
      throw new ExchangeError(`it still needs the signature of ${this.missing.join(", ")}`);
    }
    const { body } = await this.#moneta.request(NAME, this.#texts(), options);
    return body as SentWrite;
  }

  /** What it would do now, signed or not: its record, or the ProblemError that would refuse it. */
  async forecast(options: CallOptions = {}): Promise<ForecastRecord | ProblemError> {
    const { params } = this;
    const [result] = await this.#moneta.dryRun([{ operation: NAME, params }], options);
    return result as ForecastRecord | ProblemError;
  }

  /**
   * Ends the half of an address that has been signed and not submitted, by using its temporary key
   * for a greeting to the other side. Throws ProblemError `2021` if the exchange is done already.
   */
  async withdraw(actor: Actor, options: CallOptions = {}): Promise<SentWrite> {
    const { key } = this.#sideOf(actor.address);
    const { with: address } = this.terms(actor.address);
    const greeting = [{ address, amount: "0", unlockdate: "0", memo: WITHDRAWN }];
    const { ledgerId } = this;
    const operation = "multitransfer";
    const params = {
      ...{ from: actor.address, token: "0", signed: "full" },
      transferlist: JSON.stringify(greeting),
      checkkey: this.params[key] as string,
    };
    const signature = await actor.signatureOf({ operation, params, ledgerId });
    const preparedAt = Math.floor(this.#moneta.clock.now());
    const write = { operation, actor: actor.address, ledgerId, params, signature, preparedAt };
    return await this.#moneta.send(write, options);
  }

  /** For a file, or a message to the other side. */
  toJSON(): ExchangeFile {
    return { ledger_id: this.ledgerId, exchange: this.#texts() };
  }

  #texts(): Readonly<Record<string, string>> {
    return { ...this.params, ...this.#signatures };
  }

  #sideOf(address: string): (typeof SIDES)[number] {
    const side = SIDES.find((one) => this.params[one.address] === address);
    if (side === undefined) {
      throw new ExchangeError(`${address} is no side of this exchange`);
    }
    return side;
  }
}

const WITHDRAWN = "exchange withdrawn";
const INTEGER = /^(0|[1-9][0-9]*)$/;

/** What `terms` reads must be there, and nothing that nobody would see. */
function checkParams(params: Readonly<Record<string, string>>): void {
  const known = (CALLS[NAME] as Call).parameters.split(" ");
  for (const [name, text] of Object.entries(params)) {
    if (!known.includes(name) || SIGNATURES.includes(name)) {
      throw new ExchangeError(`an exchange has no parameter ${shown(name)}`);
    }
    if (/(mount|oken)$/.test(name) && !INTEGER.test(text)) {
      throw new ExchangeError(`${name} must be an integer, not ${shown(text)}`);
    }
  }
  for (const { prefix, key } of SIDES) {
    for (const name of ["Addr", "Amount", "Token"]) {
      if (params[`${prefix}${name}`] === undefined) {
        throw new ExchangeError(`${prefix}${name} is missing`);
      }
    }
    if (!isTemporaryKey(params[key])) {
      throw new ExchangeError(`${key} must be a temporary key`);
    }
  }
  if (params["fromAddr"] === params["toAddr"]) {
    throw new ExchangeError("both sides are one address");
  }
  if (params["signed"] !== "full") {
    throw new ExchangeError('"signed" must be "full": short signatures do not cover all of it');
  }
}
