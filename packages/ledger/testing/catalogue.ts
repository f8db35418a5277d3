import assert from "node:assert/strict";
import type { LedgerOperation, RecordPart, TransactionRecord } from "@moneta/protocol";
import { GENESIS_RULES, RULES } from "../rules/registry.ts";
import type { TestLedger } from "./test-ledger.ts";

/**
 * The catalogue of chain §9, each row as types, operations, under what the record is filed, and parameters. Of what a record is filed under the second word is the parameter that names it, if one does. Parameters in
 * quotes are these texts, S is the signature and tkey the temporary key, and those that end with ? are there all together or not at all.
 */
const CATALOGUE = {
  ledger: `
Chaincode Install or Update | protocol | M | version; height; note
DataMigration | migrate | M | version; note`,
  tokens: `
NewWallet | address | M address | address; public key; addinfo
transfer | transfer | M from | from; to; amount; token id; S; unlock date; tag; memo
receive | transfer multitransfer | A to | from; to; amount; token id; S; unlock date; tag; memo
multi_transfer | multitransfer | M from | from; transferlist; token id; S; tkey
tokenSave | tokensave | M owner | owner; symbol; token; name; url; totalsupply; decimal; category; reservedamount; reserve; tier; type; image; S; tkey
tokenRegister | tokencreate coin | M owner | token id; owner; symbol; name; url; totalsupply; decimal; category; reserve; S; tkey
token_reserve | tokencreate coin | A receiver | owner; receiver; amount; token id
tokenBurning | tokenburn | M | token id; amount; S; memo?
ownerBurning | tokenburn | A | token id; amount; S; memo?
tokenIncrease | tokenincrease | M | token id; amount; S; memo?
ownerIncrease | tokenincrease | A | token id; amount; S; memo?
tokenUpdate | tokenupdate | M | token id; url; info; image; S
mrc010sell | mrc010sell | M address | dexid; address; amount; X; price; Y; p1; p2; p3; p4; min_trade_unit; S; tkey
mrc010reqsell | mrc010reqsell | M address | dexid; address; amount; X; price; Y; p1; p2; p3; p4; min_trade_unit; S; tkey
mrc010_sell | mrc010sell | L dexid | dexid; address; amount; X; price; Y; p1; p2; p3; p4; min_trade_unit; S; tkey
mrc010_reqsell | mrc010reqsell | L dexid | dexid; address; amount; X; price; Y; p1; p2; p3; p4; min_trade_unit; S; tkey
mrc010unsell | mrc010unsell | M creator | dexid; creator; amount; X; price; Y; S; tkey
mrc010unreqsell | mrc010unreqsell | M creator | dexid; creator; amount; X; refund; Y; S; tkey
mrc010_unsell | mrc010unsell | L dexid | dexid; creator; amount; X; price; Y; S; tkey
mrc010_unreqsell | mrc010unreqsell | L dexid | dexid; creator; amount; X; refund; Y; S; tkey
transfer_mrc010buy | mrc010buy | M taker | taker; dexid; payment; Y; S; "0"; amount; X; tkey
transfer_mrc010sell | mrc010acceptreqsell | M taker | taker; dexid; payment; Y; S; "0"; amount; X; tkey
mrc010auction | mrc010auction | M address | dexid; address; amount; X; start price; Y; unit; buy-now; start; end; p1; p2; p3; p4; S; tkey
mrc010_auction | mrc010auction | L dexid | dexid; address; amount; X; start price; Y; unit; buy-now; start; end; p1; p2; p3; p4; S; tkey
mrc010unauction | mrc010unauction | M seller | dexid; seller; amount; X; start price; Y; S; tkey
mrc010_unauction | mrc010unauction | L dexid | dexid; seller; amount; X; start price; Y; S; tkey
transfer_mrc010bid | mrc010bid | M bidder | bidder; dexid; bid; Y; S; "0"; lot; X; tkey
receive_mrc010item | mrc010auctionfinish | M winner | dexid; winner; "0"; Y; ""; "0"; amount; X; ""
mrc010auctionfailure | mrc010auctionfinish | M seller | dexid; seller; amount; X
mrc010_auctionfailure | mrc010auctionfinish | L dexid | dexid; seller; amount; X
receive_mrc010sell | mrc010buy mrc010acceptreqsell mrc010bid mrc010auctionfinish | A payee | dexid; payee; n; Y; S; "0"; amount; X; tkey
receive_mrc010buy | mrc010buy mrc010acceptreqsell mrc010bid mrc010auctionfinish | A payee | dexid; payee; n; Y; S; "0"; amount; X; tkey
receive_mrc010fee | mrc010buy mrc010acceptreqsell mrc010bid mrc010auctionfinish | A payee | dexid; payee; n; Y; S; "0"; amount; X; tkey
receive_mrc010refund | mrc010buy mrc010acceptreqsell mrc010bid mrc010auctionfinish | A payee | dexid; payee; n; Y; S; "0"; amount; X; tkey
receive_mrc010auction | mrc010buy mrc010acceptreqsell mrc010bid mrc010auctionfinish | A payee | dexid; payee; n; Y; S; "0"; amount; X; tkey
mrc010_buy | mrc010buy | L dexid | dexid; creator; other; payments; X
mrc010_acceptreqsell | mrc010acceptreqsell | L dexid | dexid; creator; other; payments; X
mrc010_auctionbid | mrc010bid | L dexid | dexid; creator; other; payments; X
mrc010_auctionbuynow | mrc010bid | L dexid | dexid; creator; other; payments; X
mrc010_auctionwinning | mrc010auctionfinish | L dexid | dexid; creator; other; payments; X`,
  items: `
mrc400create | mrc400create | M owner | mrc400id; owner; name; url; imageurl; allowtoken; category; description; itemurl; itemimageurl; data; S; tkey
mrc400update | mrc400update | M owner | mrc400id; owner; name; url; imageurl; allowtoken; category; description; itemurl; itemimageurl; data; S; tkey
mrc400_create | mrc400create | I mrc400id | mrc400id; owner; name; url; imageurl; allowtoken; category; description; itemurl; itemimageurl; data; S; tkey
mrc400_update | mrc400update | I mrc400id | mrc400id; owner; name; url; imageurl; allowtoken; category; description; itemurl; itemimageurl; data; S; tkey
mrc401create | mrc401create | M actor | mrc400id; actor; itemdata; S; tkey
mrc401update | mrc401update | M actor | mrc400id; actor; itemdata; S; tkey
mrc401_create | mrc401create | I item | item; actor; initial reserve; its token; S; tkey
mrc401_update | mrc401update | I item | item; actor; initial reserve; its token; S; tkey
mrc401transfer | mrc401transfer | M fromAddr | item; fromAddr; toAddr; S; tkey
mrc401_transfer | mrc401transfer | I item | item; fromAddr; toAddr; S; tkey
receive_mrc401 | mrc401transfer | A toAddr | item; fromAddr; toAddr; S; tkey
mrc401sell | mrc401sell | M seller | itemdata; seller; S; tkey
mrc401unsell | mrc401unsell | M seller | itemdata; seller; S; tkey
mrc401auction | mrc401auction | M seller | itemdata; seller; S; tkey
mrc401unauction | mrc401unauction | M seller | itemdata; seller; S; tkey
mrc401_sell | mrc401sell mrc401create | I item | item; seller; price; token; S; tkey
mrc401_unsell | mrc401unsell | I item | item; seller; S; tkey
mrc401_unauction | mrc401unauction | I item | item; seller; S; tkey
mrc401_auction | mrc401auction mrc401create | I item | item; seller; start price; token; buy-now; unit; S; tkey
transfer_mrc401buy | mrc401buy | M buyer | buyer; item; price; token; S; "0"; ""; item; tkey
transfer_mrc401bid | mrc401bid | M bidder | bidder; item; bid; token; S; "0"; ""; item; tkey
mrc401_buy | mrc401buy | I item | item; seller; buyer; payments; S; tkey
mrc401_auctionbid | mrc401bid | I item | item; bidder; payments; S; tkey
mrc401_melt | mrc401melt | MI item | item; owner; payments; S; tkey
mrc401_auctionwinning | mrc401auctionfinish | MI item | item; winner; payments; S; tkey
mrc401_auctionbuynow | mrc401bid | I item | item; winner; payments; S; tkey
mrc401_auctionfailure | mrc401auctionfinish | MI item | item; seller; ""; payments; ""; ""
receive_mrc401sell | mrc401buy mrc401bid mrc401auctionfinish | A seller | buyer; seller; n; token; S; "0"; ""; item; tkey
receive_mrc401auction | mrc401buy mrc401bid mrc401auctionfinish | A seller | buyer; seller; n; token; S; "0"; ""; item; tkey
receive_mrc401fee | mrc401buy mrc401bid mrc401auctionfinish | A owner | payer; owner; fee; token; S; "0"; ""; item; tkey
receive_mrc401refund | mrc401bid | A bidder | item; bidder; n; token; S; "0"; ""; item; tkey
receive_melt | mrc401melt mrc402melt | A payee | item; payee; n; token; S; "0"; ""; item; tkey
receive_meltfee | mrc401melt mrc402melt | A payee | item; payee; n; token; S; "0"; ""; item; tkey`,
  units: `
mrc402create | mrc402create | M creator | item; creator; name; creatorcommission; totalsupply; decimal; url; imageurl; shareholder; initialreserve; expiredate; data; information; socialmedia; c1; c2; c3; S; tkey; e1?; e2?; e3?; e4?; e5?; e6?; e7?; e8?; e9?
mrc402_create | mrc402create | I item | item; creator; name; creatorcommission; totalsupply; decimal; url; imageurl; shareholder; initialreserve; expiredate; data; information; socialmedia; c1; c2; c3; S; tkey; e1?; e2?; e3?; e4?; e5?; e6?; e7?; e8?; e9?
mrc402create | mrc402create | M actor | mrc400id; actor; itemdata; S; tkey
mrc402update | mrc402update | M creator | item; creator; url; data; information; socialmedia; c1; c2; c3; S; tkey
mrc402_update | mrc402update | I item | item; creator; url; data; information; socialmedia; c1; c2; c3; S; tkey
mrc402update | mrc402itemupdate | M actor | mrc400id; actor; itemdata; S; tkey
mrc402_update | mrc402itemupdate | I item | item; actor; item_url; item_image_url; groupid; sell_fee; melt_fee; transferable; S; tkey
mrc402mint | mrc402mint | M creator | item; creator; amount; memo; S; tkey
mrc402burn | mrc402burn | M creator | item; creator; amount; memo; S; tkey
mrc402_mint | mrc402mint | I item | item; creator; amount; memo; S; tkey
mrc402_burn | mrc402burn | I item | item; creator; amount; memo; S; tkey
mrc402melt | mrc402melt | M actor | item; actor; amount; S; tkey
mrc402_melt | mrc402melt | I item | item; actor; amount; S; tkey
transfer_mrc402 | mrc402transfer | M from | from; to; amount; item; tag; memo; S; tkey
receive_mrc402 | mrc402transfer | A to | from; to; amount; item; tag; memo; S; tkey
mrc402sell | mrc402sell | M | dexid; seller; amount; item; price; token; p1; p2; p3; p4; S; tkey
mrc402_sell | mrc402sell mrc402create | L dexid | dexid; seller; amount; item; price; token; p1; p2; p3; p4; S; tkey
mrc402auction | mrc402auction | M | dexid; seller; amount; item; start price; token; unit; buy-now; start; end; p1; p2; p3; p4; S; tkey
mrc402_auction | mrc402auction | L dexid | dexid; seller; amount; item; start price; token; unit; buy-now; start; end; p1; p2; p3; p4; S; tkey
mrc402unsell | mrc402unsell | M | dexid; seller; amount; item; price; token; S; tkey
mrc402_unsell | mrc402unsell | L dexid | dexid; seller; amount; item; price; token; S; tkey
mrc402unauction | mrc402unauction | M | dexid; seller; amount; item; price; token; S; tkey
mrc402_unauction | mrc402unauction | L dexid | dexid; seller; amount; item; price; token; S; tkey
mrc402sell | mrc402sell | M actor | itemdata; actor; S; tkey
mrc402auction | mrc402auction | M actor | itemdata; actor; S; tkey
mrc402unsell | mrc402unsell | M actor | itemdata; actor; S; tkey
mrc402unauction | mrc402unauction | M actor | itemdata; actor; S; tkey
transfer_mrc402buy | mrc402buy | M buyer | buyer; dexid; payment; token; S; "0"; amount; item; tkey
transfer_mrc402bid | mrc402bid | M bidder | bidder; dexid; bid; token; S; "0"; lot; item; tkey
receive_mrc402item | mrc402auctionfinish | M winner | dexid; winner; "0"; token; ""; "0"; lot; item; ""
receive_mrc402fee | mrc402buy mrc402bid mrc402auctionfinish | A payee | dexid; payee; n; token; S; "0"; ""; item; tkey
receive_mrc402sell | mrc402buy mrc402bid mrc402auctionfinish | A payee | dexid; payee; n; token; S; "0"; ""; item; tkey
receive_mrc402auction | mrc402buy mrc402bid mrc402auctionfinish | A payee | dexid; payee; n; token; S; "0"; ""; item; tkey
receive_mrc402refund | mrc402buy mrc402bid mrc402auctionfinish | A payee | dexid; payee; n; token; S; "0"; ""; item; tkey
mrc402_buy | mrc402buy | L dexid | dexid; seller; buyer; payments; item
mrc402_auctionbuynow | mrc402bid | L dexid | dexid; seller; buyer; payments; item
mrc402_auctionwinning | mrc402auctionfinish | L dexid | dexid; seller; buyer; payments; item
mrc402_auctionbid | mrc402bid | L dexid | dexid; seller; bidder; payments; S; tkey
mrc402auctionfailure | mrc402auctionfinish | M seller | dexid; seller; amount; item
mrc402_auctionfailure | mrc402auctionfinish | L dexid | dexid; seller; amount; item`,
} as const;

