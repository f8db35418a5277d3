import type { TokenListing, UnitListing } from "@moneta/sdk";
import type { Column } from "../../parts/lists/entry-table.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { t } from "../../texts/texts.ts";

export function endsColumn<L extends TokenListing | UnitListing>(): Column<L> {
  return {
    head: t().explorer.listing.ends,
    cell: ({ side, state, auction_end_date: until }) =>
      side === "auction" && state === "open" && <TimeLeft until={until} />,
  };
}
