import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { existsSync } from "node:fs";
import { type LedgerReader, type Outcome, RULES, type RuledOperation } from "@moneta/ledger";
import {
  type Address,
  type Amount,
  type Fault,
  KeyProblem,
  NATIVE_COIN,
  parsePublicKey,
  Refused,
  readTexts,
  refuse,
  type Signer,
  signedStrings,
  transfer,
} from "@moneta/protocol";
import type { FastifyBaseLogger } from "fastify";
import type { Admission } from "./admission/admission.ts";
import type { TemporaryKeys } from "./admission/temporary-keys.ts";
import { SettingProblem, type Settings, settingFromFile } from "./settings.ts";

const DAY_SECONDS = 86_400;
/** Counts are lost at a restart. */
const COUNTED_MAX = 100_000;

/** Gives coins by ordinary transfers that the node signs. Source: accounts §13. */
export class Faucet {
  readonly #key: KeyObject;
  readonly #address: Address;
  readonly #admission: Admission;
  readonly #keys: TemporaryKeys;
  readonly #ledgerId: string;
  readonly #amount: Amount;
  readonly #amountMax: Amount;
  readonly #callsMax: number;
  readonly #calls: Map<Address, { since: number; count: number }> = new Map();

  constructor(options: {
    readonly key: KeyObject;
    readonly address: Address;
    readonly admission: Admission;
    readonly keys: TemporaryKeys;
    readonly ledgerId: string;
    readonly amount: Amount;
    readonly amountMax: Amount;
    readonly callsMax: number;
  }) {
    this.#key = options.key;
    this.#address = options.address;
    this.#admission = options.admission;
    this.#keys = options.keys;
    this.#ledgerId = options.ledgerId;
    this.#amount = options.amount;
    this.#amountMax = options.amountMax;
    this.#callsMax = options.callsMax;
  }

  /** `reader` is open, `now` is the clock's time. */
  async give(
    reader: LedgerReader,
    to: Address,
    asked: Amount | undefined,
    now: number,
  ): Promise<{ readonly outcome: Outcome; readonly amount: Amount }> {
    const amount = asked ?? this.#amount;
    // Another node may have created it just now.
    const late =
      reader.state.addressNumber(to) === undefined ? await this.#admission.reachLog() : undefined;
    const fault = late ?? this.#check(reader, to, amount, now);
    if (fault !== undefined) {
      return { outcome: { kind: "refused", fault }, amount };
    }
    // Before the transfer, so that simultaneous calls all count; refunded if it is refused.
    const calls = this.#count(to, now);
    const outcome = await this.#transfer(reader, to, amount);
    if (outcome.kind === "refused") {
      calls.count -= 1;
    }
    return { outcome, amount };
  }

  #check(reader: LedgerReader, to: Address, amount: Amount, now: number): Fault | undefined {
    if (amount > this.#amountMax) {
      const wanted = `an integer from 1 to ${this.#amountMax}, the most that the faucet gives at once`;
      return { code: "1101", parameter: "amount", given: String(amount), wanted };
    }
    if (to === this.#address) {
      return { code: "3201", parameter: "address", address: to };
    }
    if (reader.state.addressNumber(to) === undefined) {
      return { code: "3090", parameter: "address", address: to, status: 404 };
    }
    const { since, count } = this.#callsFor(to, now) ?? { since: now, count: 0 };
    if (count >= this.#callsMax) {
      const limit = `${this.#callsMax} faucet calls in 24 hours for one address`;
      return { code: "9001", retryAfter: since + DAY_SECONDS - now, limit };
    }
    return undefined;
  }

  #callsFor(to: Address, now: number): { readonly since: number; count: number } | undefined {
    const calls = this.#calls.get(to);
    return calls !== undefined && now - calls.since < DAY_SECONDS ? calls : undefined;
  }

  #count(to: Address, now: number): { count: number } {
    let calls = this.#callsFor(to, now);
    if (calls === undefined) {
      if (this.#calls.size >= COUNTED_MAX) {
        this.#calls.clear();
      }
      calls = { since: now, count: 0 };
      this.#calls.set(to, calls);
    }
    calls.count += 1;
    return calls;
  }

  async #transfer(reader: LedgerReader, to: Address, amount: Amount): Promise<Outcome> {
    const number = reader.state.addressNumber(this.#address);
    if (number === undefined) {
      return refusedBy(
        refuse({ code: "5001", token: NATIVE_COIN, needed: amount, spendable: 0n as Amount }),
      );
    }
    const params = {
      from: this.#address,
      to,
      token: NATIVE_COIN,
      amount: String(amount),
      checkkey: this.#keys.issue(number, reader.state.time),
      tags: "faucet",
      signed: "full",
    };
    // The signed text is known only once the parameters have been read.
    const request = readTexts(transfer, { ...params, signature: "-" });
    if (request instanceof Refused) {
      return refusedBy(request);
    }
    const [text = ""] = signedStrings(transfer.signers[0] as Signer, request.params, {
      ledgerId: this.#ledgerId,
      actor: this.#address,
      decided: {},
    });
    const signature = sign("sha256", Buffer.from(text), this.#key).toString("base64");
    const ruled = RULES.get(transfer.name) as RuledOperation;
    const signed = { ...request, signatures: { signature } };
    return await this.#admission.submit([{ ruled, request: signed }], { client: undefined });
  }
}

