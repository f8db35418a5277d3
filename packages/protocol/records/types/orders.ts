import { form, SIGNED } from "../record-form.ts";

/** Source: protocols §10. */
export const ORDER_RECORDS = {
  stodexRegister: form(
    "offers",
    { M: "owner", L: "order" },
    `owner side base target price qtt order ${SIGNED}`,
    { by: "mrc040create" },
  ),
  stodexUnRegister: form(
    "offers",
    { M: "owner", L: "order" },
    `owner order ${SIGNED} refund token`,
    { by: "mrc040cancel", money: ["in", "refund"] },
  ),
  stodexRequest: form(
    "trades",
    { M: "requester" },
    `requester side base target price qtt minqtt doneqtt cost ${SIGNED}`,
    { by: "mrc040request" },
  ),
  stodexExchange: form(
    "trades",
    { M: "requester", L: "order" },
    `requester qtt order trade ${SIGNED}`,
    { by: "mrc040create mrc040request mrc040exchange" },
  ),
  stodexExchangePending: form(
    "trades",
    { A: "owner" },
    "owner requester side base target price qtt time order trade cost",
    {
      by: "mrc040create mrc040request mrc040exchange",
      parties: ["owner", "requester"],
      trades: true,
    },
  ),
  stodexExchangeRequest: form(
    "trades",
    { A: "requester" },
    "owner requester side base target price qtt time order trade cost",
    {
      by: "mrc040create mrc040request mrc040exchange",
      parties: ["owner", "requester"],
      trades: true,
    },
  ),
} as const;
