import type { OperationOf } from "../description/batch-elements.ts";
import {
  BUNDLE_BYTES_MAX,
  BUNDLE_MAX,
  type Bundle,
  readBundle,
} from "../description/bundle-body.ts";
import { ALICE, BOB, TRANSACTION } from "../description/examples.ts";
import { type Operation, unsignedOperation } from "../description/operation.ts";
import type { Occasion } from "../description/parameter.ts";
import { optional, type Parameter, parameter } from "../description/parameter.ts";
import { address } from "../description/parameters/ids.ts";
import { grantId, signature, temporaryKey } from "../description/parameters/keys.ts";
import { listOf, noted, record, text, transactionId } from "../description/shown.ts";
import { dry, operationResult } from "./batch.ts";

const ELEMENT = {
  title: "BundledOperation",
  type: "object",
  required: ["operation"],
  properties: {
    operation: noted(text, "the operationId of a write of this document that one address signs"),
  },
  additionalProperties: true,
  description:
    "an operation with its own parameters, those of its path included, without temporary key, `signed` and signature",
};

/** Source: bundles §1. */
export const bundle = unsignedOperation({
  name: "bundle",
  title: "Do many operations of one address under one signature",
  route: "POST /bundle",
  about:
    "Does operations of one address in their order, each on what those before it leave: all of them or none, but for those that `skip` allows to be left out. They count as at most 500: costly operations count two, three or ten times, and lists for each of their entries. One signature covers the body exactly as it is sent: sign `moneta|1|<ledger id>|bundle|` followed by the body's bytes, and send the signature in the header `Moneta-Signature` or in the query.\n\n" +
    "With `dry=1` nothing is done, and the result has the `record` that the bundle would have.",
  parameters: {
    actor: address(),
    tkey: temporaryKey(),
    operations: parameter<unknown>({
      meaning: "",
      wanted: `a JSON array of 1 to ${BUNDLE_MAX} operations`,
      schema: { type: "array", minItems: 1, maxItems: BUNDLE_MAX, items: ELEMENT },
      refusals: ["1007", "3002"],
      takesJson: true,
      read: (whole) => whole,
    }),
    skip: optional(
      parameter<unknown>({
        wanted:
          'a JSON array of codes with which an operation may be left out: 3004, 3090, 4001, 4900, 5000 to 5099, 6000 to 6099, 7000 to 7299, or "*" for all of them',
        schema: { type: "array", items: { type: "string" } },
        refusals: ["1007", "3002", "3005"],
        takesJson: true,
        read: (whole) => whole,
      }),
    ),
    grant: optional(grantId("grant")),
    signature: optional(signature()),
    dry,
  },
  isJsonOnly: true,
  inQuery: ["signature", "dry"],
  example: {
    actor: ALICE,
    operations: JSON.stringify([
      { operation: "transfer", from: ALICE, to: BOB, token: "0", amount: "100" },
      { operation: "transfer", from: ALICE, to: BOB, token: "0", amount: "50", memo: "second" },
    ]),
    skip: '["5001"]',
  },
  refusals: ["9413", "3090", "6014", "2020", "2021", "2230", "2010"],
  result: {
    kind: "json",
    about: "the transaction, and the result of each operation in their order",
    schema: record("BundleAnswer", {
      transaction_id: transactionId,
      results: listOf(operationResult),
    }),
    example: {
      transaction_id: TRANSACTION,
      results: [
        { status: 200, result: { transaction_id: TRANSACTION } },
        { status: 200, result: { transaction_id: TRANSACTION } },
      ],
    },
  },
});

export interface SignedBundleParameters {
  readonly [name: string]: Parameter<unknown>;
  readonly body: Parameter<unknown>;
  readonly signature: Parameter<string>;
}

/** Its body as one text. Source: bundles §5, §8. */
export function signedBundleOf(operationOf: OperationOf): Operation<SignedBundleParameters> {
  return {
    kind: "write",
    name: bundle.name,
    about: bundle.about,
    parameters: {
      body: parameter<unknown>({
        wanted: "the JSON text of a bundle, exactly as it was signed",
        schema: { type: "string", maxLength: BUNDLE_BYTES_MAX },
        refusals: ["1007", "3002", "3005", "3190"],
        read: (whole) => whole,
        settle: (whole, _name, _values, occasion: Occasion) =>
          readBundle(whole as string, operationOf, occasion),
      }),
      signature: signature(),
    },
    signers: [
      {
        operation: bundle.name,
        signsBody: true,
        temporaryKey: "tkey",
        signature: "signature",
        grant: "grant",
        signed: [],
      },
    ],
    paramNames: ["body"],
    signatureNames: ["signature"],
    implied: ({ body }) => {
      const { actor, tkey, grant } = body as Bundle;
      return { actor, tkey, grant };
    },
    result: bundle.result,
  };
}
