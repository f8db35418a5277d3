import { NO_POLICY, POLICIES_MAX, type Policy, type Refused, refuse } from "@moneta/protocol";
import { POLICY, type PolicyEntry, type Project } from "../../state/project-entry.ts";
import type { State, StateReader } from "../../state/state.ts";

function policiesOf(state: StateReader, mrc400: string): readonly PolicyEntry[] {
  const policies: PolicyEntry[] = [];
  for (let number = 1; number <= POLICIES_MAX; number += 1) {
    const policy = state.find(POLICY, `${mrc400}/${number}`);
    if (policy === undefined) {
      break;
    }
    policies.push(policy);
  }
  return policies;
}

export function firstPolicy(mrc400: string, policy: Policy): PolicyEntry | undefined {
  const first = { ...policy, mrc400, number: 1 };
  return POLICY.isSame(first, { ...NO_POLICY, mrc400, number: 1 }) ? undefined : first;
}

/**
 * An equal earlier one, or the next; undefined if it allows everything. Refused with 7123 if there
 * are too many. Source: policies §1.
 */
export function policyEntry(
  state: StateReader,
  mrc400: string,
  policy: Policy,
): PolicyEntry | undefined | Refused {
  const wanted = firstPolicy(mrc400, policy);
  if (wanted === undefined) {
    return undefined;
  }
  const policies = policiesOf(state, mrc400);
  const equal = policies.find((entry) => POLICY.isSame(entry, wanted));
  const reason = `is another policy, but the project has had ${POLICIES_MAX}, the most there may be`;
  return (
    equal ??
    (policies.length === POLICIES_MAX
      ? refuse({ code: "7123", parameter: "policy", reason })
      : { ...wanted, number: policies.length + 1 })
  );
}

/** Returns its number, 0 for the one that allows everything. */
export function putPolicy(state: State, policy: PolicyEntry | undefined): number {
  if (policy === undefined) {
    return 0;
  }
  state.put(POLICY, policy);
  return policy.number;
}

/** Refused with 7121: the allowed token is a fixed term. Source: policies §8. */
export function refuseFixedToken(
  state: StateReader,
  project: Project,
  allowToken: number,
): Refused | undefined {
  const reason = `stays ${project.allow_token}: the project has had a policy with fixed terms`;
  return allowToken !== project.allow_token &&
    policiesOf(state, project.id).some(({ terms }) => terms === "fixed")
    ? refuse({ code: "7121", parameter: "allowtoken", reason })
    : undefined;
}
