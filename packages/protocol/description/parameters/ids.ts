import { type Address, parseAddress } from "../../keys/address.ts";
import { parseTransactionId, type TransactionName } from "../../records/transaction.ts";
import { AMOUNT_MAX, type TokenId } from "../../text/amount.ts";
import { type Refused, refuse } from "../faults.ts";
import { FORM, meaning, type Parameter, parameter } from "../parameter.ts";
import { shown } from "../raw-parameters.ts";
import { digits } from "./integers.ts";
import { opaque } from "./texts.ts";

export function address(): Parameter<Address> {
  const refuseForm = (given: string, name: string): Refused =>
    refuse({ code: "3190", parameter: name, given });
  return parameter<Address>({
    brief: "",
    wanted:
      "an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all",
    schema: {
      ...{ type: "string", pattern: "^MT[0-9A-Za-z]{30}[0-9a-f]{8}$" },
      [FORM]: { kind: "address" },
    },
    refusals: ["3190"],
    read: (text, name) => parseAddress(text) ?? refuseForm(text, name),
    malformed: (raw, name) => refuseForm(shown(raw), name),
  });
}

export function tokenId(digitsMax?: number): Parameter<TokenId> {
  const length = digitsMax === undefined ? "decimal digits" : `at most ${digitsMax} decimal digits`;
  return digits({
    brief: "0 is the native coin",
    wanted: `the id of a token: ${length} without sign or leading zero; 0 is the native coin`,
    max: digitsMax === undefined ? AMOUNT_MAX : 10n ** BigInt(digitsMax) - 1n,
    format: "token-id",
    toValue: (_, text) => text as TokenId,
  });
}

/** A malformed one is as unknown as any other. */
export function recordId(kind: string): Parameter<string> {
  return meaning("", opaque(`the id of ${kind}`));
}

/** A block by its number, or by its id of 64 hex digits. Source: chain §2. */
export type BlockName = { readonly height: number } | { readonly id: string };

export function blockName(): Parameter<BlockName> {
  return parameter<BlockName>({
    ...BLOCK_NAME,
    read: (given) => parseBlockName(given) ?? refuse({ code: "6001", given }),
  });
}

export function blockNameText(): Parameter<string> {
  return parameter<string>({
    ...BLOCK_NAME,
    read: (given) =>
      parseBlockName(given) === undefined ? refuse({ code: "6001", given }) : given,
  });
}

const BLOCK_NAME = {
  meaning: "",
  wanted: "the number of a block or its id, 64 lower-case hex digits",
  schema: { type: "string", pattern: "^(0|[1-9][0-9]{0,14}|[0-9a-f]{64})$" },
  refusals: ["6001"],
} as const;

export function parseBlockName(text: string): BlockName | undefined {
  if (/^[0-9a-f]{64}$/.test(text)) {
    return { id: text };
  }
  return /^(0|[1-9][0-9]{0,14})$/.test(text) ? { height: Number(text) } : undefined;
}

/** The id of a group that is done. Source: batches §2.4. */
export function doneGroup(): Parameter<string> {
  return parameter<string>({
    meaning: "",
    wanted: "the id of a group, 64 lower-case hex digits",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    refusals: ["6009"],
    read: (given) => (/^[0-9a-f]{64}$/.test(given) ? given : refuse({ code: "6009", given })),
  });
}

export function transactionName(): Parameter<TransactionName> {
  return parameter<TransactionName>({
    meaning: "",
    wanted: "the id of a transaction, 64 lower-case hex digits",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    refusals: ["6008"],
    read: (given) => parseTransactionId(given) ?? refuse({ code: "6008", given }),
  });
}
