import { decimalText } from "@moneta/sdk";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { tokenForm } from "../../ledger/tokens.ts";
import { numberText, TokenName } from "../../parts/amount-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { AddressField } from "../fields/address-field.tsx";
import { ChoiceField, RadioField } from "../fields/choice-field.tsx";
import { type InputProps, Field as LabelledField } from "../fields/field.tsx";
import type { FormState } from "../fields/form-state.ts";
import { pictureDataUrl } from "../fields/picture-data-url.ts";
import { TakenPicture } from "../fields/taken-picture.tsx";
import { TextField } from "../fields/text-field.tsx";
import { readerZone, TimeField } from "../fields/time-field.tsx";
import { TokenField } from "../fields/token-field.tsx";
import { faultText } from "./fault-text.ts";
import {
  type Field,
  type FieldFault,
  type Fields,
  type Reading,
  readField,
  tokenOf,
} from "./fields.ts";

interface Props {
  readonly form: FormState;
  readonly name: string;
  readonly field: Field;
  readonly reading: Reading;
}

const LINES = 4;

export function fieldLabel(name: string, own = ""): string {
  const labels: Readonly<Record<string, string>> = walletTexts().operations.fields;
  return labels[own] ?? labels[name] ?? name;
}

export function optionText(option: string): string {
  const options: Readonly<Record<string, string>> = walletTexts().operations.options;
  return options[option] ?? option;
}

/** The native coin there stands for all tokens. Source: mrc401 §3 */
export function isAny({ label = "" }: Field, token: string): boolean {
  return token === "0" && label.endsWith(".allowtoken");
}

export function OperationFields({
  form,
  fields,
  reading,
}: {
  readonly form: FormState;
  readonly fields: Fields;
  readonly reading: Reading;
}): JSX.Element {
  const drawn = ([name, field]: readonly [string, Field]): JSX.Element => (
    <OperationField key={name} form={form} name={name} field={field} reading={reading} />
  );
  const entries = Object.entries(fields);
  const hidden = entries.filter(([, { isMore }]) => isMore);
  const isWrong = hidden.some(([name]) => form.errors.value.has(name));
  return (
    <>
      {entries.filter(([, { isMore }]) => !isMore).map(drawn)}
      {hidden.length > 0 && (
        <details {...(isWrong ? { open: true } : {})}>
          <summary>{walletTexts().operations.more}</summary>
          {hidden.map(drawn)}
        </details>
      )}
    </>
  );
}

/** The operation's own, or that of all its namesakes. */
function hintOf(name: string, { label = "" }: Field): string | undefined {
  const hints: Readonly<Record<string, string>> = walletTexts().operations.hints;
  return hints[label] ?? hints[name];
}

function OperationField({ form, name, field, reading }: Props): JSX.Element {
  const label = fieldLabel(name, field.label);
  const about = hintOf(name, field);
  const hint =
    field.time !== undefined
      ? `${about ?? ""} ${walletTexts().wallet.form.zone(readerZone())}`
      : about;
  // Fields of a token that is not read yet are checked before signing.
  const check = (text: string): string | undefined => {
    const read = readField(field, text, reading);
    return "fault" in read && !isUnknownToken(read.fault) ? faultText(read.fault) : undefined;
  };
  const props = { form, name, label, hint, optional: field.isNeeded !== true };
  switch (field.kind) {
    case "token":
      return (
        <TokenField
          {...props}
          {...(isAny(field, form.value(name)) && {
            chosen: walletTexts().operations.fields.anyToken,
          })}
        />
      );
    case "address":
      return <AddressField {...props} />;
    case "time":
      return <TimeField {...props} future={false} />;
    case "text":
    case "country":
      return <TextField {...props} check={check} />;
    case "lines":
    case "pairs":
      return <TextField {...props} lines={LINES} check={check} />;
    case "amount":
    case "units":
    case "whole":
    case "rate":
      return (
        <LabelledField
          {...props}
          hint={<Fills form={form} name={name} field={field} reading={reading} />}
          check={check}
        >
          {(input) => (
            <span class="with-unit">
              <input
                {...input}
                type="text"
                inputMode={/^(?:units|whole)$/.test(field.kind) ? "numeric" : "decimal"}
                autocomplete="off"
              />
              <span class="unit">
                {field.kind === "rate" ? "%" : <AmountSymbol field={field} reading={reading} />}
              </span>
            </span>
          )}
        </LabelledField>
      );
    case "choice": {
      const choices = (field.options ?? []).map((of) => [of, optionText(of)] as const);
      // One of them is always chosen.
      const choice = { ...props, choices, optional: false };
      return choices.length === 2 ? <RadioField {...choice} /> : <ChoiceField {...choice} />;
    }
    case "url":
      return (
        <LabelledField {...props} check={check}>
          {(input) => <UrlInput {...input} />}
        </LabelledField>
      );
    case "file":
    case "picture":
      return <PictureFileField {...props} max={Number(field.max)} check={check} />;
  }
}

