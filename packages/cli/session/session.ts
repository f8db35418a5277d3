import { type Found, isProjectId } from "@moneta/protocol";
import type { Actor, Moneta, Signer, WireAnswer } from "@moneta/sdk";
import type { Given } from "../command-line/arguments.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { Output } from "../terminal/output.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { visible } from "../terminal/visible-text.ts";
import { amountText, type TokenUnits } from "../values/amounts.ts";
import { chooseAddress, chosenAddress, hasChoices } from "./chosen-address.ts";
import type { Environment } from "./config-folder.ts";
import { type KnownKey, readKey, readPublicKey, type StoredKey } from "./key-file.ts";
import { type ListedKey, readKeyList, signingKeys } from "./key-list.ts";
import { programSigner } from "./signing-program.ts";

const STANDARD_URL = "http://127.0.0.1:20922";

/** Fewer than the library's default, because a person waits: one or two seconds. */
const RETRIES = 4;

const CLOCK_WRONG_SECONDS = 120;

const SILENCE_MS = 3_000;

/** Not part of a word, decimal, exponent or token id. */
const LONE_INTEGER = /(?<![\w.^#]|\btoken )[1-9][0-9]*(?![\w^]|\.\d)/g;

/** Anybody can create addresses for any key. */
const ADDRESSES_SHOWN_MAX = 20;

/** Responses that a run keeps, because moneta watch runs for days. */
const LOOKS_MAX = 1000;

export const MAY_HAVE_HAPPENED =
  "It may have been done anyway: check with moneta history or moneta transactions before you repeat it.";

export type Params = Readonly<Record<string, string>>;

export type Members = Readonly<Record<string, unknown>>;

/** The response of `GET /`. */
export interface Service {
  readonly deployment: string;
  readonly ledger_id: string;
  readonly faucet?: string;
  readonly coin: { readonly symbol: string; readonly name: string; readonly decimal: number };
}

/** Node, key and acting address of one run, each looked up on first use. */
export class Session {
  readonly output: Output;
  /** The preferred one first. */
  readonly urls: readonly string[];
  readonly environment: Environment;
  /** Given decimals by the integers that were sent, for messages. */
  readonly sent: Map<string, string> = new Map();
  readonly typed: Map<string, TokenUnits> = new Map();
  readonly names: Map<string, string> = new Map();
  readonly listedKeys: Map<string, readonly ListedKey[]> = new Map();
  readonly parameters: Map<string, string> = new Map();
  readonly #given: Given;
  readonly #ledgerId: string | undefined;
  readonly #units: Map<string, Promise<TokenUnits>> = new Map();
  readonly #looks: Map<string, Promise<unknown>> = new Map();
  readonly #warned: Set<string> = new Set();
  #moneta: Promise<Moneta> | undefined;
  #key: KnownKey | undefined;
  #privateKey: StoredKey | undefined;
  #service: Promise<Service> | undefined;
  #ownAddress: Promise<string> | undefined;
  #hasWarned = false;

  constructor(given: Given, output: Output, environment: Environment = process.env) {
    this.#given = given;
    this.output = output;
    this.environment = environment;
    this.urls = urlsOf(given.get("url") || environment["MONETA_URL"]);
    this.#ledgerId = ledgerIdOf(given.get("ledger-id") || environment["MONETA_LEDGER_ID"]);
  }

  get url(): string {
    return this.urls.join(", ");
  }

  get isInUnits(): boolean {
    return this.#given.has("units");
  }

  get isFull(): boolean {
    return this.#given.has("full");
  }

  /** Throws a `WrongUse` if there is no key. */
  get key(): KnownKey {
    this.#key ??=
      this.#signer === undefined
        ? this.privateKey
        : readPublicKey(this.#given.get("key"), this.environment);
    return this.#key;
  }

  get privateKey(): StoredKey {
    this.#privateKey ??= readKey(this.#given.get("key"), this.environment, this.output);
    return this.#privateKey;
  }

  /** Signs instead of a private key. */
  get #signer(): string | undefined {
    return this.#given.get("signer") || undefined;
  }

  /** Throws a `WrongUse` without a key, before any request. */
  needKey(): void {
    this.#key = this.key;
  }

  get keyOrigin(): string | undefined {
    return this.#key?.origin;
  }

  withSameKey(command: string): string {
    const file = this.#given.get("key");
    return file ? `${command} --key ${shellWord(file)}` : command;
  }

  async moneta(): Promise<Moneta> {
    this.#moneta ??= this.#connect();
    return await this.#moneta;
  }

  async #connect(): Promise<Moneta> {
    const { Moneta } = await import("@moneta/sdk");
    for (const url of this.urls.filter((each) => pageIn(each) !== undefined)) {
      await refusePage(url);
    }
    const ledgerId = this.#ledgerId;
    if (ledgerId === undefined) {
      return new Moneta(this.urls, { retries: RETRIES });
    }
    const moneta = new Moneta(this.urls, { retries: RETRIES, ledgerId });
    this.#service = Promise.resolve(await this.#serviceOf(moneta, ledgerId));
    return moneta;
  }

  /** Throws a `WrongUse` if the node keeps another ledger. */
  async #serviceOf(moneta: Moneta, ledgerId: string): Promise<Service> {
    const { body, headers } = await this.patiently(moneta.request("service", {}), false);
    if (isHtml(headers)) {
      throw await noLedger(this.url);
    }
    const service = body as Service;
    if (service.ledger_id !== ledgerId) {
      throw new WrongUse(
        `${this.url} has another ledger than the one in --ledger-id or MONETA_LEDGER_ID: ${visible(String(service.ledger_id))}. Nothing else was sent`,
      );
    }
    return service;
  }

  async request(
    name: string,
    params: Readonly<Record<string, string>>,
    actor?: Actor,
  ): Promise<WireAnswer> {
    const moneta = await this.moneta();
    const asked = actor ?? moneta;
    const answer = await this.patiently(asked.request(name, params), actor !== undefined);
    this.#warnOfClock(moneta.clock.deviceAhead);
    // A node's page has the height in its headers, too.
    if (isHtml(answer.headers)) {
      throw await noLedger(this.url);
    }
    return answer;
  }

  /** Once in a run. */
  #warnOfClock(ahead: number): void {
    if (Math.abs(ahead) > CLOCK_WRONG_SECONDS && !this.#hasWarned) {
      this.#hasWarned = true;
      const minutes = Math.round(Math.abs(ahead) / 60);
      this.output.note(
        `The clock of this machine is ${minutes} minutes ${ahead > 0 ? "ahead of" : "behind"} the ledger's, whose time decides. Set it right.`,
      );
    }
  }

  /** A read that is sent once per run, or again after many others. */
  async lookUp<T = Members>(name: string, params: Params): Promise<T> {
    const key = JSON.stringify([name, params]);
    let found = this.#looks.get(key);
    if (found === undefined) {
      found = this.request(name, params).then(({ body }) => body);
      this.#looks.set(key, found);
      const [oldest = ""] = this.#looks.keys();
      if (this.#looks.size > LOOKS_MAX) {
        this.#looks.delete(oldest);
      }
      found.catch(() => this.#looks.delete(key)); // a later one may succeed
    }
    return (await found) as T;
  }

  /** Notes a long wait, and on Ctrl-C during a write that it may have been done. */
  async patiently<T>(answer: Promise<T>, isWrite: boolean): Promise<T> {
    const silence = setTimeout(() => {
      this.output.note(`Waiting for a response from ${this.url}. Press Ctrl-C to give up.`);
    }, SILENCE_MS);
    const giveUp = (): void => {
      this.output.note(`\nGiven up. ${MAY_HAVE_HAPPENED}`);
      process.off("SIGINT", giveUp);
      process.kill(process.pid, "SIGINT"); // ends it like the default handler
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

  async actor(address: string): Promise<Actor> {
    const [moneta, key] = [await this.moneta(), await this.signingKey()];
    const more = this.#given.get("with-key");
    const grant = this.#given.get("grant");
    if (more === undefined || grant !== undefined) {
      return moneta.actor(address, key, grant === undefined ? {} : { grant });
    }
    const listed = readKeyList(more) ?? [];
    const { keyset } = await this.lookUp<{
      readonly keyset: { readonly keys: readonly { readonly publickey: string }[] };
    }>("addressRead", { address, view: "full" });
    const { placeOfKey, signTogether } = await import("@moneta/sdk");
    const signers = [key, ...(await signingKeys(listed))].map((signer) => {
      const place = placeOfKey(keyset.keys, signer.publicKeyPem);
      if (place === -1) {
        throw new WrongUse(`${address} has no such key as one of those that are to sign for it`);
      }
      return [place, signer] as const;
    });
    return moneta.actor(address, signTogether(signers));
  }

  async signingKey(): Promise<Signer> {
    if (this.#signer !== undefined) {
      return programSigner(this.#signer, this.key);
    }
    const { SigningKey } = await import("@moneta/sdk");
    return await SigningKey.fromPem(this.privateKey.privateKeyPem);
  }

  /** From a flag or variable; with a grant, its address. */
  get namedAddress(): string | undefined {
    if (this.#given.has("grant")) {
      return undefined;
    }
    return this.#given.get("from") || this.environment["MONETA_ADDRESS"] || undefined;
  }

  /** The named address, else the selected one, else the key's only one. */
  async ownAddress(): Promise<string> {
    this.#ownAddress ??= this.#findOwnAddress();
    return await this.#ownAddress;
  }

  /** For commands that only show something and need no key. */
  async ownAddressIfAny(): Promise<string | undefined> {
    try {
      return await this.ownAddress();
    } catch {
      return undefined; // no key, or not exactly one address of it here
    }
  }

  async #findOwnAddress(): Promise<string> {
    const grantid = this.#given.get("grant");
    if (grantid !== undefined) {
      const { address } = await this.lookUp("grantDetails", { grantid });
      return String(address);
    }
    return this.namedAddress ?? (await this.chosenAddress()) ?? (await this.#addressOfKey());
  }

  async chosenAddress(): Promise<string | undefined> {
    const { fingerprint } = this.key;
    if (!hasChoices(fingerprint, this.environment)) {
      return undefined;
    }
    const { ledger_id: ledgerId } = await this.service();
    return chosenAddress({ fingerprint, ledgerId }, this.environment);
  }

  /** Throws a `WrongUse` if it cannot be stored. */
  async chooseAddress(address: string): Promise<void> {
    const { fingerprint } = this.key;
    const { ledger_id: ledgerId } = await this.service();
    try {
      chooseAddress({ fingerprint, ledgerId }, address, this.environment);
    } catch (thrown) {
      throw new WrongUse(
        `the choice cannot be stored: ${(thrown as Error).message}. --from ADDRESS or MONETA_ADDRESS names the address that acts`,
      );
    }
  }

  async #addressOfKey(): Promise<string> {
    const { origin } = this.key;
    const addresses = await this.addressesOfKey();
    const [address] = addresses;
    // The node refuses a key without addresses.
    if (address === undefined || addresses.length > 1) {
      const shown = addresses.slice(0, ADDRESSES_SHOWN_MAX).map((each) => `\n  ${each}`);
      throw new WrongUse(
        `the key in ${origin} has ${addresses.length} addresses: choose the one that acts with ${this.withSameKey("moneta address use ADDRESS")}, or name it each time with --from ADDRESS or in the variable MONETA_ADDRESS${shown.join("")}`,
      );
    }
    return address;
  }

  /** Oldest first, up to the limit of one response. */
  async addressesOfKey(): Promise<readonly string[]> {
    const { body } = await this.request("addressByKey", { publickey: this.key.publicKeyPem });
    return body as readonly string[];
  }

  async service(): Promise<Service> {
    this.#service ??= this.request("service", {}).then(({ body }) => body as Service);
    return await this.#service;
  }

  /** Undefined for other ids, or if the node has none. Source: mrc401 §20. */
  async nameOf(id: string): Promise<string | undefined> {
    const isProject = isProjectId(id);
    if (!isProject && !/^(MRC400_[0-9a-f]{33}|MRC402)_/.test(id)) {
      return undefined;
    }
    const query = { text: id, kind: isProject ? "project" : "item", limit: "1" };
    const found = await this.lookUp<readonly Found[]>("search", query).catch(() => []);
    return found.find((one) => one.id === id)?.name;
  }

  /** Throws the refusal if there is no such token. */
  async units(token: string): Promise<TokenUnits> {
    let found = this.#units.get(token);
    if (found === undefined) {
      found = this.#unitsOf(token);
      this.#units.set(token, found);
      found.catch(() => this.#units.delete(token));
    }
    return await found;
  }

  inOwnWords(message: string): string {
    // Later in a message `to` or `id` is an ordinary word.
    const unlikeWords = [...this.parameters].filter(([name]) => /[A-Z_]/.test(name));
    // So that no name replaces part of another.
    const names = [...this.names, ...unlikeWords].toSorted(([a], [b]) => b.length - a.length);
    const text = names.reduce((each, [name, shown]) => each.replaceAll(name, shown), message);
    const [first = ""] = text.split(" ", 1);
    return `${this.parameters.get(first) ?? first}${text.slice(first.length)}`;
  }

  /** Given amounts in decimals; with `all` every amount of that token. */
  inDecimals(message: string, all?: TokenUnits): string {
    return message.replace(LONE_INTEGER, (units) =>
      all === undefined ? (this.sent.get(units) ?? units) : visible(amountText(units, all)),
    );
  }

  learn(units: TokenUnits): void {
    this.#units.set(units.id, Promise.resolve(units));
  }

  unwarnedTokens(): readonly string[] {
    const tokens = [...this.#units.keys()].filter((id) => id !== "0" && !this.#warned.has(id));
    for (const id of tokens) {
      this.#warned.add(id);
    }
    return tokens;
  }

  async #unitsOf(id: string): Promise<TokenUnits> {
    if (id === "0") {
      const { coin } = await this.service();
      return { id, symbol: coin.symbol, decimal: coin.decimal };
    }
    const { symbol, decimal } = await this.lookUp<TokenUnits>("token", { token: id });
    return { id, symbol, decimal };
  }
}

/** Such as `/explorer`; undefined for other URLs. */
export function pageIn(url: string): string | undefined {
  return /(\/(explorer|wallet|status|docs))(\/|$)/.exec(new URL(url).pathname)?.[1];
}

/** People copy the explorer's URL that a node prints at its start. */
async function refusePage(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(SILENCE_MS) }).catch(
    () => undefined, // the library reports why there is no response
  );
  await answer?.body?.cancel();
  if (answer !== undefined && isHtml(answer.headers)) {
    throw await noLedger(url);
  }
}

function isHtml(headers: Headers): boolean {
  return headers.get("content-type")?.startsWith("text/html") === true;
}

async function noLedger(url: string): Promise<Error> {
  const { UnansweredError } = await import("@moneta/sdk");
  const message = `${url} is no node of a ledger: it returns a web page`;
  return new UnansweredError(message, { mayHaveHappened: false });
}

/** Each is tried before the command fails. */
const URLS_MAX = 16;

function urlsOf(given: string | undefined): readonly string[] {
  const urls = (given || STANDARD_URL).split(",").map((each) => urlOf(each.trim()));
  if (urls.length > URLS_MAX) {
    throw new WrongUse(`at most ${URLS_MAX} nodes can be named, not ${urls.length}`);
  }
  return urls;
}

function ledgerIdOf(given: string | undefined): string | undefined {
  if (given && !/^[0-9a-f]{64}$/.test(given)) {
    throw new WrongUse(
      `--ledger-id or MONETA_LEDGER_ID is ${JSON.stringify(given)} but must be the id of block 0, 64 hex digits, as in ledger_id of GET /`,
    );
  }
  return given || undefined;
}

function urlOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new WrongUse(
      `the URL of the node must begin with http:// or https://, such as ${STANDARD_URL}: set --url or MONETA_URL, several nodes of one ledger separated by commas`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new WrongUse("the URL of the node must have no user name and no password in it");
  }
  // After `?` or `#` the client's paths would be part of the query.
  if (/[?#]/.test(url.href)) {
    throw new WrongUse("the URL of the node must have no ? and no # in it");
  }
  return url.href.replace(/\/+$/, "");
}
