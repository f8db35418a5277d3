import {
  ALICE,
  BOB,
  GRANT,
  NOW,
  PROJECT,
  SECOND_KEY_BODY,
  TOMORROW,
} from "../../description/examples.ts";
import {
  address,
  amount,
  integer,
  listOf,
  noted,
  record,
  shown,
  text,
  time,
  tokenId,
} from "../../description/shown.ts";

const limit = record("GrantLimit", {
  token: tokenId,
  amount: noted(amount, "what may be spent in a period"),
  period: noted(integer, "seconds; 0: in all"),
});

const item = record(
  "GrantItem",
  {
    id: noted(text, "of a project, an item or a multi-unit item, or token: and the id of a token"),
    minprice: noted(amount, "the least that it may be sold for"),
    token: noted(tokenId, "of minprice"),
  },
  ["id"],
);

const period = record("GrantPeriod", {
  since: noted(time, "when the period began; 0 before the first use"),
  spent: noted(amount, "what has been spent in it"),
});

/** Source: authority §5.3. */
export const grantPeriods = record("GrantPeriods", { periods: listOf(period) });

/** Source: authority §5. */
export const shownGrant = shown("Grant", {
  grantid: [text, GRANT],
  address: [noted(address, "for which the agent acts"), ALICE],
  agent: [noted(text, "public key of the agent, base64 of SubjectPublicKeyInfo"), SECOND_KEY_BODY],
  operations: [listOf(text), ["transfer", "mrc401sell"]],
  limits: [
    noted(listOf(limit), "of what may be spent; nothing of other tokens"),
    [{ token: "0", amount: "500", period: 86_400 }],
  ],
  payees: [noted(listOf(address), "who may be paid; empty: anybody"), [BOB]],
  items: [
    noted(listOf(item), "what may be listed, changed or moved; nothing else"),
    [{ id: PROJECT, minprice: "100", token: "0" }],
  ],
  until: [noted(time, "after which it cannot be used"), TOMORROW],
  note: [text, "the game"],
  version: [noted(integer, "of the keys that made it"), 0],
  createdate: [time, NOW],
  ended: [noted(time, "when it was ended; 0 if it was not"), 0],
  periods: [
    noted(listOf(period), "the present period of each limit, in their order"),
    [{ since: NOW, spent: "120" }],
  ],
});
