import { type DescribedRecord, describe } from "@moneta/sdk";
import type { JSX } from "preact";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { t } from "../../texts/texts.ts";
import "./change.css";

/** Nothing for terms that are only requested. */
export function Change({ record }: { readonly record: DescribedRecord }): JSX.Element | null {
  const { money, goods } = describe(record);
  const moved = [money, goods].filter((one) => one?.role === "in" || one?.role === "out");
  return moved.length === 0 ? null : (
    <span class="changes">
      {moved.map((one) =>
        one === undefined ? null : (
          <span key={one.token ?? "units"}>
            {one.token === undefined ? (
              <span class={one.role === "in" ? "amount in" : "amount out"}>
                {SIGNS[one.role as keyof typeof SIGNS]}
                {t().explorer.records.units(numberText(one.amount), one.amount === 1n)}
              </span>
            ) : (
              <AmountText
                amount={one.amount}
                token={one.token}
                sign={SIGNS[one.role as keyof typeof SIGNS]}
              />
            )}
          </span>
        ),
      )}
    </span>
  );
}

const SIGNS = { in: "+", out: "−" } as const;
