import type { Figures } from "./measurement.ts";
import type { Scenario } from "./scenarios.ts";

/** What a scenario reaches of what another one of the same run does. */
export interface Comparison {
  readonly scenario: string;
  readonly comparedWith: string;
  readonly ofRate: number;
  /**
   * Its ratio to the raw rate over the other's: what is left if the machine was not the same for
   * both.
   */
  readonly ofRatio: number | undefined;
}

/** Those that the scenarios ask for, where both sides have been measured. */
export function comparisons(
  scenarios: readonly Scenario[],
  all: readonly Figures[],
): readonly Comparison[] {
  const figuresOf = (name: string | undefined): Figures | undefined =>
    all.find(({ scenario }) => scenario === name);
  return scenarios.flatMap(({ name, comparedWith }) => {
    const own = figuresOf(name);
    const other = figuresOf(comparedWith);
    return own === undefined || other === undefined
      ? []
      : {
          scenario: name,
          comparedWith: other.scenario,
          ofRate: own.perSecond / other.perSecond,
          ofRatio: own.verify && other.verify && own.verify.ratio / other.verify.ratio,
        };
  });
}
