import {
  ALICE,
  type AnyOperation,
  type AnyRead,
  aboutParameter,
  address,
  BOBS_SIGNATURE,
  BOBS_TEMPORARY_KEY,
  csvLine,
  type Example,
  type FaultCode,
  getkey,
  givenSchema,
  isSigned,
  KINDS_OF_PROBLEM,
  nonce,
  type Parameter,
  type Parameters,
  type Result,
  refusalsOf,
  type Schema,
  SIGNATURE,
  type SignedField,
  signersOf,
  TEMPORARY_KEY,
} from "@moneta/protocol";
import type { Service } from "../../service.ts";
import { VERSION } from "../../version.ts";
import { csvColumns } from "../responses/csv-answer.ts";
import { routesById, servedDescriptions } from "../served-descriptions.ts";
import { introduction } from "./introduction.ts";
import { Components } from "./openapi-components.ts";
import { TAGS, tagOf } from "./openapi-tags.ts";
import { recordTypes } from "./record-types.ts";
import { type CodeSample, codeSamples } from "./samples/code-samples.ts";
import { sampleOf } from "./samples/sample.ts";

const PROBLEM_SCHEMA: Schema = {
  title: "Problem",
  type: "object",
  required: ["type", "title", "status", "detail", "code"],
  properties: {
    type: { type: "string", description: "URN that ends in the code" },
    title: { type: "string", description: "what the code means" },
    status: { type: "integer", description: "HTTP status" },
    detail: {
      type: "string",
      description: "what was wrong, with which value, and what would be right",
    },
    code: { type: "string", pattern: "^[0-9]{4}$", description: "identifies the error" },
    parameter: {
      type: "string",
      description: "name of the parameter that was wrong; absent for none",
    },
    listings: {
      type: "array",
      items: { type: "string" },
      description: "of `7107`: ids of the listings that the request may have meant",
    },
    needed: {
      type: "string",
      pattern: "^(0|[1-9][0-9]*)$",
      description: "of `5000`, `5001` and `5002`: what is needed, in the smallest unit",
    },
    spendable: {
      type: "string",
      pattern: "^(0|[1-9][0-9]*)$",
      description: "of `5000`, `5001` and `5002`: what can be spent, in the smallest unit",
    },
    token: {
      type: "string",
      description: "of `5000`, `5001` and `5002`: the id of the token, if it is one",
    },
    item: { type: "string", description: "of `5000`: the id of the multi-unit item, if it is one" },
  },
};

const PROBLEM_CONTENT = {
  "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
} as const;

/** For values that only signers have, in order. */
const PLACEHOLDERS = {
  temporaryKey: [TEMPORARY_KEY, BOBS_TEMPORARY_KEY],
  signature: [SIGNATURE, BOBS_SIGNATURE],
} as const;

const HEADERS = {
  "Ledger-Height": {
    description: "number of the newest block that the answer reflects",
    schema: { type: "integer" },
    example: 258,
  },
} as const;

const WRITE_HEADERS = {
  ...HEADERS,
  "Transaction-Id": {
    description: "id of the transaction",
    schema: { type: "string" },
    example: "00000000000001020000000062838ec1189d0b649eba4bbbac485d6e94fb6834",
  },
} as const;

const REPLAY_NONCE = {
  "Replay-Nonce": {
    description: "a fresh temporary key of the actor",
    schema: { type: "string" },
    example: TEMPORARY_KEY,
  },
} as const;

const LOCATION = {
  Location: {
    description: "path of what was written",
    schema: { type: "string" },
    example: "/token/7",
  },
} as const;

type Values = Readonly<Record<string, unknown>>;

type Forms = ReadonlyMap<string, unknown>;

/** Requests a full signature. */
const SIGNED = "signed";

/** The name of `example` beside `otherExamples`. */
const MAIN_FORM = "main";

/** The URL has no slash at the end. */
type Node = Pick<Service, "ledgerId" | "faucet" | "operator" | "isFollower"> & {
  readonly url: string;
};

