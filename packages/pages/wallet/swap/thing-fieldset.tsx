import { isItemId } from "@moneta/sdk";
import type { JSX } from "preact";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { AmountField } from "../fields/amount-field.tsx";
import { ChoiceField } from "../fields/choice-field.tsx";
import { Field } from "../fields/field.tsx";
import type { FormState } from "../fields/form-state.ts";
import { ItemField } from "../fields/item-field.tsx";
import { TokenField } from "../fields/token-field.tsx";
import { useFreeBalance } from "../home/free-balance.ts";
import { faultText } from "../operations/fault-text.ts";
import { readWhole } from "../operations/fields.ts";
import { isUnitItemId, THING_KINDS } from "./swap-sides.ts";

export function ThingFieldset({
  form,
  prefix,
  legend,
  giver,
  isOwn,
}: {
  readonly form: FormState;
  readonly prefix: string;
  readonly legend: string;
  /** Empty until it is known. */
  readonly giver: string;
  readonly isOwn: boolean;
}): JSX.Element {
  const texts = walletTexts().swap;
  const [kind, token, item] = ["kind", "token", "item"].map((part) =>
    form.text(`${prefix}.${part}`),
  ) as [
    ReturnType<FormState["text"]>,
    ReturnType<FormState["text"]>,
    ReturnType<FormState["text"]>,
  ];
  const free = useFreeBalance(isOwn ? giver : "", token.value);
  return (
    <fieldset class="swap-thing">
      <legend>{legend}</legend>
      <ChoiceField
        form={form}
        name={`${prefix}.kind`}
        label={texts.kind}
        choices={THING_KINDS.map((one) => [one, texts.kinds[one]])}
      />
      {kind.value === "item" ? (
        <>
          <ItemField
            form={form}
            name={`${prefix}.item`}
            label={texts.item}
            hint={texts.itemHint}
            holder={giver}
            check={(text) => (isItemId(text) || isUnitItemId(text) ? undefined : texts.noItem)}
          />
          {isUnitItemId(item.value.trim()) && (
            <Field form={form} name={`${prefix}.units`} label={texts.units} check={checkUnits}>
              {(input) => <input {...input} type="text" inputMode="numeric" autocomplete="off" />}
            </Field>
          )}
        </>
      ) : (
        <>
          <TokenField form={form} name={`${prefix}.token`} label={texts.token} />
          <AmountField
            form={form}
            name={`${prefix}.amount`}
            label={texts.amount}
            token={token.value.trim()}
            max={free}
          />
        </>
      )}
    </fieldset>
  );
}

function checkUnits(text: string): string | undefined {
  const read = readWhole(text, { locale: locale() });
  return "fault" in read ? faultText(read.fault) : undefined;
}
