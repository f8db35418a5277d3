import {
  type AnyOperation,
  type AnyRead,
  DERIVED_OPERATIONS,
  faucet,
  OPERATIONS,
  type Parameter,
  READS,
  type Result,
  type Schema,
  type SignedField,
} from "@moneta/protocol";
import { type Service, VERSION } from "../service.ts";

const PROBLEM_SCHEMA: Schema = {
  type: "object",
  required: ["type", "title", "status", "detail", "code"],
  properties: {
    type: { type: "string", description: "a URN that ends in the code" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: {
      type: "string",
      description: "what was wrong with which value, and what would be right",
    },
    code: { type: "string", pattern: "^[0-9]{4}$" },
    parameter: { type: "string", description: "the parameter to blame, if it is one" },
  },
};

const HEADERS = {
  "Ledger-Height": {
    description: "number of the newest block that the answer reflects",
    schema: { type: "integer" },
  },
} as const;

const WRITE_HEADERS = {
  ...HEADERS,
  "Transaction-Id": { description: "id of the transaction", schema: { type: "string" } },
  "Replay-Nonce": { description: "a fresh temporary key of the actor", schema: { type: "string" } },
} as const;

const LOCATION = {
  Location: { description: "path of what was written", schema: { type: "string" } },
} as const;

/** The OpenAPI 3.1 document of what this node answers, made from the descriptions. */
export function openApi({
  ledgerId,
  faucet: faucetIfAny,
}: Pick<Service, "ledgerId" | "faucet">): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const description of [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS]) {
    if (description.route === undefined || (description === faucet && faucetIfAny === undefined)) {
      continue;
    }
    const routes = [description.route, ...(description.otherRoutes ?? [])];
    for (const [index, route] of routes.entries()) {
      const [method, path] = route.split(" ") as [string, string];
      // An operation that is found at several places is one, but ids are of places.
      const operationId = index === 0 ? description.name : `${description.name}${index + 1}`;
      const operation = { operationId, ...operationObject(description, route) };
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Moneta",
      version: VERSION,
      summary: "A ledger of coins, tokens, NFTs and the addresses that hold them",
      description: `Interface 2.1. Parameters may stand in the path, the query string, a form or a JSON body. Id of this ledger: ${ledgerId}.`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    paths,
    components: { schemas: { Problem: PROBLEM_SCHEMA } },
  };
}

function operationObject(description: AnyOperation | AnyRead, route: string): object {
  const [method, path] = route.split(" ") as [string, string];
  const all = Object.entries(description.parameters) as [string, Parameter<unknown>][];
  const inPath = (name: string): boolean => path.includes(`{${name}}`);
  const isWrite = description.kind === "write";
  const others = all.filter(([name]) => !inPath(name));
  const takesBody = method !== "GET" && others.length > 0;
  return {
    summary: description.about,
    ...(isWrite && description.temporaryKey !== undefined
      ? { description: `Signed string: ${description.signed.map(fieldName).join("|")}` }
      : {}),
    parameters: all.map(([name, parameter]) => ({
      name,
      in: inPath(name) ? "path" : "query",
      // In the query string only where the body does not have it.
      required: inPath(name) || (!parameter.optional && !takesBody),
      description: aboutParameter(parameter),
      schema: parameter.schema,
    })),
    ...(takesBody ? { requestBody: requestBody(others) } : {}),
    responses: {
      200: {
        description: description.result.about,
        headers: headersOf(description),
        ...content(description.result),
      },
      default: {
        description: "what was wrong, RFC 9457",
        content: {
          "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
        },
      },
    },
  };
}

function fieldName(field: SignedField): string {
  return typeof field === "string" ? field : field.name;
}

function requestBody(parameters: readonly (readonly [string, Parameter<unknown>])[]): object {
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      parameters.map(([name, parameter]) => [
        name,
        { ...parameter.schema, description: aboutParameter(parameter) },
      ]),
    ),
  };
  return {
    description: "The same parameters, those that are not in the query string",
    content: {
      "application/x-www-form-urlencoded": { schema },
      "application/json": { schema },
    },
  };
}

function aboutParameter({ wanted, aliases }: Parameter<unknown>): string {
  return aliases.length === 0 ? wanted : `${wanted}; also accepted as ${aliases.join(", ")}`;
}

function headersOf({ kind, result }: AnyOperation | AnyRead): object {
  if (kind === "read") {
    return HEADERS;
  }
  return result.kind === "nothing" ? { ...WRITE_HEADERS, ...LOCATION } : WRITE_HEADERS;
}

function content(result: Result): object {
  const text = { "text/plain": { schema: { type: "string" } } };
  switch (result.kind) {
    case "text":
      return { content: { "text/plain": { ...text["text/plain"], example: result.example } } };
    case "json":
      return { content: { "application/json": { schema: result.schema } } };
    case "textOrJson":
      return { content: { ...text, "application/json": { schema: result.schema } } };
    case "file":
      return {
        content: { [result.contentType]: { schema: { type: "string", format: "binary" } } },
      };
    case "nothing":
      return {};
  }
}
