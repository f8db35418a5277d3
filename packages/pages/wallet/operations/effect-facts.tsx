import type { ComponentChildren, JSX } from "preact";
import { AmountText } from "../../parts/amount-text.tsx";
import type { Fact } from "../../parts/facts.tsx";
import { absoluteTime } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { Effect } from "./operation-form.ts";
import { unitsText } from "./thing-text.ts";
import { WhoLink } from "./who-link.tsx";

/**
 * What an operation will do, as names and values; effects of one name stand together. `own` is the
 * address that acts.
 */
export function effectFacts(effects: readonly Effect[], own: string): readonly Fact[] {
  const byName = new Map<string, ComponentChildren[]>();
  for (const effect of effects) {
    const [name, value] = effectFact(effect, own);
    byName.set(name, [...(byName.get(name) ?? []), value]);
  }
  return [...byName].map(([name, values]) => [
    name,
    values.length === 1 ? (
      values[0]
    ) : (
      <ul class="plain">
        {values.map((value, index) => (
          <li key={index}>{value}</li>
        ))}
      </ul>
    ),
  ]);
}

function effectFact(effect: Effect, own: string): Fact {
  const texts = walletTexts().operations;
  switch (effect.kind) {
    case "own":
      return [
        texts.own[effect.what],
        <AmountText amount={effect.amount} token={effect.token} sign={effect.sign} isExact />,
      ];
    case "units":
      return effect.address === undefined
        ? [texts.units[effect.what], <Units {...effect} />]
        : [
            texts.unitsOfOther[effect.sign === "−" ? "give" : "get"],
            <>
              <Units {...effect} sign="" /> <WhoLink address={effect.address} own={own} />
            </>,
          ];
    case "share": {
      const name = texts.roles[effect.role];
      return [
        effect.isLater === true ? texts.whenSold(name) : name,
        <>
          <AmountText amount={effect.amount} token={effect.token} isExact />{" "}
          {effect.rate !== undefined && <span class="quiet">({effect.rate} %) </span>}
          <WhoLink address={effect.address} own={own} />
        </>,
      ];
    }
    case "rate":
      return [
        texts.whenSold(texts.roles[effect.role]),
        <>
          {effect.rate} % <WhoLink address={effect.address} own={own} />
        </>,
      ];
    case "other":
      return [
        texts.others[effect.what],
        <>
          <WhoLink address={effect.address} own={own} />
          {effect.until !== undefined && (
            <span class="quiet">
              {" "}
              {walletTexts().wallet.sendMany.until(absoluteTime(effect.until))}
            </span>
          )}
        </>,
      ];
    case "price":
      return [
        texts.price,
        <>
          <AmountText amount={effect.amount} token={effect.token} isExact />{" "}
          <span class="quiet">
            {t().explorer.listing.for} <AmountText amount={effect.per} token={effect.of} />
          </span>
        </>,
      ];
    case "time":
      return [texts.times[effect.what], absoluteTime(effect.time)];
    case "owner":
      return [
        t().explorer.item.projectOwner,
        <p class="notice warn">{t().explorer.item.ownerMay(effect.powers)}</p>,
      ];
    case "note":
      return [texts.good, texts.notes[effect.what]];
  }
}

function Units({
  units,
  sign,
}: {
  readonly units: bigint;
  readonly sign: "+" | "−" | "";
}): JSX.Element {
  return (
    <span class="amount">
      {sign}
      {unitsText(units)}
    </span>
  );
}
