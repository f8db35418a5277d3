import {
  type FoundName,
  ITEM,
  invariant,
  type LedgerReader,
  PROJECT,
  UNIT_ITEM,
} from "@moneta/ledger";
import {
  FOUND_DEFAULT,
  type Found,
  parseTransactionId,
  type search,
  shortItemNumber,
  type TokenId,
} from "@moneta/protocol";
import { type Answer, json } from "../responses/answer.ts";
import { metadataOfItem, metadataOfUnits } from "./item-metadata.ts";
import type { Values } from "./read-handler.ts";

const NAMES = ["token", "project", "item", "unitItem", "groupid", "attribute"] as const;

const NUMBERED_MAX = 50;
/** Shorter heads of ids would be those of too many. */
const HEAD_MIN = 4;

/** Source: explorer §5. */
export function findAll(
  { text, kind, limit = FOUND_DEFAULT }: Values<typeof search>,
  reader: LedgerReader,
): Answer {
  const given = text.trim();
  const kinds = NAMES.filter(
    (name) => kind === "" || (name === "unitItem" ? "item" : name) === kind,
  );
  const named = kinds.flatMap((name) => reader.search.byName(name, given, limit));
  const found = [
    ...idsFound(given, limit, reader).filter((one) => kind === "" || one.kind === kind),
    ...named.map((one) => shownName(one, reader)),
    ...(kind === "" || kind === "item" ? numberedItems(given, limit, reader) : []),
  ];
  return json([
    ...new Map(
      found.map((one) => [`${one.kind} ${one.id} ${one.attribute ?? one.groupid}`, one]),
    ).values(),
  ]);
}

/** The text may be an id, whole or shortened. */
function idsFound(given: string, limit: number, reader: LedgerReader): readonly Found[] {
  const [, digits] = /^#?([0-9][0-9,.\u00a0\u202f ]*)$/.exec(given) ?? [];
  if (digits !== undefined) {
    const height = Number(digits.replaceAll(/[^0-9]/g, ""));
    return height <= reader.height ? [{ kind: "block", id: String(height), name: "" }] : [];
  }
  const [, block, place, end = ""] =
    /^(\d{1,15})-(\d{1,9})(?:…|\.\.+)?([0-9a-f]*)$/.exec(given) ?? [];
  if (block !== undefined) {
    return transactionAt({ height: Number(block), position: Number(place) }, end, reader);
  }
  if (/^[0-9a-fA-F]{64}$/.test(given)) {
    return ofHash(given.toLowerCase(), reader);
  }
  const [, head = "", tail = ""] =
    /^([0-9A-Za-z_]+)(?:(?:…|\.\.+)([0-9A-Za-z_]*))?$/.exec(given) ?? [];
  const [, ofKind = ""] = /^((?:MRC|DEX|OFF|TRD)[0-9]{3}_|MT)/.exec(head) ?? [];
  // A word is a name. A part of an id has its kind or its end.
  if (head.length - ofKind.length < HEAD_MIN || (ofKind === "" && tail === "")) {
    return [];
  }
  if (ofKind === "TRD040_") {
    const trade = reader.orderTrades.get(head);
    const id = trade && reader.transactionIdOf(trade.transaction);
    return id === undefined ? [] : [{ kind: "transaction", id, name: "" }];
  }
  const short = reader.search.byId(head, tail, limit).map(({ kind, id }) => {
    switch (kind) {
      case "project":
        return shownName({ kind, id, text: "" }, reader);
      case "item":
        return itemFound(id, reader);
      default:
        return { kind, id, name: "" };
    }
  });
  // Numbers are indexed as names show them, without zeros at their beginning.
  const named = head.replace(/^0+(?=.)/, "");
  const numbered = ofKind === "" ? reader.search.byName("item", named, limit) : [];
  return [
    ...short,
    ...numbered
      .filter(({ id }) => id.endsWith(tail) && (named === head || id.includes(`_${head}`)))
      .map((one) => shownName(one, reader)),
  ];
}

