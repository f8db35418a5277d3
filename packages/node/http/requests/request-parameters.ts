import { isUtf8 } from "node:buffer";
import {
  addJsonBody,
  PARAMETERS_MAX,
  type Parameters,
  RawParameters,
  type Refused,
  refuse,
} from "@moneta/protocol";
import type { Body } from "./body.ts";

export interface ParameterPlaces {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: Body;
}

/** Drops unknown ones and notes the first. Source: conventions §1.1, §1.3, §1.8, §4.5. */
export function mergeParameters(
  { path, query, body }: ParameterPlaces,
  parameters: Parameters,
  onlyInBody: readonly string[] = [],
): RawParameters | Refused {
  const merged = new RawParameters(parameters);
  merged.addAll(path);
  const refused =
    addPairs(merged, query, "9431") ??
    refuseOutside(merged, parameters, onlyInBody) ??
    (body.kind === "form"
      ? addPairs(merged, body.text, "9413")
      : body.kind === "json"
        ? addJsonBody(merged, body.text, parameters)
        : undefined);
  return refused ?? merged;
}

/** Only the body may have parameters that must not be in logs. Source: protocols §6. */
function refuseOutside(
  merged: RawParameters,
  parameters: Parameters,
  names: readonly string[],
): Refused | undefined {
  const parameter = names.find(
    (name) => merged.take(name, parameters[name]?.aliases ?? []) !== undefined,
  );
  const reason = "must stand in the body alone: paths and queries are in the logs of every proxy";
  return parameter === undefined ? undefined : refuse({ code: "3005", parameter, reason });
}

/** `URLSearchParams` would let malformed encodings pass, which §1.5 forbids. */
function addPairs(
  merged: RawParameters,
  encoded: string,
  tooMany: "9413" | "9431",
): Refused | undefined {
  let start = 0;
  for (let count = 1; start < encoded.length; count += 1) {
    if (count > PARAMETERS_MAX) {
      return refuse({ code: tooMany, parametersMax: PARAMETERS_MAX });
    }
    const separator = encoded.indexOf("&", start);
    const end = separator === -1 ? encoded.length : separator;
    const refused = addPair(merged, encoded.slice(start, end));
    if (refused !== undefined) {
      return refused;
    }
    start = end + 1;
  }
  return undefined;
}

function addPair(merged: RawParameters, pair: string): Refused | undefined {
  const equals = pair.indexOf("=");
  const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
  const value = equals === -1 ? "" : decoded(pair.slice(equals + 1));
  if (name === undefined || value === undefined) {
    return refuse({ code: "1006", parameter: name, reason: "a malformed percent-encoding" });
  }
  merged.add(name, value);
  return undefined;
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** Undefined if malformed. Replacing each `+` of a long text is 100 times slower. */
function decoded(encoded: string): string | undefined {
  if (!encoded.includes("%") && !encoded.includes("+")) {
    return encoded;
  }
  const bytes = Buffer.from(encoded);
  let end = 0;
  for (let at = 0; at < bytes.length; end += 1) {
    const byte = bytes[at] as number;
    if (byte === PERCENT) {
      const value = (hexDigit(bytes[at + 1]) << 4) | hexDigit(bytes[at + 2]);
      if (value < 0) {
        return undefined;
      }
      bytes[end] = value;
      at += 3;
    } else {
      bytes[end] = byte === PLUS ? SPACE : byte;
      at += 1;
    }
  }
  const all = bytes.subarray(0, end);
  return isUtf8(all) ? all.toString() : undefined;
}

/** -1 if it is none. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) {
    return code - 0x30;
  }
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
