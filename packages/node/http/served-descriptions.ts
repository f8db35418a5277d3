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

/** Without the faucet's or operator's if it has none. Source: accounts §13, chain §7.2. */
export function servedDescriptions(
  service: Pick<Service, "faucet" | "operator" | "isFollower">,
): readonly (AnyOperation | AnyRead)[] {
  const absent: readonly (AnyOperation | AnyRead)[] = [
    // A follower leads to the faucet of the node that it follows.
    ...(service.faucet === undefined && !service.isFollower ? [faucet] : []),
    ...(service.operator === "" ? [protocol] : []),
  ];
  return [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS].filter(
    (description) => !absent.includes(description),
  );
}