/** Programs get one form of a body, JSON, because client generators take one at best. */
export type Reader = "program" | "page";

/** Made from the descriptions. Its text leaves out undefined members. */
export function openApi(service: Node, reader: Reader = "program"): object {
  const paths: Record<string, Record<string, object>> = {};
  const components = new Components();
  components.referred(PROBLEM_SCHEMA);
  for (const description of servedDescriptions(service)) {
    for (const [operationId, route] of routesById(description)) {
      const [method, path] = route.split(" ") as [string, string];
      const operation = operationObject(description, route, {
        node: service,
        reader,
        operationId,
        components,
      });
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Moneta",
      version: VERSION,
      summary: "A ledger of coins, tokens, NFTs and the addresses that hold them",
      description:
        reader === "page" ? `${introduction(service)}\n${recordTypes()}` : introduction(service),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: service.url }],
    tags: TAGS,
    paths,
    components: { schemas: components.all() },
  };
}

interface Making {
  readonly node: Node;
  readonly reader: Reader;
  readonly operationId: string;
  readonly components: Components;
}

function operationObject(
  description: AnyOperation | AnyRead,
  route: string,
  { node, reader, operationId, components }: Making,
): object {
  const [method, path] = route.split(" ") as [string, string];
  const known = Object.entries(description.parameters) as [string, Parameter<unknown>][];
  const all = known.filter(([, { role }]) => role !== "forbidden");
  const inPath = (name: string): boolean => path.includes(`{${name}}`);
  const isWrite = description.kind === "write";
  const inQuery = (name: string): boolean => description.inQuery?.includes(name) === true;
  const others = all.filter(([name]) => !inPath(name) && !inQuery(name));
  const takesBody = method !== "GET" && others.length > 0;
  const forms = formsOf(description);
  const shown = new Map(
    [...forms].filter(([, values]) => pathOf(path).every((name) => name in values)),
  );
  const bodies = bodyExamples(others, shown);
  const paragraphs = [
    description.about,
    ...(isWrite && isSigned(description) ? aboutSigning(description) : []),
  ];
  return {
    operationId,
    tags: [tagOf(description.name)],
    summary: titleOf(description, route),
    description: paragraphs.join("\n\n"),
    parameters: all
      .filter(([name]) => inPath(name) || inQuery(name) || !takesBody)
      .map(([name, parameter]) => ({
        name,
        in: inPath(name) ? "path" : "query",
        required: inPath(name) || !parameter.optional,
        description: aboutInDocument(name, parameter, all, signersOf(description)),
        schema: givenSchema(parameter, inPath(name) || !parameter.optional),
        ...parameterExample(name, parameter, shown, forms),
      })),
    ...(takesBody
      ? {
          requestBody: requestBody(others, bodies, {
            ...{ operationId, components, reader, signers: signersOf(description) },
            isJsonOnly: description.isJsonOnly === true,
            lines:
              description.takesLines === true && reader === "page"
                ? linesOf(
                    Object.values(description.example ?? {}).map((text) =>
                      JSON.parse(text ?? "null"),
                    ),
                  )
                : {},
          }),
        }
      : {}),
    responses: {
      200: {
        description: description.result.about,
        headers: headersOf(description),
        ...withOtherForms(
          content(description.result, [...shown.keys()], components),
          description,
          reader,
        ),
      },
      ...refusals(description),
      default: {
        description: "what else may be wrong with any request, RFC 9457",
        content: PROBLEM_CONTENT,
      },
    },
    ...(reader === "page" && node.faucet !== undefined ? trialOf(description) : {}),
    "x-codeSamples": samplesOf(description, route, [...shown.keys()], {
      ...node,
      hasPicker: reader === "page" && takesBody && "examples" in bodies,
    }),
  };
}

