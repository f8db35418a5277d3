import { NOW, TOMORROW } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { read } from "../../description/operation.ts";
import { since, until } from "../../description/parameters/integers.ts";
import { wordOrFirst } from "../../description/parameters/words.ts";
import { byName, integer, listOf, noted, shown, time } from "../../description/shown.ts";

export const TOTAL_STEPS = { minute: 60, hour: 3600 } as const;

export type TotalStep = keyof typeof TOTAL_STEPS;

/** Source: explorer §5. */
export const TOTAL_STEPS_MAX = 1440;

export const DAY_HOURS = 24;

const total = shown("Total", {
  time: [noted(time, "when the minute or the hour begins"), NOW],
  count: [
    noted(integer, "how many operations: each transaction counts once, a bundle as many as it did"),
    17,
  ],
  types: [
    byName(integer, "how many records of each type; types without records are absent"),
    {
      "Chaincode Install or Update": 1,
      NewWallet: 3,
      transfer: 11,
      multi_transfer: 1,
      tokenRegister: 1,
    },
  ],
});

const DAY_SCHEMA = noted(
  integer,
  "with `step=day`: about how many addresses made them, with a standard error of 2.3 %",
);

/** Source: explorer §5. */
export const totals = read({
  name: "totals",
  title: "Count operations by time",
  route: "GET /totals",
  about: `Counts operations, as transactions or in bundles, by the minute or hour of their ledger time, the oldest first: those that begin from \`since\` to \`until\`, at most ${TOTAL_STEPS_MAX}. Minutes and hours without transactions are left out. A day is the hour of \`until\` and the ${DAY_HOURS - 1} hours before it, and takes no \`since\`.`,
  parameters: { step: wordOrFirst("minute", "hour", "day"), since, until },
  check: ({ step, since }) =>
    step === "day" && since !== undefined
      ? refuse({ code: "1005", parameter: "since", other: "step=day" })
      : undefined,
  example: { step: "hour", since: String(NOW), until: String(TOMORROW) },
  otherExamples: { day: { step: "day", until: String(NOW) } },
  result: {
    kind: "json",
    about: "the minutes, hours or day that have transactions, the oldest first",
    schema: {
      title: "Totals",
      ...listOf({
        ...total.schema,
        properties: { ...(total.schema["properties"] as object), addresses: DAY_SCHEMA },
      }),
    },
    example: [total.example],
    otherExamples: { day: [{ ...total.example, addresses: 4 }] },
  },
});
