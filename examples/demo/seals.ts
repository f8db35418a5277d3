import { type Actor, type Moneta, openingKey, type Sealing, seal } from "@moneta/sdk";
import { endingSoon, ledgerTime, onceDue, SOON_SECONDS, type Town } from "./town.ts";

const YEAR_SECONDS = 31_536_000;

/** Ids of sealed texts, and the key of the first. */
export interface Seals {
  readonly bid: string;
  readonly forecast: string;
  readonly open: () => Promise<void>;
}

/** A guest's bid, which can be opened soon, and the shop's forecast for next year. */
export async function sealTexts({ moneta, cast, tell }: Town): Promise<Seals> {
  const { ada, shop } = cast;
  const ledgerId = await moneta.ledgerId();
  const now = await ledgerTime(moneta);
  const key = openingKey("bid 4200 for the last concert");
  const bidding = { ledgerId, owner: ada.address, referencekey: "sealed_bid_1" };
  const bid = await sealSoon({ moneta, actor: ada }, bidding, key);
  const forecasting = {
    ...{ ledgerId, owner: shop.address, referencekey: "forecast" },
    ...{ opendate: now + YEAR_SECONDS, data: "how many shells there will be in a year" },
  };
  const sealed = await seal(forecasting, openingKey("two million"));
  const { mrc020key: forecast } = await shop.mrc020(sealed);
  tell("sealed texts: a bid and a forecast");
  return {
    ...{ bid, forecast },
    open: () => onceDue(() => moneta.mrc020open({ mrc020key: bid, key })),
  };
}

/** Seals a text that can be opened a few seconds later, and returns its id. */
export async function sealSoon(
  { moneta, actor }: { readonly moneta: Moneta; readonly actor: Actor },
  sealing: Omit<Sealing, "opendate">,
  key: string,
): Promise<string> {
  return await endingSoon({ moneta, soonSeconds: SOON_SECONDS }, async (opendate) => {
    const { mrc020key } = await actor.mrc020(await seal({ ...sealing, opendate }, key));
    return mrc020key;
  });
}