/** For a page that signs with a key of its own, where coins are free: one signer, one key. */
function trialOf(description: AnyOperation | AnyRead): object {
  const [signer, other] = signersOf(description);
  const isLeftOut = other !== undefined || signer?.proof !== undefined;
  if (description.kind === "read" || description.isJsonOnly === true || isLeftOut) {
    return {};
  }
  const names = Object.entries(description.parameters as Parameters)
    .filter(([name, { role }]) => role !== "value" || name === SIGNED || name === signer?.address)
    .map(([name]) => name);
  return {
    "x-trial": signer === undefined ? {} : { signed: description.name, withoutField: names },
  };
}

/** By status. Their bodies are those of `default`. */
function refusals(description: AnyOperation | AnyRead): object {
  const byStatus = Map.groupBy(refusalsOf(description), (code) => statusOf(description, code));
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\` ${KINDS_OF_PROBLEM[code].title}`).join(", "),
        content: PROBLEM_CONTENT,
      },
    ]),
  );
}

/** For temporary keys an unknown address is 400. Source: accounts §7. */
function statusOf({ name }: AnyOperation | AnyRead, code: FaultCode): number {
  const issuesKeys = name === nonce.name || name === getkey.name;
  return issuesKeys && code === "3090" ? 400 : KINDS_OF_PROBLEM[code].status;
}

/** Complete requests. On a page the reader picks one of several examples. */
function samplesOf(
  description: AnyOperation | AnyRead,
  route: string,
  forms: readonly string[],
  { url, ledgerId, hasPicker }: Node & { readonly hasPicker: boolean },
): readonly CodeSample[] {
  return forms.flatMap((form) => {
    const { example = {}, otherExamples = {} } = description;
    const given =
      signersOf(description).length > 1
        ? formsOf(description).get(form)
        : form === MAIN_FORM
          ? example
          : otherExamples[form];
    const texts = given as Readonly<Record<string, string>>;
    const sample = sampleOf({ url, ledgerId, description, route, texts, actor: ALICE });
    const samples = codeSamples(sample);
    if (forms.length === 1) {
      return samples;
    }
    if (hasPicker) {
      return samples.map((one) => ({ ...one, example: form }));
    }
    return form === MAIN_FORM
      ? samples
      : samples.map((one) => ({ ...one, label: `${one.label}, ${form}` }));
  });
}

/** Distinguishes the later routes of one operation. */
function titleOf({ name, title, route: first }: AnyOperation | AnyRead, route: string): string {
  if (title === undefined) {
    throw new Error(`${name} has no title`);
  }
  return route === first ? title : `${title} (${route})`;
}

/** What the samples sign first. Source: conventions §4. */
function aboutSigning({ name, signers, fullOnly }: AnyOperation): readonly string[] {
  const full = `\`moneta|1|<ledger id>|${name}|<JSON of all other parameters>\``;
  if (fullOnly === true) {
    return [`**Full signature** only, with \`signed=full\`: ${full}`];
  }
  const text = (fields: readonly SignedField[]): string => fields.map(fieldName).join("|");
  const short = signers.flatMap(
    ({ address, signature, signed, signedIf = [], signedAlso = [] }) => {
      const whose = signers.length === 1 ? "" : ` of ${address}, for ${signature}`;
      return [
        `**Short signature**${whose}: \`${text(signed)}\``,
        ...signedIf.map((form) => `**Short signature** if ${form.about}: \`${text(form.signed)}\``),
        ...signedAlso.map((form) => `Accepted as well if ${form.about}: \`${text(form.signed)}\``),
      ];
    },
  );
  return [`**Full signature**, with \`signed=full\`: ${full}`, ...short];
}

function fieldName(field: SignedField): string {
  return typeof field === "string" ? field : field.name;
}

/** Fully signed where possible, in the order of the parameters. */
function formsOf(description: AnyOperation | AnyRead): ReadonlyMap<string, Values> {
  const { parameters, example = {}, otherExamples = {} } = description;
  const full = isSigned(description) ? { [SIGNED]: "full" } : {};
  const examples = Object.entries({ [MAIN_FORM]: example, ...otherExamples });
  return new Map(
    examples.map(([form, texts]) => [form, wholeRequest(parameters, { ...texts, ...full })]),
  );
}

