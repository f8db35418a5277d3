import { refuse } from "../description/faults.ts";
import type { AnyRead, Read } from "../description/operation.ts";
import { optional, type Parameter, type Parameters } from "../description/parameter.ts";
import { moment, safeInteger } from "../description/parameters/integers.ts";
import { optionalWord } from "../description/parameters/words.ts";
import type { ListRead } from "./list-read.ts";
import { PROVEN_ENTRIES } from "./proven-entries.ts";

/** Source: proofs §1.1. */
export type AsOf = {
  readonly height: Parameter<number | undefined>;
  readonly at: Parameter<number | undefined>;
};

const AS_OF: AsOf = {
  height: pastParameter(
    safeInteger(),
    "the number of a block; shows the state right after it",
    "258",
  ),
  at: pastParameter(
    moment(),
    "a time in Unix seconds; shows the state after the newest block whose timestamp is not later",
    "1794960000",
  ),
};

const PROOF = optionalWord("1");

/** Source: proofs §3.1. */
const PROVEN: Parameters = {
  proof: {
    ...PROOF,
    meaning: "",
    schema: { ...PROOF.schema, examples: ["1"] },
    wanted: `"1": shows the stored entries with a proof that they were in the state, as of its newest root`,
  },
};

/**
 * Gives the handler a reader of that block; proofs do not reach the handler. Source: proofs §1, §3.
 */
export function asOf<P extends Parameters, C extends number | string>(
  given: ListRead<P, C>,
): ListRead<P, C>;
export function asOf<P extends Parameters>(given: Read<P>): Read<P & AsOf>;
export function asOf(given: AnyRead): AnyRead {
  const { check, parameters } = given;
  return {
    ...given,
    parameters: {
      ...parameters,
      ...AS_OF,
      ...(Object.hasOwn(PROVEN_ENTRIES, given.name) ? PROVEN : {}),
    },
    isAsOf: true,
    check: (values: { readonly height?: number; readonly at?: number }) =>
      values.height !== undefined && values.at !== undefined
        ? refuse({ code: "1005", parameter: "at", other: "height" })
        : check?.(values),
  };
}

function pastParameter(
  inner: Parameter<number>,
  wanted: string,
  example: string,
): Parameter<number | undefined> {
  return optional({
    ...inner,
    ...{ wanted, brief: undefined, meaning: "" },
    schema: { ...inner.schema, examples: [example] },
  });
}
