import { GRANT_SECONDS_MAX, grant, OPEN_GRANTS_MAX, type Refused, refuse } from "@moneta/protocol";
import { done, effectOnEntry, record } from "../../records/record.ts";
import { GRANT, type Grant, openGrants } from "../../state/grant-entry.ts";
import { derivedId } from "../../state/ids/derived-id.ts";
import { keySetOf } from "../../state/key-set-entry.ts";
import type { State } from "../../state/state.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { firstRefusal } from "../first-refusal.ts";
import { isOver } from "../grant-bounds.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Grants that are over and that a new one marks as ended. Source: authority §5.1. */
const MARKED_MAX = 10;

/**
 * Lets another key act for an address by operations that have these rules. Source: authority §5.1.
 */
export function grantRule(rules: ReadonlyMap<string, RuledOperation>): RuledOperation {
  return ruleOf(grant, {
    actor: (state, { address, limits, payees, items }) =>
      acting(
        mustExist(state, "address", address) ??
          firstRefusal(payees.entries, (payee, index) =>
            mustExist(state, `payees[${index}]`, payee),
          ) ??
          firstRefusal(limits.entries, ({ token }, index) =>
            tokenMustExist(state, token, `limits[${index}].token`),
          ) ??
          firstRefusal(items.entries, ({ token }, index) =>
            token === undefined ? undefined : tokenMustExist(state, token, `items[${index}].token`),
          ) ??
          address,
      ),

    apply(state, { address, agent, operations, until, ...request }) {
      const open = openGrants(state, address);
      const over = open.filter((each) => isOver(state, address, each));
      const refused =
        firstRefusal(operations.entries, (name, index) =>
          refuseOperation(rules.get(name), name, `operations[${index}]`),
        ) ??
        refuseEnd(state, until) ??
        refuseMany(open.length - over.length, address);
      if (refused !== undefined) {
        return refused;
      }

      for (const { grantid } of over.slice(0, MARKED_MAX)) {
        state.put(GRANT, { ...(state.find(GRANT, grantid) as Grant), ended: state.time });
      }
      const { limits, payees, items, note, signature, tkey } = request;
      const grantid = derivedId("GRT", address, tkey);
      const entry: Grant = {
        ...{ grantid, address, agent: agent.body, operations: operations.entries },
        limits: limits.entries,
        payees: payees.entries,
        items: items.entries.map(({ id, minprice, token }) =>
          minprice === undefined ? { id } : { id, minprice, token },
        ) as Grant["items"],
        ...{ until: Number(until), note, version: keySetOf(state, address).version },
        ...{ createdate: state.time, ended: 0, order: state.operationNumber },
      };
      state.put(GRANT, entry);
      const values = { address, grantid, agent: agent.body, until, signature, tkey };
      return done(state, record("Grant", values, { shows: {} }), [
        effectOnEntry("Grant", values, GRANT, entry),
      ]);
    },
  });
}

function refuseOperation(
  ruled: RuledOperation | undefined,
  name: string,
  parameter: string,
): Refused | undefined {
  const isGrantable = ruled?.operation.signers.some((signer) => signer.grant !== undefined);
  const reason =
    ruled === undefined
      ? `is ${JSON.stringify(name)}, which is no operation`
      : `is ${name}, which no grant allows: it takes no signature, or it changes rules or who may sign`;
  return isGrantable === true ? undefined : refuse({ code: "3005", parameter, reason });
}

function refuseEnd({ time }: State, until: bigint): Refused | undefined {
  const wanted = `a time in Unix seconds from ${time + 1} to ${time + GRANT_SECONDS_MAX}`;
  return until <= time || until > time + GRANT_SECONDS_MAX
    ? refuse({ code: "1102", parameter: "until", given: String(until), wanted })
    : undefined;
}

function refuseMany(open: number, address: string): Refused | undefined {
  const reason = `is ${address}, which has ${OPEN_GRANTS_MAX} open grants, the most there can be: end one`;
  return open >= OPEN_GRANTS_MAX
    ? refuse({ code: "7126", parameter: "address", reason })
    : undefined;
}
