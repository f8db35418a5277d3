import { form, SIGNED } from "../record-form.ts";

/** Those of its operations are its effects. Source: bundles §5. */
export const BUNDLE_RECORDS = {
  bundle: form("bundles", { M: "the actor" }, `operations skipped ${SIGNED}`),
} as const;
