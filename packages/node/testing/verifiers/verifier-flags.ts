/**
 * The verifier that `TEST_VERIFIER` names for the nodes of tests, as flags; none by default, which
 * takes the native one if it is built.
 */
export function verifierFlags(): readonly string[] {
  const word = process.env["TEST_VERIFIER"];
  return word === undefined ? [] : ["--verifier", word];
}
