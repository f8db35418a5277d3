import {
  type Bundle,
  type BundledOperation,
  type Fault,
  type LedgerOperation,
  type RecordPart,
  Refused,
  refuse,
  signedBundle,
  skips,
  type TransactionRecord,
} from "@moneta/protocol";
import { record, signatureOf } from "../records/record.ts";
import type { State } from "../state/state.ts";
import { mustExist } from "./existence.ts";
import { boundedBy } from "./grant-bounds.ts";
import { acting, choicesOf, type RuledOperation, ruleOf, type SkippedOperation } from "./rule.ts";

export const BUNDLE_RECORDS_MAX = 4000;

export const BUNDLE_TEXTS_MAX = 2 ** 20;

/** The rule of bundles of operations that have these rules. Source: bundles §4, §5. */
export function bundleRule(rules: ReadonlyMap<string, RuledOperation>): RuledOperation {
  return ruleOf(signedBundle, {
    actor: (state, { body }) => {
      const { actor } = body as Bundle;
      return acting(mustExist(state, "actor", actor) ?? actor);
    },

    apply(state, { body }, { operation }) {
      const bundle = body as Bundle;
      state.beginBundle();
      const done = applyAll(state, bundle, rules);
      if (done instanceof Refused) {
        state.undoBundle();
        return done;
      }
      state.acceptBundle();
      const { effects, skipped } = done;
      const list = skipped.map(({ index, fault: { code } }) => [index, code]);
      const made = record(
        "bundle",
        {
          operations: bundle.operations.length,
          skipped: JSON.stringify(list),
          signature: signatureOf(operation),
          tkey: bundle.tkey,
        },
        { of: bundle.actor },
      );
      const values = bundle.grant === undefined ? {} : { grant: bundle.grant };
      return { ...made, values, effects, skipped };
    },
  });
}

interface Done {
  readonly effects: readonly RecordPart[];
  readonly skipped: readonly SkippedOperation[];
}

function applyAll(
  state: State,
  bundle: Bundle,
  rules: ReadonlyMap<string, RuledOperation>,
): Done | Refused {
  const effects: RecordPart[] = [];
  const skipped: SkippedOperation[] = [];
  for (const [index, member] of bundle.operations.entries()) {
    state.beginBundled(index);
    const made = applyOne(state, member, bundle, rules);
    if (made instanceof Refused) {
      const { fault } = made;
      if (!skips(bundle, fault.code)) {
        return refuse(fault, index);
      }
      state.undoBundled();
      skipped.push({ index, fault });
      continue;
    }
    state.acceptBundled();
    push(effects, made, index);
    const fault = refuseLarge(effects.length, state.bundledTexts);
    if (fault !== undefined) {
      return refuse(fault, index);
    }
  }
  const [first] = skipped;
  return first !== undefined && skipped.length === bundle.operations.length
    ? refuse(first.fault, first.index)
    : { effects, skipped };
}

/** The operation by the rule of its own. Source: bundles §3. */
function applyOne(
  state: State,
  { operation: { name: op }, request }: BundledOperation,
  { actor, grant }: Bundle,
  rules: ReadonlyMap<string, RuledOperation>,
): TransactionRecord | Refused {
  const { params, values } = request;
  const ruled = rules.get(op) as RuledOperation;
  const acts = ruled.rule.actor(state, values, () => actor);
  if (acts instanceof Refused) {
    return acts;
  }
  if (acts.actor !== actor) {
    return refuse({
      code: "7001",
      reason: `${acts.actor} has to act here, not ${actor}, who has signed the bundle`,
    });
  }
  const choices = choicesOf(state, { ruled, request }, actor);
  if (choices instanceof Refused) {
    return choices;
  }
  const [decided = {}] = choices;
  const operation: LedgerOperation = { op, actor, params, decided, signatures: {} };
  const grants = grant === undefined ? [] : [{ id: grant, address: actor, parameter: "grant" }];
  return boundedBy(state, { grants, name: op, values }, () =>
    ruled.rule.apply(state, values, { actor, found: acts.found, operation }),
  );
}

function push(effects: RecordPart[], made: TransactionRecord, at: number): void {
  const { effects: own, group: _, ...main } = made;
  effects.push({ ...main, at });
  for (const effect of own) {
    effects.push({ ...effect, at });
  }
}

/** 3002 for more records or characters than a bundle may have. Source: bundles §8. */
export function refuseLarge(records: number, texts: number): Fault | undefined {
  const reason =
    records > BUNDLE_RECORDS_MAX
      ? `make more than ${BUNDLE_RECORDS_MAX} records together`
      : texts > BUNDLE_TEXTS_MAX
        ? `update units whose texts have more than ${BUNDLE_TEXTS_MAX} characters together`
        : undefined;
  return reason === undefined ? undefined : { code: "3002", parameter: "operations", reason };
}
