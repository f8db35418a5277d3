/** Whether tests that npm test shortens take their whole length: `npm run test:long`. */
export const IS_LONG: boolean = process.env["MONETA_LONG_TESTS"] === "full";

/** Operations of each of the three random models: batches §3 row 20 asks for 100,000 in all. */
export const RANDOM_OPERATIONS: number = IS_LONG ? 34_000 : 2000;
