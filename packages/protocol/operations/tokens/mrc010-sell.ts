import { signedOperation } from "../../description/operation.ts";
import { listedResult } from "../../description/results.ts";
import { saleWindowExample, signedSaleWindow } from "../listing-times.ts";
import {
  paymentFor,
  refuseExcess,
  refuseRest,
  refuseSameToken,
  tokenOffer,
} from "./token-offer.ts";

/** Source: tokens §9. */
export const mrc010Sell = signedOperation({
  name: "mrc010sell",
  title: "Sell tokens",
  route: "POST /token/sell/{mrc010id}",
  about: "Offers units of a token for sale at a fixed price; they are held until they are sold.",
  ...tokenOffer,
  parameters: { ...tokenOffer.parameters, ...signedSaleWindow },
  example: { ...tokenOffer.example, ...saleWindowExample },
  check({ mrc010id, token, amount, price, min_trade_unit }) {
    const unit = BigInt(min_trade_unit);
    return (
      refuseRest(amount, unit) ??
      refuseSameToken(mrc010id, token) ??
      refuseExcess(paymentFor(amount, price, unit))
    );
  },
  refusals: ["3090", "4001", "5000"],
  result: listedResult,
});
