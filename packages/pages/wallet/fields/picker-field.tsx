import type { Found, SearchRequest } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useCombobox } from "../../explorer/search/combobox.tsx";
import { Field, type FieldProps } from "./field.tsx";
import type { FieldCheck } from "./form-state.ts";

const OWN_MAX = 8;

/** A click, an arrow key or typing opens the suggestions. Source: explorer §3. */
export function PickerField({
  own,
  kind,
  check,
  placeholder,
  chosen,
  onPaste,
  ...field
}: FieldProps & {
  /** Suggested first, then filtered by the text. */
  readonly own: readonly Found[];
  /** Limits the search; `none` for no search. */
  readonly kind: NonNullable<SearchRequest["kind"]> | "none";
  readonly check: FieldCheck;
  readonly placeholder: string;
  /** Shown in place of an id until it is changed. */
  readonly chosen?: ComponentChildren;
  /** Takes a pasted text that is more than an id; returns whether it did. */
  readonly onPaste?: ((text: string) => boolean) | undefined;
}): JSX.Element {
  const { form, name } = field;
  const [isOpen, setOpen] = useState(false);
  const [isTyped, setTyped] = useState(false);
  const value = form.text(name).value;
  const text = isTyped ? value.trim() : "";
  const close = (): void => setOpen(false);
  const { input, list } = useCombobox({
    text: isOpen ? text : undefined,
    first: own.filter((one) => fits(one, text)).slice(0, OWN_MAX),
    kind,
    choose: ({ id }) => {
      form.type(name, id);
      setTyped(false);
      close();
    },
    close,
  });
  const open = (typed: boolean): void => {
    setTyped(typed);
    setOpen(true);
  };
  return (
    <Field {...field} check={check}>
      {({ onInput, ...attributes }) => (
        <span class="picker">
          <input
            {...attributes}
            {...input}
            aria-describedby={`${attributes["aria-describedby"]} ${attributes.id}-chosen`}
            type="text"
            class="id"
            autocapitalize="off"
            placeholder={placeholder}
            onInput={(event) => {
              onInput(event);
              open(true);
            }}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onClick={() => isOpen || open(false)}
            onKeyDown={(event) => {
              if (event.key === "ArrowDown" && !isOpen) {
                event.preventDefault();
                open(false);
              } else {
                input.onKeyDown(event);
              }
            }}
            onPaste={(event) => {
              if (onPaste?.(event.clipboardData?.getData("text").trim() ?? "") === true) {
                event.preventDefault();
              }
            }}
          />
          {chosen !== undefined && !isOpen && (
            <span class="chosen" id={`${attributes.id}-chosen`}>
              {chosen}
            </span>
          )}
          {list}
        </span>
      )}
    </Field>
  );
}

function fits({ id, name, symbol = "" }: Found, text: string): boolean {
  const wanted = text.toLocaleLowerCase();
  return [id, name, symbol].some((one) => one.toLocaleLowerCase().includes(wanted));
}