function ofHash(id: string, reader: LedgerReader): readonly Found[] {
  const name = parseTransactionId(id);
  const isTransaction = name !== undefined && reader.transaction(name) !== undefined;
  return [
    ...(isTransaction ? [{ kind: "transaction" as const, id, name: "" }] : []),
    ...(reader.block({ id }) === undefined ? [] : [{ kind: "block" as const, id, name: "" }]),
    ...(reader.groupTransactions(id) === undefined
      ? []
      : [{ kind: "group" as const, id, name: "" }]),
  ];
}

/** If its id ends so. */
function transactionAt(
  { height, position }: { readonly height: number; readonly position: number },
  end: string,
  reader: LedgerReader,
): readonly Found[] {
  const block = reader.block({ height });
  if (block === undefined || position >= block.header.count) {
    return [];
  }
  const first = block.header.size - block.header.count;
  const id = reader.transactionIdOf(first + position) ?? "";
  return id.endsWith(end) ? [{ kind: "transaction", id, name: "" }] : [];
}

/** By a name and a number: the item's own name, or that of its group or project. */
function numberedItems(given: string, limit: number, reader: LedgerReader): readonly Found[] {
  const [, name, number] = /^(.*\S)\s*#\s*([0-9A-Za-z]{1,40})$/s.exec(given) ?? [];
  if (name === undefined || number === undefined) {
    return [];
  }
  const projects = reader.search.byName("project", name, limit);
  const ids = [
    ...projects.flatMap(({ id }) => reader.search.itemsNumbered(id, number, limit)),
    ...(["item", "unitItem"] as const).flatMap((kind) =>
      reader.search.byName(kind, number, NUMBERED_MAX).map(({ id }) => id),
    ),
    ...(["item", "unitItem"] as const).flatMap((kind) =>
      reader.search
        .byName(kind, name, NUMBERED_MAX)
        .flatMap(({ id }) => (shortItemNumber(id).startsWith(number) ? [id] : [])),
    ),
  ];
  const meant = withoutQuotes(name);
  const isMeant = ({ id, name: found }: Found): boolean => {
    const own = withoutQuotes(found);
    const isNumbered = own.endsWith(` #${shortItemNumber(id).toLowerCase()}`);
    return isNumbered
      ? own.startsWith(`${meant} #`)
      : own === meant || withoutQuotes(projectName(id, reader)) === meant;
  };
  return [...new Set(ids)]
    .map((id) => itemFound(id, reader))
    .filter(isMeant)
    .slice(0, limit);
}

function projectName(id: string, { state }: LedgerReader): string {
  const { mrc400 } = state.find(ITEM, id) ?? there(state.find(UNIT_ITEM, id));
  return mrc400 === "" ? "" : there(state.find(PROJECT, mrc400)).name;
}

/** Names may have been copied from a page. */
function withoutQuotes(name: string): string {
  return name.replaceAll(/["\\]/g, "").toLowerCase();
}

function shownName({ kind, id, text }: FoundName, reader: LedgerReader): Found {
  const { state } = reader;
  switch (kind) {
    case "token":
      return tokenFound(id as TokenId, reader);
    case "item":
    case "unitItem":
      return itemFound(id, reader);
    case "project":
    case "attribute":
    case "groupid": {
      const { name, image_url } = there(state.find(PROJECT, id));
      return { kind, id, name, ...(kind === "project" ? pictured(image_url) : { [kind]: text }) };
    }
  }
}

function tokenFound(id: TokenId, { state }: LedgerReader): Found {
  const { name, symbol } = there(state.token(id));
  return { kind: "token", id, name, symbol };
}

function itemFound(id: string, { state }: LedgerReader): Found {
  const item = state.find(ITEM, id);
  if (item !== undefined) {
    const { name, image } = metadataOfItem(item, there(state.find(PROJECT, item.mrc400)));
    return { kind: "item", id, name, ...pictured(image) };
  }
  const units = there(state.find(UNIT_ITEM, id));
  const project = units.mrc400 === "" ? undefined : state.find(PROJECT, units.mrc400);
  const { name, image } = metadataOfUnits(units, project);
  return { kind: "item", id, name, ...pictured(image) };
}

function pictured(image = ""): Pick<Found, "image"> | object {
  return image === "" ? {} : { image };
}

function there<V>(value: V | undefined): V {
  invariant(value !== undefined, "what was found is there");
  return value;
}
