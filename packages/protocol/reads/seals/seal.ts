import { ALICE, SEAL } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { wordOrFirst } from "../../description/parameters/words.ts";
import { asOf } from "../as-of.ts";
import { listRead } from "../list-read.ts";
import { shownSeal } from "./shown-seal.ts";

/** Source: protocols §6. */
export const seal = asOf(
  read({
    name: "seal",
    title: "Get a sealed text",
    route: "GET /mrc020/{mrc020key}",
    about: "Shows a sealed text: what its owner has committed to, and once it is open, the key.",
    parameters: { mrc020key: recordId("a sealed text") },
    example: { mrc020key: SEAL },
    refusals: ["6004"],
    result: { kind: "json", about: "the sealed text", ...shownSeal },
  }),
);

/** Source: protocols §6. */
export const seals = listRead({
  name: "seals",
  title: "List sealed texts",
  route: "GET /mrc020",
  about: "Lists sealed texts, the newest first.",
  list: "mrc020",
  filters: { owner: optional(address()), state: wordOrFirst("all", "closed", "open") },
  filtersExample: { owner: ALICE, state: "closed" },
  entries: "sealed texts",
  shown: shownSeal,
});
