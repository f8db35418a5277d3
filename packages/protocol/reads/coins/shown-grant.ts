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
  amount: noted(amount, "amount that may be spent in a period"),
  period: noted(integer, "seconds of a period; 0 for one period without end"),
});

const item = record(
  "GrantItem",
  {
    id: noted(
      text,
      "id of a project, an item or a multi-unit item; or `token:` and the id of a token",
    ),
    minprice: noted(amount, "least price that it may be sold for"),
    token: noted(tokenId, "id of the token of `minprice`"),
  },
  ["id"],
);

const period = record("GrantPeriod", {
  since: noted(time, "when the period began; 0 before the first use"),
  spent: noted(amount, "amount that has been spent in it"),
});

/** Source: authority §5.3. */
export const grantPeriods = record("GrantPeriods", { periods: listOf(period) });

/** Source: authority §5. */
export const shownGrant = shown("Grant", {
  grantid: [text, GRANT],
  address: [noted(address, "address for which the agent acts"), ALICE],
  agent: [noted(text, "public key of the agent, base64 of SubjectPublicKeyInfo"), SECOND_KEY_BODY],
  operations: [
    noted(listOf(text), "names of the operations that the agent may do"),
    ["transfer", "mrc401sell"],
  ],
  limits: [
    noted(listOf(limit), "what may be spent, by token; nothing of other tokens"),
    [{ token: "0", amount: "500", period: 86_400 }],
  ],
  payees: [noted(listOf(address), "addresses that may be paid; empty for any"), [BOB]],
  items: [
    noted(listOf(item), "what may be listed, changed or moved; no other items"),
    [{ id: PROJECT, minprice: "100", token: "0" }],
  ],
  until: [noted(time, "when the grant ends"), TOMORROW],
  note: [text, "the game"],
  version: [noted(integer, "version of the keys that made it"), 0],
  createdate: [time, NOW],
  ended: [noted(time, "when it was ended early; 0 if it was not"), 0],
  periods: [
    noted(listOf(period), "the present period of each limit, in their order"),
    [{ since: NOW, spent: "120" }],
  ],
});
