import { extname } from "node:path";
import { meaningOf, type Parameter } from "@moneta/protocol";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readGiven, STANDARD_INPUT } from "../session/bounded-file.ts";
import { TIME_FORMS } from "./times.ts";
import { choicesOf } from "./users-words.ts";

export type Sort =
  | "amount"
  | "time"
  | "json"
  | "image"
  | "word"
  | "address"
  | "token"
  | "number"
  | "url"
  | "text";

export function sortOf({ wanted, schema, takesJson }: Parameter<unknown>): Sort {
  if (takesJson) {
    return "json";
  }
  if (Array.isArray(schema["enum"])) {
    return "word";
  }
  // Units of an item are amounts, too, but of no token.
  if (schema["format"] === "amount" && wanted.includes("in the token's smallest unit")) {
    return "amount";
  }
  if (schema["format"] === "unix-time") {
    return "time";
  }
  if (wanted.includes("data:image/")) {
    return "image";
  }
  if (wanted.startsWith("an address")) {
    return "address";
  }
  if (schema["format"] === "token-id") {
    return "token";
  }
  if (schema["format"] === "uri") {
    return "url";
  }
  return /^(an integer|a number|a percentage|the number of)/.test(wanted) ? "number" : "text";
}

export function isSwitch(parameter: Parameter<unknown>): boolean {
  return choicesOf(parameter)?.join() === "1";
}

export function placeholderOf(parameter: Parameter<unknown>): string {
  const sort = sortOf(parameter);
  switch (sort) {
    case "word":
      return choicesOf(parameter)?.join("|") ?? "WORD";
    case "json":
      return "JSON|@FILE|-";
    case "image":
      return "URL|@FILE";
    case "number":
      return "N";
    default:
      return sort.toUpperCase();
  }
}

export const TIME = `a time: ${TIME_FORMS}`;

/** What it means, then its form as the command line takes it. */
export function aboutParameter(name: string, parameter: Parameter<unknown>): string {
  const means = meaningOf(name, parameter).replaceAll("`", "");
  return [means, formOf(parameter, means !== "")].filter((part) => part !== "").join("; ");
}

function formOf(parameter: Parameter<unknown>, hasMeaning: boolean): string {
  const { wanted, brief = wanted } = parameter;
  switch (sortOf(parameter)) {
    case "word":
      return hasMeaning
        ? ""
        : isSwitch(parameter)
          ? wanted.replace('"1": ', "")
          : "one of these words";
    case "address":
      return wanted.includes("up to") ? wanted : hasMeaning ? "" : "an address";
    case "token":
      return "an id or a symbol; 0 is the native coin";
    case "json":
      return wanted;
    case "time": {
      const [, ...rest] = wanted.split("; "); // the meaning of 0, or bounds
      return [TIME, ...rest].join("; ");
    }
    case "image":
      return `${wanted}; @FILE makes a data URL of an image`;
    default:
      return brief;
  }
}

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".svg": "image/svg+xml",
};

/** Given directly, as `@file`, or as `-` for standard input. */
export function jsonText(given: string, name: string): string {
  const file = given.startsWith("@") ? given.slice(1) : given;
  const isFile = file !== given || file === STANDARD_INPUT;
  return (isFile ? fromFile(file, name).toString() : given).trim();
}

/** A URL, or a data URL of the image in `@file`. */
export function imageUrl(given: string, name: string): string {
  if (!given.startsWith("@")) {
    return given;
  }
  const file = given.slice(1);
  const type = IMAGE_TYPES[extname(file).toLowerCase()];
  if (type === undefined) {
    const endings = Object.keys(IMAGE_TYPES).join(", ");
    throw new WrongUse(`${name}: ${file} has none of the endings of images: ${endings}`);
  }
  return `data:${type};base64,${fromFile(file, name).toString("base64")}`;
}

/** Four times the default limit of a request. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

function fromFile(file: string, name: string): Buffer {
  const shown = file === STANDARD_INPUT ? "standard input" : file;
  return readGiven(file, FILE_BYTES_MAX, `${name}: ${shown}`);
}
