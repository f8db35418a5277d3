import { form, SIGNED } from "../record-form.ts";

/** Those of its operations are its effects. Source: bundles §5. */
export const BUNDLE_RECORDS = {
  bundle: [
    form({
      by: "bundle",
      filed: { M: "the actor" },
      kind: "bundles",
      parameters: `operations skipped ${SIGNED}`,
    }),
  ],
} as const;
