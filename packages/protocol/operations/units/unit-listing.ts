import { ALICE, POTION, PRINT, UNIT_LISTING } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import type { JsonList } from "../../description/json/json-list.ts";
import type { Example } from "../../description/operation.ts";
import {
  aliased,
  optional,
  type Parameter,
  type Parameters,
  type ValuesOf,
} from "../../description/parameter.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { unitListingsResult } from "../../description/results.ts";
import { ACTOR, given } from "../../keys/signed-string.ts";
import { itemDataIds, itemDataList } from "../items/item-data.ts";
import { PLATFORM_FIELDS, platformExample, platformParameters } from "../platform.ts";

const seller = { name: "seller", absentAs: ["", ACTOR] } as const;

/** Source: mrc402 §11, §12. */
const common = {
  seller: optional(aliased(address(), "address")),
  id: optional(recordId("a multi-unit item, a project or a listing"), ""),
} as const;

/** A listing that names no platform uses that of its item. Source: mrc402 §2.6. */
export const platformIfGiven = {
  ...platformParameters,
  platform_commission: optional(platformParameters.platform_commission),
} as const;

const itemForm = {
  about: "itemdata is given",
  when: given("itemdata"),
  signed: [seller, "itemdata", "tkey"],
} as const;

/** In `itemdata`, or one item in parameters. Source: mrc402 §11, §14. */
export function unitListing<T extends Parameters, O extends Parameters>(options: {
  readonly terms: T;
  readonly own: O;
  readonly required: readonly (keyof O & string)[];
  readonly signed: readonly (keyof O & string)[];
  readonly examples: { readonly own: Example<O>; readonly terms: Example<T> };
  readonly checkEntry: (
    entry: ValuesOf<T>,
    parameter: string,
  ) => ReturnType<typeof refuse> | undefined;
}) {
  const { terms, own, required, signed, examples, checkEntry } = options;
  const members = { id: recordId("a multi-unit item"), ...terms, ...platformIfGiven };
  type Entry = ValuesOf<typeof members>;
  return {
    parameters: {
      ...common,
      itemdata: optional(
        itemDataList(members, {
          distinctBy: "id" as never,
          checkEntry: (entry, parameter) => checkEntry(entry as ValuesOf<T>, parameter),
        }),
      ) as Parameter<JsonList<Entry> | undefined>,
      ...own,
      ...platformIfGiven,
      tkey: temporaryKey(),
    },
    example: { seller: ALICE, id: PRINT, ...examples.own, ...platformExample },
    otherExamples: {
      itemdata: {
        seller: ALICE,
        itemdata: JSON.stringify([{ id: POTION, ...examples.terms, ...platformExample }]),
      },
    },
    actor: "seller",
    signed: [seller, "amount", "id", ...signed, ...PLATFORM_FIELDS, "tkey"],
    signedIf: [itemForm],
    checkMissing(has: (name: string) => boolean) {
      if (has("itemdata")) {
        return undefined;
      }
      const missing = has("id") ? required.find((name) => !has(name)) : "itemdata";
      return missing === undefined ? undefined : refuse({ code: "1000", parameter: missing });
    },
    result: unitListingsResult,
  } as const;
}

/** Source: mrc402 §12, §15. */
export const unitListingCancel = {
  parameters: {
    ...common,
    itemdata: optional(itemDataIds("ids of items or listings")),
    tkey: temporaryKey(),
  },
  example: { seller: ALICE, id: UNIT_LISTING },
  otherExamples: { itemdata: { seller: ALICE, itemdata: JSON.stringify([UNIT_LISTING]) } },
  actor: "seller",
  signed: ["id", "tkey"],
  signedIf: [itemForm],
  checkMissing: (has: (name: string) => boolean) =>
    has("itemdata") || has("id") ? undefined : refuse({ code: "1000", parameter: "itemdata" }),
} as const;

/** Source: mrc402 §2.1. */
export function isUnitListingId(id: string): boolean {
  return id.startsWith("DEX402_");
}
