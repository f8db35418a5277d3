import { type LedgerReader, SEAL, type SealState } from "@moneta/ledger";
import { type Address, type Cursor, type Refused, refuse, SEALS } from "@moneta/protocol";
import { type Answer, json, listPage, PAGE } from "../responses/answer.ts";

/** Source: protocols §6. */
export function showSeal(
  { mrc020key }: { mrc020key: string },
  { state }: LedgerReader,
): Answer | Refused {
  const seal = state.find(SEAL, mrc020key);
  return seal === undefined
    ? refuse({ code: "6004", what: "a sealed text", parameter: "mrc020key", given: mrc020key })
    : json(SEAL.json(seal));
}

/** Source: protocols §6. */
export function listSeals(
  values: {
    owner: Address | undefined;
    state: SealState | "all";
    limit: number | undefined;
    cursor: Cursor<number> | undefined;
  },
  { state, seals }: LedgerReader,
): Answer {
  const { owner, limit = PAGE, cursor } = values;
  const ownerNumber = owner && state.address(owner)?.number;
  if (owner !== undefined && ownerNumber === undefined) {
    return listPage([], { list: SEALS, values }, undefined);
  }
  const page = seals.list({
    ownerNumber,
    state: values.state === "all" ? undefined : values.state,
    before: cursor?.last,
    limit,
  });
  return listPage(page.items, { list: SEALS, values }, page.cursor);
}