function isUnknownToken(fault: FieldFault): boolean {
  return fault.what === "noToken" || (fault.what === "line" && isUnknownToken(fault.fault));
}

function AmountSymbol({ field, reading }: Pick<Props, "field" | "reading">): JSX.Element | null {
  const token = tokenOf(field, reading.texts);
  const isKnown = token !== undefined && /^[0-9]{1,40}$/.test(token);
  return isKnown && tokenForm(token).value !== undefined ? <TokenName token={token} /> : null;
}

function Fills({ form, name, field, reading }: Props): JSX.Element | null {
  const texts = walletTexts().operations;
  const token = tokenOf(field, reading.texts);
  const decimals = token === undefined ? 0 : reading.decimals(token);
  const hint = hintOf(name, field);
  if (field.fills === undefined || decimals === undefined) {
    return hint === undefined ? null : <span>{hint}</span>;
  }
  return (
    <>
      {field.fills.map(({ what, amount }) => {
        const text = numberText(decimalText(amount, decimals));
        return (
          <button key={what} type="button" class="small" onClick={() => form.type(name, text)}>
            {texts.fills[what]}: {text}
          </button>
        );
      })}
    </>
  );
}

function UrlInput(input: InputProps): JSX.Element {
  return (
    <input
      {...input}
      type="url"
      inputMode="url"
      autocomplete="off"
      spellcheck={false}
      placeholder="https://…"
    />
  );
}

/** A URL, or a file, which is shrunk until the ledger has room. */
function PictureFileField({
  check,
  max,
  ...field
}: Parameters<typeof TextField>[0] & {
  readonly max: number;
}): JSX.Element {
  const texts = walletTexts().operations;
  const [failure, setFailure] = useState(false);
  const { form, name } = field;
  const text = form.value(name);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) {
      return;
    }
    try {
      form.type(name, await pictureDataUrl(file, max));
      setFailure(false);
    } catch {
      setFailure(true);
    }
  };
  const isTaken = text.startsWith("data:");
  return (
    <>
      <LabelledField {...field} hint={isTaken ? undefined : field.hint} check={check}>
        {(input) =>
          isTaken ? (
            <span class="taken-picture">
              <input {...input} type="hidden" />
              <TakenPicture url={text} />
              <button type="button" class="small" onClick={() => form.type(name, "")}>
                {texts.removePicture}
              </button>
            </span>
          ) : (
            <UrlInput {...input} />
          )
        }
      </LabelledField>
      <label class="file-choice">
        <span>{texts.chooseFile}</span>
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          onChange={({ currentTarget: { files } }) => void take(files?.[0])}
        />
      </label>
      {failure && (
        <p class="problem" role="alert">
          {texts.fileFailed}
        </p>
      )}
    </>
  );
}
