import {
  FORM,
  isSigned,
  OPERATIONS,
  type Parameters,
  type Schema,
  signersOf,
} from "@moneta/protocol";

interface FormJson {
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** Seals are made by the client library alone. */
const HAS_FORM = /^(?:token|mrc(?!020)|transfer$|multitransfer$)/;

/** By operation; `NAME[]` has the members of an entry of `itemdata`. */
export function parametersText(): string {
  const lines = OPERATIONS.filter(({ name }) => HAS_FORM.test(name)).flatMap((operation) => {
    const { name, parameters } = operation;
    const actor = isSigned(operation) ? signersOf(operation)[0]?.address : undefined;
    const { itemdata, transferlist = itemdata, ...others } = parameters as Parameters;
    const { members, schema } = transferlist ?? {};
    const list = { itemdata: { kind: "pairs", max: schema?.["maxItems"] } };
    return [
      line(name, { ...formsOf(others, actor), ...(members === undefined ? {} : list) }),
      ...(members === undefined ? [] : [line(`${name}[]`, formsOf(members, undefined))]),
    ];
  });
  return `import type { ParameterForm } from "./parameter-form.ts";

/** By operation and parameter; \`NAME[]\` has the members of an entry of its list. */
export const PARAMETERS: Readonly<Record<string, Readonly<Record<string, ParameterForm>>>> = {
${lines.join("\n")}
};
`;
}

function line(name: string, forms: Readonly<Record<string, FormJson>>): string {
  return `  ${JSON.stringify(name)}: ${JSON.stringify(forms)},`;
}

function formsOf(
  parameters: Parameters,
  actor: string | undefined,
): Readonly<Record<string, FormJson>> {
  const shown = Object.entries(parameters).filter(
    ([name, { role, takesAnything: isIgnored }]) =>
      role === "value" && name !== "signed" && name !== actor && !isIgnored,
  );
  return Object.fromEntries(
    shown.flatMap(([name, { schema, cutAt, optional }]) =>
      schema["properties"] === undefined
        ? [[name, { ...formOf(schema, cutAt), ...(optional ? {} : { isNeeded: true }) }]]
        : // An object with members of its own has a field for each of them.
          Object.entries(schema["properties"] as Readonly<Record<string, Schema>>).map(
            ([member, ofMember]) => [member, formOf(ofMember)],
          ),
    ),
  );
}

const LINE_MAX = 255;

/** Code points kept of a text without a limit. */
function formOf(schema: Schema, cutAt?: number): FormJson {
  const { anyOf, type, enum: options, format, pattern, [FORM]: hint } = schema;
  const max = schema["maxLength"] ?? cutAt;
  const limits = { ...(max !== undefined && { max }), ...(pattern !== undefined && { pattern }) };
  if (anyOf !== undefined) {
    return formOf((anyOf as Schema[])[0] as Schema, cutAt);
  }
  if (type === "object") {
    return {
      kind: "pairs",
      ...(schema["maxProperties"] === undefined ? {} : { max: schema["maxProperties"] }),
      key: formOf((schema["propertyNames"] ?? {}) as Schema),
      value: formOf(schema["additionalProperties"] as Schema),
    };
  }
  if (type === "array") {
    const { properties } = schema["items"] as { readonly properties?: Record<string, Schema> };
    const [key, value, time] = Object.values(properties ?? {}).map((one) => formOf(one));
    return { kind: "pairs", max: schema["maxItems"], key, value, time };
  }
  if (hint?.kind === "rate") {
    return { ...hint, pattern };
  }
  if (hint !== undefined) {
    return ["address", "amount", "choice", "time", "units", "whole"].includes(hint.kind)
      ? hint
      : { ...hint, ...limits };
  }
  if (options !== undefined) {
    return { kind: "choice", options };
  }
  switch (format) {
    case "token-id":
      return { kind: "token" };
    case "unix-time":
      return { kind: "time" };
    default:
      return { kind: Number(max ?? 0) > LINE_MAX ? "lines" : "text", ...limits };
  }
}
