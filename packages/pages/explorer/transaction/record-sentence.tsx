import { type Named, type RecordWithEffects, recordSentence } from "@moneta/protocol/sentences";
import type { ComponentChildren, JSX } from "preact";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { absoluteTime } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";

const TEXT_MAX = 80;

/** Such as "This address": within a sentence it begins with a small letter. */
export type NameOf = (address: string) => string | undefined;

export function RecordSentence({
  record,
  nameOf,
}: {
  readonly record: RecordWithEffects;
  readonly nameOf?: NameOf | undefined;
}): JSX.Element {
  const parts = recordSentence(record, { texts: t().explorer.records, number: numberText });
  return (
    <span class="sentence">
      {parts.map((part, index) =>
        typeof part === "string" ? (
          part
        ) : (
          <Filling named={part} nameOf={index === 0 ? nameOf : (one) => small(nameOf?.(one))} />
        ),
      )}
    </span>
  );
}

function small(name: string | undefined): string | undefined {
  return name && name.charAt(0).toLowerCase() + name.slice(1);
}

function Filling({
  named,
  nameOf,
}: {
  readonly named: Named;
  readonly nameOf: NameOf | undefined;
}): ComponentChildren {
  switch (named.is) {
    case "address": {
      const name = nameOf?.(named.address);
      return name === undefined ? <AddressLink address={named.address} /> : <b>{name}</b>;
    }
    case "amount":
      return <AmountText amount={named.amount} token={named.token} />;
    case "token":
      return <TokenLink token={named.token} />;
    case "thing":
      return <ThingLink id={named.id} name={named.name} />;
    case "time":
      // Of a lock or a seal: past or to come, so no relative time fits the sentence.
      return (
        <time dateTime={new Date(named.time * 1000).toISOString()}>{absoluteTime(named.time)}</time>
      );
    case "text":
      return <UntrustedText text={named.text} max={TEXT_MAX} />;
  }
}
