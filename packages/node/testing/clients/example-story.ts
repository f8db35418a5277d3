import assert from "node:assert/strict";
import type { KeyObject } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sendBundle, signedBundle } from "../requests/bundle-requests.ts";
import { type Encoding, encoded } from "../requests/encoded-request.ts";
import { type Answered, type KeyHolder, signatureOf, type TestNode } from "../test-node.ts";
import {
  conforms,
  type Document,
  needingFullSignature,
  type OperationObject,
  operationsOf,
  parameterNames,
  requestForms,
  type Schema,
  shownFor,
} from "./openapi-document.ts";

const TEMPORARY_KEY = "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX";

export interface Printed {
  readonly text: string;
  /** The values that a JavaScript sample prints, before their conversion to text. */
  readonly values: readonly unknown[];
}

/** Runs samples of one language in a directory that has the files which they read. */
export interface SampleRunner extends AsyncDisposable {
  /**
   * Runs one that ends with exit code 0. `file` is the path of its response, if not in its output.
   */
  run(source: string, file?: string): Promise<Printed>;
  /** Runs one that would never end, until it has printed a whole transaction. */
  runStream(source: string): Promise<Printed>;
}

/** The runner of a language's samples, and their label in the document. */
export interface SampleSet {
  readonly label: string;
  /** Where samples find the actor's key, and that of the examples. */
  readonly directory: string;
  readonly runner: SampleRunner;
  /** Whether a sample of a kind of request is run; else the story sends its request itself. */
  readonly isRun: (kind: string, source: string) => boolean;
}

export interface SendOptions {
  readonly by?: string;
  /** Which of the examples; the first one if none is named. */
  readonly form?: string;
  readonly without?: readonly string[];
  readonly proof?: KeyObject;
  /** Parts of the signed string that are no parameters. */
  readonly signed?: Readonly<Record<string, string>>;
}

/** A request with real names and a signature, before the node has it. */
export interface ExampleRequest {
  readonly route: string;
  /** Which of the operation's examples; empty if it has one. */
  readonly form: string;
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  /** Whose `signature` it has; undefined if it has none, or several. */
  readonly signer: KeyHolder | undefined;
  /** The fields of its short signature; undefined with a full one. */
  readonly signedTexts: readonly string[] | undefined;
}

export interface StoryObserver {
  before(request: ExampleRequest): Promise<void>;
  after(request: ExampleRequest, answer: Answered): Promise<void>;
}

interface StoryOptions {
  readonly encoding: Encoding;
  readonly signs: "full" | "short";
  /** Whether parameters are sent under the last of their other names. */
  readonly usesAliases?: boolean;
  readonly samples?: SampleSet;
  readonly observer?: StoryObserver;
}

/**
 * The document's examples in an order that works. `realNames` maps their names to real ones; a
 * story adds those that it creates.
 */
export class Story {
  /** Real values of the addresses, ids and keys of the examples. */
  readonly realNames: Map<string, string> = new Map();
  readonly #node: TestNode;
  readonly #document: Document;
  readonly #encoding: Encoding;
  /** The content type of the body whose examples are sent. */
  readonly #form: string;
  readonly #usesAliases: boolean;
  readonly #observer: StoryObserver | undefined;
  readonly #signsShort: boolean;
  readonly #holders: Map<string, KeyHolder> = new Map();
  readonly #sent: Set<string> = new Set();
  readonly #samples: SampleSet | undefined;
  readonly #sentSamples: Set<string> = new Set();

  /**
   * Sends requests in this encoding, with full or short signatures. With a sample runner, the first
   * request of each sample is the sample's. An observer sees each request before and after it.
   */
  constructor(
    node: TestNode,
    document: Document,
    { encoding, signs, usesAliases = false, samples, observer }: StoryOptions,
  ) {
    this.#signsShort = signs === "short";
    this.#node = node;
    this.#document = document;
    this.#encoding = encoding;
    this.#form = encoding === "json" ? "application/json" : "application/x-www-form-urlencoded";
    this.#usesAliases = usesAliases;
    this.#samples = samples;
    this.#observer = observer;
  }

  addHolder(example: string, holder: KeyHolder): void {
    this.#holders.set(example, holder);
    this.realNames.set(example, holder.address);
  }

  get signsShort(): boolean {
    return this.#signsShort;
  }

