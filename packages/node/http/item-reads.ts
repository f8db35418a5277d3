import { ITEM, type LedgerReader, PROJECT } from "@moneta/ledger";
import { type Refused, refuse } from "@moneta/protocol";
import { type Answer, json } from "./answer.ts";

/** Source: mrc401 §5. */
export function showProject(
  { mrc400id }: { mrc400id: string },
  { state }: LedgerReader,
): Answer | Refused {
  const project = state.find(PROJECT, mrc400id);
  return project === undefined
    ? refuse({ code: "6004", parameter: "mrc400id", given: mrc400id })
    : json(PROJECT.json(project));
}

/** Source: mrc401 §6. */
export function showItem(
  { mrc401id }: { mrc401id: string },
  { state }: LedgerReader,
): Answer | Refused {
  const item = state.find(ITEM, mrc401id);
  return item === undefined
    ? refuse({ code: "6004", parameter: "mrc401id", given: mrc401id })
    : json(ITEM.view?.(item));
}
