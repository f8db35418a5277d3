import {
  type AnyOperation,
  type AnyRead,
  DERIVED_OPERATIONS,
  faucet,
  OPERATIONS,
  protocol,
  READS,
} from "@moneta/protocol";
import type { Service } from "../service.ts";

/**
 * The operations and reads of this node: all described ones, without the faucet's or the operator's
 * if it has none. Source: accounts §13, chain §7.2.
 */
export function servedDescriptions(
  service: Pick<Service, "faucet" | "operator" | "isFollower">,
): readonly (AnyOperation | AnyRead)[] {
  const absent: readonly (AnyOperation | AnyRead)[] = [
    // A follower leads to the faucet of the node that it follows, if that has one.
    ...(service.faucet === undefined && !service.isFollower ? [faucet] : []),
    ...(service.operator === "" ? [protocol] : []),
  ];
  return [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS].filter(
    (description) => !absent.includes(description),
  );
}
