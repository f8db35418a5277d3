import {
  ALICE,
  BLOCK,
  BLOCK_ID,
  BOB,
  NOW,
  SIGNATURE,
  SWORD,
  TEMPORARY_KEY,
  TRANSACTION,
} from "../../description/examples.ts";
import type { Schema } from "../../description/parameter.ts";
import {
  integer,
  listOf,
  type Members,
  noted,
  record,
  type Shown,
  shown,
  text,
  time,
} from "../../description/shown.ts";
import { RECORD_TYPES } from "../../records/record-types.ts";

/** Open for types of later versions of the rules. Source: chain §9. */
const recordType: Schema = {
  title: "RecordType",
  description: "type of the record; a later version may have others",
  anyOf: [{ type: "string", enum: RECORD_TYPES }, text],
};

export const transferParameters = [ALICE, BOB, "100", "0", SIGNATURE, "0", "", "coffee"];

const PARAMETERS = noted(listOf(text), "parameters as texts, in the order of the type");
const VALUES: Schema = {
  type: "object",
  description:
    "the result: balances, and their changes as `moved`; of an item or listing all members when it is made, then those that changed",
};

/** Source: chain §3. */
function recordMembers(type: string, address: string, balance: string): Members {
  return {
    type: [recordType, type],
    address: [noted(text, "address that the record concerns; empty for none"), address],
    token: [integer, 0],
    parameters: [PARAMETERS, transferParameters],
    values: [
      VALUES,
      {
        balance: [{ balance, token: "0", unlockdate: 0 }],
        moved: [{ amount: type === "transfer" ? "-100" : "100", token: "0" }],
      },
    ],
  };
}

/** Source: batches §2.4. */
const placeInGroup: Schema = record("PlaceInGroup", {
  id: noted(text, "id of the group"),
  index: noted(integer, "its place among the operations of the group, from 0"),
  count: noted(integer, "how many operations the group has"),
});

function mayBeInGroup({ schema, example }: Shown): Shown {
  const group = { ...placeInGroup, description: "the group that it was done in; absent for none" };
  const properties = schema["properties"] as { readonly [name: string]: Schema };
  return { schema: { ...schema, properties: { ...properties, group } }, example };
}

/** Source: bundles §5. */
const at = noted(integer, "in a bundle: index of the operation that made the record, from 0");

function mayBeInBundle({ schema, example }: Shown): Shown {
  const properties = schema["properties"] as { readonly [name: string]: Schema };
  return { schema: { ...schema, properties: { ...properties, at } }, example };
}

/** Source: chain §3. */
function transactionMembers(record: Members): Members {
  return {
    id: [text, TRANSACTION],
    db_sn: [noted(text, "number of its block"), BLOCK],
    db_id: [noted(text, "id of its block"), BLOCK_ID],
    timestamp: [time, NOW],
    ...record,
    validationCode: [noted(text, "always 0"), "0"],
  };
}

/** Source: chain §10. */
export function shownRecord(type: string, address: string): Shown {
  return mayBeInBundle(
    mayBeInGroup(
      shown("TransactionRecord", transactionMembers(recordMembers(type, address, "100"))),
    ),
  );
}

/** Source: chain §10. */
export const shownItemRecord: Shown = mayBeInBundle(
  mayBeInGroup(
    shown("ItemRecord", {
      ...transactionMembers({
        type: [recordType, "mrc401_sell"],
        address: [noted(text, "always empty"), ""],
        item: [noted(text, "the project, item or listing that it is about"), SWORD],
        token: [integer, 0],
        parameters: [PARAMETERS, [SWORD, ALICE, "30", "0", SIGNATURE, TEMPORARY_KEY]],
        values: [VALUES, { listing_fee: "1.5", sell_date: NOW, sell_price: "30" }],
      }),
    }),
  ),
);

const received = shown("Effect", recordMembers("receive", BOB, "100"));

/** Source: chain §3. */
const effect: Schema = record(
  "Effect",
  {
    ...(received.schema["properties"] as { readonly [name: string]: Schema }),
    item: noted(text, "the project, item or listing, if it is about one"),
    at,
  },
  received.schema["required"] as readonly string[],
);

/** Source: chain §3. */
export const shownTransaction: Shown = mayBeInGroup(
  shown("Transaction", {
    ...transactionMembers(recordMembers("transfer", ALICE, "900")),
    effects: [listOf(effect), [received.example]],
  }),
);
