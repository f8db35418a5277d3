import { NOW, TOMORROW } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { moment } from "../../description/parameters/integers.ts";
import { wordOrFirst } from "../../description/parameters/words.ts";
import { byName, integer, listOf, noted, shown, time } from "../../description/shown.ts";

/** Seconds of each step. */
export const TOTAL_STEPS = { minute: 60, hour: 3600 } as const;

export type TotalStep = keyof typeof TOTAL_STEPS;

/** Steps in one response. Source: explorer §6. */
export const TOTAL_STEPS_MAX = 1440;

const bound = optional(moment());

const total = shown("Total", {
  time: [noted(time, "when the minute or the hour begins, Unix seconds"), NOW],
  count: [noted(integer, "how many operations: transactions, a bundle as many as it did"), 17],
  types: [
    byName(integer, "how many of each type of record; types without any are left out"),
    {
      "Chaincode Install or Update": 1,
      NewWallet: 3,
      transfer: 11,
      multi_transfer: 1,
      tokenRegister: 1,
    },
  ],
});

/** Counts operations by time and type. Source: explorer §6. */
export const totals = read({
  name: "totals",
  title: "Count operations by time",
  route: "GET /totals",
  about: `Counts operations, as transactions or in bundles, by the minute or hour of their ledger time, the oldest first: those that begin from \`since\` to \`until\`, at most ${TOTAL_STEPS_MAX}. Minutes and hours without transactions are left out.`,
  parameters: { step: wordOrFirst("minute", "hour"), since: bound, until: bound },
  example: { step: "hour", since: String(NOW), until: String(TOMORROW) },
  cache: "revalidate",
  result: {
    kind: "json",
    about: "the minutes or hours that have transactions, the oldest first",
    schema: { title: "Totals", ...listOf(total.schema) },
    example: [total.example],
  },
});