export type CatalogueSection = keyof typeof CATALOGUE;

interface Row {
  readonly type: string;
  readonly operations: readonly string[];
  readonly kinds: string;
  readonly filedUnder: string;
  readonly parameters: readonly string[];
}

/** What is wrong with a record by one row; undefined if nothing is. */
type Complaint = string | undefined;

const ROWS: readonly Row[] = Object.values(CATALOGUE).flatMap(rowsOf);

function rowsOf(section: string): Row[] {
  return section
    .trim()
    .split("\n")
    .map((line) => {
      const [type = "", operations = "", filed = "", parameters = ""] = line.split(" | ");
      const [kinds = "", ...filedUnder] = filed.split(" ");
      return {
        type,
        operations: operations.split(" "),
        kinds,
        filedUnder: filedUnder.join(" "),
        parameters: parameters.split("; "),
      };
    });
}

/** The types of a section, which some test has to come to. */
export function typesOf(section: CatalogueSection): ReadonlySet<string> {
  return new Set(rowsOf(CATALOGUE[section]).map(({ type }) => type));
}

/** Every record of every transaction of the ledger is one of the catalogue; the types that there are. Source: chain §9. */
export function checkCatalogue(ledger: TestLedger): ReadonlySet<string> {
  const types = new Set<string>();
  ledger.reading(() => {
    for (const { header, operations } of ledger.blocks) {
      const block = ledger.reader.block({ height: header.sn });
      assert(block !== undefined);
      for (const [position, id] of ledger.reader.transactionIds(block).entries()) {
        const operation = JSON.parse(operations[position] as string) as LedgerOperation;
        const name = { id, height: header.sn, position };
        const record = JSON.parse(ledger.reader.transaction(name)?.transaction.record ?? "");
        for (const part of [record, ...record.effects]) {
          checkPart(part, record, operation);
          types.add(part.type);
        }
      }
    }
  });
  return types;
}

