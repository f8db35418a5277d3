/** From when until when a sale is open, Unix seconds; 0 or absent for no bound. Source: market §2.1. */
export interface SaleWindow {
  readonly sell_start?: number | undefined;
  readonly sell_end?: number | undefined;
}

/** Whether purchases from a sale are possible at a time: it has begun and not ended. */
export function isSaleOpen({ sell_start = 0, sell_end = 0 }: SaleWindow, at: number): boolean {
  return at >= sell_start && (sell_end === 0 || at < sell_end);
}
