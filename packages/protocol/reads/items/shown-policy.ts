import {
  amount,
  integer,
  type Members,
  noted,
  oneOf,
  rate,
  record,
  time,
  tokenId,
} from "../../description/shown.ts";

/** Source: policies §2. */
export const shownPolicy = {
  schema: record(
    "Policy",
    {
      transfers: oneOf("free", "market", "issuer", "none"),
      maxprice: rate,
      opens: noted(time, "when holders may begin to change; 0 for at once"),
      closes: noted(time, "when holders may no longer change; 0 for never"),
      cooldown: noted(integer, "seconds that a holder must keep it before it changes hands again"),
      maxheld: noted(
        integer,
        "how many items or units of this policy an address may hold; 0 for no bound",
      ),
      terms: oneOf("changeable", "fixed"),
    },
    [],
  ),
} as const;

export const policyMembers = {
  policy: [noted(shownPolicy.schema, "how items may change hands; {} for freely"), {}],
  policy_number: [noted(integer, "its number among the policies of the project; 0 for none"), 0],
} satisfies Members;

/** The price by which a policy bounds later ones. */
export const facePriceShown = {
  face_price: [noted(amount, "price by which a policy bounds later prices; 0 for none"), "0"],
  face_token: [noted(tokenId, "id of the token of `face_price`, which is always allowed"), "0"],
} satisfies Members;
