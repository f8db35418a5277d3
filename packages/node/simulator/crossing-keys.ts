import { derivedId } from "@moneta/ledger";
import type { Address, LedgerOperation, Texts } from "@moneta/protocol";
import type { SeededRandom } from "../testing/seeded-random.ts";
import { BASE_TIME, type Holder, operationOf, PUBLIC_KEY } from "./base-ledger.ts";
import type { BlockRow } from "./session-host.ts";

// Keys change and grants end while other nodes write. A text stands for the signing keys.
// Source: authority §1.4, §5.

/** Stands for one by version `version` of an address's keys. */
export function signatureBy(version: number): string {
  return version === 0 ? "MEQ=" : Buffer.from(`keys ${version}`).toString("base64");
}

const BY_AGENT = Buffer.from("agent").toString("base64");
/** Of a grant, in coins; each payment spends one. */
const LIMIT = 2;

export interface Crossing {
  readonly text: string;
  readonly key: string;
  /** Codes, if another operation came first. */
  readonly mayBeRefused: readonly string[];
}

/** Resolves when each outcome is known: which were done. */
export type SendTogether = (all: readonly Crossing[]) => Promise<readonly boolean[]>;

/** Payments by old keys or an agent, concurrently with their end. */
export function keyChanges(
  holder: Holder,
  { to, random, nextKey }: { to: Address; random: SeededRandom; nextKey: () => number },
): (send: SendTogether) => Promise<void> {
  const { address } = holder;
  let version = 0;
  const payment = { from: address, to, token: "0", amount: "1" };
  return async (send) => {
    const make = (
      op: string,
      params: Texts,
      { signature = signatureBy(version), mayBeRefused = [] as readonly string[] } = {},
    ) => {
      const signed = { params: { ...params, signed: "full" }, key: nextKey(), signature };
      return { ...operationOf(holder, op, signed), mayBeRefused };
    };
    const changed = make("addresskeys", {
      ...{ address, keys: JSON.stringify([{ publickey: PUBLIC_KEY }]), threshold: "1" },
      ...{ version: String(version + 1), grants: random.pick(["keep", "end"]) },
    });
    if (random.pick([true, false])) {
      const paid = [1, 2, 3].map(() => make("transfer", payment, { mayBeRefused: ["2010"] }));
      const [isChanged] = await send([changed, ...paid]);
      version += isChanged === true ? 1 : 0;
      return;
    }
    const granted = make("grant", {
      ...{ address, agent: PUBLIC_KEY, operations: '["transfer"]' },
      limits: JSON.stringify([{ token: "0", amount: String(LIMIT), period: "0" }]),
      until: String(BASE_TIME + 1_000_000),
    });
    await send([granted]);
    const grant = derivedId("GRT", address, granted.tkey);
    const byAgent = { signature: BY_AGENT, mayBeRefused: ["6014", "7005", "7209"] };
    const paid = [1, 2, 3, 4].map(() => make("transfer", { ...payment, grant }, byAgent));
    const over = random.pick([changed, make("grantend", { grantid: grant })]);
    const [isOver] = await send([over, ...paid]);
    version += over === changed && isOver === true ? 1 : 0;
  };
}

/** Operations that lacked valid signers at their position. Source: authority §1.4, §5.2. */
export function* wrongSigners(rows: ReadonlyMap<number, BlockRow>): Iterable<string> {
  const versions = new Map<string, number>();
  /** The key version below which an address's grants have ended. */
  const grantsFrom = new Map<string, number>();
  const grants = new Map<
    string,
    { readonly by: string; readonly version: number; spent: number }
  >();
  for (let height = 0; height < rows.size; height += 1) {
    for (const text of rows.get(height)?.operations.split("\n") ?? []) {
      const { op, actor, params, signatures } = JSON.parse(text) as LedgerOperation;
      const version = versions.get(actor) ?? 0;
      const { signature } = signatures;
      const { grant: id } = params;
      if (id !== undefined) {
        const grant = grants.get(id);
        const isOpen =
          grant !== undefined &&
          grant.by === actor &&
          grant.version >= (grantsFrom.get(actor) ?? 0);
        if (!isOpen || signature !== BY_AGENT || grant.spent >= LIMIT) {
          yield `block ${height} has a payment by a grant that was over or spent: ${id}`;
        } else {
          grant.spent += 1;
        }
      } else if (signature !== undefined && signature !== signatureBy(version)) {
        yield `block ${height} has ${op} of ${actor} by other keys than its version ${version}`;
      }
      if (op === "addresskeys") {
        versions.set(actor, version + 1);
        if (params["grants"] !== "keep") {
          grantsFrom.set(actor, version + 1);
        }
      } else if (op === "grant") {
        const made = derivedId("GRT", actor as Address, params["tkey"] as string);
        grants.set(made, { by: actor, version, spent: 0 });
      } else if (op === "grantend") {
        grants.delete(params["grantid"] as string);
      }
    }
  }
}
