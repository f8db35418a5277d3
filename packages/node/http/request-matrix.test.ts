import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  type AnyOperation,
  type AnyRead,
  bundle,
  DERIVED_OPERATIONS,
  OPERATIONS,
  type Parameter,
  READS,
} from "@moneta/protocol";
import { IS_LAST_LANE } from "../../ledger/testing/lane.ts";
import { sendAllExamples } from "../testing/clients/example-scenes.ts";
import {
  type ExampleRequest,
  Story,
  type StoryObserver,
} from "../testing/clients/example-story.ts";
import { documentOf } from "../testing/clients/openapi-document.ts";
import { runInProcess } from "../testing/command-in-process.ts";
import {
  asJson,
  describedAt,
  type Encoding,
  encoded,
  namesInPath,
} from "../testing/requests/encoded-request.ts";
import { testLists } from "../testing/requests/list-matrix.ts";
import {
  isUnknownId,
  malformedTexts,
  notTextCode,
  refusal,
} from "../testing/requests/malformed-values.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  signatureOf,
  summaryOf,
  TestNode,
} from "../testing/test-node.ts";

// Tests each operation and read by its description. The requests are the examples of the API
// reference, in an order in which the node accepts each of them (example-scenes.ts). Before it sends
// an example, the test sends requests that differ from it in one thing. Each must be refused with the
// code of malformed-values.ts. The example is accepted afterwards: no refusal uses a temporary key or
// changes the state. Only the last lane sends all combinations; the others send each kind of request
// once. They repeat what is accepted in all encodings, under other names.

interface Variant {
  readonly what: string;
  readonly params: Params;
  /** Status, code and parameter of the refusal. */
  readonly refused: string;
  readonly encoding: Encoding;
  /** The parameter whose value differs. */
  readonly parameter?: string;
  /** Members of a JSON body in the place of those parameters. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string>>;
}

const PARALLEL_REQUESTS = 8;
const ENCODINGS = ["form", "json", "query"] as const;

interface Run {
  readonly encoding: Encoding;
  readonly signs: "short" | "full";
  readonly usesAliases: boolean;
}

const FORM_RUN: Run = { encoding: "form", signs: "short", usesAliases: false };
/** Whether each value is sent to each parameter, rather than one of each kind. */
const IS_EXHAUSTIVE = IS_LAST_LANE;
const RUNS: readonly Run[] = IS_EXHAUSTIVE
  ? [
      FORM_RUN,
      { encoding: "query", signs: "full", usesAliases: true },
      { encoding: "json", signs: "full", usesAliases: false },
    ]
  : [FORM_RUN];

for (const { encoding, signs, usesAliases } of RUNS) {
  test(`every operation in ${encoding}, signature ${signs}${usesAliases ? ", other names of parameters" : ""}`, async (context) => {
    await using node = await TestNode.startWithOperator();
    // The page's document has both forms of bodies.
    const document = documentOf(await node.get("/docs/openapi.json"));
    const observer = new Matrix(context, node, encoding);
    const story = new Story(node, document, { encoding, signs, usesAliases, observer });
    await sendAllExamples(story, node);
    assert.deepEqual(story.unsentExamples(), []);
    if (encoding === "form") {
      assert.deepEqual(observer.untestedCodes(), []);
      await testLists(context, node, observer.lists);
    }
    if (IS_EXHAUSTIVE && encoding === "form") {
      await node.stop();
      for (const command of ["verify", "rebuild", "verify"]) {
        const { exitCode, output } = await runInProcess(command, node.data);
        assert.equal(exitCode, 0, output);
      }
    }
  });
}

class Matrix implements StoryObserver {
  readonly #context: TestContext;
  readonly #node: TestNode;
  readonly #encoding: Encoding;
  readonly #tested: Set<string> = new Set();
  readonly #repeated: Set<string> = new Set();
  /** What was sent, such as `transfer.amount: 1101`. */
  readonly #sent: Set<string> = new Set();
  readonly lists: ExampleRequest[] = [];
  #stranger: KeyHolder | undefined;

  constructor(context: TestContext, node: TestNode, encoding: Encoding) {
    this.#context = context;
    this.#node = node;
    this.#encoding = encoding;
  }

