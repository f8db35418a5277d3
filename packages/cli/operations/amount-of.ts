import type { AmountOf, Row } from "./row.ts";

/** An amount of the token that a parameter names, by default the native coin. */
export function of(parameter: string): AmountOf {
  return (params, session) => session.units(params[parameter] ?? "0");
}

export const nativeCoin: AmountOf = (_, session) => session.units("0");

/** An amount of the token that the command creates. */
export const newToken: AmountOf = async ({ symbol = "", decimal = "0" }) => ({
  id: "",
  symbol,
  decimal: Number(decimal),
});

/** An amount of the token that a listing offers, or is paid in. */
export function ofListing(member: string): AmountOf {
  return async ({ dexid = "" }, session) => {
    const listing = await session.lookUp("tokenListing", { dexid });
    return await session.units(String(listing[member] || "0"));
  };
}

/** An amount of the token that an order trades. */
export const ofOrder: AmountOf = async ({ mrc040id = "" }, session) => {
  const order = await session.lookUp("order", { mrc040id });
  return await session.units(String(order["targettoken"] ?? "0"));
};

/** An amount of the named token, or of the one that a guard adds. */
export function guarded(guard: NonNullable<Row["guard"]>): AmountOf {
  return async (params, session) => {
    const { token = "0" } = params["token"] === undefined ? await guard(params, session) : params;
    return await session.units(token);
  };
}
