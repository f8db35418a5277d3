import type { Address } from "@moneta/protocol";
import type { Params } from "../admitted.ts";
import type { TestClient } from "../test-client.ts";
import { createProject } from "./creations.ts";

/**
 * O owns project Q with partner P, seller S and creator C; A, B and D have no role.
 * Source: mrc401 §18.
 */
export const ROLES = ["o", "p", "s", "c", "a", "b", "d"] as const;

export type Role = (typeof ROLES)[number];

export type Cast = Readonly<Record<Role, Address>> & { readonly q: string };

/**
 * New addresses with 1000 coins each, or with `coins`, and O's project, as `PROJECT` unless
 * `project` has other terms.
 */
export async function createCast(
  client: TestClient,
  { coins = 1000n, project = {} }: { readonly coins?: bigint; readonly project?: Params } = {},
): Promise<Cast> {
  const people = await client.people(ROLES, { coins });
  const { o, p, s, c } = people;
  const roles = { partner: [p], seller: [s], creator: [c] };
  return { ...people, q: await createProject(client, o, roles, project) };
}
