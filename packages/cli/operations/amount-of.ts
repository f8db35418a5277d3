import type { AmountOf, Row } from "./row.ts";

export function of(parameter: string): AmountOf {
  return (params, session) => session.units(params[parameter] ?? "0");
}

export const nativeCoin: AmountOf = (_, session) => session.units("0");

export const newToken: AmountOf = async ({ symbol = "", decimal = "0" }) => ({
  id: "",
  symbol,
  decimal: Number(decimal),
});

export function ofListing(member: string): AmountOf {
  return async ({ dexid = "" }, session) => {
    const listing = await session.lookUp("tokenListing", { dexid });
    return await session.units(String(listing[member] || "0"));
  };
}

export const ofOrder: AmountOf = async ({ mrc040id = "" }, session) => {
  const order = await session.lookUp("order", { mrc040id });
  return await session.units(String(order["targettoken"] ?? "0"));
};

export function guarded(guard: NonNullable<Row["guard"]>): AmountOf {
  return async (params, session) => {
    const { token = "0" } = params["token"] === undefined ? await guard(params, session) : params;
    return await session.units(token);
  };
}
