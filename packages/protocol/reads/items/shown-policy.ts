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
      maxprice: noted(rate, "of the face price, in percent"),
      opens: noted(time, "from when on holders may change"),
      closes: noted(time, "from when on holders may not change"),
      cooldown: noted(integer, "seconds between two changes of holder"),
      maxheld: noted(integer, "items or units of this policy that an address may hold"),
      terms: oneOf("changeable", "fixed"),
    },
    [],
  ),
} as const;

export const policyMembers = {
  policy: [noted(shownPolicy.schema, "how holders may change; {} if anyhow"), {}],
  policy_number: [noted(integer, "its number among the policies of the project; 0 for none"), 0],
} satisfies Members;

/** The price by which a policy bounds later ones. */
export const facePriceShown = {
  face_price: [noted(amount, "the price that a policy bounds others by; 0 for none"), "0"],
  face_token: [noted(tokenId, "its token, which is always allowed"), "0"],
} satisfies Members;
