import { form, SIGNED } from "../record-form.ts";

/** Source: protocols §10. */
export const ORDER_RECORDS = {
  stodexRegister: [
    form({
      by: "mrc040create",
      filed: { M: "owner", L: "order" },
      kind: "offers",
      parameters: `owner side base target price qtt order ${SIGNED}`,
      about: "order",
    }),
  ],
  stodexUnRegister: [
    form({
      by: "mrc040cancel",
      filed: { M: "owner", L: "order" },
      kind: "offers",
      parameters: `owner order ${SIGNED} refund token`,
      about: "order",
      money: ["in", "refund", "token"],
    }),
  ],
  stodexRequest: [
    form({
      by: "mrc040request",
      filed: { M: "requester" },
      kind: "trades",
      parameters: `requester side base target price qtt minqtt doneqtt cost ${SIGNED}`,
    }),
  ],
  stodexExchange: [
    form({
      by: "mrc040create mrc040request mrc040exchange",
      filed: { M: "requester", L: "order" },
      kind: "trades",
      parameters: `requester qtt order trade ${SIGNED}`,
      about: "order",
    }),
  ],
  stodexExchangePending: [
    form({
      by: "mrc040create mrc040request mrc040exchange",
      filed: { A: "owner" },
      kind: "trades",
      parameters: "owner requester side base target price qtt time order trade cost",
      about: "order",
      parties: ["owner", "requester"],
      trades: true,
    }),
  ],
  stodexExchangeRequest: [
    form({
      by: "mrc040create mrc040request mrc040exchange",
      filed: { A: "requester" },
      kind: "trades",
      parameters: "owner requester side base target price qtt time order trade cost",
      about: "order",
      parties: ["owner", "requester"],
      trades: true,
    }),
  ],
} as const;
