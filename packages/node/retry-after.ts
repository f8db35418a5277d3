/**
 * `Retry-After` of what lasts until somebody mends it, seconds. It is longer than clients wait, whose
 * user shall learn the reason at once. Source: docs/decisions.md.
 */
export const UNTIL_MENDED_SECONDS = 300;
