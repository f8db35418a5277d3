import { mrc020, mrc020Open, seal, seals } from "@moneta/protocol";
import * as views from "../../views/record-views.ts";
import type { Row } from "../row.ts";

/** Sealed texts (MRC020). */
export const SEALS: readonly Row[] = [
  {
    words: "seal create",
    description: mrc020,
    args: ["referencekey", "opendate"],
    titles: { referencekey: "reference", opendate: "date" },
    prints: ["mrc020key"],
    details: "Keep the key: without it nobody can open the text, nor show what it was.",
  },
  { words: "seal open", description: mrc020Open, args: ["mrc020key", "key"] },
  { words: "seal show", description: seal, args: ["mrc020key"], view: views.SEAL },
  { words: "seal list", description: seals, view: views.SEAL },
];
