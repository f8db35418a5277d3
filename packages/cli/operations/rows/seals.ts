import { mrc020, mrc020Open, seal, seals } from "@moneta/protocol";
import type { WireAnswer } from "@moneta/sdk";
import { WrongUse } from "../../command-line/wrong-use.ts";
import { ledgerTime } from "../../session/ledger-time.ts";
import type { Params, Session } from "../../session/session.ts";
import { visible } from "../../terminal/visible-text.ts";
import { timeText } from "../../values/times.ts";
import * as views from "../../views/record-views.ts";
import type { Row } from "../row.ts";

/** Only from the date on: a refused opening would show the key to the node's operator. */
async function openSeal(params: Params, session: Session): Promise<WireAnswer> {
  const { mrc020key = "" } = params;
  const { owner, opendate } = await session.lookUp<{
    readonly owner: string;
    readonly opendate: number;
  }>("seal", { mrc020key });
  const now = await ledgerTime(owner, session);
  if (now !== undefined && now < opendate) {
    throw new WrongUse(
      `${visible(mrc020key)} can be opened from ${timeText(opendate, true)} on, and the ledger's time is ${timeText(now, true)}: the key was not sent`,
    );
  }
  return await session.request("mrc020open", params);
}

export const SEALS: readonly Row[] = [
  {
    words: "seal create",
    description: mrc020,
    args: ["referencekey", "opendate"],
    titles: { referencekey: "reference", opendate: "date" },
    prints: ["mrc020key"],
    details: "Keep the key: without it the text can neither be opened nor shown.",
  },
  { words: "seal open", description: mrc020Open, args: ["mrc020key", "key"], send: openSeal },
  { words: "seal show", description: seal, args: ["mrc020key"], view: views.SEAL },
  { words: "seal list", description: seals, view: views.SEALS },
];