  addressOf(example: string): string {
    return this.#holders.get(example)?.address ?? "";
  }

  holderOf(example: string): KeyHolder {
    const holder = this.#holders.get(example);
    assert.ok(holder !== undefined, example);
    return holder;
  }

  parametersOf(route: string): string[] {
    return parameterNames(this.#operation(route));
  }

  exampleOf(route: string, parameter: string): unknown {
    const operation = this.#operation(route);
    const [first = ""] = requestForms(operation);
    return this.#shown(operation, first)[parameter];
  }

  /** Sends the example of a route, and compares the response with the document. */
  async send(
    route: string,
    { by, form: wanted, without = [], proof, signed = {} }: SendOptions = {},
  ): Promise<Answered> {
    const operation = this.#operation(route);
    const [first = ""] = requestForms(operation);
    const form = wanted ?? first;
    assert.ok(requestForms(operation).includes(form), `${route} has an example of ${form}`);
    const [, path = ""] = route.split(" ");
    const holder = by === undefined ? undefined : this.#holders.get(by);
    if (without.length === 0) {
      const answer = await this.#sendBySample(route, form, holder, proof);
      if (answer !== undefined) {
        return answer;
      }
    }
    if (holder !== undefined) {
      this.realNames.set(TEMPORARY_KEY, await this.#node.key(holder));
    }

    const shown = Object.entries(this.#shown(operation, form)).filter(
      ([name]) => !without.includes(name),
    );
    const texts: Record<string, string> = {};
    for (const [name, example] of shown) {
      texts[name] = this.real(typeof example === "string" ? example : JSON.stringify(example));
    }
    if (operation.operationId === "bundle" && holder !== undefined) {
      const answer = await this.#sendBundle(texts, holder);
      this.#compare(route, operation, form, answer);
      return answer;
    }
    const about = operation.description ?? "";
    const isFullOnly = about.includes("**Full signature** only");
    const fields = signedFields(about, texts);
    const isSigned = fields !== undefined || isFullOnly;
    assert.equal(isSigned, holder !== undefined, `${route} says who signs what`);
    if (this.#signsShort && !isFullOnly) {
      delete texts["signed"];
      for (const name of needingFullSignature(operation)) {
        delete texts[name];
      }
    }
    let signedTexts: readonly string[] | undefined;
    if (holder !== undefined && texts["signed"] === "full") {
      const { signature: _, proof: __, ...params } = texts;
      // Of several places of an operation the first has its name.
      const name = operation.operationId.replace(/(?<=\D)\d$/, "");
      texts["signature"] = this.#node.fullySigned(name, params, holder).signature;
      if (proof !== undefined) {
        const by = { ...holder, privateKey: proof };
        texts["proof"] = this.#node.fullySigned(name, params, by).signature;
      }
    } else if (holder !== undefined) {
      signedTexts = (fields ?? []).map((name) => texts[name] ?? this.real(signed[name]));
      texts["signature"] = signatureOf(signedTexts.join("|"), holder);
    }

    const request: ExampleRequest = {
      route,
      form,
      operation: operation.operationId.replace(/(?<=\D)\d$/, ""),
      params: { ...texts },
      signer: holder,
      signedTexts,
    };
    await this.#observer?.before(request);
    const answer =
      operation.responses["200"]?.content?.["text/event-stream"] !== undefined
        ? await firstEvents(`${this.#node.url}${path}?${new URLSearchParams(texts)}`)
        : await this.#node.request(...encoded(route, texts, this.#encoding, this.#usesAliases));
    assert.equal(answer.status, 200, `${route} ${JSON.stringify(texts)}: ${answer.text}`);
    this.#compare(route, operation, form, answer);
    await this.#observer?.after(request, answer);
    return answer;
  }

  /** Sends a bundle, whose body is the signed text. */
  #sendBundle(texts: Readonly<Record<string, string>>, holder: KeyHolder): Promise<Answered> {
    const { actor, tkey, operations = "", skip = "" } = texts;
    const sent = { actor, tkey, operations: JSON.parse(operations), skip: JSON.parse(skip) };
    return sendBundle(this.#node, signedBundle(this.#node, holder, JSON.stringify(sent)));
  }

  /** Routes of the document, with response types and example forms, that the story lacks. */
  unsentExamples(): string[] {
    return operationsOf(this.#document)
      .flatMap(([method, path, operation]) =>
        // csv-answer.test.ts tests lists as CSV, batch-streams.ci.test.ts lines.
        Object.keys(operation.responses["200"]?.content ?? { nothing: {} })
          .filter((type) => type !== "text/csv" && type !== "application/x-ndjson")
          .flatMap((type) =>
            requestForms(operation).map((form) =>
              answerName(`${method.toUpperCase()} ${path}`, type, form),
            ),
          ),
      )
      .filter((answer) => !this.#sent.has(answer));
  }

  /** Samples of the document in this language that the story lacks. */
  unsentSamples(): string[] {
    return operationsOf(this.#document)
      .flatMap(([method, path, operation]) =>
        operation["x-codeSamples"]
          .filter(({ label }) => label.split(", ")[0] === this.#samples?.label)
          .map(({ label }) => `${method.toUpperCase()} ${path}: ${label}`),
      )
      .filter((sample) => !this.#sentSamples.has(sample));
  }

  /** Runs the sample of a route with real names, unless it ran before. */
  async #sendBySample(
    route: string,
    form: string,
    holder: KeyHolder | undefined,
    proof: KeyObject | undefined,
  ): Promise<Answered | undefined> {
    if (this.#samples === undefined) {
      return undefined;
    }
    const { label: language, directory, runner, isRun } = this.#samples;
    const label = ["", "main"].includes(form) ? language : `${language}, ${form}`;
    const name = `${route}: ${label}`;
    if (this.#sentSamples.has(name)) {
      return undefined;
    }
    const operation = this.#operation(route);
    const sample = operation["x-codeSamples"].find((one) => one.label === label);
    assert.ok(sample !== undefined, name);
    this.#sentSamples.add(name);
    const { responses, requestBody } = operation;
    const { content } = responses["200"] ?? {};
    // By the document: a sample that lacks something must not pass for one of another kind.
    const [method = "", path = ""] = route.split(" ");
    const kind = [
      ...[method, path.includes("{"), holder !== undefined, proof !== undefined],
      ...[...Object.keys(content ?? {}), ...Object.keys(requestBody?.content ?? {})],
    ].join(" ");
    if (!isRun(kind, sample.source)) {
      return undefined;
    }
    for (const [file, key] of [
      ["key.pem", holder?.privateKey],
      ["new.pem", proof],
    ] as const) {
      if (key !== undefined) {
        writeFileSync(join(directory, file), key.export({ type: "pkcs8", format: "pem" }));
      }
    }

    const source = this.#realSource(sample.source, holder);
    const [type = ""] = Object.keys(content ?? {});
    const printed =
      type === "text/event-stream"
        ? await runner.runStream(source)
        : await runner.run(source, fileWritten(source));
    return language === "JavaScript"
      ? this.#compareValues(name, operation, form, printed)
      : this.#comparePrinted(name, operation, form, printed.text);
  }

  /** A sample with real names: short ones where they are no part of something longer. */
  #realSource(source: string, holder: KeyHolder | undefined): string {
    // The actor in samples of operations without one in the examples.
    const acting = [...this.#holders].find(([, one]) => one === holder)?.[0];
    const acted =
      acting === undefined || source.includes(acting)
        ? source
        : source.replaceAll(/MTAlice\w+/g, acting);
    // The longer ones first: some have others in them.
    const examples = [...this.realNames.keys()].sort((a, b) => b.length - a.length);
    const patterns = examples.map((example) => {
      const bare = RegExp.escape(example);
      return example.length < 10 ? `(?<![\\w.])${bare}(?![\\w.])` : bare;
    });
    return acted.replaceAll(
      new RegExp(patterns.join("|"), "g"),
      (text) => this.realNames.get(text) ?? text,
    );
  }

  /**
   * The output of a JavaScript sample, which is the library's result: amounts are integers, texts
   * become named members.
   */
  #compareValues(
    name: string,
    operation: OperationObject,
    form: string,
    { text, values: [value, ...others] }: Printed,
  ): Answered {
    const { content = {} } = operation.responses["200"] ?? {};
    const [type = "nothing"] = Object.keys(content);
    if (type === "text/event-stream") {
      const event = others.at(-1) as { readonly kind: string; readonly id: string };
      assert.match(`${event.kind} ${event.id}`, /^transaction [0-9a-f]{64}$/, name);
      return { status: 200, headers: new Headers(), text: "" };
    }
    if (operation.operationId === "bundle") {
      for (const { transaction_id } of value as readonly Readonly<Record<string, string>>[]) {
        assert.match(`${transaction_id}`, /^[0-9a-f]{64}$/, name);
      }
      return { status: 200, headers: new Headers(), text: "" };
    }
    // The library's value of each operation, which is that of its method.
    if (["batch", "group"].includes(operation.operationId)) {
      for (const { transaction_id, address } of value as readonly Readonly<
        Record<string, string>
      >[]) {
        const wanted = operation.operationId === "batch" ? /^[0-9a-f]{64} MT/ : /^[0-9a-f]{64} u/;
        assert.match(`${transaction_id} ${address}`, wanted, name);
      }
      return { status: 200, headers: new Headers(), text: "" };
    }
    if (!("application/json" in content) && typeof value === "object") {
      const { transaction_id, ...answer } = value as Readonly<Record<string, string>>;
      const [only = "", ...more] = Object.values(answer);
      assert.match(`${transaction_id} ${more.length}`, /^[0-9a-f]{64} 0$/, name);
      return this.#comparePrinted(
        name,
        operation,
        form,
        type === "nothing" ? `/token/${only}` : only,
      );
    }
    const asText = typeof value === "string" ? value : JSON.stringify(onTheWire(value));
    return this.#comparePrinted(name, operation, form, value === undefined ? text : asText);
  }

  #comparePrinted(
    name: string,
    { responses }: OperationObject,
    form: string,
    printed: string,
  ): Answered {
    const { content } = responses["200"] ?? {};
    if (content === undefined) {
      return { status: 200, headers: locationIn(printed, name), text: "" };
    }
    // The line end is the sample's.
    const text = printed.replace(/\n$/, "");
    const types = Object.keys(content);
    const isJson = "application/json" in content && /^[[{]/.test(text);
    const type = isJson ? "application/json" : types.find((each) => each !== "application/json");
    const shown = content[type ?? ""];
    assert.ok(shown !== undefined && text !== "", `${name} prints ${text}`);
    const example = JSON.parse(this.real(JSON.stringify(shownFor(shown, form))));
    const value = isJson ? JSON.parse(text) : text;
    assert.ok(conforms(value, shown.schema), `${name} prints by its schema: ${text}`);
    assert.deepEqual(
      membersOf(value, shown.schema),
      membersOf(example, shown.schema),
      `${name} prints as in its example`,
    );
    assert.ok(!text.includes("urn:"), `${name} is answered: ${text}`);
    return { status: 200, headers: new Headers(), text };
  }

  /** The form of the story's bodies, unless the operation takes JSON alone. */
  #formOf({ requestBody }: OperationObject): string {
    return requestBody?.content[this.#form] === undefined ? "application/json" : this.#form;
  }

  #operation(route: string): OperationObject {
    const [method, path] = route.split(" ") as [string, string];
    const operation = this.#document.paths[path]?.[method.toLowerCase()];
    assert.ok(operation !== undefined, `the document has ${route}`);
    return operation;
  }

  /** The example of a whole request of a form: body, path and query string. */
  #shown(operation: OperationObject, form: string): Record<string, unknown> {
    const { operationId, parameters, requestBody } = operation;
    const body = shownFor(
      requestBody?.content[this.#formOf(operation)] ?? { example: {} },
      form,
    ) as object;
    // Except the block of a read as of it, which no example has.
    const inUrl = parameters.filter(
      ({ in: place, schema }) =>
        (place === "path" || requestBody === undefined) && !("examples" in schema),
    );
    const shown = Object.fromEntries(inUrl.map((one) => [one.name, shownFor(one, form)]));
    // Another form may have it.
    const given = Object.entries({ ...shown, ...body }).filter(([, value]) => value !== undefined);
    assert.ok(form !== "" || given.length >= inUrl.length, `${operationId} has whole examples`);
    return Object.fromEntries(given);
  }

  /** The text with real names: short ones only where they are all of it. */
  real(text = ""): string {
    let real = this.realNames.get(text);
    if (real !== undefined) {
      return real;
    }
    real = text;
    for (const [example, its] of this.realNames) {
      real = example.length < 10 ? real : real.replaceAll(example, its);
    }
    return real;
  }

  #compare(
    route: string,
    { responses }: OperationObject,
    form: string,
    { headers, text }: Answered,
  ): void {
    const { content, headers: documented } = responses["200"] ?? {};
    for (const name of Object.keys(documented ?? {})) {
      assert.ok(headers.has(name), `${route} answers with ${name}`);
    }
    if (content === undefined) {
      assert.equal(text, "", route);
      this.#sent.add(answerName(route, "nothing", form));
      return;
    }
    const type = headers.get("content-type")?.split(";")[0] ?? "";
    const documentedType = type in content ? type : type.replace(/\/.*/, "/*");
    const shown = content[documentedType];
    assert.ok(shown !== undefined, `${route} may answer ${type}`);
    // Ids are names of members, too.
    const example = JSON.parse(this.real(JSON.stringify(shownFor(shown, form))));
    const value = type === "application/json" ? JSON.parse(text) : text;
    assert.ok(conforms(value, shown.schema), `${route} answers by its schema: ${text}`);
    assert.deepEqual(
      membersOf(value, shown.schema),
      membersOf(example, shown.schema),
      `${route} answers as in its example`,
    );
    this.#sent.add(answerName(route, documentedType, form));
  }
}

/** A value of the client library with amounts as text again, empty where absent. */
function onTheWire(value: unknown): unknown {
  if (value === undefined || typeof value === "bigint") {
    return String(value ?? "");
  }
  if (Array.isArray(value)) {
    return value.map(onTheWire);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, onTheWire(member)]))
    : value;
}

function fileWritten(source: string): string | undefined {
  return /\b\w+\.(?:bin|image)\b/.exec(source)?.[0];
}

function locationIn(printed: string, name: string): Headers {
  const [location] = /\/token\/\d+/.exec(printed) ?? [];
  assert.ok(location !== undefined, `${name} prints ${printed}`);
  return new Headers({ Location: location });
}

/** The begin of a stream, up to a whole transaction. */
async function firstEvents(url: string): Promise<Answered> {
  const { status, headers, body } = await fetch(url, { signal: AbortSignal.timeout(120_000) });
  let text = "";
  for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (status !== 200 || /^event: transaction\n(.+\n)+\n/m.test(text)) {
      break;
    }
  }
  return { status, headers, text };
}

