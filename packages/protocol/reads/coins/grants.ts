import { ALICE, GRANT, SECOND_KEY_BODY } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { address } from "../../description/parameters/ids.ts";
import { grantId, listedKey } from "../../description/parameters/keys.ts";
import { wordOrFirst } from "../../description/parameters/words.ts";
import { listRead } from "../list-read.ts";
import { shownGrant } from "./shown-grant.ts";

/** Source: authority §5.5. */
export const grantDetails = read({
  name: "grantDetails",
  title: "Get a grant",
  route: "GET /grant/{grantid}",
  about: "Shows what another key may do for an address, and what it has spent in this period.",
  parameters: { grantid: grantId() },
  example: { grantid: GRANT },
  refusals: ["6004"],
  result: { kind: "json", about: "the grant", ...shownGrant },
});

/** Source: authority §5.5. */
export const grants = listRead({
  name: "grants",
  title: "List grants",
  route: "GET /grants",
  about:
    "Lists grants by an address, or to a key, newest first: those that were not ended, unless `state` says otherwise. One whose time is over, or whose address has changed its keys since, may still be among them.",
  list: "grants",
  filters: {
    address: optional(address()),
    agent: optional(listedKey()),
    state: wordOrFirst("open", "ended", "all"),
  },
  filtersExample: { address: ALICE, agent: SECOND_KEY_BODY, state: "open" },
  entries: "grants",
  shown: shownGrant,
});
