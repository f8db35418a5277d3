import { isCountry } from "../../text/country.ts";
import { FORM, meaning, optional, type Parameter, parameter, refuseValue } from "../parameter.ts";
import { pattern } from "./texts.ts";

export function word<W extends string>(...words: readonly W[]): Parameter<W> {
  return wordOf(words, "");
}

export function optionalWord<W extends string>(...words: readonly W[]): Parameter<W | ""> {
  return optional(wordOf(words, " or left out"), "");
}

export function wordOrFirst<W extends string>(first: W, ...others: readonly W[]): Parameter<W> {
  return optional(wordOf([first, ...others], " or left out"), first);
}

/** The order of a list. Source: chain §10. */
export function orderOf<W extends string>(first: W, ...others: readonly W[]): Parameter<W> {
  return meaning("order of the list", wordOrFirst(first, ...others));
}

function wordOf<W extends string>(words: readonly W[], otherwise: string): Parameter<W> {
  const wanted = words.map((each) => `"${each}"`).join(" or ");
  return parameter<W>({
    wanted,
    schema: { type: "string", enum: words },
    refusals: ["3005"],
    read: (given, name) =>
      words.find((each) => each === given) ?? refuseValue(wanted + otherwise, name),
  });
}

/** Source: mrc402 §4. */
export function country(): Parameter<string> {
  const wanted = "the code of a country, ISO 3166-1 alpha-2, in upper case";
  const code = pattern(/^[A-Z]{2}$/, wanted);
  return {
    ...code,
    schema: { ...code.schema, [FORM]: { kind: "country" } },
    admit: (given, name) => (isCountry(given) ? undefined : refuseValue(wanted, name)),
  };
}
