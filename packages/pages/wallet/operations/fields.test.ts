import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AnyOperation,
  FORM,
  OPERATIONS,
  type Parameter,
  type Parameters,
  Refused,
  type Schema,
} from "@moneta/protocol";
import { malformedTexts } from "../../../node/testing/requests/malformed-values.ts";
import { type Field, type Fields, type Pair, type Reading, readField } from "./fields.ts";
import { itemMembers } from "./items.ts";
import { type Acting, formFields, type OperationForm } from "./operation-form.ts";
import { OPERATIONS as FORMS } from "./operations.ts";
import { pairsObject } from "./projects.ts";
import type { Subject } from "./subject.ts";

// Every field accepts exactly the values of its description, from which the samples are derived.

const OWNER = "MTAlice00000000000000000000000005dc33c90";
const BY: Acting = { address: OWNER, now: 1_800_000_000, spendable: () => undefined };

const TOKENS = ["0", "11", "9".repeat(16)];

/** With all members that decide the fields of a form. */
const THING = {
  ...{ id: "1", owner: OWNER, creator: OWNER, mrc400: "", transferable: "Temporary" },
  ...{ policy: { maxprice: "110" }, partner: {}, attributes: {}, socialmedia: {} },
  ...{
    targettoken: Object.fromEntries(TOKENS.map((token) => [token, 1])),
    initialreserve: {},
    shareholder: {},
  },
  ...{ auction_current_bidder: "", balance: 0n },
};
const SUBJECT = Object.fromEntries(
  ["token", "project", "item", "listing", "offer", "book", "order", "holding"].map((name) => [
    name,
    THING,
  ]),
) as unknown as Subject;

const READING: Reading = {
  texts: {},
  decimals: (token) => (/^(?:|0|[1-9][0-9]{0,39})$/.test(token) ? 0 : undefined),
  locale: "en",
};

/** No schema has the list of countries, or that a bound of 0 would be none. */
const LEFT_TO_THE_NODE = new Set(["copyright_registration_country: XX", "maxprice: 0"]);

interface Described {
  readonly takes: (text: string) => boolean;
  readonly parameter: Parameter<unknown>;
  /** In the tables of codes. */
  readonly place: string;
}

/** Also of a member of an entry or policy, or an attribute. */
function describedOf({ name, isEntry = false }: OperationForm, field: string): Described {
  const { parameters } = operationNamed(name) as { readonly parameters: Parameters };
  const all = isEntry ? (parameters["itemdata"]?.members ?? {}) : parameters;
  const parameter = all[field];
  const place = isEntry ? `itemdata.${field}` : field;
  if (parameter !== undefined) {
    return { parameter, place, takes: (text) => isTaken(parameter, text) };
  }
  const attributes = all["attributes"];
  if (isEntry && attributes !== undefined) {
    return {
      parameter: { ...attributes, takesJson: false, schema: { type: "string", maxLength: 256 } },
      place: "itemdata.attributes",
      takes: (text) => isTaken(attributes, JSON.stringify({ [field]: text })),
    };
  }
  const policy = parameters["policy"] as Parameter<unknown>;
  const members = policy.schema["properties"] as Readonly<
    Record<string, Parameter<unknown>["schema"]>
  >;
  return {
    parameter: { ...policy, takesJson: false, schema: members[field] ?? {} },
    place,
    takes: (text) => isTaken(policy, JSON.stringify({ [field]: text })),
  };
}

function operationNamed(name: string): AnyOperation {
  return OPERATIONS.find((one) => one.name === name) as AnyOperation;
}

function isTaken(parameter: Parameter<unknown>, text: string): boolean {
  const read = parameter.read(text, "x");
  if (read instanceof Refused || parameter.admit?.(text, "x", read) !== undefined) {
    return false;
  }
  return !(parameter.settle?.(read, "x", {}, "admission") instanceof Refused);
}

