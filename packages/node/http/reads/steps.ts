import { type Refused, refuse } from "@moneta/protocol";

/** Unix seconds. Refused with 1101 above `stepsMax` steps. */
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
  readonly seconds: number;
  readonly stepsMax: number;
}): number | Refused {
  const earliest = Math.max(0, (Math.floor(until / seconds) - stepsMax + 1) * seconds);
  const since = given ?? earliest;
  if (Math.ceil(since / seconds) * seconds < earliest) {
    const wanted = `${earliest} or later: from there to until, ${until}, there are ${stepsMax} ${step}s`;
    return refuse({ code: "1101", parameter: "since", given: String(since), wanted });
  }
  return since;
}
