import type { JSX } from "preact";
import { tokenForm } from "../../ledger/tokens.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { t } from "../../texts/texts.ts";
import type { Pair } from "./pair.ts";

/** Of one whole target token. Source: protocols §9.1 */
export function OrderPrice({
  price,
  pair: { basetoken, targettoken },
}: {
  readonly price: bigint;
  readonly pair: Pair;
}): JSX.Element {
  const form = tokenForm(targettoken).value;
  return (
    <>
      <AmountText amount={price} token={basetoken} />
      {form !== undefined && (
        <>
          {" "}
          <span class="quiet">
            {t().explorer.listing.for}{" "}
            <AmountText amount={10n ** BigInt(form.decimals)} token={targettoken} />
          </span>
        </>
      )}
    </>
  );
}
