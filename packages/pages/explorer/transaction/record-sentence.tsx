import type { DescribedRecord } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { fillTemplate } from "../../texts/template.ts";
import { t } from "../../texts/texts.ts";
import { recordSlots, type Slot, type Slots } from "./record-slots.ts";
import { recordTexts } from "./record-texts.ts";

/** Of many addresses, those that a sentence names. */
const ADDRESSES_MAX = 2;
const TEXT_MAX = 80;

/** What an address is called instead: "this address", the name of one's own account. */
export type NameOf = (address: string) => ComponentChildren | undefined;

/** What happened, in a sentence: of a transaction, of an entry of a history, of an effect. */
export function RecordSentence({
  record,
  nameOf,
  also,
}: {
  readonly record: DescribedRecord;
  readonly nameOf?: NameOf | undefined;
  /** What else is known of it: the seller, who is in another record of the transaction. */
  readonly also?: Slots | undefined;
}): JSX.Element {
  const texts = recordTexts(t().explorer.records.types, record.type);
  const slots = new Map([...(also ?? []), ...recordSlots(record)]);
  return (
    <span class="sentence">
      {texts === undefined ? (
        <UnknownRecord record={record} />
      ) : (
        <Filled template={texts.sentence} slots={slots} nameOf={nameOf} />
      )}
    </span>
  );
}

function UnknownRecord({ record }: { readonly record: DescribedRecord }): JSX.Element {
  return (
    <>
      {record.address !== "" && (
        <>
          <AddressLink address={record.address} />
          {": "}
        </>
      )}
      <UntrustedText text={t().explorer.records.unknown(record.type)} />
    </>
  );
}

function Filled({
  template,
  slots,
  nameOf,
}: {
  readonly template: string;
  readonly slots: Slots;
  readonly nameOf?: NameOf | undefined;
}): JSX.Element {
  return (
    <>
      {fillTemplate(template, (name) => slots.has(name)).map((part) =>
        "words" in part ? part.words : <Filling slot={slots.get(part.slot)} nameOf={nameOf} />,
      )}
    </>
  );
}

function Filling({
  slot,
  nameOf,
}: {
  readonly slot: Slot | undefined;
  readonly nameOf: NameOf | undefined;
}): ComponentChildren {
  switch (slot?.is) {
    case undefined:
      return "…";
    case "addresses":
      return <Addresses addresses={slot.addresses} nameOf={nameOf} />;
    case "amount":
      return <AmountText amount={slot.amount} token={slot.token} />;
    case "units":
      return t().explorer.records.units(numberText(slot.amount), slot.amount === 1n);
    case "token":
      return <TokenLink token={slot.token} />;
    case "thing":
      return <ThingLink id={slot.id} name={slot.name} />;
    case "items":
      return <Counted one="oneItem" slot={slot} />;
    case "listings":
      return <Counted one="oneListing" slot={slot} />;
    case "time":
      return <TimeText time={slot.time} />;
    case "text":
      return <UntrustedText text={slot.text} max={TEXT_MAX} />;
  }
}

function Addresses({
  addresses,
  nameOf,
}: {
  readonly addresses: readonly string[];
  readonly nameOf: NameOf | undefined;
}): JSX.Element {
  const different = [...new Set(addresses)];
  const shown = different.slice(0, ADDRESSES_MAX);
  const rest = different.length - shown.length;
  return (
    <>
      {shown.map((address, index) => (
        <span key={address}>
          {index > 0 && ", "}
          {nameOf?.(address) ?? <AddressLink address={address} />}
        </span>
      ))}
      {rest > 0 && t().explorer.records.more(numberText(rest))}
    </>
  );
}

/** One of them by its id, several by their number. */
function Counted({
  one,
  slot,
}: {
  readonly one: "oneItem" | "oneListing";
  readonly slot: Slot & { readonly is: "items" | "listings" };
}): JSX.Element {
  const { is, count, ids } = slot;
  const [id] = ids;
  const texts = t().explorer.records;
  return count === 1 && id !== undefined ? (
    <Filled
      template={texts[one]}
      slots={new Map([[one === "oneItem" ? "item" : "listing", { is: "thing", id }]])}
    />
  ) : (
    <span>{texts[is](numberText(count))}</span>
  );
}
