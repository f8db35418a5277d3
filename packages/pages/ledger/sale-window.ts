/** Unix seconds; 0 or absent for no bound. Source: market §2.1. */
export interface SaleWindow {
  readonly sell_start?: number | undefined;
  readonly sell_end?: number | undefined;
}

export function isSaleOpen({ sell_start = 0, sell_end = 0 }: SaleWindow, at: number): boolean {
  return at >= sell_start && (sell_end === 0 || at < sell_end);
}

/** Open, but past its end: it can only be closed. Source: offers §5. */
export function isOfferOver(
  { state, end }: { readonly state: string; readonly end: number },
  at: number,
): boolean {
  return state === "open" && at >= end;
}