  /** Codes that a parameter's description lists, and that no value was refused with. */
  untestedCodes(): string[] {
    const tested = [...this.#sent];
    return DESCRIPTIONS.flatMap(({ name, parameters }) =>
      (Object.entries(parameters) as [string, Parameter<unknown>][]).flatMap(
        ([its, { refusals, needsFullSignature }]) => {
          const place = `${name}.${its}`;
          if (needsFullSignature === "2010") {
            // With a short signature no value is read: tests of the rules send each of them.
            return [];
          }
          // Texts, ids, keys and signatures list no code of their own.
          return refusals.length === 0 && !TAKES_ANY_TEXT.has(place)
            ? tested.some((refused) => refused.startsWith(`${place}: `))
              ? []
              : [place]
            : [...new Set(refusals)]
                .map((code) => `${place}: ${code}`)
                .filter((refused) => !this.#sent.has(refused));
        },
      ),
    );
  }

  async before(request: ExampleRequest): Promise<void> {
    const { route, form, params } = request;
    this.#stranger ??= await this.#node.holder();
    if (!isNew(this.#tested, `${route} ${form} ${Object.keys(params)}`)) {
      return;
    }
    const variants = this.#unsent(describedAt(route).name, [
      ...this.#ofParameters(request),
      ...(await this.#ofSigning(request)),
    ]);
    await this.#context.test(`${route} ${form}: ${variants.length} refusals`, async () => {
      await this.#send(route, variants);
      await this.#forecast(request);
    });
  }

  /**
   * In lane 1, an operation has each variant once: of the values of a parameter that have one code the
   * first and the last.
   */
  #unsent(operation: string, variants: readonly Variant[]): readonly Variant[] {
    const groups = Map.groupBy(variants, ({ parameter, refused, what }) =>
      parameter === undefined
        ? `${operation}: ${what}`
        : `${operation}.${parameter}: ${codeOf(refused)}`,
    );
    return [...groups].flatMap(([name, group]) => {
      const isUnsent = isNew(this.#sent, name);
      return group.filter(
        (_, at) => IS_EXHAUSTIVE || (isUnsent && (at === 0 || at === group.length - 1)),
      );
    });
  }

  #ofParameters(request: ExampleRequest): readonly Variant[] {
    const variants: Readonly<Record<Encoding, () => readonly Variant[]>> = {
      form: () => [...absent(request, "form"), ...malformed(request)],
      json: () => [...absent(request, "json"), ...notText(request), ...unknown(request)],
      query: () => twice(request),
    };
    return IS_EXHAUSTIVE
      ? variants[this.#encoding]()
      : [...absent(request, "form"), ...malformed(request), ...notText(request)].concat(
          unknown(request),
          twice(request),
        );
  }

  /** Conventions §5.2, §5.3: a repeat is answered as the first time, and its key serves nothing else. */
  async after(request: ExampleRequest, first: Answered): Promise<void> {
    const { route, form, operation, params, signer } = request;
    const { signature, proof, ...plain } = params;
    if ("filters" in describedAt(route)) {
      this.lists.push(request);
    }
    if (signer === undefined || !isNew(this.#repeated, `${route} ${form}`)) {
      return;
    }
    await this.#context.test(`${route} ${form}: sent again`, async () => {
      const height = await this.#node.height();
      assert.deepEqual(await this.#stored(first), {
        ...{ v: 1, op: operation, actor: signer.address },
        ...{
          params: plain,
          signatures: proof === undefined ? { signature } : { proof, signature },
        },
      });
      assert.match(first.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
      const nonce = /[A-Za-z][0-9A-Za-z]{39,63}/g;
      for (const encoding of ENCODINGS) {
        const answer = await this.#node.request(
          ...encoded(route, params, encoding, encoding === "query"),
        );
        // A draft is answered with a new temporary key.
        const isKey = first.text === first.headers.get("replay-nonce");
        assert.equal(answer.text.replace(isKey ? nonce : "", ""), isKey ? "" : first.text);
        for (const header of ["transaction-id", "location"]) {
          assert.equal(answer.headers.get(header), first.headers.get(header), header);
        }
      }
      const checkkey = params[keyNameOf(route)] ?? "";
      const to = this.#stranger?.address ?? "";
      const other = await this.#node.fullTransfer(signer, { to, amount: "1", checkkey });
      assert.equal(summaryOf(await this.#node.post("/transfer", other)), "409 2021 checkkey");
      assert.equal(await this.#node.height(), height);
    });
  }

  /** The operation as its block has it, without what its signature decided. Source: chain §4.1. */
  async #stored({ headers }: Answered): Promise<object> {
    const id = headers.get("transaction-id") ?? "";
    const [sn, position = 0] = [id.slice(0, 16), id.slice(16, 24)].map((hex) => parseInt(hex, 16));
    const block = await this.#node.get(`/block/${sn}/raw`);
    const { operations } = parsed<{ operations: readonly { decided: object }[] }>(block);
    const { decided: _, ...stored } = operations[position] ?? { decided: {} };
    return stored;
  }

