import assert from "node:assert/strict";
import {
  conforms,
  type Document,
  type OperationObject,
  operationsOf,
  requestForms,
  shownFor,
} from "./openapi-document.ts";
import { type Answered, type KeyHolder, signatureOf, type TestNode } from "./test-node.ts";

/** The temporary key of the examples. */
const TEMPORARY_KEY = "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX";

export interface Telling {
  /** The example's address whose key signs. */
  readonly by?: string;
  /** Which of the examples; the first one if none is named. */
  readonly form?: string;
  /** Parameters that are left out of the example. */
  readonly without?: readonly string[];
  /** What stands in the signed string though it is no parameter. */
  readonly signed?: Readonly<Record<string, string>>;
}

/**
 * The examples of the document, told in an order in which each of them can be done. What they speak of is what `is` says: a story that has created something
 * sets it there.
 */
export class Story {
  /** What addresses, ids and keys of the examples really are. */
  readonly is: Map<string, string> = new Map();
  readonly #node: TestNode;
  readonly #document: Document;
  readonly #form: string;
  readonly #holders: Map<string, KeyHolder> = new Map();
  readonly #told: Set<string> = new Set();

  constructor(node: TestNode, document: Document, form: string) {
    this.#node = node;
    this.#document = document;
    this.#form = form;
  }

  meet(example: string, holder: KeyHolder): void {
    this.#holders.set(example, holder);
    this.is.set(example, holder.address);
  }

  /** The address of one whom the story has met. */
  addressOf(example: string): string {
    return this.#holders.get(example)?.address ?? "";
  }

  parametersOf(route: string): string[] {
    return this.#operation(route).parameters.map(({ name }) => name);
  }

  exampleOf(route: string, parameter: string): unknown {
    return this.#operation(route).parameters.find(({ name }) => name === parameter)?.example;
  }

  /** Does what the example of a route shows, and compares what is answered with what the document says. */
  async tell(
    route: string,
    { by, form: wanted, without = [], signed = {} }: Telling = {},
  ): Promise<Answered> {
    const operation = this.#operation(route);
    const [first = ""] = requestForms(operation);
    const form = wanted ?? first;
    assert.ok(requestForms(operation).includes(form), `${route} has an example of ${form}`);
    const [method, path] = route.split(" ") as [string, string];
    const holder = by === undefined ? undefined : this.#holders.get(by);
    if (holder !== undefined) {
      this.is.set(TEMPORARY_KEY, await this.#node.key(holder));
    }

    const shown = Object.entries(this.#shown(operation, form)).filter(
      ([name]) => !without.includes(name),
    );
    const texts: Record<string, string> = {};
    for (const [name, example] of shown) {
      texts[name] = this.#real(typeof example === "string" ? example : JSON.stringify(example));
    }
    const about = operation.description ?? "";
    const isFullOnly = about.startsWith("Full signature only");
    const fields = signedFields(about, texts);
    assert.equal(
      fields === undefined && !isFullOnly,
      holder === undefined,
      `${route} says who signs what`,
    );
    if (isFullOnly && holder !== undefined) {
      const { signature: _, ...params } = texts;
      const whole = this.#node.fullySigned(operation.operationId, params, holder);
      texts["signature"] = whole.signature;
    }
    if (fields !== undefined && holder !== undefined) {
      const signedOnes = fields.map((name) => texts[name] ?? this.#real(signed[name]));
      texts["signature"] = signatureOf(signedOnes.join("|"), holder);
    }

    const where = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => take(texts, name));
    const answer =
      operation.responses["200"]?.content?.["text/event-stream"] !== undefined
        ? await firstEvents(`${this.#node.url}${where}?${new URLSearchParams(texts)}`)
        : operation.requestBody === undefined
          ? await this.#node.request(`${where}?${new URLSearchParams(texts)}`, { method })
          : await this.#node.request(where, {
              method,
              headers: { "Content-Type": this.#form },
              body: this.#body(texts, shown),
            });
    assert.equal(answer.status, 200, `${route} ${JSON.stringify(texts)}: ${answer.text}`);
    this.#compare(route, operation, form, answer);
    return answer;
  }

