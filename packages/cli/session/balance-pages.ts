import type { WireAnswer } from "@moneta/sdk";
import type { Params, Session } from "./session.ts";

/**
 * The `after` of the next page; undefined after the last. Only `Link` shows this: strangers can
 * cause pages that end early. Source: accounts §9.
 */
export function nextBalances({ headers }: WireAnswer): string | undefined {
  return /[?&]after=([^&>]+)/.exec(headers.get("link") ?? "")?.[1];
}

export async function* balancePages(
  name: string,
  params: Params,
  session: Session,
): AsyncGenerator<WireAnswer, void, undefined> {
  const { everyItem } = await import("@moneta/sdk");
  yield* everyItem(async (cursor) => {
    const after = cursor === undefined ? {} : { after: cursor };
    const answer = await session.request(name, { ...params, ...after });
    const next = nextBalances(answer);
    return { items: [answer], ...(next !== undefined && { cursor: next }) };
  });
}
