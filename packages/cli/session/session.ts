import type { Actor, Moneta, SigningKey, WireAnswer } from "@moneta/sdk";
import type { Given } from "../command-line/arguments.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { Output } from "../terminal/output.ts";
import { visible } from "../terminal/visible-text.ts";
import { amountText, type TokenUnits } from "../values/amounts.ts";
import { chooseAddress, chosenAddress, hasChoices } from "./chosen-address.ts";
import type { Environment } from "./config-folder.ts";
import { readKey, type StoredKey } from "./key-file.ts";

export const STANDARD_URL = "http://127.0.0.1:20922";

/** How often what went unanswered is sent again: a person waits for it, for one or two seconds. */
const RETRIES = 4;

/** How long nobody wonders what the program does, ms. */
const SILENCE_MS = 3_000;

/** An integer in a message that is part of no word, decimal, exponent or id of a token. */
const LONE_INTEGER = /(?<![\w.^#]|\btoken )[1-9][0-9]*(?![\w^]|\.\d)/g;

/** Anybody may make addresses for anybody's key. */
const ADDRESSES_SHOWN_MAX = 20;

/** Told where a write went unanswered. */
export const MAY_HAVE_HAPPENED =
  "It may have been done all the same: look with moneta history or moneta transactions before you do it again.";

/** Parameters as texts on the wire's terms. */
export type Params = Readonly<Record<string, string>>;

/** What `GET /` says. */
export interface Service {
  readonly deployment: string;
  readonly ledger_id: string;
  readonly faucet?: string;
  readonly coin: { readonly symbol: string; readonly decimal: number };
}

/** What one run of a client command needs: the node, the key and the address that acts, each looked up when it is first asked for. */
export class Session {
  readonly output: Output;
  readonly url: string;
  /** Variables of the process. */
  readonly environment: Environment;
  /** Amounts that were given in decimals, as people read them, by the integers that they have become, of which messages of the ledger speak. */
  readonly sent: Map<string, string> = new Map();
  /** Of which token a parameter was typed in decimals. */
  readonly typed: Map<string, TokenUnits> = new Map();
  /** What the user calls what messages of the ledger call `itemdata[0].price`. */
  readonly names: Map<string, string> = new Map();
  readonly #given: Given;
  readonly #units: Map<string, Promise<TokenUnits>> = new Map();
  readonly #looks: Map<string, Promise<unknown>> = new Map();
  #moneta: Promise<Moneta> | undefined;
  #key: StoredKey | undefined;
  #service: Promise<Service> | undefined;
  #ownAddress: Promise<string> | undefined;

  constructor(given: Given, output: Output, environment: Environment = process.env) {
    this.#given = given;
    this.output = output;
    this.environment = environment;
    this.url = urlOf(given.get("url") ?? environment["MONETA_URL"]);
  }

  /** Whether amounts are given and shown in the smallest unit. */
  get isInUnits(): boolean {
    return this.#given.has("units");
  }

  /** The private key; throws a `WrongUse` if there is none. */
  get key(): StoredKey {
    this.#key ??= readKey(this.#given.get("key"), this.environment, this.output);
    return this.#key;
  }

  /** Throws a `WrongUse` if there is no key, before anything is asked for that needs one later. */
  needKey(): void {
    this.#key = this.key;
  }

  /** Where the key comes from, if it has been asked for. */
  get keyOrigin(): string | undefined {
    return this.#key?.origin;
  }

  /** What may be typed next, with the key that this command was told to use. */
  withSameKey(command: string): string {
    const file = this.#given.get("key");
    return file === undefined ? command : `${command} --key ${shellWord(file)}`;
  }

  async moneta(): Promise<Moneta> {
    this.#moneta ??= import("@moneta/sdk").then(
      ({ Moneta }) => new Moneta(this.url, { retries: RETRIES }),
    );
    return await this.#moneta;
  }

  /** Asks the node, or has it do something, signed if there is an actor; parameters are texts as they stand on the wire. */
  async request(
    name: string,
    params: Readonly<Record<string, string>>,
    actor?: Actor,
  ): Promise<WireAnswer> {
    const asked = actor ?? (await this.moneta());
    return await this.#patiently(asked.request(name, params), actor !== undefined);
  }

  /** The body of a read that is asked for once in a run. */
  async lookUp(name: string, params: Readonly<Record<string, string>>): Promise<unknown> {
    const key = JSON.stringify([name, params]);
    let found = this.#looks.get(key);
    if (found === undefined) {
      found = this.request(name, params).then(({ body }) => body);
      this.#looks.set(key, found);
    }
    return await found;
  }

  /** Says that it waits, if that takes long; and to who ends the program while a write is under way, that it may be done all the same. */
  async #patiently<T>(answer: Promise<T>, isWrite: boolean): Promise<T> {
    const silence = setTimeout(() => {
      this.output.note(`Waiting for an answer of ${this.url}. Ctrl-C gives up.`);
    }, SILENCE_MS);
    const giveUp = (): void => {
      this.output.note(`\nGiven up. ${MAY_HAVE_HAPPENED}`);
      process.off("SIGINT", giveUp);
      process.kill(process.pid, "SIGINT"); // which ends it as it would have ended
    };
    if (isWrite) {
      process.on("SIGINT", giveUp);
    }
    try {
      return await answer;
    } finally {
      clearTimeout(silence);
      process.off("SIGINT", giveUp);
    }
  }

  /** The one who acts as an address, by the key. */
  async actor(address: string): Promise<Actor> {
    const [moneta, key] = [await this.moneta(), await this.signingKey()];
    return moneta.actor(address, key);
  }

  async signingKey(): Promise<SigningKey> {
    const { SigningKey } = await import("@moneta/sdk");
    return await SigningKey.fromPem(this.key.privateKeyPem);
  }

  /** The address that acts, where it is named by flag or variable. */
  get namedAddress(): string | undefined {
    return this.#given.get("from") || this.environment["MONETA_ADDRESS"] || undefined;
  }

  /** The address that acts: the one named, else the one chosen for this key and ledger, else the only one that the key has. */
  async ownAddress(): Promise<string> {
    this.#ownAddress ??= this.#findOwnAddress();
    return await this.#ownAddress;
  }

  async #findOwnAddress(): Promise<string> {
    return this.namedAddress ?? (await this.chosenAddress()) ?? (await this.#addressOfKey());
  }

  /** The address that was chosen for this key on the ledger of this node; undefined if none was. */
  async chosenAddress(): Promise<string | undefined> {
    const { fingerprint } = this.key;
    if (!hasChoices(fingerprint, this.environment)) {
      return undefined;
    }
    const { ledger_id: ledgerId } = await this.service();
    return chosenAddress({ fingerprint, ledgerId }, this.environment);
  }

  /** Lets an address act from now on where none is named, for this key and ledger; throws a `WrongUse` if that cannot be kept. */
  async chooseAddress(address: string): Promise<void> {
    const { fingerprint } = this.key;
    const { ledger_id: ledgerId } = await this.service();
    try {
      chooseAddress({ fingerprint, ledgerId }, address, this.environment);
    } catch (thrown) {
      throw new WrongUse(
        `the choice cannot be kept: ${(thrown as Error).message}. --from ADDRESS or MONETA_ADDRESS names the address that acts`,
      );
    }
  }

  async #addressOfKey(): Promise<string> {
    const { origin } = this.key;
    const addresses = await this.addressesOfKey();
    const [address] = addresses;
    // A key without an address has been refused.
    if (address === undefined || addresses.length > 1) {
      const shown = addresses.slice(0, ADDRESSES_SHOWN_MAX).map((each) => `\n  ${each}`);
      throw new WrongUse(
        `the key in ${origin} has ${addresses.length} addresses: choose the one that acts with ${this.withSameKey("moneta address use ADDRESS")}, or name it each time with --from ADDRESS or in the variable MONETA_ADDRESS${shown.join("")}`,
      );
    }
    return address;
  }

  /** Oldest first, up to as many as one answer has. */
  async addressesOfKey(): Promise<readonly string[]> {
    const { body } = await this.request("addressByKey", { publickey: this.key.publicKeyPem });
    return body as readonly string[];
  }

  async service(): Promise<Service> {
    this.#service ??= this.request("service", {}).then(({ body }) => body as Service);
    return await this.#service;
  }

  /** Symbol and decimals of a token; throws what the ledger refuses if there is none. */
  async units(token: string): Promise<TokenUnits> {
    let found = this.#units.get(token);
    if (found === undefined) {
      found = this.#unitsOf(token);
      this.#units.set(token, found);
    }
    return await found;
  }

  /** A message that speaks of entries of a list as one that speaks of arguments and flags, where these were given. */
  inOwnWords(message: string): string {
    // No name is taken for the beginning of a longer one.
    const names = [...this.names].toSorted(([a], [b]) => b.length - a.length);
    return names.reduce((text, [name, shown]) => text.replaceAll(name, shown), message);
  }

  /** A message in which amounts that were typed stand in decimals, and with `all` every other amount of the same token. */
  inDecimals(message: string, all?: TokenUnits): string {
    return message.replace(LONE_INTEGER, (units) =>
      all === undefined ? (this.sent.get(units) ?? units) : visible(amountText(units, all)),
    );
  }

  /** Takes in what has been told of a token, so that nobody need be asked. */
  learn(units: TokenUnits): void {
    this.#units.set(units.id, Promise.resolve(units));
  }

  async #unitsOf(id: string): Promise<TokenUnits> {
    if (id === "0") {
      const { coin } = await this.service();
      return { id, symbol: coin.symbol, decimal: coin.decimal };
    }
    const { body } = await this.request("token", { token: id });
    const { symbol, decimal } = body as { readonly symbol: string; readonly decimal: number };
    return { id, symbol, decimal };
  }
}

/** A word as a shell takes it. */
function shellWord(text: string): string {
  return /^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function urlOf(given: string | undefined): string {
  const text = given === undefined || given === "" ? STANDARD_URL : given;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new WrongUse(
      `the URL of the node must begin with http:// or https://, such as ${STANDARD_URL}: set --url or MONETA_URL`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new WrongUse("the URL of the node must have no user name and no password in it");
  }
  return url.href.replace(/\/+$/, "");
}
