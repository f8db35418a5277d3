import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type AnyOperation,
  type AnyRead,
  DERIVED_OPERATIONS,
  OPERATIONS,
  type Parameter,
  READS,
} from "@moneta/protocol";
import { type Answered, parsed, publicPem, TestNode } from "../testing/test-node.ts";

interface Schema {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly enum?: readonly string[];
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly headers: Readonly<Record<string, unknown>>;
        readonly content: Readonly<
          Record<string, { readonly schema: Schema; readonly example?: string }>
        >;
      }
    >
  >;
}

interface Document {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let node: TestNode;
let document: Document;
before(async () => {
  node = await TestNode.start();
  document = parsed<Document>(await node.get("/openapi.json"));
});
after(() => node[Symbol.asyncDispose]());

function described(): [string, string, OperationObject][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, OperationObject] => [
      method,
      path,
      operation,
    ]),
  );
}

function operationOf(route: string): OperationObject {
  const [method, path] = route.split(" ") as [string, string];
  const operation = document.paths[path]?.[method.toLowerCase()];
  assert.ok(operation !== undefined, route);
  return operation;
}

test("the document is OpenAPI 3.1 with title, version and licence", () => {
  assert.match(document.openapi, /^3\.1\.\d+$/);
  const { title, version, license } = document.info;
  assert.ok(title && version && license);
});

const ALL: readonly (AnyOperation | AnyRead)[] = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS];

for (const { name, route, parameters } of ALL) {
  if (route === undefined) {
    continue;
  }
  test(`${route} is there with all its parameters`, () => {
    const operation = operationOf(route);
    assert.equal(operation.operationId, name);
    assert.deepEqual(
      operation.parameters.map((parameter) => parameter.name),
      Object.keys(parameters as Record<string, Parameter<unknown>>),
    );
  });
}

test("there is nothing but what is described, each under an id of its own", () => {
  const routes = described().map(([method, path]) => `${method.toUpperCase()} ${path}`);
  assert.deepEqual(
    routes.sort(),
    ALL.flatMap(({ route, otherRoutes = [] }) => [
      ...(route === undefined ? [] : [route]),
      ...otherRoutes,
    ]).sort(),
  );
  assert.equal(
    new Set(described().map(([, , { operationId }]) => operationId)).size,
    routes.length,
  );
});

test("what stands in braces in a path is declared as required, in the path, and nothing else is", () => {
  for (const [, path, { parameters }] of described()) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = parameters.filter((parameter) => parameter.in === "path");
    assert.deepEqual(declared.map(({ name }) => name).sort(), inPath.sort(), path);
    for (const { name, required } of declared) {
      assert.equal(required, true, `${path} ${name}`);
    }
    for (const parameter of parameters) {
      assert.ok(["path", "query"].includes(parameter.in));
      assert.ok(parameter.description !== "" && typeof parameter.schema === "object");
    }
    assert.equal(new Set(parameters.map(({ name }) => name)).size, parameters.length);
  }
});

test("every operation has a summary, a 200 and an error", () => {
  for (const [, path, { summary, responses }] of described()) {
    assert.ok(summary.endsWith("."), path);
    const isEmpty = responses["200"]?.headers["Location"] !== undefined;
    assert.equal(Object.keys(responses["200"]?.content ?? {}).length > 0, !isEmpty, path);
    assert.ok(responses["default"]?.content["application/problem+json"], path);
  }
});

test("every $ref leads to something", () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref);
  for (const ref of refs) {
    const found = (ref as string)
      .replace("#/", "")
      .split("/")
      .reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], document);
    assert.ok(found !== undefined, `${ref}`);
  }
});

test("every pattern is a regular expression", () => {
  const patterns = JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g);
  for (const [, pattern] of patterns) {
    assert.doesNotThrow(() => new RegExp(JSON.parse(pattern as string) as string, "u"));
  }
});

test("GETs have no body, and writes may have a form or JSON", () => {
  for (const [method, path, { requestBody }] of described()) {
    if (method === "get" || path.includes("auctionfinish")) {
      assert.equal(requestBody, undefined, path);
    } else {
      assert.deepEqual(Object.keys(requestBody?.content ?? {}).sort(), [
        "application/json",
        "application/x-www-form-urlencoded",
      ]);
    }
  }
});

/** Whether a value is of the schema, as far as our schemas go. */
function conforms(value: unknown, schema: Schema): boolean {
  switch (schema.type) {
    case "object":
      return (
        typeof value === "object" &&
        value !== null &&
        (schema.required ?? []).every((name) => name in value) &&
        Object.entries(schema.properties ?? {}).every(
          ([name, member]) =>
            !(name in value) || conforms((value as Record<string, unknown>)[name], member),
        )
      );
    case "array":
      return Array.isArray(value) && value.every((item) => conforms(item, schema.items ?? {}));
    case "string":
      return (
        typeof value === "string" &&
        (schema.pattern === undefined || new RegExp(schema.pattern).test(value)) &&
        (schema.enum?.includes(value) ?? true)
      );
    case "integer":
      return Number.isInteger(value);
    default:
      return true;
  }
}

test("what is answered conforms to the schemas that are documented", async () => {
  const holder = await node.holder({ coins: 10n });
  const { address } = holder;
  const to = node.treasury.address;
  const transfer = await node.post("/transfer", await node.transfer(holder, { to, amount: "1" }));
  const { transaction_id } = parsed<{ transaction_id: string }>(transfer);
  const list = [{ address: to, amount: "1", unlockdate: "0" }];
  const answers: readonly (readonly [string, Answered])[] = [
    ["GET /", await node.get("/")],
    ["GET /address/{address}", await node.get(`/address/${address}?view=full`)],
    ["GET /balance/{address}", await node.get(`/balance/${address}`)],
    ["GET /balance/{address}/{token}", await node.get(`/balance/${address}/0`)],
    ["GET /nonce/{address}", await node.get(`/nonce/${address}?count=2`)],
    ["GET /getkey/{kind}/{address}", await node.get(`/getkey/token/${address}?count=1`)],
    ["GET /block/{block}", await node.get("/block/1")],
    ["GET /block/{block}/raw", await node.get("/block/1/raw")],
    ["GET /transaction/{transaction_id}", await node.get(`/transaction/${transaction_id}`)],
    [
      "POST /address/bykey",
      await node.post("/address/bykey", { publickey: publicPem(holder.privateKey) }),
    ],
    ["POST /transfer", transfer],
    [
      "POST /multitransfer",
      await node.post("/multitransfer", await node.multitransfer(holder, list)),
    ],
    ["POST /faucet", await node.post("/faucet", { address })],
  ];
  for (const [route, answer] of answers) {
    assert.equal(answer.status, 200, `${route} ${answer.text}`);
    const schema = operationOf(route).responses["200"]?.content["application/json"]?.schema;
    assert.ok(schema !== undefined, route);
    assert.ok(conforms(parsed(answer), schema), `${route}: ${answer.text}`);
  }
  const error = parsed(await node.get("/address/x"));
  assert.ok(conforms(error, document.components.schemas["Problem"] ?? {}));
});

test("the documented example of POST /address is an address", () => {
  const { example } = operationOf("POST /address").responses["200"]?.content["text/plain"] ?? {};
  assert.match(example ?? "", /^MT[0-9A-Za-z]{30}[0-9a-f]{8}$/);
});
