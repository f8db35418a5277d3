import { ALICE, BOB, GOLD, MARKET, SILVER } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import { cosignedOperation, usedGrant } from "../../description/operation.ts";
import { optional, type ValuesOf } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { signature, temporaryKey } from "../../description/parameters/keys.ts";
import { text } from "../../description/parameters/texts.ts";
import { transactionIdResult } from "../../description/results.ts";

/** The parameters of each side, under its own prefix. */
const SIDE = {
  Addr: address(),
  Amount: amount({ min: 1n }),
  Token: tokenId(),
  Feesendto: optional(address()),
  Feeamount: optional(amount({ min: 0n })),
  Feetoken: optional(tokenId()),
  Tag: optional(text({ cutAt: 64 }), ""),
  Memo: optional(text({ cutAt: 2048 }), ""),
  Grant: usedGrant,
  Sign: signature(),
  Tkey: temporaryKey(),
};

export const EXCHANGE_SIDES = ["from", "to"] as const;
export type ExchangeSide = (typeof EXCHANGE_SIDES)[number];

type PrefixedSide<S extends ExchangeSide> = {
  readonly [N in keyof typeof SIDE as `${S}${N}`]: (typeof SIDE)[N];
};

/** The amounts that it gives and gets, and its fee. */
export interface SideOfExchange extends ValuesOf<typeof SIDE> {
  readonly side: ExchangeSide;
}

type BothSides = ValuesOf<PrefixedSide<"from"> & PrefixedSide<"to">>;

/** Source: protocols §2.1. */
export function sideOfExchange(values: BothSides, side: ExchangeSide): SideOfExchange {
  const own = Object.keys(SIDE).map((name) => [name, values[`${side}${name}` as keyof BothSides]]);
  return { side, ...Object.fromEntries(own) } as SideOfExchange;
}

function prefixed<S extends ExchangeSide>(side: S): PrefixedSide<S> {
  const own = Object.entries(SIDE).map(([name, each]) => [`${side}${name}`, each]);
  return Object.fromEntries(own) as PrefixedSide<S>;
}

const ABOVE_ZERO = /^[1-9][0-9]*$/;

/** Source: protocols §3. */
export const exchange = cosignedOperation({
  name: "exchange",
  title: "Exchange tokens",
  route: "POST /exchange",
  otherRoutes: ["POST /exchange/{fromTkey}/{toTkey}"],
  about:
    "Swaps an amount of one token for an amount of another between two addresses that both have signed. Each side may pay a fee to an address of its choice, also from what it receives. All of it is done, or nothing; anybody may send it.",
  parameters: { ...prefixed("from"), ...prefixed("to") },
  example: {
    fromAddr: ALICE,
    fromAmount: "100",
    fromToken: GOLD,
    fromFeesendto: MARKET,
    fromFeeamount: "5",
    fromFeetoken: GOLD,
    fromTag: "shop",
    fromMemo: "gold for silver",
    toAddr: BOB,
    toAmount: "30",
    toToken: SILVER,
    toFeesendto: MARKET,
    toFeeamount: "1",
    toFeetoken: SILVER,
    toTag: "desk",
    toMemo: "silver for gold",
  },
  signers: [
    {
      address: "fromAddr",
      temporaryKey: "fromTkey",
      signature: "fromSign",
      grant: "fromGrant",
      signed: [
        ...["fromAddr", "fromAmount", "fromToken", "fromFeesendto", "fromFeeamount"],
        ...["fromFeetoken", "toAddr", "toAmount", "toToken", "fromTkey"],
      ] as const,
    },
    {
      address: "toAddr",
      temporaryKey: "toTkey",
      signature: "toSign",
      grant: "toGrant",
      signed: [
        ...["toAddr", "toAmount", "toToken", "toFeesendto", "toFeeamount"],
        ...["toFeetoken", "fromAddr", "fromAmount", "fromToken", "toTkey"],
      ] as const,
    },
  ],
  checkMissing(has, textOf) {
    for (const side of EXCHANGE_SIDES) {
      const missing = ["Feesendto", "Feetoken"].find((name) => !has(`${side}${name}`));
      if (missing !== undefined && ABOVE_ZERO.test(textOf(`${side}Feeamount`) ?? "")) {
        return refuse({ code: "1000", parameter: `${side}${missing}` });
      }
    }
    return undefined;
  },
  check(values) {
    const { fromAddr, toAddr, toToken, fromToken } = values;
    if (fromAddr === toAddr) {
      return refuse({ code: "3201", parameter: "toAddr", address: toAddr, other: "fromAddr" });
    }
    if (fromToken === toToken) {
      const reason = `is ${toToken}, which is also fromToken: a token is not swapped for itself`;
      return refuse({ code: "3005", parameter: "toToken", reason });
    }
    return (
      refuseOwnFee(sideOfExchange(values, "from")) ?? refuseOwnFee(sideOfExchange(values, "to"))
    );
  },
  refusals: ["3201", "3090", "4001", "5001", "5002"],
  result: transactionIdResult,
});

/** Source: protocols §3. */
export function paysFee({ Feeamount }: SideOfExchange): boolean {
  return Feeamount !== undefined && Feeamount > 0n;
}

function refuseOwnFee(own: SideOfExchange): Refused | undefined {
  const { side, Addr, Feesendto } = own;
  return paysFee(own) && Feesendto === Addr
    ? refuse({
        ...{ code: "3201", parameter: `${side}Feesendto` },
        ...{ address: Addr, other: `${side}Addr` },
      })
    : undefined;
}
