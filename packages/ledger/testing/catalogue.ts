import assert from "node:assert/strict";
import {
  bundledKey,
  type LedgerOperation,
  operationRecords,
  RECORD_FORMS,
  RECORD_TYPES,
  type RecordForm,
  type RecordPart,
  type RecordType,
  signedBundle,
  type TransactionRecord,
} from "@moneta/protocol";
import { GENESIS_RULES, RULES } from "../rules/registry.ts";
import type { TestLedger } from "./test-ledger.ts";

/** Which types a section of chain §9 has. */
const SECTIONS = {
  ledger: /^(Chaincode|DataMigration|StateRoot)/,
  authority: /^(NewKeys|Recovery)/,
  grants: /^Grant/,
  tokens: /^(NewWallet|transfer|receive|multi_transfer|token|owner|.*mrc010)/,
  items: /mrc40[01]|_melt(fee)?$/,
  units: /mrc402/,
  protocols: /^(bundle|SetBase|token(Add|Remove)Target|exchange|MRC020|stodex)/,
} as const;

export type CatalogueSection = keyof typeof SECTIONS;

/** The fault of a record under one form; undefined if it has none. */
type Complaint = string | undefined;

/** The types of a section, which some test has to come to. */
export function typesOf(section: CatalogueSection): ReadonlySet<string> {
  return new Set(RECORD_TYPES.filter((type) => sectionOf(type) === section));
}

function sectionOf(type: RecordType): CatalogueSection {
  const order = ["ledger", "authority", "grants", "protocols", "units", "items", "tokens"] as const;
  const section = order.find((one) => SECTIONS[one].test(type));
  assert(section !== undefined, `${type} is in no section`);
  return section;
}

/**
 * Checks that every record of the ledger is of the catalogue; returns the types that occur.
 * Source: chain §9.
 */
export function checkCatalogue(ledger: TestLedger): ReadonlySet<string> {
  const types = new Set<string>();
  const operations = ledger.blocks.flatMap((block) => block.operations);
  for (const [index, record] of ledger.records().entries()) {
    checkRecord(record, operations[index] as string);
    for (const { type } of [record, ...record.effects]) {
      types.add(type);
    }
  }
  return types;
}

/** The same for the record of one operation. */
export function checkRecord(record: TransactionRecord, operation: string): void {
  for (const one of operationsOf(record, JSON.parse(operation) as LedgerOperation)) {
    for (const part of [one.record, ...one.record.effects]) {
      checkPart(part, one.record, one.operation);
    }
  }
}

/** Those that a bundle did, and the bundle itself without them. Source: bundles §5. */
function operationsOf(
  record: TransactionRecord,
  operation: LedgerOperation,
): readonly { readonly record: TransactionRecord; readonly operation: LedgerOperation }[] {
  if (operation.op !== signedBundle.name) {
    return [{ record, operation }];
  }
  const { actor, tkey, operations } = JSON.parse(operation.params["body"] as string);
  const done = operationRecords(record).map(({ index, record: own }) => {
    const op = operations[index].operation as string;
    const key = RULES.get(op)?.operation.signers[0]?.temporaryKey ?? "";
    const params = { [key]: bundledKey(tkey, index) };
    return { record: own, operation: { op, actor, params, decided: {}, signatures: {} } };
  });
  const own = { ...operation, params: { tkey } };
  return [{ record: { ...record, effects: [] }, operation: own }, ...done];
}

function checkPart(part: RecordPart, whole: TransactionRecord, operation: LedgerOperation): void {
  const kind = kindOf(part, whole);
  // Records of other concerned addresses may be of the form of M or of a listing.
  // Source: mrc401 §1.3, mrc402 §2.3.
  if (kind === "A" && part.type === whole.type) {
    const others = [whole, ...whole.effects.filter(({ item }) => item !== undefined)];
    const reported = others.map(({ parameters }) => JSON.stringify(parameters));
    assert.ok(reported.includes(JSON.stringify(part.parameters)), JSON.stringify(part));
    return;
  }
  const complaints = RECORD_FORMS[part.type]?.map((form) =>
    form.by.includes(operation.op) ? complaintOf(part, kind, form, operation) : "another operation",
  );
  assert.ok(
    complaints?.includes(undefined),
    `${operation.op}: ${JSON.stringify(part)}: ${complaints?.join(", ") ?? "no such type"}`,
  );
}

function kindOf(part: RecordPart, whole: TransactionRecord): "M" | "A" | "IL" {
  if (part === whole) {
    assert.equal(part.item, undefined);
    return "M";
  }
  assert.equal(part.item === undefined, part.address !== "");
  return part.item === undefined ? "A" : "IL";
}

function complaintOf(
  { address, item, parameters }: RecordPart,
  kind: "M" | "A" | "IL",
  form: RecordForm,
  operation: LedgerOperation,
): Complaint {
  const filedUnder = [...kind].flatMap((letter) => form.filed[letter as "M"] ?? []);
  if (filedUnder.length === 0) {
    return `filed as ${kind}`;
  }
  const names = [...form.parameters, ...form.optional];
  if (![form.parameters.length, names.length].includes(parameters.length)) {
    return `${parameters.length} parameters instead of ${names.length}`;
  }
  for (const [index, given] of parameters.entries()) {
    const wanted = textWanted(names[index] as string, operation, names);
    if (wanted !== undefined && !isSameText(given, wanted)) {
      return `${names[index]} is ${given} instead of ${wanted}`;
    }
  }
  const under = filedUnder.flatMap((name) => parameters[names.indexOf(name)] ?? []);
  if (under.length > 0 && !under.includes((kind === "IL" ? item : address) ?? "")) {
    return `filed under ${address || item} instead of ${under.join(" or ")}`;
  }
  return kind === "M" && operation.actor !== "" && address !== operation.actor
    ? `filed under ${address} instead of the actor`
    : undefined;
}

/** Of an entry a rate is in its canonical form; texts that are shown may be cut. */
function isSameText(given: string, wanted: string): boolean {
  return (
    given === wanted ||
    Number(given) === Number(wanted) ||
    (given.length >= 64 && wanted.startsWith(given))
  );
}

const OF_TRADES: readonly string[] = ["trade", "payment", "bid"];

/** The expected text of a parameter, undefined if it depends on the state. */
function textWanted(
  name: string,
  { op, actor, params, signatures }: LedgerOperation,
  all: readonly string[],
): string | undefined {
  if (name.startsWith("=")) {
    return name.slice(1);
  }
  const { operation } = RULES.get(op) ?? GENESIS_RULES.get(op) ?? {};
  const [signer] = operation?.signers ?? [];
  switch (name) {
    case "actor":
      return actor;
    case "signature":
      return signatures["signature"] ?? "";
    case "tkey":
      return params[signer?.temporaryKey ?? ""] ?? "";
    case "items":
      return params["mrc401id"] ?? params["itemdata"];
    case "item":
      return params["mrc401id"] ?? params["mrc402id"];
    case "target":
      return params["targetToken"] ?? params["targettoken"];
    case "publickey":
    case "agent":
    case "version":
    case "seller":
      // Canonical keys, that of a key set, and the holder for whom a role lists.
      return undefined;
    default:
      // Of a trade and of a payment all terms are its own; a date of 0 stands for a default.
      return params[name] === "0" || all.some((one) => OF_TRADES.includes(one))
        ? undefined
        : params[name];
  }
}
