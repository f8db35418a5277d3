import { explain } from "../../description/problem.ts";
import { ONE_OF_EACH, OTHER_FAULTS } from "../../testing/faults.ts";
import type { ErrorVectors } from "../vector-types.ts";

/** An example of every code, and of each of its sentences. Source: conventions §3. */
export function makeErrors(): ErrorVectors {
  const faults = [...Object.values(ONE_OF_EACH), ...OTHER_FAULTS].toSorted(
    (a, b) => Number(a.code) - Number(b.code),
  );
  return {
    errors: faults.map((fault) => {
      const { code, status, type, title, detail, ...others } = explain(fault);
      return { code, status, type, title, detail, ...others };
    }),
  };
}
