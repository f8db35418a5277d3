import type { Address, Texts } from "@moneta/protocol";
import fc from "fast-check";
import { PROJECT } from "../trade/creations.ts";
import { itemMakers } from "./item-operations.ts";
import type { Sent } from "./ledger-model.ts";
import { tokenMakers } from "./token-operations.ts";
import { type Makers, Picks, type TradingDesk } from "./trading-desk.ts";
import { unitMakers } from "./unit-operations.ts";

/** Relative frequencies. An operation that makes no sense in the state becomes another one. */
const WEIGHTS = {
  ...{ tokensave: 8, tokencreate: 3, tokenburn: 5, tokenincrease: 5, tokenupdate: 8, transfer: 4 },
  ...{ mrc010sell: 4, mrc010unsell: 6, mrc010buy: 9, mrc010reqsell: 4, mrc010unreqsell: 6 },
  ...{ mrc010acceptreqsell: 9, mrc010auction: 4, mrc010unauction: 7, mrc010bid: 10 },
  ...{ mrc010auctionfinish: 5, draft: 1 },
  ...{ mrc400create: 5, mrc400update: 7, policy: 2, mrc401create: 11, mrc401update: 11 },
  ...{ mrc401transfer: 11, mrc401sell: 10, mrc401unsell: 5, mrc401buy: 13, mrc401melt: 6 },
  ...{ mrc401auction: 10, mrc401unauction: 6, mrc401bid: 14, mrc401auctionfinish: 4 },
  ...{ mrc401offer: 9, mrc401acceptoffer: 14, mrc401unoffer: 4, mrc401offerfinish: 2 },
  ...{ mrc402create: 5, mrc402transfer: 7, mrc402mint: 6, mrc402burn: 6, mrc402melt: 8 },
  ...{ mrc402update: 5, mrc402itemupdate: 10, mrc402sell: 7, mrc402unsell: 8, mrc402buy: 13 },
  ...{ mrc402auction: 8, mrc402unauction: 9, mrc402bid: 13, mrc402auctionfinish: 6 },
  ...{ mrc402offer: 8, mrc402acceptoffer: 11, mrc402unoffer: 3, mrc402offerfinish: 3 },
  /** An earlier operation, signed again. */
  again: 30,
} as const;
type Kind = keyof typeof WEIGHTS;

const DRAFTING = ["draft", "draft", "draft", "draft", "draft", "draft", "tokencreate"] as const;

/**
 * One step of a run: the operation to try, and numbers that choose everything else from the state
 * at that time.
 */
export interface Step {
  readonly kind: Kind;
  readonly picks: readonly number[];
}

const picked = fc.array(fc.noBias(fc.nat(9999)), { minLength: 48, maxLength: 48 });
const kinds = Object.entries(WEIGHTS).map(([kind, weight]) => ({
  weight,
  arbitrary: fc.constant(kind as Kind),
}));

export const steps: fc.Arbitrary<readonly Step[]> = fc.oneof(
  {
    weight: 39,
    arbitrary: fc.array(fc.record({ kind: fc.oneof(...kinds), picks: picked }), {
      minLength: 1,
      maxLength: 16,
      size: "max",
    }),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.record({ kind: fc.constantFrom(...DRAFTING), picks: picked }), {
      minLength: 15,
      maxLength: 20,
    }),
  },
);

/**
 * Sends operations chosen from the state of the model: most are accepted, most others have one
 * fault.
 */
export class Traders {
  readonly desk: TradingDesk;
  readonly #makers: Makers;

  constructor(desk: TradingDesk) {
    this.desk = desk;
    this.#makers = { ...tokenMakers(desk), ...itemMakers(desk), ...unitMakers(desk) };
  }

  /**
   * The operation of a step, before the model has judged it; `turn` counts those drawn before.
   * Operations with outcomes that are `lacking` are tried more often than others.
   */
  send(
    { kind: drawn, picks: numbers }: Step,
    { lacking, turn }: { readonly lacking: readonly string[]; readonly turn: number },
  ): Sent {
    const shift = (5 * turn) % numbers.length;
    const picks = new Picks([...numbers.slice(shift), ...numbers.slice(0, shift)]);
    const [op, outcome] =
      lacking.length > 0 && picks.rarely(2) ? picks.of(lacking).split(" ") : [drawn];
    const make = outcome === "repeat" ? undefined : this.#makers[op as string];
    return make === undefined ? this.desk.again(picks, op) : make(picks);
  }
}

/** A new project of an owner, with these roles. */
export function newProject(
  desk: TradingDesk,
  owner: Address,
  partner: Texts,
  more: Texts = {},
): Sent {
  const params = { ...PROJECT, owner, partner: JSON.stringify(partner), ...more };
  return desk.signed("mrc400create", owner, params);
}
