import { now } from "../ledger/node.ts";
import type { SaleWindow } from "../ledger/sale-window.ts";
import { inLanguage } from "../texts/texts.ts";
import type { Fact } from "./facts.tsx";
import { durationText } from "./time-left.tsx";
import { absoluteTime } from "./time-text.tsx";

/** Here, so that only views of tradable things load them. */
const TEXTS = {
  en: {
    window: "Purchases",
    begins: (time: string): string => `only from ${time} on`,
    ends: (time: string): string => `only until ${time}`,
    ended: (time: string): string => `not any more: the sale ended ${time}`,
    softClose: "Soft close",
    extends: (extend: string, latest: string): string =>
      `a bid with less than ${extend} left moves the end, so that ${extend} are left; never past ${latest}`,
  },
  ko: {
    window: "구매 기간",
    begins: (time: string): string => `${time}부터`,
    ends: (time: string): string => `${time} 전까지`,
    ended: (time: string): string => `판매가 끝났습니다: ${time}`,
    softClose: "마감 연장",
    extends: (extend: string, latest: string): string =>
      `남은 시간이 ${extend}보다 짧을 때 입찰하면 ${extend}이(가) 남도록 종료가 미뤄지며, ${latest}을(를) 넘지 않습니다`,
  },
} as const;

/** Source: market §2.2. */
export function saleWindowFact({ sell_start = 0, sell_end = 0 }: SaleWindow): Fact {
  const words = inLanguage(TEXTS);
  const hasEnded = sell_end > 0 && now.value >= sell_end;
  const bounds = [
    ...(sell_start > now.value ? [words.begins(absoluteTime(sell_start))] : []),
    ...(sell_end === 0
      ? []
      : [hasEnded ? words.ended(absoluteTime(sell_end)) : words.ends(absoluteTime(sell_end))]),
  ];
  return [words.window, bounds.length > 0 && bounds.join(", ")];
}

/** Source: market §3.2. */
export function softCloseFact({
  auction_extend: extend = 0,
  auction_latest_end: latest = 0,
}: {
  readonly auction_extend?: number | undefined;
  readonly auction_latest_end?: number | undefined;
}): Fact {
  const words = inLanguage(TEXTS);
  return [words.softClose, extend > 0 && words.extends(durationText(extend), absoluteTime(latest))];
}
