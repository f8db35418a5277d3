import {
  type AnyOperation,
  address,
  coin,
  genesisProtocol,
  multitransfer,
  transfer,
} from "@moneta/protocol";
import { addressRule } from "./address.ts";
import { coinRule } from "./coin.ts";
import { genesisProtocolRule } from "./genesis-protocol.ts";
import { multitransferRule } from "./multitransfer.ts";
import type { AnyRule } from "./rule.ts";
import { transferRule } from "./transfer.ts";

/** An operation as it is described, and what it does. */
export interface RuledOperation {
  readonly operation: AnyOperation;
  readonly rule: AnyRule;
}

function registry(...entries: readonly RuledOperation[]): ReadonlyMap<string, RuledOperation> {
  return new Map(entries.map((entry) => [entry.operation.name, entry]));
}

/** What requests may do. */
export const RULES: ReadonlyMap<string, RuledOperation> = registry(
  { operation: address, rule: addressRule },
  { operation: transfer, rule: transferRule },
  { operation: multitransfer, rule: multitransferRule },
);

/** What block 0 does. Source: chain §8. */
export const GENESIS_RULES: ReadonlyMap<string, RuledOperation> = registry(
  { operation: genesisProtocol, rule: genesisProtocolRule },
  { operation: address, rule: addressRule },
  { operation: coin, rule: coinRule },
);
