import { signedOperation } from "../../description/operation.ts";
import { unitListingCancel } from "./unit-listing.ts";

/** Source: mrc402 §15. */
export const mrc402Unauction = signedOperation({
  name: "mrc402unauction",
  title: "Take units off auction",
  route: "POST /mrc402/unauction/{id}",
  otherRoutes: ["POST /mrc402/unauction"],
  about:
    "Cancels an auction of units that has no bid; with itemdata 1 to 100 of them, all or none.",
  ...unitListingCancel,
  refusals: ["6004", "3090", "7001", "7106", "7107", "7103", "7101", "7102", "7104"],
});
