import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type AnyOperation,
  type AnyRead,
  DERIVED_OPERATIONS,
  OPERATIONS,
  type Parameter,
  READS,
  RECORD_TYPES,
  refusalsOf,
} from "@moneta/protocol";
import { errorVectors } from "@moneta/protocol/test-vectors";
import {
  conforms,
  type Document,
  documentOf,
  type OperationObject,
  operationsOf,
  parameterNames,
  requestForms,
  type Schema,
  shownFor,
  shownOf,
} from "../../testing/clients/openapi-document.ts";
import { parsed, TestNode } from "../../testing/test-node.ts";

let node: TestNode;
/** As it is sent. */
let plain: Document;
let document: Document;
let page: Document;
before(async () => {
  node = await TestNode.startWithOperator();
  const answer = await node.get("/openapi.json");
  plain = parsed<Document>(answer);
  document = documentOf(answer);
  page = documentOf(await node.get("/docs/openapi.json"));
});
after(() => node[Symbol.asyncDispose]());

const described = (): ReturnType<typeof operationsOf> => operationsOf(document);

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

test("the example cursor of the list of transactions is accepted with its filters, as shown", async () => {
  const { parameters = [] } = operationOf("GET /transactions");
  const query = new URLSearchParams(
    parameters.flatMap(({ name, example, examples }) => {
      const value = example ?? examples?.["main"]?.value;
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
  assert.ok(query.has("cursor") && query.has("until"));
  assert.equal((await node.get(`/transactions?${query}`)).status, 200);
});

test("the page describes every type of record, the document for programs none", () => {
  const rows = new Set(
    [...String(page.info["description"]).matchAll(/^\| `([^`]+)` \| /gm)].map(([, type]) => type),
  );
  assert.deepEqual(
    RECORD_TYPES.filter((type) => !rows.has(type)),
    [],
  );
  assert.doesNotMatch(String(document.info["description"]), /^# Types of records/m);
});

const ALL: readonly (AnyOperation | AnyRead)[] = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS];

for (const { name, route, parameters } of ALL) {
  if (route === undefined) {
    continue;
  }
  test(`${route} is there with all its parameters`, () => {
    const operation = operationOf(route);
    assert.equal(operation.operationId, name);
    const described = Object.entries(parameters as Record<string, Parameter<unknown>>).filter(
      ([, { role }]) => role !== "forbidden",
    );
    assert.deepEqual(parameterNames(operation).sort(), described.map(([name]) => name).sort());
    const required = described
      .filter(([name, { optional }]) => !optional || route.includes(`{${name}}`))
      .map(([name]) => name);
    const body = operation.requestBody?.content["application/json"]?.schema.required ?? [];
    const inUrl = operation.parameters.filter((one) => one.required).map(({ name }) => name);
    assert.deepEqual([...inUrl, ...body].sort(), required.sort());
  });
}

test("no required text may be empty", () => {
  for (const [method, path, { parameters, requestBody }] of described()) {
    const body = requestBody?.content["application/json"]?.schema;
    const texts: [string, Schema][] = [
      ...parameters
        .filter(({ required }) => required)
        .map(({ name, schema }) => [name, schema] as [string, Schema]),
      ...(body?.required ?? []).map(
        (name) => [name, body?.properties?.[name] as Schema] as [string, Schema],
      ),
    ];
    for (const [name, schema] of texts) {
      if (schema.type === "string") {
        assert.equal(conforms("", schema), false, `${method} ${path} ${name}`);
      }
    }
  }
});

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

test("every operation has a name of its own in words, a 200 and an error", () => {
  const names = described().map(([, , { summary }]) => summary);
  assert.equal(new Set(names).size, names.length);
  for (const [, path, { summary, responses }] of described()) {
    assert.match(summary, /^[A-Z][^.]{3,70}$/, path);
    const isEmpty = responses["200"]?.headers["Location"] !== undefined;
    assert.equal(Object.keys(responses["200"]?.content ?? {}).length > 0, !isEmpty, path);
    assert.ok(responses["default"]?.content?.["application/problem+json"], path);
  }
});

test("every error that a description lists is shown once, by its status and with its title", () => {
  for (const description of ALL) {
    const { name, route } = description;
    if (route === undefined) {
      continue;
    }
    const shown = Object.entries(operationOf(route).responses)
      .filter(([status]) => /^4/.test(status))
      .flatMap(([status, { description: about, content }]) => {
        assert.ok(content?.["application/problem+json"], `${name} ${status}`);
        return about.split(", ").map((each) => {
          const [, code, title] = /^`(\d{4})` (.+)$/.exec(each) ?? [];
          return { code, status: Number(status), title };
        });
      });
    assert.deepEqual(shown.map(({ code }) => code).sort(), refusalsOf(description), name);
    for (const { code, status, title } of shown) {
      const known = errorVectors.errors.some(
        (vector) => vector.code === code && vector.status === status && vector.title === title,
      );
      assert.ok(known, `${name}: ${code} ${status} ${title}`);
    }
  }
});

test("an unknown address is 400 where temporary keys are issued, 404 elsewhere", () => {
  const statusesOf = (route: string): string[] =>
    Object.entries(operationOf(route).responses)
      .filter(([, { description: about }]) => about.includes("`3090`"))
      .map(([status]) => status);
  assert.deepEqual(statusesOf("GET /nonce/{address}"), ["400"]);
  assert.deepEqual(statusesOf("GET /getkey/{kind}/{address}"), ["400"]);
  assert.deepEqual(statusesOf("GET /balance/{address}"), ["404"]);
});

test("where the signed string depends on what is given, the document shows each of them", () => {
  assert.equal(
    operationOf("POST /mrc401/transfer").description,
    "Passes an item on; without an id in the path, the 1 to 100 items of one project that itemdata names, all or none. A transfer is no sale: the project is paid no fee, also where a group pays coins for the item.\n\n**Full signature**, with `signed=full`: `moneta|1|<ledger id>|mrc401transfer|<JSON of all other parameters>`\n\n**Short signature**: `fromAddr|toAddr|mrc401id|tkey`\n\n**Short signature** if itemdata is given: `fromAddr|toAddr|itemdata|tkey`",
  );
});

test("every $ref leads to something", () => {
  const refs = [...JSON.stringify(plain).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref);
  assert.ok(refs.length > 100);
  for (const ref of refs) {
    const found = (ref as string)
      .replace("#/", "")
      .split("/")
      .reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], plain);
    assert.ok(found !== undefined, `${ref}`);
  }
});

test("every pattern is a regular expression", () => {
  const patterns = JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g);
  for (const [, pattern] of patterns) {
    assert.doesNotThrow(() => new RegExp(JSON.parse(pattern as string) as string, "u"));
  }
});

test("GETs have no body, and writes have one, of which programs get one form", () => {
  for (const [method, path, { requestBody }] of described()) {
    if (method === "get" || /(auction|offer|recover\/)finish/.test(path)) {
      assert.equal(requestBody, undefined, path);
    } else {
      assert.equal(requestBody?.required, true, path);
      assert.deepEqual(Object.keys(requestBody?.content ?? {}), ["application/json"]);
    }
  }
});

test("every parameter, and every member of a list, a record or an answer, says what it means", () => {
  const silent: string[] = [];
  const look = (where: string, { properties = {}, items }: Schema): void => {
    for (const [name, member] of Object.entries(properties)) {
      if (!member.description) {
        silent.push(`${where}.${name}`);
      }
      look(`${where}.${name}`, member);
    }
    if (items !== undefined) {
      look(`${where}[]`, items);
    }
  };
  for (const [method, path, { parameters }] of operationsOf(plain)) {
    const unsaid = parameters.filter(({ description }) => !description);
    silent.push(...unsaid.map(({ name }) => `${method} ${path} ${name}`));
  }
  for (const [name, schema] of Object.entries(plain.components.schemas)) {
    look(name, schema);
  }
  assert.deepEqual(silent, []);
});

test("a parameter shows its meaning and its bounds, a member of an answer its meaning and unit", () => {
  const { properties: sent } = plain.components.schemas["MultitransferRequest"] ?? {};
  const { properties: entry } = sent?.["transferlist"]?.items ?? {};
  const { properties: shown } = plain.components.schemas["TokenReserve"] ?? {};
  assert.deepEqual(
    [sent?.["from"], entry?.["address"], shown?.["value"]].map((one) => one?.description),
    [
      "address that pays; the actor, whose key signs",
      "address that receives",
      "amount that it received (smallest unit)",
    ],
  );
});

test("every parameter has examples that it may be", () => {
  for (const [, path, { parameters }] of described()) {
    for (const parameter of parameters) {
      for (const example of shownOf(parameter).values()) {
        const { name, schema } = parameter;
        const what = `${path} ${name}: ${JSON.stringify(example)}`;
        assert.ok(example !== undefined && conforms(example, schema), what);
      }
    }
  }
});

test("every form has a request as its example, with a full signature if it is signed; each parameter is in one of them", () => {
  const without = new Map<string, Set<string>>();
  for (const [method, path, operation] of described()) {
    const { requestBody } = operation;
    const names = parameterNames(operation);
    const shown = new Set(operation.parameters.map(({ name }) => name));
    for (const content of Object.values(requestBody?.content ?? {})) {
      for (const form of requestForms(operation)) {
        const example = shownFor(content, form) as Readonly<Record<string, unknown>>;
        assert.ok(conforms(example, content.schema), `${path} ${form}`);
        assert.equal(
          example["signed"],
          // The signature of a bundle stands beside its body.
          path !== "/bundle" && names.some((name) => /^signature$|Sign$/.test(name))
            ? "full"
            : undefined,
          path,
        );
        for (const name of Object.keys(example)) {
          assert.ok(names.includes(name), `${path} ${name}`);
          shown.add(name);
        }
      }
    }
    // Another route of an operation may have the example.
    const id = `${method} ${path.replace(/\/\{\w+\}$/, "")}`;
    const missing = names.filter((name) => !/^(signed|.*[gG]rant)$/.test(name) && !shown.has(name));
    const before = without.get(id);
    without.set(id, new Set(missing.filter((name) => before?.has(name) ?? true)));
  }
  for (const [path, missing] of without) {
    assert.deepEqual([...missing], [], path);
  }
});

test("every record and every answer has a name, under which it stands once", () => {
  for (const [, path, { responses, requestBody }] of operationsOf(plain)) {
    const schemas = [
      ...Object.entries(responses["200"]?.content ?? {}),
      ...Object.entries(requestBody?.content ?? {}),
    ].filter(([type]) => /json$|urlencoded$/.test(type) && type !== "application/x-ndjson");
    for (const [, { schema }] of schemas) {
      assert.match(String(Reflect.get(schema, "$ref")), /^#\/components\/schemas\/\w+$/, path);
    }
  }
  for (const [name, schema] of Object.entries(plain.components.schemas)) {
    assert.equal(Reflect.get(schema, "title"), name);
    for (const member of Object.values(schema.properties ?? {})) {
      const isRecord = member.properties !== undefined || member.items?.properties !== undefined;
      assert.ok(!isRecord || name.endsWith("Request"), `${name} has a record without a name`);
    }
  }
});

test("the page shows forms as well, in which lists and objects are their JSON text", () => {
  const FORM = "application/x-www-form-urlencoded";
  const { encoding } = page.paths["/multitransfer"]?.["post"]?.requestBody?.content[FORM] ?? {};
  assert.deepEqual(encoding, { transferlist: { contentType: "application/json" } });
  for (const [, path, { requestBody }] of operationsOf(page)) {
    const { schema, encoding = {} } = requestBody?.content[FORM] ?? {};
    // The elements of a batch are JSON alone.
    assert.equal(
      schema === undefined,
      requestBody === undefined || ["/batch", "/bundle", "/group"].includes(path),
      path,
    );
    const json = Object.entries(schema?.properties ?? {}).filter(([, { type }]) =>
      ["array", "object"].includes(type ?? ""),
    );
    assert.deepEqual(
      Object.keys(encoding),
      json.map(([name]) => name),
      path,
    );
  }
});

test("every answer has examples that are of its schema, and so has every header of one", () => {
  for (const [, path, { responses }] of described()) {
    const { content = {}, headers = {} } = responses["200"] ?? {};
    for (const answer of Object.values(content)) {
      for (const example of shownOf(answer).values()) {
        assert.ok(example !== undefined && conforms(example, answer.schema), path);
      }
    }
    for (const { example } of Object.values(headers)) {
      assert.ok(example !== undefined, path);
    }
  }
});