  /** Routes, with the types of their answers and the forms of their examples, that the document has and the story has not. */
  untold(): string[] {
    return operationsOf(this.#document)
      .flatMap(([method, path, operation]) =>
        Object.keys(operation.responses["200"]?.content ?? { nothing: {} }).flatMap((type) =>
          requestForms(operation).map((form) =>
            answerName(`${method.toUpperCase()} ${path}`, type, form),
          ),
        ),
      )
      .filter((answer) => !this.#told.has(answer));
  }

  #operation(route: string): OperationObject {
    const [method, path] = route.split(" ") as [string, string];
    const operation = this.#document.paths[path]?.[method.toLowerCase()];
    assert.ok(operation !== undefined, `the document has ${route}`);
    return operation;
  }

  /** The example of a whole request of a form: the body's, and what stands in path and query string. */
  #shown(
    { operationId, parameters, requestBody }: OperationObject,
    form: string,
  ): Record<string, unknown> {
    const body = shownFor(requestBody?.content[this.#form] ?? { example: {} }, form) as object;
    const inUrl = parameters.filter((one) => one.in === "path" || requestBody === undefined);
    const shown = Object.fromEntries(inUrl.map((one) => [one.name, shownFor(one, form)]));
    for (const [name, example] of Object.entries(shown)) {
      assert.ok(example !== undefined, `${operationId} has an example of ${name}`);
    }
    return { ...shown, ...body };
  }

  /** The text with real names: short ones only where they are all of it. */
  #real(text = ""): string {
    let real = this.is.get(text);
    if (real !== undefined) {
      return real;
    }
    real = text;
    for (const [example, its] of this.is) {
      real = example.length < 10 ? real : real.replaceAll(example, its);
    }
    return real;
  }

  /** Lists stand in a form as their text, in JSON as they are. */
  #body(texts: Readonly<Record<string, string>>, shown: readonly [string, unknown][]): string {
    if (this.#form !== "application/json") {
      return `${new URLSearchParams(texts)}`;
    }
    const lists = shown.filter(([name, example]) => name in texts && typeof example !== "string");
    const values = lists.map(([name]) => [name, JSON.parse(texts[name] as string)]);
    return JSON.stringify({ ...texts, ...Object.fromEntries(values) });
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
      this.#told.add(answerName(route, "nothing", form));
      return;
    }
    const type = headers.get("content-type")?.split(";")[0] ?? "";
    const documentedType = type in content ? type : type.replace(/\/.*/, "/*");
    const shown = content[documentedType];
    assert.ok(shown !== undefined, `${route} may answer ${type}`);
    // Ids are names of members, too.
    const example = JSON.parse(this.#real(JSON.stringify(shownFor(shown, form))));
    const value = type === "application/json" ? JSON.parse(text) : text;
    assert.ok(conforms(value, shown.schema), `${route} answers by its schema: ${text}`);
    assert.deepEqual(membersOf(value), membersOf(example), `${route} answers as in its example`);
    this.#told.add(answerName(route, documentedType, form));
  }
}

/** What comes first on a stream, up to a whole transaction. */
async function firstEvents(url: string): Promise<Answered> {
  const { status, headers, body } = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  let text = "";
  for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (status !== 200 || /^event: transaction\n(.+\n)+\n/m.test(text)) {
      break;
    }
  }
  return { status, headers, text };
}

/** The names and types of what is in a value; of a list those of its first entry. */
function membersOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.slice(0, 1).map(membersOf);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, membersOf(member)]))
    : typeof value;
}

function take(texts: Record<string, string>, name: string): string {
  const text = texts[name] ?? "";
  delete texts[name];
  return encodeURIComponent(text);
}

function answerName(route: string, type: string, form: string): string {
  return `${route}: ${type}${form === "" ? "" : ` ${form}`}`;
}

/** The fields that the description says are signed in a request: of the first form that it is of, or else of the usual one; undefined if none are. */
function signedFields(
  description: string,
  texts: Readonly<Record<string, string>>,
): readonly string[] | undefined {
  const lines = description.matchAll(/^Signed string(?: if ([^:]+))?: (.+)$/gm);
  const all = [...lines].map(([, about, fields = ""]) => ({ about, fields: fields.split("|") }));
  const special = all.find(({ about }) => about !== undefined && isOf(about, texts));
  return (special ?? all.find(({ about }) => about === undefined))?.fields;
}

/** Whether a request is what a description says: "amount is given", "one of a, b and one of c, d is given", "id is that of a listing". */
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