/**
 * The names and types of a value's members; of a list those of its first entry. Without members
 * that a response leaves out at their default.
 */
function membersOf(value: unknown, schema: Schema): unknown {
  const { items, properties = {}, required = [] } = schema;
  if (schema.additionalProperties !== undefined && schema.properties === undefined) {
    return "names that clients choose";
  }
  if (Array.isArray(value)) {
    return value.slice(0, 1).map((one) => membersOf(one, items ?? {}));
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => !("default" in (properties[name] ?? {})) || required.includes(name))
          .map(([name, member]) => [name, membersOf(member, properties[name] ?? {})]),
      )
    : typeof value;
}

function answerName(route: string, type: string, form: string): string {
  return `${route}: ${type}${form === "" ? "" : ` ${form}`}`;
}

/**
 * The signed fields of a request: of the first form that matches, or else of the usual one;
 * undefined without any.
 */
function signedFields(
  description: string,
  texts: Readonly<Record<string, string>>,
): readonly string[] | undefined {
  const lines = description.matchAll(/^\*\*Short signature\*\*(?: if ([^:]+))?: `(.+)`$/gm);
  const all = [...lines].map(([, about, fields = ""]) => ({ about, fields: fields.split("|") }));
  const special = all.find(({ about }) => about !== undefined && isOf(about, texts));
  return (special ?? all.find(({ about }) => about === undefined))?.fields;
}

/**
 * Whether a request fits a condition such as "amount is given", "one of a, b and one of c, d is
 * given" or "id is that of a listing".
 */
function isOf(about: string, texts: Readonly<Record<string, string>>): boolean {
  if (about === "id is that of a listing") {
    return texts["id"]?.startsWith("DEX402_") === true;
  }
  const [, names] = /^(.+) is given$/.exec(about) ?? [];
  assert.ok(names !== undefined, `it is clear whether ${about}`);
  return names
    .split(" and ")
    .map((some) => some.replace("one of ", "").split(/, | or /))
    .every((some) => some.some((name) => texts[name] !== undefined));
}
