import {
  isSigned,
  OPERATIONS,
  type Parameter,
  type Parameters,
  type Schema,
  signersOf,
} from "@moneta/protocol";

/** How a form draws a parameter, and what it takes. Absent members set no limit. */
interface ParameterForm {
  readonly kind: string;
  readonly isNeeded?: true;
  readonly max?: number | string;
  readonly decimals?: number;
  readonly pattern?: string;
  readonly options?: readonly string[];
  readonly key?: ParameterForm;
  readonly value?: ParameterForm;
}

/**
 * The text of the wallet's `parameters.ts`: what each operation takes, by its name; `NAME[]` has the
 * members of an entry of its list.
 */
export function parametersText(): string {
  const lines = OPERATIONS.filter(({ name }) => /^(?:token|mrc)/.test(name)).flatMap(
    (operation) => {
      const { name, parameters } = operation;
      const actor = isSigned(operation) ? signersOf(operation)[0]?.address : undefined;
      const { itemdata, ...others } = parameters as Parameters;
      const members = itemdata?.members;
      return [
        line(name, formsOf(others, actor)),
        ...(members === undefined ? [] : [line(`${name}[]`, formsOf(members, undefined))]),
      ];
    },
  );
  return `import type { ParameterForm } from "./parameter-form.ts";

/** By operation and parameter; \`NAME[]\` has the members of an entry of its list. */
export const PARAMETERS: Readonly<Record<string, Readonly<Record<string, ParameterForm>>>> = {
${lines.join("\n")}
};
`;
}

function line(name: string, forms: Readonly<Record<string, ParameterForm>>): string {
  return `  ${JSON.stringify(name)}: ${JSON.stringify(forms)},`;
}

function formsOf(
  parameters: Parameters,
  actor: string | undefined,
): Readonly<Record<string, ParameterForm>> {
  const shown = Object.entries(parameters).filter(
    ([name, { role, wanted }]) =>
      role === "value" && name !== "signed" && name !== actor && !/no effect/.test(wanted),
  );
  return Object.fromEntries(
    shown.map(([name, parameter]) => [
      name,
      {
        ...formOf(parameter.schema, parameter),
        ...(parameter.optional ? {} : { isNeeded: true as const }),
      },
    ]),
  );
}

/** Texts that are longer than this are written in several lines. */
const LINE_MAX = 255;
const PICTURE_FILE_MIN = 100_000;

function formOf(
  schema: Schema,
  { wanted, cutAt }: Pick<Parameter<unknown>, "wanted" | "cutAt">,
): ParameterForm {
  const pattern = String(schema["pattern"] ?? "");
  const max = (schema["maxLength"] ?? cutAt) as number | undefined;
  const among = /^\^\(([A-Za-z|]+)\)\$$/.exec(pattern)?.[1]?.split("|");
  const inner = (part: unknown): ParameterForm =>
    formOf(part as Schema, { wanted: "", cutAt: undefined });
  const rate = /a percentage from 0 to (\S+) with at most (\d+) decimals/.exec(wanted);
  if (schema["anyOf"] !== undefined) {
    return formOf((schema["anyOf"] as Schema[])[0] as Schema, { wanted, cutAt });
  }
  if (schema["type"] === "object") {
    return {
      kind: "pairs",
      max: (schema["maxProperties"] as number | undefined) ?? 500,
      key: inner(schema["propertyNames"] ?? {}),
      value: inner(schema["additionalProperties"]),
    };
  }
  if (schema["type"] === "array") {
    return { kind: "pairs", max: schema["maxItems"] as number };
  }
  if (schema["enum"] !== undefined || among !== undefined) {
    // Clients also write "Temprary", which nothing offers.
    const options = among?.filter((word) => wanted.includes(word)) ?? schema["enum"];
    return { kind: "choice", options: options as readonly string[] };
  }
  if (rate !== null || /\{1,4\}\)\?|\{1,2\}\)\?/.test(pattern)) {
    const [, highest = "10", decimals = "2"] = rate ?? [];
    return { kind: "rate", max: highest, decimals: Number(decimals), pattern };
  }
  if (pattern.startsWith("^MT")) {
    return { kind: "address" };
  }
  if (pattern === "^[A-Z]{2}$") {
    return { kind: "country", pattern };
  }
  switch (schema["format"]) {
    case "uri":
      return {
        kind:
          (max ?? 0) > PICTURE_FILE_MIN ? "file" : /\[Ii\]\[Pp\]/.test(pattern) ? "picture" : "url",
        ...(max === undefined ? {} : { max }),
        pattern,
      };
    case "amount":
      return { kind: /^\^\[1-9\]\[0-9\]\{0,7\}\$$/.test(pattern) ? "units" : "amount" };
    case "integer":
      return { kind: "whole", max: 18 };
    case "token-id":
      return { kind: "token" };
    case "unix-time":
      return { kind: "time" };
    default:
      return {
        kind: (max ?? 0) > LINE_MAX ? "lines" : "text",
        ...(max === undefined ? {} : { max }),
        ...(pattern === "" ? {} : { pattern }),
      };
  }
}
