import { type Amount, mrc010Acceptreqsell, paymentFor, Refused, ZERO } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { traded } from "../../market/dated-listing.ts";
import { paymentsText } from "../../market/payments.ts";
import { platformFee } from "../../market/platform.ts";
import { done, effect, record } from "../../records/record.ts";
import { withTaker } from "../../state/token-listing-entry.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { feeReceived, PLATFORM_MOVEMENT, putListing, receipt } from "./goods.ts";
import { ifOpenTo, refuseQuantity, taker } from "./token-listing.ts";

/** The request pays the platform's commission. Source: tokens §8, §11. */
export const mrc010AcceptreqsellRule: RuledOperation = ruleOf(mrc010Acceptreqsell, {
  actor: taker,

  apply(state, { dexid, amount, tkey, signature }, { actor: seller, found }) {
    const request = ifOpenTo(seller, found, "buy");
    if (request instanceof Refused) {
      return request;
    }
    const { buyer, mrc010: token, buy_token: payToken, platform_address: platform } = request;
    const refused =
      refuseQuantity(request, amount) ??
      refuseUnaffordable(state, { address: seller, token, amount });
    if (refused !== undefined) {
      return refused;
    }

    const payment = paymentFor(amount, request.buy_price, request.min_trade_unit);
    const fee = platformFee(request, payment);
    const escrow = (request.buy_price_total - payment - fee) as Amount;
    const sold = withTaker(traded(request, amount, state.time), seller);
    // Each part's commission is rounded down, so some may be left over.
    const leftover = sold.remain_amount === ZERO ? escrow : ZERO;
    state.balances.debit(seller, token, amount);
    state.balances.credit(seller, payToken, payment);
    if (platform !== "" && fee > 0n) {
      state.balances.creditShare(platform, payToken, fee);
    }
    state.balances.credit(buyer, token, amount);
    if (leftover > 0n) {
      state.balances.credit(buyer, payToken, leftover);
    }
    const pays = { from: dexid, token: payToken };
    const payments = paymentsText([
      { type: "mrc010_sell", from: seller, to: dexid, amount, units: token },
      { type: "mrc010_send_item", ...pays, to: seller, amount: payment },
      { type: PLATFORM_MOVEMENT, ...pays, to: platform, amount: fee },
      { type: "mrc010_recv_buy", from: dexid, to: buyer, amount, units: token },
      { type: "mrc010_recv_fee_remain", ...pays, to: buyer, amount: leftover },
    ]);
    const by = { signature, tkey };
    const after = { ...sold, buy_price_total: (escrow - leftover) as Amount };
    const sale = { taker: seller, dexid, payment, token: payToken, amount, mrc010id: token, ...by };
    const bought = { dexid, creator: buyer, other: seller, payments, mrc010id: token };
    return done(state, record("transfer_mrc010sell", sale, { token }), [
      effect("receive_mrc010buy", receipt(request, buyer, { units: amount }, by)),
      ...(platform !== "" && fee > 0n ? [feeReceived(request, platform, fee, by)] : []),
      ...(leftover > 0n
        ? [effect("receive_mrc010refund", receipt(request, buyer, { paid: leftover }, by))]
        : []),
      putListing(state, after, "mrc010_acceptreqsell", bought),
    ]);
  },
});
