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

/** By the id that the API reference has for each route: an operation may have several. */
export function routesById({
  name,
  route,
  otherRoutes = [],
}: Pick<AnyOperation | AnyRead, "name" | "route" | "otherRoutes">): readonly (readonly [
  id: string,
  route: string,
])[] {
  return route === undefined
    ? []
    : [route, ...otherRoutes].map((each, index) => [
        index === 0 ? name : `${name}${index + 1}`,
        each,
      ]);
}

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
