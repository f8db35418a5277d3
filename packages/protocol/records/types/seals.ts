import { form, SIGNED } from "../record-form.ts";

/** Source: protocols §6. */
export const SEAL_RECORDS = {
  MRC020: [
    form({
      by: "mrc020",
      filed: { M: "owner", L: "seal" },
      kind: "seals",
      parameters: `seal owner algorithm data keyhash opendate referencekey ${SIGNED}`,
      about: "seal",
    }),
  ],
  MRC020Open: [
    form({
      by: "mrc020open",
      filed: { M: "owner", L: "seal" },
      kind: "seals",
      parameters: "seal owner openingkey",
      about: "seal",
    }),
  ],
} as const;
