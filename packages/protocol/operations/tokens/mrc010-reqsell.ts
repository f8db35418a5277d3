import { signedOperation } from "../../description/operation.ts";
import { listedResult } from "../../description/results.ts";
import { feeOf } from "../../text/rate.ts";
import {
  paymentFor,
  refuseExcess,
  refuseRest,
  refuseSameToken,
  tokenOffer,
} from "./token-offer.ts";

/** Source: tokens §9. */
export const mrc010Reqsell = signedOperation({
  name: "mrc010reqsell",
  title: "Request tokens",
  route: "POST /token/reqsell/{mrc010id}",
  about:
    "Asks for units of a token at a fixed price; payment and commission are held until the request is filled.",
  ...tokenOffer,
  check({ mrc010id, token, amount, price, min_trade_unit, platform_address, platform_commission }) {
    const unit = BigInt(min_trade_unit);
    const payment = paymentFor(amount, price, unit);
    const fee = platform_address === undefined ? 0n : feeOf(payment, platform_commission);
    return (
      refuseRest(amount, unit) ?? refuseSameToken(mrc010id, token) ?? refuseExcess(payment + fee)
    );
  },
  refusals: ["3090", "4001", "5000"],
  result: listedResult,
});
