import type { LedgerReader } from "@moneta/ledger";
import { Refused, refuse } from "@moneta/protocol";
import type { Service } from "../../service.ts";
import { reachesHeight } from "../requests/height-wait.ts";
import type { ReadContext } from "./read-context.ts";

/** Its number, or a time in Unix seconds. */
export interface AskedBlock {
  readonly height?: number | undefined;
  readonly at?: number | undefined;
}

/** Refused with 9003 if the block does not come. Source: proofs §1.3. */
export async function refusedPast(
  { height = 0, at = 0 }: AskedBlock,
  service: Pick<Service, "height" | "clock">,
  socket: ReadContext["socket"],
): Promise<Refused | undefined> {
  if (height > service.height() && !(await reachesHeight(service.height, height, socket))) {
    return refuse({ code: "9003", height: service.height(), wanted: height });
  }
  return at > service.clock() && !(await reachesHeight(service.clock, at, socket))
    ? refuse({ code: "9003", height: service.height(), at })
    : undefined;
}

/** 6012 if the state is not kept, 1101 before block 0. Source: proofs §1.1. */
export function readerAsOf(asked: AskedBlock, reader: LedgerReader): LedgerReader | Refused {
  if (asked.height === undefined && asked.at === undefined) {
    return reader;
  }
  const height = heightOf(asked, reader);
  if (height instanceof Refused) {
    return height;
  }
  const { keptSince: since } = reader;
  return height < since ? refuse({ code: "6012", height, since }) : reader.asOf(height);
}

/** By default the newest. Refused with 1101 before block 0. */
export function heightOf({ height, at }: AskedBlock, reader: LedgerReader): number | Refused {
  const asked = at === undefined ? (height ?? reader.height) : reader.heightAt(at);
  const begun = reader.block({ height: 0 })?.header.timestamp;
  const wanted = `${begun} or later: then this ledger began`;
  return asked ?? refuse({ code: "1101", parameter: "at", given: String(at), wanted });
}

/** Later blocks cannot change the response. Source: proofs §1.4. */
export function isPast({ height, at }: AskedBlock, newest: LedgerReader): boolean {
  return height !== undefined || (at !== undefined && newest.newest.header.timestamp > at);
}
