import { form, SIGNED } from "../record-form.ts";

/** Source: protocols §6. */
export const SEAL_RECORDS = {
  MRC020: form(
    "seals",
    { M: "owner", L: "seal" },
    `seal owner algorithm data keyhash opendate referencekey ${SIGNED}`,
  ),
  MRC020Open: form("seals", { M: "owner", L: "seal" }, "seal owner openingkey"),
} as const;
