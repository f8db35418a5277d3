import { plant } from "./planted-faults.ts";

// `node planted-run.ts NAME SEED`: the fault is planted before the product is loaded. Ends with 0
// if a promise is broken.

const [name = "", seed] = process.argv.slice(2);
plant(name);
const { BaseLedger } = await import("./base-ledger.ts");
const { simulate } = await import("./run.ts");

using base = await BaseLedger.make();
const { broken } = await simulate(Number(seed), base);
process.exitCode = broken.length > 0 ? 0 : 1;
