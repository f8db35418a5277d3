import { signedOperation } from "../../description/operation.ts";
import { unitListingCancel } from "./unit-listing.ts";

/** Source: mrc402 §12. */
export const mrc402Unsell = signedOperation({
  name: "mrc402unsell",
  title: "Take units off sale",
  route: "POST /mrc402/unsell/{id}",
  otherRoutes: ["POST /mrc402/unsell"],
  about: "Cancels the rest of an offer of units; with itemdata of 1 to 100 offers, all or none.",
  ...unitListingCancel,
  refusals: ["6004", "3090", "7001", "7106", "7107", "7103", "7101", "7102"],
});