function extremes({
  schema,
  cutAt,
}: Pick<Parameter<unknown>, "schema" | "cutAt">): readonly string[] {
  const of = (name: string): Schema => schema[name] as Schema;
  const within = (inner: Schema): readonly string[] =>
    extremes({ schema: inner, cutAt: undefined });
  if (schema["anyOf"] !== undefined) {
    return within((schema["anyOf"] as readonly Schema[])[0] as Schema);
  }
  if (schema["type"] === "object") {
    const [first = "a"] = within(of("propertyNames") ?? {});
    const values = within(of("additionalProperties"));
    const many = Number(schema["maxProperties"] ?? 501);
    const numbered = Array.from({ length: many + 1 }, (_, at) => [`${at}`, values[1]] as const);
    const objects = [
      ...values.map((value) => [[first, value]] as const),
      numbered,
      numbered.slice(1),
    ];
    return objects.map((entries) => JSON.stringify(Object.fromEntries(entries)));
  }
  if (schema["type"] === "array") {
    const { address, value, unlockdate } = of("items")["properties"] as Readonly<
      Record<string, Schema>
    >;
    const amounts = within(value as Schema);
    const times = within(unlockdate as Schema);
    const entries = amounts.flatMap((amount) =>
      times.map((time) => ({
        address: within(address as Schema)[0],
        value: amount,
        unlockdate: time,
      })),
    );
    return entries.map((one) => JSON.stringify([one]));
  }
  const { [FORM]: form, enum: options = [], format, maxLength, pattern = "" } = schema;
  const max = Number(maxLength ?? cutAt ?? 100);
  const longest = (start: string): string => start.padEnd(max, "é");
  switch (form?.kind) {
    case "rate":
      return ["0", "7.5", "007.5", form.max, `${form.max}.0`, `0.${"1".repeat(form.decimals + 1)}`];
    case "choice":
      return form.options;
    case "whole":
      return ["0", String(form.max), String(form.max + 1)];
    case "units":
      return ["1", "99999999", "100000000"];
    case "address":
      return [OWNER];
    case "country":
      return ["KR", "XX", "kr"];
    case "url":
    case "picture":
    case "file":
      return ["https", "HTTP", "ipfs", "ar", "data", "ftp"]
        .map((scheme) => longest(`${scheme}://a.example/`))
        .concat(
          "data:image/png;base64,AAAA",
          "https://a.example/a|b",
          longest("https://a.example/").slice(1),
        );
    default:
  }
  switch (format) {
    case "amount":
      return ["0", "1", String(10n ** 40n), String(10n ** 40n + 1n)];
    case "token-id":
      return TOKENS;
    case "unix-time":
      return ["0", "1796083200", "2147483648", "253402300799"];
    default:
  }
  return /\{64\}/.test(String(pattern))
    ? ["a".repeat(64)]
    : [...(options as string[]), longest("a"), "a b"];
}

/** A line for each member, if it can be typed. */
function linesOf(json: string, { time, separator }: Field): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {}
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const pairs: readonly (readonly unknown[])[] =
    time !== undefined
      ? [value].flat().map((one) => {
          const { address, value: amount, unlockdate } = { ...(one as Record<string, unknown>) };
          return [address, amount, `@${unlockdate}`];
        })
      : Object.entries(value);
  const texts = pairs.map((pair) => pair.map(String));
  const isTyped =
    json.length < 40_000 && pairs.every((pair) => pair.every((one) => typeof one !== "object"));
  return pairs.length === 0 || !isTyped || texts.flat().some((one) => one.trim() === "")
    ? undefined
    : texts.map((pair) => pair.join(separator === ":" ? ": " : ", ")).join("\n");
}

/** On the wire. */
function wireText(name: string, value: unknown): string {
  const json =
    name === "attributes"
      ? itemMembers({ attributes: value })["attributes"]
      : name === "reserve"
        ? (value as Pair[]).map((one) => ({
            address: one.key,
            value: one.value,
            unlockdate: one.time,
          }))
        : Array.isArray(value)
          ? pairsObject(value)
          : value;
  return typeof json === "object"
    ? JSON.stringify(json, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner))
    : String(json);
}

function differences(form: OperationForm, name: string, fields: Fields): readonly string[] {
  const field = { ...(fields[name] as Field), decimalsIn: "" };
  const { parameter, place, takes } = describedOf(form, name);
  const malformed = malformedTexts(operationNamed(form.name), place, parameter);
  const samples = [...malformed.map(({ text }) => text), ...extremes(parameter)];
  let count = 0;
  const found = [...new Set(samples)].flatMap((sample) => {
    const typed =
      field.kind === "pairs"
        ? linesOf(sample, field)
        : field.kind === "time" && /^[0-9]+$/.test(sample)
          ? `@${sample}`
          : sample;
    if (typed === undefined || LEFT_TO_THE_NODE.has(`${name}: ${sample}`)) {
      return [];
    }
    const read = readField(field, typed, READING);
    const sent =
      "fault" in read || read.value === undefined ? undefined : wireText(name, read.value);
    count += Number(takes(sample));
    return sent === undefined
      ? takes(sample)
        ? [`refuses ${sample.slice(0, 60)}`]
        : []
      : takes(sent)
        ? []
        : [`takes ${sample.slice(0, 60)}`];
  });
  return count > 0 ? found : [...found, "no sample that the description takes"];
}

for (const form of FORMS) {
  test(`${form.name} ${form.action}: fields take what the description takes`, () => {
    const fields = formFields(form, SUBJECT, BY);
    const wrong = Object.keys(fields).flatMap((name) =>
      differences(form, name, fields).map((one) => `${name} ${one}`),
    );
    assert.deepEqual(wrong, []);
  });
}
