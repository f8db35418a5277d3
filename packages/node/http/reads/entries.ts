import {
  type DocumentKind,
  GRANT,
  ITEM,
  ITEM_OFFER,
  type LedgerReader,
  ORDER,
  PROJECT,
  type Project,
  SEAL,
  TOKEN_LISTING,
  UNIT_ITEM,
  UNIT_LISTING,
  UNIT_OFFER,
  unitItemView,
} from "@moneta/ledger";
import {
  type AnyRead,
  grantDetails,
  item,
  itemMetadata,
  itemOffer,
  order,
  project,
  refuse,
  seal,
  tokenListing,
  unitItem,
  unitItemMetadata,
  unitListingRead,
  unitOffer,
} from "@moneta/protocol";
import { json } from "../responses/answer.ts";
import { metadataOfItem, metadataOfUnits } from "./item-metadata.ts";
import type { ReadHandler } from "./read-handler.ts";

export const ENTRY_HANDLERS: readonly (readonly [name: string, handler: ReadHandler])[] = [
  entry(project, PROJECT, "a project"),
  entry(item, ITEM, "an item"),
  entry(itemMetadata, ITEM, "an item", (value, { state }) =>
    metadataOfItem(value, state.find(PROJECT, value.mrc400) as Project),
  ),
  entry(itemOffer, ITEM_OFFER, "an offer"),
  entry(unitItem, UNIT_ITEM, "a multi-unit item", (value, { state }) => unitItemView(state, value)),
  entry(unitItemMetadata, UNIT_ITEM, "a multi-unit item", (value, { state }) =>
    metadataOfUnits(value, value.mrc400 === "" ? undefined : state.find(PROJECT, value.mrc400)),
  ),
  entry(unitListingRead, UNIT_LISTING, "a listing"),
  entry(unitOffer, UNIT_OFFER, "an offer"),
  entry(tokenListing, TOKEN_LISTING, "a listing"),
  entry(order, ORDER, "an order"),
  entry(seal, SEAL, "a sealed text"),
  entry(grantDetails, GRANT, "a grant"),
];

/** 6004 if the entry does not exist. */
function entry<V>(
  { name, parameters }: AnyRead,
  kind: DocumentKind<V>,
  what: string,
  show: (value: V, reader: LedgerReader) => unknown = (value, { state }) =>
    kind.view?.(value, state) ?? kind.json(value),
): readonly [string, ReadHandler] {
  const [parameter = ""] = Object.keys(parameters);
  return [
    name,
    (values, reader) => {
      const given = values[parameter];
      const found = reader.state.find(kind, given);
      return found === undefined
        ? refuse({ code: "6004", what, parameter, given })
        : json(show(found, reader));
    },
  ];
}
