import { isProjectId } from "@moneta/protocol";
import { afterFees, type TermsOfItem } from "@moneta/sdk";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { Params, Session } from "../session/session.ts";
import { amountText } from "../values/amounts.ts";
import { timeText } from "../values/times.ts";
import type { Members } from "../views/view.ts";
import type { AmountOf } from "./row.ts";
import { ownerNotes, termGuards } from "./trade.ts";

// Texts of commands for offers, printed before an offer is sent. Source: offers §2, §3.

export const HELD =
  "The price leaves your balance at once, and comes back when you withdraw the offer or it ends. --end is a time an hour to 90 days from now.";

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

/**
 * Guards for the terms of the wanted item, which its project's owner may change while the offer is
 * open. None for any item of a project, because terms differ. Source: offers §2.
 */
export async function itemOfferGuard(
  { id = "", ...given }: Params,
  session: Session,
): Promise<Params> {
  return isProjectId(id)
    ? {}
    : termGuards(await membersOf(session, "mrc401", { mrc401id: id }), given);
}

export async function unitOfferGuard(
  { id = "", ...given }: Params,
  session: Session,
): Promise<Params> {
  return termGuards(await membersOf(session, "mrc402", { mrc402id: id }), given);
}

/** Changes that the project's owner can still make to the wanted item. */
export async function itemOfferNotes(
  { id = "" }: Params,
  session: Session,
): Promise<readonly string[]> {
  return isProjectId(id) ? [] : await ownerNotes({ mrc401id: id }, session);
}

/** The minimum for a seller: the amount of the review, after current fees. Source: offers §3. */
export async function itemAcceptGuard(
  { offerid = "", mrc401id, seller, atleast }: Params,
  session: Session,
): Promise<Params> {
  const offer = await membersOf(session, "mrc401Offer", { offerid });
  if (mrc401id === undefined && isProjectId(String(offer["id"]))) {
    throw new WrongUse(`${offerid} is for any item of ${offer["id"]}: name the item to sell`);
  }
  const item = await membersOf(session, "mrc401", { mrc401id: mrc401id ?? String(offer["id"]) });
  const { owner } = await membersOf(session, "mrc400", { mrc400id: String(item["mrc400"]) });
  const rest = afterFees(item as unknown as TermsOfItem, BigInt(String(offer["price"])), {
    sellerOwnsProject: owner === seller,
  });
  return { atleast: atleast ?? String(rest) };
}

/** The same of units, for all of them together. */
export async function unitAcceptGuard(
  { offerid = "", amount = "0", atleast }: Params,
  session: Session,
): Promise<Params> {
  const offer = await membersOf(session, "mrc402Offer", { offerid });
  const item = await membersOf(session, "mrc402", { mrc402id: String(offer["id"]) });
  const payment = BigInt(amount) * BigInt(String(offer["price"]));
  const rest = afterFees(item as unknown as TermsOfItem, payment, { sellerOwnsProject: false });
  return { atleast: atleast ?? String(rest) };
}

/** The offered amount, and the minimum that the seller must receive. */
export async function itemAcceptTerms(
  { offerid = "", mrc401id, atleast = "0" }: Params,
  session: Session,
): Promise<readonly string[]> {
  const offer = await membersOf(session, "mrc401Offer", { offerid });
  const units = await session.units(String(offer["token"]));
  const price = amountText(String(offer["price"]), units);
  return [
    `${mrc401id ?? offer["id"]} to ${offer["buyer"]} for ${price}, of which at least ${amountText(atleast, units)} is yours after fees`,
  ];
}

export async function unitAcceptTerms(
  { offerid = "", amount = "0", atleast = "0" }: Params,
  session: Session,
): Promise<readonly string[]> {
  const offer = await membersOf(session, "mrc402Offer", { offerid });
  const units = await session.units(String(offer["token"]));
  const total = String(BigInt(amount) * BigInt(String(offer["price"])));
  return [
    `${amount} units of ${offer["id"]} to ${offer["buyer"]} for ${amountText(total, units)} in all, of which at least ${amountText(atleast, units)} is yours after fees`,
  ];
}

export const ofItemOffer: AmountOf = ofOffer("mrc401Offer");
export const ofUnitOffer: AmountOf = ofOffer("mrc402Offer");

function ofOffer(read: "mrc401Offer" | "mrc402Offer"): AmountOf {
  return async ({ offerid = "" }, session) =>
    await session.units(String((await membersOf(session, read, { offerid }))["token"]));
}

async function membersOf(session: Session, read: string, params: Params): Promise<Members> {
  return (await session.lookUp(read, params)) as Members;
}
