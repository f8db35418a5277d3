/**
 * `Retry-After` of conditions that need an operator, seconds. It exceeds what clients wait, so that
 * they report the reason at once. Source: conventions §3.
 */
export const UNTIL_MENDED_SECONDS = 300;
