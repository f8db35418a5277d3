import type { Params, Session } from "../session/session.ts";
import { amountText } from "../values/amounts.ts";
import { timeText } from "../values/times.ts";
import type { Members } from "../views/view.ts";
import type { AmountOf } from "./row.ts";

// What commands about offers for items and units print before they send. Source: offers §2, §3.

export const HELD =
  "The price leaves your balance at once, and comes back when you withdraw the offer or it ends. --end is a time an hour to 90 days from now.";

/** An offer for an item, or for any item of a project. */
export async function itemOfferTerms(
  { id = "", groupid = "", price = "0", token = "0", end = "0" }: Params,
  session: Session,
): Promise<readonly string[]> {
  const wanted = groupid === "" ? id : `any item of group ${groupid} of ${id}`;
  const units = await session.units(token);
  return [`${amountText(price, units)} for ${wanted}, until ${timeText(Number(end))}`];
}

/** An offer for units: the price of all of them is held. */
export async function unitOfferTerms(
  { id = "", amount = "0", price = "0", token = "0", end = "0" }: Params,
  session: Session,
): Promise<readonly string[]> {
  const units = await session.units(token);
  const total = amountText(String(BigInt(amount) * BigInt(price)), units);
  return [
    `${amountText(price, units)} each for ${amount} units of ${id}, ${total} in all, until ${timeText(Number(end))}`,
  ];
}

/** What a seller is offered, before fees. */
export async function itemAcceptTerms(
  { offerid = "", mrc401id }: Params,
  session: Session,
): Promise<readonly string[]> {
  const offer = await offerOf(session, "mrc401Offer", offerid);
  const price = amountText(String(offer["price"]), await session.units(String(offer["token"])));
  return [`${mrc401id ?? offer["id"]} to ${offer["buyer"]} for ${price}, less fees`];
}

/** What a seller of units is offered, before fees. */
export async function unitAcceptTerms(
  { offerid = "", amount = "0" }: Params,
  session: Session,
): Promise<readonly string[]> {
  const offer = await offerOf(session, "mrc402Offer", offerid);
  const units = await session.units(String(offer["token"]));
  const total = String(BigInt(amount) * BigInt(String(offer["price"])));
  const price = amountText(total, units);
  return [`${amount} units of ${offer["id"]} to ${offer["buyer"]} for ${price} in all, less fees`];
}

/** An amount of the token that an offer is in. */
export const ofItemOffer: AmountOf = ofOffer("mrc401Offer");
export const ofUnitOffer: AmountOf = ofOffer("mrc402Offer");

function ofOffer(read: "mrc401Offer" | "mrc402Offer"): AmountOf {
  return async ({ offerid = "" }, session) =>
    await session.units(String((await offerOf(session, read, offerid))["token"]));
}

async function offerOf(
  session: Session,
  read: "mrc401Offer" | "mrc402Offer",
  offerid: string,
): Promise<Members> {
  return (await session.lookUp(read, { offerid })) as Members;
}
