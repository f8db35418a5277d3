import {
  JsonTextError,
  parseJsonText,
  RawParameters,
  type Refused,
  rawValueOf,
  refuse,
} from "@moneta/protocol";
import type { Body } from "./body.ts";

/** A JSON body's own object stands around the parameters, which may be 8 deep. */
const BODY_DEPTH_MAX = 9;

/** The places of one request that may hold parameters, as they came. */
export interface ParameterPlaces {
  /** Decoded parts of the path. */
  readonly path: Readonly<Record<string, string>>;
  /** What stands behind the question mark. */
  readonly query: string;
  readonly body: Body;
}

/** Merges the parameters of a request. Source: conventions §1.1, §1.3, §1.8. */
export function mergeParameters({ path, query, body }: ParameterPlaces): RawParameters | Refused {
  const merged = new RawParameters();
  for (const name in path) {
    merged.add(name, path[name] as string);
  }
  const refused =
    addPairs(merged, query) ??
    (body.kind === "form"
      ? addPairs(merged, body.text)
      : body.kind === "json"
        ? addMembers(merged, body.text)
        : undefined);
  return refused ?? merged;
}

/** Adds `name=value&...`, percent-encoded. `URLSearchParams` would let malformed encodings pass, which §1.5 forbids. */
function addPairs(merged: RawParameters, encoded: string): Refused | undefined {
  let start = 0;
  while (start < encoded.length) {
    let end = encoded.indexOf("&", start);
    if (end === -1) {
      end = encoded.length;
    }
    const equals = encoded.indexOf("=", start);
    const hasValue = equals !== -1 && equals < end;
    const name = decoded(encoded.slice(start, hasValue ? equals : end));
    const value = hasValue ? decoded(encoded.slice(equals + 1, end)) : "";
    if (name === undefined || value === undefined) {
      return refuse({ code: "1006", parameter: name, reason: "a malformed percent-encoding" });
    }
    if (name !== "") {
      merged.add(name, value);
    }
    start = end + 1;
  }
  return undefined;
}

function decoded(encoded: string): string | undefined {
  const spaced = encoded.includes("+") ? encoded.replaceAll("+", " ") : encoded;
  if (!spaced.includes("%")) {
    return spaced;
  }
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

function addMembers(merged: RawParameters, text: string): Refused | undefined {
  const body = parseJsonText(text, { depthMax: BODY_DEPTH_MAX });
  if (body instanceof JsonTextError) {
    return refuse({ code: "1007", parameter: undefined, reason: body.reason });
  }
  if (body === null || typeof body !== "object" || body.kind !== "object") {
    return refuse({ code: "1007", parameter: undefined, reason: "it is no JSON object" });
  }
  for (const [name, node] of body.members) {
    // `null` is how many clients write that they leave a parameter out.
    if (node !== null) {
      merged.add(name, rawValueOf(node, text));
    }
  }
  return undefined;
}
