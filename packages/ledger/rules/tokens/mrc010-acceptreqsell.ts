import { type Amount, mrc010Acceptreqsell, paymentFor, Refused, ZERO } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { paymentsText } from "../../market/payments.ts";
import { platformFee } from "../../market/platform.ts";
import { done, effectOn, type Rule, record, ruleOf } from "../rule.ts";
import {
  expense,
  feeReceived,
  openListingForTaker,
  PLATFORM_MOVEMENT,
  putListing,
  receipt,
  refuseQuantity,
  taker,
  traded,
} from "./token-listing.ts";

/** Sells to a request for tokens, which bears the platform's commission. Source: tokens §8, §11. */
export const mrc010AcceptreqsellRule: Rule<typeof mrc010Acceptreqsell.parameters> = ruleOf(
  mrc010Acceptreqsell,
  {
    actor: taker,

    apply(state, { dexid, address: seller, amount, tkey, signature }) {
      const request = openListingForTaker(state, { dexid, address: seller }, "buy");
      if (request instanceof Refused) {
        return request;
      }
      const { creator: buyer, token, payToken, platform } = request;
      const refused =
        refuseQuantity(request, amount) ??
        refuseUnaffordable(state, { address: seller, token, amount });
      if (refused !== undefined) {
        return refused;
      }

      // Nothing below can fail.
      const payment = paymentFor(amount, request.price, request.unit);
      const fee = platformFee(platform, payment);
      const escrow = (request.escrow - payment - fee) as Amount;
      const sold = traded(request, seller, amount, {
        time: state.time,
        recordType: "mrc010_acceptreqsell",
      });
      // Commissions of parts are rounded down each, so that some of what was held for them may be left.
      const leftover = sold.remaining === ZERO ? escrow : ZERO;
      state.debit(seller, token, amount);
      state.credit(seller, payToken, payment);
      if (platform.address !== "" && fee > 0n) {
        state.credit(platform.address, payToken, fee);
      }
      state.credit(buyer, token, amount);
      if (leftover > 0n) {
        state.credit(buyer, payToken, leftover);
      }
      const pays = { from: dexid, token: payToken };
      const payments = paymentsText([
        { type: "mrc010_sell", from: seller, to: dexid, amount, units: token },
        { type: "mrc010_send_item", ...pays, to: seller, amount: payment },
        { type: PLATFORM_MOVEMENT, ...pays, to: platform.address, amount: fee },
        { type: "mrc010_recv_buy", from: dexid, to: buyer, amount, units: token },
        { type: "mrc010_recv_fee_remain", ...pays, to: buyer, amount: leftover },
      ]);
      const by = { signature, tkey };
      const after = { ...sold, escrow: (escrow - leftover) as Amount };
      const listing = putListing(state, after, [dexid, buyer, seller, payments, token]);
      const got = receipt(request, buyer, { units: amount }, by);
      const back = receipt(request, buyer, { paid: leftover }, by);
      const given = expense(request, seller, { paid: payment, units: amount }, by);
      return done(state, record("transfer_mrc010sell", seller, token, given), [
        effectOn(buyer, "receive_mrc010buy", got),
        ...(platform.address !== "" && fee > 0n
          ? [feeReceived(request, platform.address, fee, by)]
          : []),
        ...(leftover > 0n ? [effectOn(buyer, "receive_mrc010refund", back)] : []),
        listing,
      ]);
    },
  },
);
