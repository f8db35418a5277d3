import type { RecordType } from "@moneta/sdk";

/**
 * What people ask for when they look for a transaction, and the types of records in histories of
 * addresses that belong to it: at most 20, which is what a list takes. Source: chain §10.
 */
export const RECORD_KINDS = {
  payments: ["transfer", "receive", "multi_transfer", "token_reserve"],
  accounts: ["NewWallet"],
  tokens: [
    "tokenSave",
    "tokenRegister",
    "tokenBurning",
    "ownerBurning",
    "tokenIncrease",
    "ownerIncrease",
    "tokenUpdate",
    "SetBase",
    "tokenAddTarget",
    "tokenRemoveTarget",
  ],
  offers: [
    "mrc010sell",
    "mrc010reqsell",
    "mrc010unsell",
    "mrc010unreqsell",
    "mrc401sell",
    "mrc401unsell",
    "mrc402sell",
    "mrc402unsell",
    "stodexRegister",
    "stodexUnRegister",
  ],
  trades: [
    "transfer_mrc010buy",
    "transfer_mrc010sell",
    "receive_mrc010sell",
    "receive_mrc010buy",
    "receive_mrc010fee",
    "transfer_mrc401buy",
    "receive_mrc401sell",
    "receive_mrc401fee",
    "transfer_mrc402buy",
    "receive_mrc402sell",
    "receive_mrc402fee",
    "exchange",
    "exchangePair",
    "exchangeFee",
    "exchangeFeePair",
    "stodexRequest",
    "stodexExchange",
    "stodexExchangePending",
    "stodexExchangeRequest",
  ],
  auctions: [
    "mrc010auction",
    "mrc010unauction",
    "receive_mrc010item",
    "receive_mrc010auction",
    "mrc010auctionfailure",
    "mrc401auction",
    "mrc401unauction",
    "mrc401_auctionwinning",
    "receive_mrc401auction",
    "mrc401_auctionfailure",
    "mrc402auction",
    "mrc402unauction",
    "receive_mrc402item",
    "receive_mrc402auction",
    "mrc402auctionfailure",
  ],
  bids: [
    "transfer_mrc010bid",
    "receive_mrc010refund",
    "transfer_mrc401bid",
    "receive_mrc401refund",
    "transfer_mrc402bid",
    "receive_mrc402refund",
  ],
  items: [
    "mrc401create",
    "mrc401update",
    "mrc401transfer",
    "receive_mrc401",
    "mrc401_melt",
    "receive_melt",
    "receive_meltfee",
    "mrc402create",
    "mrc402update",
    "mrc402mint",
    "mrc402burn",
    "mrc402melt",
    "transfer_mrc402",
    "receive_mrc402",
  ],
  projects: ["mrc400create", "mrc400update"],
  seals: ["MRC020", "MRC020Open"],
  rules: ["Chaincode Install or Update", "DataMigration"],
} as const satisfies { readonly [kind: string]: readonly RecordType[] };

export type RecordKind = keyof typeof RECORD_KINDS;

const KINDS = Object.keys(RECORD_KINDS) as readonly RecordKind[];

const KIND_OF: ReadonlyMap<string, RecordKind> = new Map(
  KINDS.flatMap((kind) => RECORD_KINDS[kind].map((type) => [type, kind] as const)),
);

/** The kind of a type; undefined for types that no history of an address has. */
export function recordKind(type: string): RecordKind | undefined {
  return KIND_OF.get(type);
}

/** The types of a kind as lists take them; undefined for a text that is no kind. */
export function typesOfKind(kind: string | undefined): string | undefined {
  const known = KINDS.find((one) => one === kind);
  return known && RECORD_KINDS[known].join(",");
}