function refusedBy({ fault }: Refused): Outcome {
  return { kind: "refused", fault };
}

/** `reader` is open. Throws `SettingProblem` if the named key is unusable. */
export function makeFaucet(
  settings: Settings,
  treasuryKeyFile: string,
  reader: LedgerReader,
  parts: {
    readonly admission: Admission;
    readonly keys: TemporaryKeys;
    readonly ledgerId: string;
    readonly log: FastifyBaseLogger;
  },
): Faucet | undefined {
  const key = readKey(settings, treasuryKeyFile);
  if (key === undefined) {
    return undefined;
  }
  const address = addressOf(key, reader);
  if (address === undefined && settings["faucet-key"] === "") {
    // For a block 0 that another node of the cluster has made first.
    parts.log.warn(`${treasuryKeyFile} has no address on this ledger: there is no faucet here`);
    return undefined;
  }
  if (address === undefined) {
    throw new SettingProblem(
      "the faucet's key has no address on this ledger: create one with POST /address, or give another --faucet-key",
    );
  }
  const decimal = reader.state.token(NATIVE_COIN)?.decimal ?? 0;
  const callsMax = settings["faucet-calls-max"];
  return new Faucet({ ...parts, key, address, ...amountsOf(settings, decimal), callsMax });
}

/** Throws `SettingProblem` if the default amount is above the maximum. */
function amountsOf(
  settings: Settings,
  decimal: number,
): { readonly amount: Amount; readonly amountMax: Amount } {
  const coins = 10n ** BigInt(decimal);
  const { "faucet-amount": given, "faucet-amount-max": max } = settings;
  const amountMax = (max === "" ? 1000n * coins : BigInt(max)) as Amount;
  const standard = 100n * coins < amountMax ? 100n * coins : amountMax;
  const amount = (given === "" ? standard : BigInt(given)) as Amount;
  if (amount > amountMax) {
    throw new SettingProblem(
      `--faucet-amount is ${amount} but must be at most ${amountMax}, which is --faucet-amount-max`,
    );
  }
  return { amount, amountMax };
}

function readKey(settings: Settings, treasuryKeyFile: string): KeyObject | undefined {
  if (settings.deployment === "production") {
    return undefined;
  }
  const file = settings["faucet-key"] === "" ? treasuryKeyFile : settings["faucet-key"];
  return settings["faucet-key"] !== "" || existsSync(file)
    ? settingFromFile("faucet-key", file, (pem) => createPrivateKey(pem))
    : undefined;
}

/** The treasury's is older than others of its key. */
function addressOf(key: KeyObject, reader: LedgerReader): Address | undefined {
  const pem = createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
  const publicKey = parsePublicKey(pem);
  return publicKey instanceof KeyProblem
    ? undefined
    : reader.addresses.withKey(publicKey.body, -1, 1).addresses[0];
}