function wholeRequest(parameters: Parameters, texts: Example<Parameters>): Values {
  const values: Record<string, unknown> = {};
  const seen = { temporaryKey: 0, signature: 0 };
  for (const [name, { role, takesJson }] of Object.entries(parameters)) {
    const text =
      role === "temporaryKey" || role === "signature"
        ? PLACEHOLDERS[role][seen[role]++]
        : texts[name];
    if (text !== undefined) {
      // The schema describes the list itself, not its text.
      values[name] = takesJson ? JSON.parse(text) : text;
    }
  }
  return values;
}

function pathOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** The forms of a route, or else one of another route of the operation. */
/** A word, if no form has a value. */
function parameterExample(
  name: string,
  { schema }: Parameter<unknown>,
  shown: ReadonlyMap<string, Values>,
  forms: ReadonlyMap<string, Values>,
): object {
  const having = [...shown].filter(([, values]) => name in values);
  return having.length > 0
    ? examples(new Map(having.map(([form, values]) => [form, values[name]])), shown.size)
    : {
        example:
          [...forms.values()].find((values) => name in values)?.[name] ??
          ((schema["enum"] ?? schema["examples"]) as readonly string[] | undefined)?.[0],
      };
}

/** One example if all `count` forms share it, else by form. */
function examples(forms: Forms, count: number = forms.size): object {
  const [first, ...others] = [...forms.values()].map((value) => JSON.stringify(value));
  return forms.size === count && others.every((other) => other === first)
    ? { example: [...forms.values()][0] }
    : { examples: Object.fromEntries([...forms].map(([form, value]) => [form, { value }])) };
}

/** Forms that differ only in their paths share one example. */
function bodyExamples(
  parameters: readonly (readonly [string, Parameter<unknown>])[],
  forms: ReadonlyMap<string, Values>,
): object {
  const names = new Set(parameters.map(([name]) => name));
  const sent = [...forms].map(([form, values]): [string, Values] => [
    form,
    Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))),
  ]);
  return examples(new Map(sent));
}

function requestBody(
  parameters: readonly (readonly [string, Parameter<unknown>])[],
  shown: object,
  {
    operationId,
    components,
    reader,
    signers,
    isJsonOnly,
    lines,
  }: Omit<Making, "node"> & {
    readonly signers: ReturnType<typeof signersOf>;
    readonly isJsonOnly: boolean;
    /** As lines, if the reader is a person. */
    readonly lines: object;
  },
): object {
  const required = parameters.filter(([, { optional }]) => !optional).map(([name]) => name);
  const schema = components.referred(
    {
      title: `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`,
      type: "object",
      ...(required.length > 0 ? { required } : {}),
      properties: Object.fromEntries(
        parameters.map(([name, parameter]) => [
          name,
          {
            ...withMeanings(givenSchema(parameter, !parameter.optional), parameter.members),
            description: aboutInDocument(name, parameter, parameters, signers),
          },
        ]),
      ),
    },
    true,
  );
  const json = { "application/json": { schema, ...shown } };
  const body = { required: required.length > 0 };
  if (isJsonOnly) {
    return { ...body, description: "JSON", content: { ...json, ...lines } };
  }
  if (reader === "program") {
    return { ...body, description: "JSON, or the same parameters as a form", content: json };
  }
  // In a form body a list is JSON text.
  const lists = parameters.filter(([, { takesJson }]) => takesJson);
  const encoding = Object.fromEntries(
    lists.map(([name]) => [name, { contentType: "application/json" }]),
  );
  const form = { schema, ...shown, ...(lists.length > 0 ? { encoding } : {}) };
  return { ...body, content: { ...json, "application/x-www-form-urlencoded": form } };
}

