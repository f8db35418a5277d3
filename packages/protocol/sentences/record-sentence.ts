import type { DescribedRecord } from "../records/describe.ts";
import { fillTemplate } from "./fill-template.ts";
import { recordSlots, type Slot, type Slots } from "./record-slots.ts";
import { recordTexts, type SentenceTexts } from "./record-texts.ts";

export type Named =
  | { readonly is: "address"; readonly address: string }
  | Extract<Slot, { readonly is: "amount" | "token" | "thing" | "time" | "text" }>;

export type SentencePart = string | Named;

export interface RecordWithEffects extends DescribedRecord {
  readonly token?: number;
  readonly effects?: readonly DescribedRecord[];
}

interface Language {
  readonly texts: SentenceTexts;
  readonly number: (value: bigint | number) => string;
}

/** The sentence counts the others. */
const ADDRESSES_MAX = 2;

/** Unknown types appear by their names; parameters may have any content; nothing throws. */
export function recordSentence(
  record: RecordWithEffects,
  language: Language,
): readonly SentencePart[] {
  const { texts } = language;
  const found = recordTexts(texts, record.type);
  if (found === undefined) {
    const text: Named = { is: "text", text: texts.unknown(record.type) };
    const { address } = record;
    return address === "" ? [text] : [{ is: "address", address }, ": ", text];
  }
  const slots = new Map([...slotsOfOthers(record.effects ?? []), ...recordSlots(record)]);
  return filled(found.sentence, slots, language);
}

function slotsOfOthers(effects: readonly DescribedRecord[]): Slots {
  const slots = new Map<string, Slot>();
  for (const effect of effects.filter(({ address }) => address === "")) {
    const known = recordSlots(effect);
    for (const [name, from] of [
      ["seller", "seller"],
      ["seller", "creator"],
      ["buyer", "creator"],
      ["paid", "paid"],
    ] as const) {
      const slot = known.get(from);
      if (slot !== undefined && !slots.has(name)) {
        slots.set(name, slot);
      }
    }
  }
  return slots;
}

function filled(template: string, slots: Slots, language: Language): readonly SentencePart[] {
  return fillTemplate(template, (name) => slots.has(name)).flatMap((part) =>
    "words" in part ? [part.words] : partsOf(slots.get(part.slot), language),
  );
}

function partsOf(slot: Slot | undefined, language: Language): readonly SentencePart[] {
  const { texts, number } = language;
  if (slot === undefined) {
    return ["…"];
  }
  switch (slot.is) {
    case "addresses":
      return addressParts(slot.addresses, language);
    case "units":
      return [texts.units(number(slot.amount), slot.amount === 1n)];
    case "items":
    case "listings": {
      const [id] = slot.count === 1 ? slot.ids : [];
      if (id === undefined) {
        return [texts[slot.is](number(slot.count), slot.count === 1)];
      }
      const [template, name] =
        slot.is === "items" ? [texts.oneItem, "item"] : [texts.oneListing, "listing"];
      return filled(template, new Map([[name, { is: "thing", id }]]), language);
    }
    default:
      return [slot];
  }
}

function addressParts(
  addresses: readonly string[],
  { texts, number }: Language,
): readonly SentencePart[] {
  const different = [...new Set(addresses)];
  const shown = different.slice(0, ADDRESSES_MAX);
  const rest = different.length - shown.length;
  return [
    ...shown.flatMap((address, index): readonly SentencePart[] => [
      ...(index === 0 ? [] : [", "]),
      { is: "address", address },
    ]),
    ...(rest === 0 ? [] : [texts.more(number(rest))]),
  ];
}
