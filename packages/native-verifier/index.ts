export { AddonProblem, findAddon, loadAddon, type NativeVerifier } from "./addon.ts";
export { type BatchClaim, type Curve, claimBatch, VALUE_BYTES, Verdict } from "./claim-batch.ts";
