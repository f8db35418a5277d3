import {
  type AnyOperation,
  type AnyRead,
  explain,
  type Parameter,
  type Problem,
  RawParameters,
  Refused,
  readRequest,
  requestReader,
  signersOf,
} from "@moneta/protocol";

export const ANY_ADDRESS = "MTAlice00000000000000000000000005dc33c90";
const ANY_TEXT = "x";

type WrongForm = Pick<Problem, "detail"> & Partial<Problem>;

/**
 * Why every node would refuse these parameters by form, or why a time is unlikely; else undefined.
 * Assumes the members that signing adds.
 */
export function wrongForm(
  description: AnyOperation | AnyRead,
  params: Readonly<Record<string, string>>,
): WrongForm | undefined {
  const { known } = requestReader(description);
  const raw = new RawParameters(known);
  for (const [name, { role, aliases }] of parametersOf(description)) {
    if (role === "forbidden") {
      continue;
    }
    const given = [name, ...aliases].filter((each) => params[each] !== undefined);
    for (const each of given) {
      raw.add(each, params[each] as string);
    }
    if (given.length === 0 && role !== "value" && role !== "grant") {
      raw.add(name, ANY_TEXT);
    }
  }
  if (signersOf(description).length > 0 && params["signed"] === undefined) {
    raw.add("signed", "full");
  }
  const read = readRequest(description, raw);
  if (read instanceof Refused) {
    return explain(read.fault);
  }
  const detail = description.kind === "read" ? undefined : unlikelyTime(description, params);
  return detail === undefined ? undefined : { detail };
}

/** From 2001-09-09 to the end of the year 9999. */
const TIME_DIGITS = /^(?:0|[1-9][0-9]{9,11})$/;

/** A date such as 20300101, which would pay unlocked, or milliseconds. */
function unlikelyTime(
  { parameters }: Pick<AnyOperation, "parameters">,
  params: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const [name, { schema, members, aliases }] of parametersOf({ parameters })) {
    for (const each of [name, ...aliases].filter((one) => params[one] !== undefined)) {
      const text = String(params[each]);
      if (members !== undefined) {
        const wrong = entriesOf(text).map((entry, index) => {
          const why = unlikelyTime({ parameters: members }, { ...entry });
          return why && `${each}[${index}].${why}`;
        });
        const first = wrong.find((why) => why !== undefined);
        if (first !== undefined) {
          return first;
        }
      }
      if (schema["format"] === "unix-time" && /^[0-9]+$/.test(text) && !TIME_DIGITS.test(text)) {
        return `${each} is ${text.slice(0, 40)} but must be a time in Unix seconds, such as 1893456000 for 2030-01-01T00:00Z: dates and milliseconds have another number of digits`;
      }
    }
  }
  return undefined;
}

export function textsOf(request: object): Record<string, string> {
  const given = Object.entries(request).filter(([, value]) => (value ?? "") !== "");
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]),
  );
}

/** Other texts are refused by form. */
function entriesOf(text: string): readonly object[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map((entry) => Object(entry) as object) : [];
  } catch {
    return [];
  }
}

function parametersOf({
  parameters,
}: Pick<AnyOperation, "parameters">): readonly [string, Parameter<unknown>][] {
  return Object.entries(parameters) as [string, Parameter<unknown>][];
}