function aboutInDocument(
  name: string,
  parameter: Parameter<unknown>,
  all: readonly (readonly [string, Parameter<unknown>])[],
  signers: ReturnType<typeof signersOf>,
): string {
  const { aliases, needsFullSignature, wanted } = parameter;
  if (name === SIGNED) {
    const isOfSigner = all.some(([, { role }]) => role === "signature");
    return isOfSigner
      ? `${wanted}: the signature covers every parameter and the ledger`
      : `${wanted}: the address will accept no other than full signatures`;
  }
  return [
    aboutParameter(name, parameter),
    ...(signers.some(({ address }) => address === name) ? ["the actor, whose key signs"] : []),
    ...(aliases.length === 0 ? [] : [`also accepted as ${aliases.join(", ")}`]),
    ...(needsFullSignature !== undefined ? ["needs signed=full"] : []),
  ].join("; ");
}

/** Here, so that pages of the wallet do not load the texts. */
function withMeanings(schema: Schema, members: Parameters | undefined): Schema {
  if (members === undefined) {
    return schema;
  }
  const { items, properties } = schema as {
    readonly items?: Schema;
    readonly properties?: Readonly<Record<string, Schema>>;
  };
  return items === undefined
    ? {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(properties ?? {}).map(([name, member]) => [
            name,
            { ...member, description: aboutParameter(name, members[name] as Parameter<unknown>) },
          ]),
        ),
      }
    : { ...schema, items: withMeanings(items, members) };
}

function headersOf(description: AnyOperation | AnyRead): object {
  // Results of batches and groups name their transactions.
  if (description.kind === "read" || description.isJsonOnly === true) {
    return HEADERS;
  }
  // A new address gets its first key although nothing was signed.
  const hasActor = isSigned(description) || description.name === address.name;
  return {
    ...WRITE_HEADERS,
    ...(hasActor ? REPLAY_NONCE : {}),
    ...(description.result.kind === "nothing" ? LOCATION : {}),
  };
}

function content(result: Result, forms: readonly string[], components: Components): object {
  const text = (example: unknown): object => ({
    "text/plain": { schema: { type: "string" }, example },
  });
  const json = (schema: Schema, example: unknown): object => ({
    "application/json": { schema: components.referred(schema), example },
  });
  switch (result.kind) {
    case "text":
      return { content: text(result.example) };
    case "json":
      return { content: { "application/json": jsonContent(result, forms, components) } };
    case "textOrJson": {
      const { schema, example } = result;
      return { content: { ...text(example?.text), ...json(schema, example?.json) } };
    }
    case "file": {
      const schema = { type: "string", format: "binary" };
      return { content: { [result.contentType]: { schema, example: result.example } } };
    }
    case "stream": {
      const { contentType, example } = result;
      return { content: { [contentType]: { schema: { type: "string" }, example } } };
    }
    case "nothing":
      return {};
  }
}

/** An item a line. Source: batches §1.2. */
function linesOf([list]: readonly unknown[]): object {
  const example = (list as readonly unknown[]).map((item) => `${JSON.stringify(item)}\n`).join("");
  return { "application/x-ndjson": { schema: { type: "string" }, example } };
}

function withOtherForms(
  answered: { readonly content?: object },
  description: AnyOperation | AnyRead,
  reader: Reader,
): object {
  // Programs would take every list for a possible text.
  if (reader === "program") {
    return answered;
  }
  const { result } = description;
  if (description.takesLines === true && result.kind === "json") {
    const lines = linesOf(Object.values(result.example as object));
    return { content: { ...answered.content, ...lines } };
  }
  const columns = description.kind === "read" ? csvColumns(description) : undefined;
  return columns === undefined
    ? answered
    : {
        content: {
          ...answered.content,
          "text/csv": { schema: { type: "string" }, example: csvLine(columns) },
        },
      };
}

function jsonContent(
  { schema, example, otherExamples = {} }: Extract<Result, { readonly kind: "json" }>,
  forms: readonly string[],
  components: Components,
): object {
  const answers = new Map(forms.map((form) => [form, otherExamples[form] ?? example]));
  return { schema: components.referred(schema), ...examples(answers) };
}
