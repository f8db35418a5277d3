/** One movement of the payments text; for traded goods, number and token are separate members. */
export type Movement = readonly [
  type: string,
  from: string,
  to: string,
  number: string,
  token: string,
  of?: "paid" | "traded",
];

/** Source: market §4. */
export function paymentsText(...movements: readonly Movement[]): string {
  return JSON.stringify(
    movements.map(([type, from_addr, to_addr, number, token, of = "paid"]) => ({
      from_addr,
      to_addr,
      amount: of === "paid" ? number : "",
      token: of === "paid" ? token : "",
      trade_amount: of === "traded" ? number : "",
      trade_id: of === "traded" ? token : "",
      type,
    })),
  );
}
