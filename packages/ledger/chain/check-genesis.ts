import { type Block, type LedgerOperation, parseOperationText } from "@moneta/protocol";
import { GenesisProblem, genesisOperations, genesisVersion, readGenesis } from "./genesis.ts";
import { InvalidBlock } from "./invalid-block.ts";

/**
 * Throws `InvalidBlock` unless a genesis file makes just these operations. Source: chain §8,
 * accounts §12.
 */
export function checkGenesis({ header: { timestamp }, operations }: Block): void {
  const refuse = (reason: string, position = 0): InvalidBlock =>
    new InvalidBlock({ height: 0, position }, reason);
  const content = contentOf(operations.map((text) => parseOperationText(text)));
  let wanted: readonly string[];
  try {
    // The caller has checked its version, against a list that may be another than this one's.
    const genesis = readGenesis({ ...content, timestamp }, timestamp);
    wanted = genesisOperations({ ...genesis, protocol: genesisVersion(operations) ?? 1 });
  } catch (thrown) {
    throw thrown instanceof GenesisProblem
      ? refuse(`no genesis file makes it: ${thrown.message}`)
      : thrown;
  }
  for (let at = 0; at < Math.max(wanted.length, operations.length); at += 1) {
    if (operations[at] !== wanted[at]) {
      const last = Math.min(at, operations.length - 1);
      throw refuse("it is not what the genesis file of this block makes", last);
    }
  }
}

function contentOf(operations: readonly (LedgerOperation | undefined)[]): object {
  const paramsOf = (operation: LedgerOperation | undefined): Record<string, string> => ({
    ...operation?.params,
  });
  const { ledger, note, operator, ...protocol } = paramsOf(operations[0]);
  const { treasury, decimal, ...coin } = paramsOf(operations.at(-1));
  const keys = new Map<unknown, string | undefined>();
  for (const operation of operations) {
    keys.set(operation?.decided["address"], operation?.params["publickey"]);
  }
  const keyOf = (address: unknown): object => ({ address, publickey: keys.get(address) });
  return {
    ledger,
    note,
    auctionMin: Number(protocol["auctionMin"]),
    auctionMax: Number(protocol["auctionMax"]),
    ...(operator === undefined ? {} : { operator: keyOf(operator) }),
    coin: {
      ...coin,
      decimal: Number(decimal),
      treasury: entriesOf(treasury ?? "").map(({ address, value: amount, unlockdate }) => ({
        ...keyOf(address),
        amount,
        unlockdate,
      })),
    },
  };
}

function entriesOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? entries.map((entry: object | null) => ({ ...entry })) : [];
  } catch {
    return [];
  }
}
