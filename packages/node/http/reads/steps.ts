import { type Refused, refuse } from "@moneta/protocol";

/**
 * When the steps of an answer begin, Unix seconds: at `since`, by default as early as it may. Refused
 * with 1101 if there are more than `stepsMax` steps from there to `until`.
 */
export function sinceOfSteps({
  step,
  since: given,
  until,
  seconds,
  stepsMax,
}: {
  readonly step: string;
  readonly since: number | undefined;
  readonly until: number;
  /** Of a step. */
  readonly seconds: number;
  readonly stepsMax: number;
}): number | Refused {
  // The beginning of the earliest step that may be requested.
  const earliest = Math.max(0, (Math.floor(until / seconds) - stepsMax + 1) * seconds);
  const since = given ?? earliest;
  if (Math.ceil(since / seconds) * seconds < earliest) {
    const wanted = `${earliest} or later: from there to until, ${until}, it is ${stepsMax} times a ${step}`;
    return refuse({ code: "1101", parameter: "since", given: String(since), wanted });
  }
  return since;
}
