import { BATCH_MAX, DRY_MAX } from "../description/batch-elements.ts";
import { TRANSACTION } from "../description/examples.ts";
import { unsignedOperation } from "../description/operation.ts";
import { parameter, type Schema } from "../description/parameter.ts";
import { optionalWord } from "../description/parameters/words.ts";
import { listOf, noted, record, text, transactionId } from "../description/shown.ts";

/** The test key of accounts §2. */
const PUBLIC_KEY =
  "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----\n";

const ELEMENT = {
  title: "BatchOperation",
  type: "object",
  required: ["operation"],
  properties: {
    operation: noted(text, "the operationId of a write of this document"),
    idempotency_key: noted(text, "for `address` only: the value of the header Idempotency-Key"),
  },
  additionalProperties: true,
  description: "an operation with its own parameters, those of its path included",
};

/** Source: batches §1.4. */
export const operationResult: Schema = record(
  "BatchResult",
  {
    status: {
      type: "integer",
      description: "HTTP status of the operation, as if it were sent alone",
    },
    transaction_id: transactionId,
    result: {
      description: "response of the operation, as if it were sent alone; null for an empty body",
    },
    location: noted(text, "the header Location, as if it were sent alone"),
    temporary_key: noted(
      text,
      "a new temporary key of the actor; absent for operations without signature",
    ),
    record: {
      type: "object",
      additionalProperties: true,
      description: "of a dry run: the record that the operation would have",
    },
    problem: {
      type: "object",
      additionalProperties: true,
      description:
        "the problem that refused it, with its `index`; and `retry_after` in seconds if it may succeed later",
    },
  },
  ["status"],
);

/** Makes `POST /batch` and `POST /group` a dry run. */
export const dry = optionalWord("1");

/** Source: batches §1. */
export const batch = unsignedOperation({
  name: "batch",
  title: "Send many operations",
  route: "POST /batch",
  about:
    "Does up to 1,000 operations, each as if it had been sent alone after those before it: with its own parameters, temporary key and signature, and with its own result. One that is refused does not keep the others from being done.\n\n" +
    "As `application/x-ndjson` the body has one operation a line, any number of them, and the response a line for each in order, before the request ends: read it while you write. A stream ends with a line `9408` if no line comes for 30 s, or if nothing is read for 30 s while 1 MiB is unread.\n\n" +
    `With \`dry=1\` nothing is done: up to ${DRY_MAX} operations are executed over the newest state, without signatures, and each result has the \`record\` that the operation would have. It is a forecast: others may change balances, prices and fees before the operations are sent.`,
  parameters: {
    operations: parameter<unknown>({
      meaning: "",
      wanted: `a JSON array of 1 to ${BATCH_MAX} operations`,
      schema: { type: "array", minItems: 1, maxItems: BATCH_MAX, items: ELEMENT },
      refusals: ["1007", "3002"],
      takesJson: true,
      read: (whole) => whole,
    }),
    dry,
  },
  isJsonOnly: true,
  takesLines: true,
  inQuery: ["dry"],
  example: {
    operations: JSON.stringify([
      { operation: "address", publickey: PUBLIC_KEY, addinfo: "deposits of customer 1" },
      { operation: "address", publickey: PUBLIC_KEY, addinfo: "deposits of customer 2" },
    ]),
  },
  result: {
    kind: "json",
    about: "the result of each operation, in their order",
    schema: record("BatchAnswer", { results: listOf(operationResult) }),
    example: {
      results: [
        {
          status: 200,
          transaction_id: TRANSACTION,
          result: "MTAlice00000000000000000000000005dc33c90",
          temporary_key: "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX",
        },
      ],
    },
  },
});
