import { GROUP_MAX, GROUP_MIN } from "../description/batch-elements.ts";
import {
  ALICE,
  BOB,
  BOBS_SIGNATURE,
  BOBS_TEMPORARY_KEY,
  GOLD,
  GROUP,
  SIGNATURE,
  TEMPORARY_KEY,
  TRANSACTION,
} from "../description/examples.ts";
import { unsignedOperation } from "../description/operation.ts";
import { parameter } from "../description/parameter.ts";
import { listOf, noted, oneOf, record, text } from "../description/shown.ts";
import { operationResult } from "./batch.ts";

const ELEMENT = {
  title: "GroupOperation",
  type: "object",
  required: ["operation", "group", "signed"],
  properties: {
    operation: noted(text, "the operationId of a signed write of this document"),
    group: noted(
      { type: "string", pattern: "^[0-9a-f]{64}$" },
      "the group's id: SHA-256 of `moneta-group|1|<ledger id>|` and the RFC 8785 JSON of the array of [name, parameters], without `group` and signatures",
    ),
    signed: noted(oneOf("full"), "always `full`"),
    signature: noted(
      text,
      "full signature of the operation with its `group`; operations of several signers have a signature of each",
    ),
  },
  additionalProperties: true,
  description: "an operation with its own parameters, those of its path included",
};

function payment(
  sent: Readonly<Record<"from" | "to" | "token" | "checkkey" | "signature", string>>,
): object {
  return { operation: "transfer", amount: "100", signed: "full", group: GROUP, ...sent };
}

/** Source: batches §2. */
export const group = unsignedOperation({
  name: "group",
  title: "Do operations together or not at all",
  route: "POST /group",
  about:
    "Does 2 to 16 signed operations of one or several signers in their order and in one block, each on what those before it leave. If one of them is refused, none is done. Each signature covers the id of the whole group, so that no operation can be changed, added or removed.",
  parameters: {
    operations: parameter<unknown>({
      meaning: "",
      wanted: `a JSON array of ${GROUP_MIN} to ${GROUP_MAX} signed operations`,
      schema: { type: "array", minItems: GROUP_MIN, maxItems: GROUP_MAX, items: ELEMENT },
      refusals: ["1007", "3002"],
      takesJson: true,
      read: (whole) => whole,
    }),
  },
  isJsonOnly: true,
  example: {
    operations: JSON.stringify([
      payment({
        ...{ from: ALICE, to: BOB, token: "0" },
        ...{ checkkey: TEMPORARY_KEY, signature: SIGNATURE },
      }),
      payment({
        ...{ from: BOB, to: ALICE, token: GOLD },
        ...{ checkkey: BOBS_TEMPORARY_KEY, signature: BOBS_SIGNATURE },
      }),
    ]),
  },
  refusals: ["3005", "2040", "2021", "2020", "2230", "2010"],
  result: {
    kind: "json",
    about: "the result of each operation, in their order",
    schema: record("GroupAnswer", { results: listOf(operationResult) }),
    example: {
      results: [
        {
          status: 200,
          transaction_id: TRANSACTION,
          result: { transaction_id: TRANSACTION },
          temporary_key: TEMPORARY_KEY,
        },
      ],
    },
  },
});
