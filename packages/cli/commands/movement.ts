import { type Amount, feeOf, NO_RATE, parseRate } from "@moneta/protocol";
import { type DescribedAmount, type DescribedRecord, describe } from "@moneta/sdk";
import type { Session } from "../session/session.ts";
import { payment } from "../values/token-price.ts";
import type { Members } from "../views/view.ts";

/** Changes of an address's balances by token, in the smallest unit, including locked amounts. */
export type Movement = ReadonlyMap<string, bigint>;

/**
 * What a record of a history has moved. Most records contain the amount; the escrow of a request
 * for tokens and reserves of items are computed from other values.
 */
export async function movementOf(record: Members, session: Session): Promise<Movement> {
  const moved = new Map<string, bigint>();
  const add = (token: string, amount: bigint): void => {
    const sum = (moved.get(token) ?? 0n) + amount;
    if (sum === 0n) {
      moved.delete(token);
    } else {
      moved.set(token, sum);
    }
  };
  const { type, money, goods, parameters } = describe(record as never as DescribedRecord);
  for (const amount of [money, goods]) {
    const change = changeOf(amount);
    if (change !== 0n && amount?.token !== undefined) {
      add(amount.token, change);
    }
  }
  switch (type) {
    case "mrc010reqsell":
      add(parameters.token ?? "0", -escrowOf(parameters));
      break;
    case "mrc401create":
      for (const { initial_reserve = "0", initial_token = "0" } of await itemsOf(record, session)) {
        add(initial_token, -BigInt(initial_reserve || "0"));
      }
      break;
    case "mrc402create":
      for (const { initialreserve = "", totalsupply = "0" } of await itemsOf(record, session)) {
        for (const [token, amount] of reserveIn(initialreserve)) {
          add(token, -amount * BigInt(totalsupply || "1"));
        }
      }
      break;
    case "mrc402mint":
    case "mrc402burn": {
      const units = BigInt(parameters.amount ?? "0") * (type === "mrc402mint" ? -1n : 1n);
      const item = await session.lookUp("mrc402", { mrc402id: parameters.item ?? "" });
      for (const [token, amount] of Object.entries((item as Members)["initialreserve"] as object)) {
        add(token, units * BigInt(String(amount)));
      }
      break;
    }
    default:
  }
  return moved;
}

function changeOf(amount: DescribedAmount | undefined): bigint {
  return amount?.role === "in" ? amount.amount : amount?.role === "out" ? -amount.amount : 0n;
}

type Named = ReturnType<typeof describe>["parameters"];

/** The escrow of a request for tokens: payment and fee of the platform. Source: tokens §8. */
function escrowOf({
  price = "0",
  amount = "0",
  min_trade_unit,
  platform_address = "",
  platform_commission = "",
}: Named): bigint {
  const total = payment({ price, min_trade_unit: min_trade_unit || "1" }, BigInt(amount));
  const rate =
    platform_address === "" ? NO_RATE : (parseRate(platform_commission || "0") ?? NO_RATE);
  return total + feeOf(total as Amount, rate);
}

/** Parameters of the records of items that a transaction created. */
async function itemsOf({ id, type }: Members, session: Session): Promise<readonly Named[]> {
  const transaction = await session.lookUp("transaction", { transaction_id: String(id) });
  const made = String(type).replace("create", "_create");
  return ((transaction as Members)["effects"] as readonly DescribedRecord[])
    .filter((effect) => effect.type === made)
    .map((effect) => describe(effect).parameters);
}

function reserveIn(json: string): readonly (readonly [token: string, amount: bigint])[] {
  const reserve = JSON.parse(json === "" ? "{}" : json) as Readonly<Record<string, unknown>>;
  return Object.entries(reserve).map(([token, amount]) => [token, BigInt(String(amount))]);
}