  async #send(route: string, variants: readonly Variant[]): Promise<void> {
    const wrong: string[] = [];
    const queue = variants.values();
    const sendAll = async (): Promise<void> => {
      for (const { what, params, refused, encoding, query = {}, json } of queue) {
        const [path, options] = encoded(route, params, encoding);
        const more = String(new URLSearchParams(query));
        const where = more === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${more}`;
        const body = json && JSON.stringify({ ...JSON.parse(`${options.body ?? "{}"}`), ...json });
        const headers = { "Content-Type": "application/json" };
        const sent = body === undefined ? options : { ...options, body, headers };
        const given = summaryOf(await this.#node.request(where, sent));
        if (given !== refused) {
          wrong.push(`${what}: ${given} in the place of ${refused}`);
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, sendAll));
    assert.deepEqual(wrong, []);
  }

  /** Batches, dry runs: without signature and key the operation would be done. */
  async #forecast({ route, operation, params, signer }: ExampleRequest): Promise<void> {
    if (signer === undefined) {
      return;
    }
    const { signature: _, proof: __, ...plain } = params;
    const element = { operation, ...asJson(plain, describedAt(route)) };
    const answer = await this.#node.postJson("/batch?dry=1", { operations: [element] });
    const [result] = parsed<{ results: readonly { status: number }[] }>(answer).results;
    assert.equal(result?.status, 200, answer.text);
  }

  /** Keys and signatures that do not fit. Source: conventions §4. */
  async #ofSigning({
    route,
    operation,
    params,
    signer,
    signedTexts,
  }: ExampleRequest): Promise<readonly Variant[]> {
    if (signer === undefined || this.#encoding === "query") {
      return [];
    }
    if (!IS_EXHAUSTIVE && !isNew(this.#sent, `${operation} ${signedTexts?.length} fields`)) {
      return [];
    }
    const stranger = this.#stranger as KeyHolder;
    const keyName = keyNameOf(route);
    const { signature: _, proof: ___, signed: ____, ...plain } = params;
    const full = { ...plain, signed: "full" };
    const isFullOnly = describedAt(route).parameters["signed"]?.optional === false;
    const variant = (what: string, change: Params, refused: string): Variant => ({
      what,
      params: { ...params, ...change },
      refused,
      encoding: this.#encoding,
    });
    const misfit = (what: string, signature: string): Variant =>
      variant(`short signature ${what}`, { signature }, refusal("2010", "signature"));
    const fullMisfit = (what: string, signature: string): Variant =>
      variant(
        `full signature ${what}`,
        { signed: "full", signature },
        refusal("2010", "signature"),
      );
    const fully = (texts: Params, name = operation): string =>
      this.#node.fullySigned(name, texts, signer).signature;
    const shortly = (texts: readonly string[], by = signer): string =>
      signatureOf(texts.join("|"), by);
    const other = operation === "mrc010buy" ? "mrc010sell" : "mrc010buy";
    const id = Object.keys(params).find((name) => isUnknownId(operation, name));
    const badKey = { [keyName]: "abc" };
    const keyRefused = refusal("2020", keyName);
    const keys = [
      variant(
        "key of another address",
        { [keyName]: await this.#node.key(stranger) },
        refusalOfKey(route, params),
      ),
      variant(
        `key of kind ${other}`,
        { [keyName]: await this.#node.key(signer, other) },
        keyRefused,
      ),
      variant("key and signature malformed", { ...badKey, signature: "abc!" }, keyRefused),
      ...(id === undefined
        ? []
        : [variant("key malformed and id unknown", { ...badKey, [id]: "x" }, refusal("6004", id))]),
    ];
    const short = signedTexts ?? [];
    const ofShort = (): Variant[] => [
      misfit("by another address", shortly(short, stranger)),
      ...short.map((text, at) =>
        misfit(
          `with another field ${at + 1} of ${short.length}`,
          shortly(short.with(at, `${text}0`)),
        ),
      ),
      misfit("that is full", fully(plain)),
      misfit("with one more field", shortly([...short, ""])),
    ];
    const ofShortLater = (): Variant[] => [
      misfit("in another order", shortly(short.toReversed())),
      ...short.map((text, at) => misfit(`without ${text}`, shortly(short.toSpliced(at, 1)))),
    ];
    const withAnother = (name: string): Variant =>
      fullMisfit(`with another ${name}`, fully({ ...plain, [name]: `${plain[name]}0` }));
    const names = Object.keys(plain);
    const ofFull = (): Variant[] => [
      withAnother(names.at(-1) ?? ""),
      fullMisfit("as another operation", fully(plain, other)),
      fullMisfit("that is short", shortly(isFullOnly ? Object.values(full) : short)),
    ];
    const ofFullLater = (): Variant[] => [
      ...names.slice(0, -1).map(withAnother),
      ...names.map((name) => {
        const { [name]: _____, ...fewer } = plain;
        return fullMisfit(`without ${name}`, fully(fewer));
      }),
      fullMisfit(
        "by another address",
        this.#node.fullySigned(operation, plain, stranger).signature,
      ),
      fullMisfit("with one more parameter", fully({ ...plain, more: "1" })),
      ...longest(route, params, this.#encoding),
    ];
    const hasShort = signedTexts !== undefined;
    const common = [...keys, ...(hasShort ? ofShort() : [])];
    if (!IS_EXHAUSTIVE) {
      return [...common, ...ofFull()];
    }
    return [...common, ...(hasShort ? ofShortLater() : [...ofFull(), ...ofFullLater()])];
  }
}

/** Parameters that refuse no text by themselves. */
const TAKES_ANY_TEXT: ReadonlySet<string> = new Set([
  "tokensave.remainamount",
  "addressByKey.publickey",
]);

/**
 * Without bundles: their parameters are members of the signed text, so that no form or query has them
 * and a changed one is another text. bundles.test.ts leaves them out and sends malformed ones.
 */
const DESCRIPTIONS: readonly (AnyOperation | AnyRead)[] = [
  ...OPERATIONS,
  ...DERIVED_OPERATIONS,
  ...READS,
].filter(({ route, name }) => route !== undefined && name !== bundle.name);

/** The code in a refusal such as `400 1101 amount`. */
function codeOf(refused: string): string {
  return refused.split(" ")[1] ?? "";
}

/** Whether a name is the first of its kind, which it is once. */
function isNew(seen: Set<string>, name: string): boolean {
  return seen.size < seen.add(name).size;
}

/** Operations whose actor is the holder of the key if the request names none. */
const ACTORS: Readonly<Record<string, readonly string[]>> = {
  mrc401: ["creator", "fromAddr", "seller", "buyer", "address"],
  mrc402: ["creator", "fromAddr", "seller", "buyer", "address", "owner"],
};

/** What the key of another address is refused with: it decides who acts where nothing else does. */
function refusalOfKey(route: string, params: Params): string {
  const { name } = describedAt(route);
  const actors = ACTORS[name.slice(0, 6)];
  if (name === "tokencreate") {
    return refusal("6010", "");
  }
  return actors === undefined || actors.some((actor) => params[actor] !== undefined)
    ? refusal("2020", keyNameOf(route))
    : refusal("2010", "signature");
}

function parametersOf(route: string): [string, Parameter<unknown>][] {
  return Object.entries(describedAt(route).parameters) as [string, Parameter<unknown>][];
}

function keyNameOf(route: string): string {
  return parametersOf(route).find(([, { role }]) => role === "temporaryKey")?.[0] ?? "";
}

/** A required parameter that is absent or empty. Source: conventions §1.4. */
function absent({ route, params }: ExampleRequest, encoding: Encoding): readonly Variant[] {
  const { name: operation, isJsonOnly = false } = describedAt(route);
  const inPath = namesInPath(route);
  return parametersOf(route)
    .filter(([name, { optional }]) => !optional && !inPath.includes(name))
    .flatMap(([name]) => {
      const { [name]: _, ...others } = params;
      const refused = refusal(operation === "address" ? "3103" : "1000", name, operation);
      const variant = { encoding, refused, parameter: name };
      return [
        { ...variant, what: `without ${name}`, params: others },
        ...(isJsonOnly || !IS_EXHAUSTIVE
          ? []
          : [{ ...variant, what: `${name} empty`, params: { ...params, [name]: "" } }]),
      ];
    });
}

function malformed({ route, params }: ExampleRequest): readonly Variant[] {
  const description = describedAt(route);
  // A cursor is bound to the other parameters.
  const { cursor: _, ...others } = params;
  return parametersOf(route)
    .filter(
      ([name, { role, schema, needsFullSignature }]) =>
        params[name] !== undefined ||
        description.kind === "read" ||
        role === "forbidden" ||
        (schema["enum"] !== undefined && needsFullSignature === undefined),
    )
    .flatMap(([name, parameter]) =>
      malformedTexts(description, name, parameter, params[name]).map(
        ({ text, code, member = "" }): Variant => ({
          what: `${name} of ${text.slice(0, 100)}`,
          encoding: "form",
          parameter: name,
          params: { ...others, [name]: text },
          refused: refusal(code, name + member, description.name),
        }),
      ),
    )
    .concat(guards(route, params));
}

/** Parameters that a short signature does not cover. Source: conventions §4.5. */
function guards(route: string, params: Params): readonly Variant[] {
  const description = describedAt(route);
  return parametersOf(route)
    .filter(([, { needsFullSignature }]) => needsFullSignature && params["signed"] !== "full")
    .flatMap(([name, parameter]): readonly Variant[] => [
      {
        what: `${name} with a short signature`,
        encoding: "form",
        parameter: name,
        params: { ...params, [name]: name === "transferable" ? "Permanent" : "1" },
        refused: refusal(parameter.needsFullSignature ?? "", name),
      },
      // Values are read before any signature is verified.
      ...malformedTexts(description, name, parameter, undefined).map(
        ({ text, code, member = "" }): Variant => ({
          what: `${name} of ${text.slice(0, 100)} with signed=full`,
          encoding: "form",
          parameter: name,
          params: { ...params, [name]: text, signed: "full" },
          refused: refusal(code, name + member, description.name),
        }),
      ),
    ]);
}

/** JSON values that are not text. Source: conventions §1.6, §1.8. */
function notText({ route, params }: ExampleRequest): readonly Variant[] {
  const description = describedAt(route);
  const inPath = namesInPath(route);
  return parametersOf(route)
    .filter(([name]) => params[name] !== undefined && !inPath.includes(name))
    .filter(() => description.kind === "write" && description.isJsonOnly !== true)
    .flatMap(([name, parameter]) => {
      const code = notTextCode(description, name, parameter);
      const refused = refusal(code ?? "", name, description.name);
      return code === undefined
        ? []
        : [true, ...(parameter.takesJson || !IS_EXHAUSTIVE ? [] : [{ a: [] }])].map((value) => ({
            what: `${IS_EXHAUSTIVE ? name : code} of ${JSON.stringify(value)}`,
            encoding: "json",
            params,
            json: { [name]: value },
            refused,
          }));
    });
}

/** Two values of one parameter, under the same name or another. Source: conventions §1.1. */
function twice({ route, params }: ExampleRequest): readonly Variant[] {
  const { isJsonOnly = false, onlyInBody = [] } = describedAt(route);
  return parametersOf(route)
    .filter(([name]) => params[name] !== undefined && !isJsonOnly)
    .flatMap(([name, { aliases }]) =>
      (IS_EXHAUSTIVE ? [name, ...aliases] : aliases).map((alias) => ({
        what: `two values of ${name}, one as ${alias}`,
        encoding: "query",
        params,
        query: { [alias]: "other" },
        refused: refusal(onlyInBody.includes(name) ? "3005" : "1005", name),
      })),
    );
}

/** With `signed=full`, a name that the operation does not have. Source: conventions §4.5. */
function unknown({ params, signer }: ExampleRequest): readonly Variant[] {
  return signer === undefined
    ? []
    : [
        {
          what: "an unknown name",
          encoding: "json",
          params: { ...params, signed: "full" },
          query: { nme: "x" },
          refused: refusal("1008", "nme"),
        },
      ];
}

/** The longest text of each parameter: well-formed, so only the signature does not fit. */
function longest(route: string, params: Params, encoding: Encoding): readonly Variant[] {
  return parametersOf(route)
    .filter(([name, { schema, takesJson, role }]) =>
      [
        params[name] !== undefined && role === "value" && !takesJson,
        schema["maxLength"] !== undefined && schema["format"] === undefined,
        [undefined, "^[^|]*$"].includes(schema["pattern"] as string | undefined),
        !isUnknownId(describedAt(route).name, name),
        // A key has a form that its schema does not give.
        name !== "agent",
      ].every(Boolean),
    )
    .map(([name, { schema }]) => ({
      what: `${name} of ${schema["maxLength"]} characters`,
      encoding,
      params: { ...params, signed: "full", [name]: "é".repeat(schema["maxLength"] as number) },
      refused: refusal("2010", "signature"),
    }));
}
