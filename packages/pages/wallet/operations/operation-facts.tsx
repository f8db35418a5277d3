import { decimalText } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { feeFacts } from "../../explorer/item/fee-facts.tsx";
import { tokenForm } from "../../ledger/tokens.ts";
import { AmountText, numberText, TokenName } from "../../parts/amount-text.tsx";
import type { Fact } from "../../parts/facts.tsx";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { policyFact } from "../../parts/policy-facts.tsx";
import { absoluteTime } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { TakenPicture } from "../fields/taken-picture.tsx";
import { type Field, type Fields, type Pair, tokenOf, type Values } from "./fields.ts";
import { fieldLabel, isAny, optionText } from "./operation-field.tsx";
import { described, type OperationForm, powersOf } from "./operation-form.ts";
import { PARAMETERS } from "./parameters.ts";
import type { Subject } from "./subject.ts";
import { thingText, unitsText } from "./thing-text.ts";
import { WhoLink } from "./who-link.tsx";

const TEXT_MAX = 300;

/** From request and subject alone; the effects are in the node's forecast. */
export function operationFacts(
  form: OperationForm,
  {
    members,
    fields,
    subject,
    own,
  }: {
    readonly members: Values;
    readonly fields: Fields;
    readonly subject: Subject;
    readonly own: string;
  },
): readonly Fact[] {
  const texts = walletTexts().operations;
  const known = PARAMETERS[described(form)] ?? {};
  const shownToken = "offer" in subject ? subject.offer.token : "token";
  const shown = (form.shown ?? []).flatMap((name): [string, Field][] =>
    known[name] === undefined ? [] : [[name, { ...known[name], of: shownToken }]],
  );
  const values = form.shownAs?.(members) ?? members;
  const { notes = [], policy } = form;
  const pays = form.pays?.(members, subject);
  const all = [...shown, ...Object.entries(fields)].filter(([name]) => hasValue(values[name]));
  // An amount names its token, and what is received its amount.
  const tokens = new Set(all.map(([, field]) => field.of));
  const given = all.filter(
    ([name, { kind }]) =>
      !(kind === "token" && tokens.has(name)) && !(pays !== undefined && name === "amount"),
  );
  const bound = policy?.(members, subject);
  const sentences = typeof notes === "function" ? notes(members, subject) : notes;
  const powers = powersOf(form, { members, subject, own });
  const { item } = t().explorer;
  return [
    ...given.map(
      ([name, field]): Fact => [
        fieldLabel(name, field.label ?? `${form.name}.${name}`),
        <MemberText field={field} value={values[name]} members={members} own={own} />,
      ],
    ),
    ...(pays === undefined
      ? []
      : [
          [texts.pay, <AmountText {...pays} isExact />] as const,
          [texts.receive, thingText(subject, members)] as const,
        ]),
    ...(bound === undefined ? [] : [policyFact(bound)]),
    ...(form.showsFees === true && "item" in subject && subject.item !== undefined
      ? feeFacts(subject.item, { hasOtherPlatform: "platform_address" in members })
      : []),
    ...(powers === undefined
      ? []
      : [[item.projectOwner, <p class="notice warn">{item.ownerMay(powers)}</p>] as const]),
    ...(sentences.length === 0
      ? []
      : [[texts.good, sentences.map((note) => <p key={note}>{texts.notes[note]}</p>)] as const]),
  ];
}

function hasValue(value: unknown): boolean {
  return typeof value === "object" && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined;
}

interface MemberProps {
  readonly field: Field;
  readonly value: unknown;
  readonly members: Values;
  readonly own: string;
}

function MemberText({ field, value, members, own }: MemberProps): JSX.Element {
  if (typeof value === "bigint") {
    return <BigText field={field} value={value} members={members} />;
  }
  if (typeof value === "object" && value !== null) {
    return <PairsText field={field} value={value} members={members} own={own} />;
  }
  const text = String(value);
  switch (field.kind) {
    case "address":
      return <WhoLink address={text} own={own} />;
    case "token":
      return isAny(field, text) ? (
        <span>{walletTexts().operations.fields.anyToken}</span>
      ) : (
        <TokenName token={text} isWhole />
      );
    case "time":
      return <>{absoluteTime(Number(value))}</>;
    case "rate":
      return <>{`${text}\u00a0%`}</>;
    case "choice":
      return <>{optionText(text)}</>;
    case "file":
    case "picture":
      if (text.startsWith("data:")) {
        return <TakenPicture url={text} />;
      }
      break;
  }
  return <UntrustedText text={text} max={TEXT_MAX} />;
}

function BigText({ field, value, members }: Omit<MemberProps, "own"> & { readonly value: bigint }) {
  if (field.kind !== "amount") {
    return <>{unitsText(value)}</>;
  }
  if (field.decimalsIn !== undefined) {
    return <>{numberText(decimalText(value, Number(members[field.decimalsIn] ?? 0)))}</>;
  }
  const texts = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, String(member)]),
  );
  const { min_trade_unit: step, mrc010id: goods = "" } = texts;
  const token = tokenOf(field, texts) ?? "0";
  if (step === undefined || field.of !== "token") {
    return <AmountText amount={value} token={token} isExact />;
  }
  // The price of the least part is signed, but shown for a whole token.
  const whole = 10n ** BigInt(tokenForm(goods).value?.decimals ?? 0);
  return (
    <>
      <AmountText amount={(value * whole) / BigInt(step)} token={token} isExact />
      {BigInt(step) !== whole && (
        <span class="quiet">
          {" "}
          (<AmountText amount={value} token={token} isExact /> {t().explorer.listing.for}{" "}
          <AmountText amount={BigInt(step)} token={goods} isExact />)
        </span>
      )}
    </>
  );
}

function PairsText({ field, value, members, own }: MemberProps & { readonly value: object }) {
  const pairs: readonly Pair[] = Array.isArray(value)
    ? value.map(({ address, value: of, unlockdate: time }) => ({ key: address, value: of, time }))
    : Object.entries(value).map(([key, of]) => ({ key, value: of }));
  const { key: ofKey = { kind: "text" }, value: ofValue = { kind: "text" } } = field;
  const line = ({ key, value: of, time }: Pair): ComponentChildren => (
    <>
      {ofKey.kind !== "token" && (
        <MemberText field={ofKey} value={key} members={members} own={own} />
      )}{" "}
      <MemberText
        field={ofKey.kind === "token" ? { ...ofValue, of: key } : ofValue}
        value={of}
        members={members}
        own={own}
      />
      {time !== undefined && (
        <span class="quiet"> {walletTexts().wallet.sendMany.until(absoluteTime(time))}</span>
      )}
    </>
  );
  return plainList(pairs, line) || null;
}
