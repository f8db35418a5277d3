import { PREFIX } from "../ledger/node.ts";

export const REFERENCE = `${PREFIX}/docs`;