function checkPart(part: RecordPart, whole: TransactionRecord, operation: LedgerOperation): void {
  const kind = kindOf(part, whole);
  // Whom else an operation concerns may be told as M or as a listing is. Source: mrc401 §1.9, mrc402 §2.3.
  if (kind === "A" && part.type === whole.type) {
    const others = [whole, ...whole.effects.filter(({ item }) => item !== undefined)];
    const told = others.map(({ parameters }) => JSON.stringify(parameters));
    assert.ok(told.includes(JSON.stringify(part.parameters)), JSON.stringify(part));
    return;
  }
  const complaints = ROWS.filter(({ type }) => type === part.type).map((row) =>
    complaintOf(part, kind, row, operation),
  );
  assert.ok(
    complaints.includes(undefined),
    `${operation.op}: ${JSON.stringify(part)}: ${complaints.join(", ") || "no such type"}`,
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
  row: Row,
  operation: LedgerOperation,
): Complaint {
  if (!row.operations.includes(operation.op)) {
    return "another operation";
  }
  if (![...kind].some((letter) => row.kinds.includes(letter))) {
    return `filed as ${kind}`;
  }
  const required = row.parameters.filter((name) => !name.endsWith("?")).length;
  if (parameters.length !== required && parameters.length !== row.parameters.length) {
    return `${parameters.length} parameters instead of ${row.parameters.length}`;
  }
  for (const [index, given] of parameters.entries()) {
    const wanted = textWanted(row.parameters[index] as string, operation);
    if (wanted !== undefined && given !== wanted) {
      return `${row.parameters[index]} is ${given} instead of ${wanted}`;
    }
  }
  const under = parameters[row.parameters.indexOf(row.filedUnder)];
  const isOfItem = row.filedUnder === "item" && kind === "M";
  if (under !== undefined && !isOfItem && under !== (kind === "IL" ? item : address)) {
    return `filed under ${address || item} instead of ${under}`;
  }
  return kind === "M" && operation.actor !== "" && address !== operation.actor
    ? `filed under ${address} instead of the actor`
    : undefined;
}

/** What must stand at a parameter's place, undefined if that depends. */
function textWanted(name: string, { op, params, signatures }: LedgerOperation): string | undefined {
  switch (name) {
    case "S":
      return signatures["signature"] ?? "";
    case "tkey": {
      const { operation } = RULES.get(op) ?? GENESIS_RULES.get(op) ?? {};
      return params[operation?.temporaryKey ?? ""] ?? "";
    }
    case '"0"':
      return "0";
    case '""':
      return "";
    default:
      return undefined;
  }
}
