import {
  type DocumentKind,
  GRANT,
  ITEM,
  ITEM_OFFER,
  type LedgerReader,
  named,
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
  projectMarket,
  Refused,
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
  entry(project, PROJECT),
  entry(projectMarket, PROJECT, ({ order: number }, { state, projectMarkets }) =>
    projectMarkets.market(number, state.time),
  ),
  entry(item, ITEM),
  entry(itemMetadata, ITEM, (value, { state }) =>
    metadataOfItem(value, state.find(PROJECT, value.mrc400) as Project),
  ),
  entry(itemOffer, ITEM_OFFER),
  entry(unitItem, UNIT_ITEM, (value, { state }) => unitItemView(state, value)),
  entry(unitItemMetadata, UNIT_ITEM, (value, { state }) =>
    metadataOfUnits(value, value.mrc400 === "" ? undefined : state.find(PROJECT, value.mrc400)),
  ),
  entry(unitListingRead, UNIT_LISTING),
  entry(unitOffer, UNIT_OFFER),
  entry(tokenListing, TOKEN_LISTING),
  entry(order, ORDER),
  entry(seal, SEAL),
  entry(grantDetails, GRANT),
];

/** 6004 if the entry does not exist. */
function entry<V>(
  { name, parameters }: AnyRead,
  kind: DocumentKind<V>,
  show: (value: V, reader: LedgerReader) => unknown = (value, { state }) =>
    kind.view?.(value, state) ?? kind.json(value),
): readonly [string, ReadHandler] {
  const [parameter = ""] = Object.keys(parameters);
  return [
    name,
    (values, reader) => {
      const given = values[parameter];
      const found = named(reader.state, kind, given, parameter);
      return found instanceof Refused ? found : json(show(found, reader));
    },
  ];
}
