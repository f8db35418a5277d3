import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { inLanguage } from "../../texts/texts.ts";
import { walletLink } from "../links.ts";

/** Here, so that only the overview loads them. */
const TEXTS = {
  en: (count: string): string => `Open offers for what you hold: ${count}`,
  ko: (count: string): string => `내가 가진 것에 대한 진행 중인 구매 제안: ${count}`,
} as const;

const COUNTED_MAX = 9;

/** Source: offers §7. */
export function ReceivedOffers({ address }: { readonly address: string }): JSX.Element | null {
  const { value: count = 0 } = useRead(
    `offers for what ${address} holds`,
    async (options): Promise<number> => {
      const request = { holder: address, limit: COUNTED_MAX + 1 };
      const lists = await Promise.all([
        moneta.mrc401Offers(request, options),
        moneta.mrc402Offers(request, options),
      ]);
      return lists.reduce((sum, { items }) => sum + items.length, 0);
    },
  );
  return count === 0 ? null : (
    <p class="notice">
      <a href={`${walletLink.market()}?tab=offers`}>
        {inLanguage(TEXTS)(count > COUNTED_MAX ? `${COUNTED_MAX}+` : String(count))}
      </a>
    </p>
  );
}
