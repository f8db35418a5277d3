import { type Item, type Project, partOf } from "@moneta/sdk";
import type { JSX } from "preact";
import { inLanguage } from "../texts/texts.ts";
import { amountText, numberText } from "./amount-text.tsx";
import { absoluteTime } from "./time-text.tsx";

type Policy = Project["policy"];
type Face = Pick<Item, "face_price" | "face_token">;

/** Here, so that only things with a policy load them. */
const TEXTS = {
  en: {
    market: "changes hands by sale or auction only, outside of groups, or from and to its issuer",
    issuer: "only its issuer hands it out and takes it back; it cannot be sold",
    none: "stays with its holder: it can neither be sold nor transferred",
    mostOf: (rate: string): string => `may be sold for at most ${rate}\u00a0% of its face price`,
    most: (price: string): string => `may be sold for at most ${price}`,
    opens: (time: string): string =>
      `can change hands from ${time} on, before only from or to its issuer`,
    closes: (time: string): string =>
      `can change hands until ${time}, then only from or to its issuer`,
    cooldown: (hours: string): string => `stays at least ${hours} h with each holder`,
    maxheld: (count: string): string => `an address holds at most ${count}`,
    fixed: "its fees can only fall, and it cannot become bound",
  },
  ko: {
    market: "그룹 밖의 판매나 경매로만, 또는 발행자와의 사이에서만 소유자가 바뀝니다",
    issuer: "발행자만 나누어 주고 돌려받을 수 있으며, 판매할 수 없습니다",
    none: "소유자가 바뀌지 않습니다: 판매도 전송도 할 수 없습니다",
    mostOf: (rate: string): string => `액면가의 ${rate}\u00a0% 이하로만 판매할 수 있습니다`,
    most: (price: string): string => `${price} 이하로만 판매할 수 있습니다`,
    opens: (time: string): string =>
      `${time}부터 소유자가 바뀔 수 있고, 그 전에는 발행자와의 사이에서만 바뀝니다`,
    closes: (time: string): string =>
      `${time} 전까지 소유자가 바뀔 수 있고, 그 뒤에는 발행자와의 사이에서만 바뀝니다`,
    cooldown: (hours: string): string => `소유자마다 ${hours}시간 이상 보유합니다`,
    maxheld: (count: string): string => `한 주소는 ${count}개까지 보유합니다`,
    fixed: "수수료는 내려갈 수만 있고, 귀속으로 바뀌지 않습니다",
  },
} as const;

/** A sentence for each member. Source: policies §2. */
export function PolicySentences({
  policy,
  face,
}: {
  readonly policy: Policy;
  readonly face: Face | undefined;
}): JSX.Element {
  return (
    <ul class="plain">
      {policySentences(policy, face).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

function policySentences(
  { transfers = "free", maxprice, opens, closes, cooldown, maxheld, terms }: Policy,
  face: Face | undefined,
): readonly string[] {
  const words = inLanguage(TEXTS);
  return [
    ...(transfers === "free" ? [] : [words[transfers]]),
    ...(maxprice === undefined
      ? []
      : [
          face === undefined
            ? words.mostOf(maxprice)
            : words.most(amountText(partOf(face.face_price, maxprice), face.face_token)),
        ]),
    ...(opens === undefined ? [] : [words.opens(absoluteTime(opens))]),
    ...(closes === undefined ? [] : [words.closes(absoluteTime(closes))]),
    ...(cooldown === undefined ? [] : [words.cooldown(numberText(Math.ceil(cooldown / 360) / 10))]),
    ...(maxheld === undefined ? [] : [words.maxheld(numberText(maxheld))]),
    ...(terms === "fixed" ? [words.fixed] : []),
  ];
}
