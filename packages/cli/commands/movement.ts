import { type DescribedRecord, movementOf as movedBy } from "@moneta/sdk";
import type { Session } from "../session/session.ts";
import type { Members } from "../views/view.ts";

/** Changes of an address's balances by token, in the smallest unit, including locked amounts. */
export type Movement = ReadonlyMap<string, bigint>;

/** What a record of a history has moved. */
export async function movementOf(record: Members, session: Session): Promise<Movement> {
  const { tokens } = await movedBy(record as never as DescribedRecord, {
    async effects() {
      const { id } = record;
      const transaction = await session.lookUp("transaction", { transaction_id: String(id) });
      return (transaction as Members)["effects"] as readonly DescribedRecord[];
    },
    async reserveOf(item) {
      const { initialreserve } = (await session.lookUp("mrc402", { mrc402id: item })) as Members;
      const reserve = Object.entries(initialreserve as object);
      return new Map(reserve.map(([token, amount]) => [token, BigInt(String(amount))]));
    },
  });
  return tokens;
}
