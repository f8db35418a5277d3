import { isProjectId } from "@moneta/protocol";
import { afterFees, type TermsOfItem } from "@moneta/sdk";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { Members, Params, Session } from "../session/session.ts";
import { amountText, unitsText } from "../values/amounts.ts";
import { timeText } from "../values/times.ts";
import { itemText } from "../views/sentence.ts";
import type { AmountOf, Row } from "./row.ts";
import { itemOf, type Kind, termGuards } from "./trade.ts";

// Source: offers §2, §3.

export const HELD =
  "The price leaves your balance at once, and comes back when you withdraw the offer or it ends. --end is a time an hour to 90 days from now.";

export async function offerTerms(
  { id = "", groupid = "", amount, price = "0", token = "0", end = "0" }: Params,
  session: Session,
): Promise<readonly string[]> {
  const units = await session.units(token);
  const each = amountText(price, units);
  const item = await itemText(id, session);
  const until = `until ${timeText(Number(end))}`;
  if (amount === undefined) {
    const wanted = groupid === "" ? item : `any item of group ${groupid} of ${item}`;
    return [`${each} for ${wanted}, ${until}`];
  }
  const total = amountText(String(BigInt(amount) * BigInt(price)), units);
  return [`${each} each for ${unitsText(amount)} of ${item}, ${total} in all, ${until}`];
}

/**
 * Guards for the wanted item's terms, which its project's owner may change. None for any item of a
 * project. Source: offers §2.
 */
export function offerGuard(kind: Kind): NonNullable<Row["guard"]> {
  return async ({ id = "", ...given }, session) =>
    isProjectId(id) ? {} : termGuards(await itemOf(kind, id, session), given);
}

/** The seller's minimum: the amount shown, after current fees. Source: offers §3. */
export function acceptGuard(kind: Kind): NonNullable<Row["guard"]> {
  return async ({ offerid = "", mrc401id, amount = "1", seller, atleast }, session) => {
    const offer = await offerOf(offerid, session);
    const id = mrc401id ?? String(offer["id"]);
    if (isProjectId(id)) {
      throw new WrongUse(`${offerid} is for any item of ${id}: name the item to sell`);
    }
    const item = await itemOf(kind, id, session);
    const { owner } =
      kind === "mrc402" ? {} : await session.lookUp("mrc400", { mrc400id: String(item["mrc400"]) });
    const payment = BigInt(amount) * BigInt(String(offer["price"]));
    const rest = afterFees(item as unknown as TermsOfItem, payment, {
      sellerOwnsProject: owner !== undefined && owner === seller,
    });
    return { atleast: atleast ?? String(rest) };
  };
}

export async function acceptTerms(
  { offerid = "", mrc401id, amount, atleast = "0" }: Params,
  session: Session,
): Promise<readonly string[]> {
  const offer = await offerOf(offerid, session);
  const units = await session.units(String(offer["token"]));
  const item = await itemText(mrc401id ?? String(offer["id"]), session);
  const total = amountText(String(BigInt(amount ?? "1") * BigInt(String(offer["price"]))), units);
  const [sold, inAll] =
    amount === undefined ? [item, ""] : [`${unitsText(amount)} of ${item}`, " in all"];
  return [
    `${sold} to ${offer["buyer"]} for ${total}${inAll}, of which at least ${amountText(atleast, units)} is yours after fees`,
  ];
}

export const ofOffer: AmountOf = async ({ offerid = "" }, session) =>
  await session.units(String((await offerOf(offerid, session))["token"]));

async function offerOf(offerid: string, session: Session): Promise<Members> {
  const read = offerid.startsWith("OFF402_") ? "mrc402Offer" : "mrc401Offer";
  return await session.lookUp(read, { offerid });
}
