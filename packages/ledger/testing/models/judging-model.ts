import assert from "node:assert/strict";
import { itemRules } from "./item-rules.ts";
import {
  BLANK_VALUES,
  LedgerModel,
  type ModelRules,
  type Sent,
  type TestKey,
} from "./ledger-model.ts";
import type { Code } from "./model-terms.ts";
import { tokenRules } from "./token-rules.ts";
import { type ModelGoods, tradedGoods, tradeRules } from "./trade-rules.ts";
import { unitRules } from "./unit-rules.ts";

/** The model with its rules, which follow the text of the spec, check by check. */
export class JudgingModel extends LedgerModel {
  readonly goods: readonly ModelGoods[] = tradedGoods(this);
  readonly #usedBy: Map<string, string> = new Map();
  readonly #rules: ModelRules = {
    ...tokenRules(this),
    ...itemRules(this),
    ...unitRules(this),
    ...tradeRules(this),
  };

  /**
   * Returns the outcome that the ledger should have. Applies the operation if that is `done`.
   * Source: conventions §3, §5.3.
   */
  judge(sent: Sent): string {
    const { op, key } = sent;
    const rule = this.#rules[op];
    assert(rule !== undefined, op);
    this.begin();
    const values = { ...BLANK_VALUES, ...rule.defaults, ...sent.params };
    const meaning = JSON.stringify([op, sent.actor, values, sent.decided]);
    const isRepeat = key !== undefined && this.#usedBy.get(key.text) === meaning;
    if (isRepeat && this.time <= key.expiry + 86_400) {
      return "repeat";
    }
    const holder = key?.of ?? "";
    const refused =
      rule.form(values) ??
      rule.existence(values, holder) ??
      this.#keyFault(key, rule.actor(values)) ??
      rule.apply(values, rule.actor(values) || holder, sent);
    if (refused === undefined && key !== undefined) {
      this.#usedBy.set(key.text, meaning);
    }
    return refused ?? "done";
  }

  #keyFault(key: TestKey | undefined, actor: string): Code {
    if (key === undefined) {
      return undefined;
    }
    if (key.of === "" || (actor !== "" && key.of !== actor) || this.time > key.expiry) {
      return "2020";
    }
    return this.#usedBy.has(key.text) ? "2021" : undefined;
  }
}
