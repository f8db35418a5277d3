import assert from "node:assert/strict";
import {
  type Address,
  RECORD_FORMS,
  type RecordPart,
  type RecordType,
  type TransactionRecord,
} from "@moneta/protocol";
import type { DocumentKind } from "../../state/entries.ts";
import { ITEM } from "../../state/item-entry.ts";
import { ITEM_OFFER, UNIT_OFFER } from "../../state/offer-entry.ts";
import { ORDER } from "../../state/order-entry.ts";
import { PROJECT } from "../../state/project-entry.ts";
import { SEAL } from "../../state/seal-entry.ts";
import { TOKEN_LISTING } from "../../state/token-listing-entry.ts";
import { UNIT_ITEM } from "../../state/units/unit-item-entry.ts";
import { UNIT_LISTING } from "../../state/units/unit-listing-entry.ts";
import type { LedgerSnapshot, StoredDocument } from "../ledger-snapshot.ts";
import type { TestLedger } from "../test-ledger.ts";
import { entryShown } from "./entry-shown.ts";
import { DEFAULTS, withoutDefaults } from "./watched-entries.ts";

/** A ledger before and after the one operation of its newest block. */
interface Change {
  readonly ledger: TestLedger;
  readonly before: LedgerSnapshot;
  readonly after: LedgerSnapshot;
}

/**
 * Asserts that each record of an operation shows what its address, item or listing has afterwards.
 * `values.moved` is checked elsewhere. Source: conventions §8.3, §8.4.
 */
export function assertShownInRecords(record: TransactionRecord, change: Change): void {
  const { before, after } = change;
  const moved = new Set<string>();
  for (const key of new Set([...before.balances.keys(), ...after.balances.keys()])) {
    if (before.balances.get(key) !== after.balances.get(key)) {
      moved.add(key);
    }
  }
  const same = new Set(before.documents("holding"));
  const holdings = after.documents("holding").filter((holding) => !same.has(holding));
  const shown = new Set<string>();
  for (const part of [record, ...record.effects]) {
    if (part.item === undefined) {
      assertAddressShown(part, change, { moved, holdings });
    } else {
      assertEntryShown(part, part.item, change, shown);
    }
  }
}

/** Most entries that `TestLedger.balances` returns. */
const PAGE = 100;

interface Balance {
  readonly token: string;
  readonly balance: string;
  readonly unlockdate: number;
}

function assertAddressShown(
  { type, address, values }: RecordPart,
  { ledger, after }: Change,
  {
    moved,
    holdings,
  }: { readonly moved: ReadonlySet<string>; readonly holdings: readonly StoredDocument[] },
): void {
  const {
    balance = [],
    mrc402 = {},
    pending,
  } = values as {
    readonly balance?: readonly Balance[];
    readonly mrc402?: Readonly<Record<string, object>>;
    readonly pending?: readonly { readonly token: string; readonly pending: string }[];
  };
  const tokens = new Set(balance.map(({ token }) => token));
  for (const key of moved) {
    const [of, token = ""] = key.split(" ");
    assert.ok(of !== address || tokens.has(token), `${type} shows token ${token}`);
  }
  // Of the locked amounts a credit shows its own alone.
  const isShown = (one: Balance): boolean =>
    balance.some(({ token, unlockdate }) => token === one.token && unlockdate === one.unlockdate);
  const held = [...tokens].flatMap((token): readonly Balance[] => {
    const all = ledger.balances(address as Address, token);
    if (all.length === PAGE) {
      return balance.filter((one) => one.token === token);
    }
    return all.length > 0 ? all : [{ token, balance: "0", unlockdate: 0 }];
  });
  assert.deepEqual(balance, held.filter(isShown), type);
  const changed = holdings.filter((holding) => holding["address"] === address);
  for (const item of [...Object.keys(mrc402), ...changed.map((one) => String(one["item"]))]) {
    const holding = after.document(`holding/${address}/${item}`) ?? {};
    const { balance: free = "0", saleamount = "0", auctionamount = "0" } = holding;
    assert.deepEqual(mrc402[item], { balance: free, saleamount, auctionamount }, type);
  }
  for (const { token, pending: amount } of pending ?? []) {
    assert.equal(after.document(`pending/${address}/${token}`)?.["amount"], amount, type);
  }
}

const KINDS = [
  ...[PROJECT, ITEM, UNIT_ITEM, TOKEN_LISTING, UNIT_LISTING],
  ...[ITEM_OFFER, UNIT_OFFER, ORDER, SEAL],
] as unknown as readonly DocumentKind<unknown>[];

/**
 * All that a `GET` shows in the first record that makes the entry, afterwards the members that the
 * transaction has changed.
 */
function assertEntryShown(
  { type, parameters, values }: RecordPart,
  id: string,
  { ledger, before, after }: Change,
  shown: Set<string>,
): void {
  const kind = KINDS.find(({ prefix }) => after.document(prefix + id) !== undefined);
  if (kind === undefined) {
    return;
  }
  const { prefix, json, restore } = kind;
  const [was, is] = [before, after].map((snapshot) => {
    const stored = snapshot.document(prefix + id);
    return stored && (json(restore({ ...stored }, stored, () => stored)) as StoredDocument);
  });
  const isMade = was === undefined && !shown.has(id);
  shown.add(id);
  const wanted = isMade
    ? withoutDefaults(ledger.reading(() => entryShown(ledger.reader.state, id)))
    : Object.fromEntries(
        Object.keys({ ...was, ...is })
          .map((name) => [name, is?.[name] ?? DEFAULTS[name]] as const)
          .filter(([name, value]) => JSON.stringify(was?.[name]) !== JSON.stringify(value)),
      );
  assert.deepEqual(values, wanted, type);
  if (/_(create|update|sell|auction)$/.test(type)) {
    assertTermsShown({ type, parameters }, is ?? {});
  }
}

/** Names of parameters that the entry has under another name. */
const IN_ENTRY: { readonly [parameter: string]: string } = {
  ...{ imageurl: "image_url", itemurl: "item_url", itemimageurl: "item_image_url" },
  ...{ allowtoken: "allow_token", melt_fee: "meltint_fee", price: "sell_price" },
};

/** Parameters are the terms of the entry that the operation has made, changed or listed. */
function assertTermsShown(
  { type, parameters }: Pick<RecordPart, "type" | "parameters">,
  entry: StoredDocument,
): void {
  const form = RECORD_FORMS[type as RecordType].find(({ parameters: required, optional }) =>
    [required.length, required.length + optional.length].includes(parameters.length),
  );
  assert(form !== undefined, type);
  for (const [index, name] of [...form.parameters, ...form.optional].entries()) {
    const [sent = "", has] = [parameters[index], entry[IN_ENTRY[name] ?? name]];
    if (sent !== "" && (typeof has === "string" || typeof has === "number")) {
      const isSame = sent === String(has) || Number(sent) === Number(has);
      assert.ok(isSame, `${type}: ${name} is ${sent}, not ${has}`);
    }
  }
}
