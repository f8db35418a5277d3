import { parseAddress, readTime } from "@moneta/sdk";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { tokenForm } from "../../ledger/tokens.ts";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { faultText } from "../operations/fault-text.ts";
import { type ReadText, readAmount, readWhole } from "../operations/fields.ts";

/** Why the text of a field cannot be used, in words for the user; undefined if it can. */
export type FieldCheck = (text: string) => string | undefined;

/** Thrown by a form that finds a field to be wrong when it makes its request. */
export class FieldError extends Error {
  override readonly name: string = "FieldError";
  /** The parameter of the operation, which is the name of the field. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * The texts of a form. Fields have the names of the operation's parameters, so that an error of the
 * API is shown beside the field that it names.
 */
export class FormState {
  readonly #initial: Readonly<Record<string, string>>;
  readonly #texts = new Map<string, Signal<string>>();
  readonly #checks = new Map<string, FieldCheck>();
  readonly #errors = signal<ReadonlyMap<string, string>>(new Map());

  constructor(initial: Readonly<Record<string, string>> = {}) {
    this.#initial = initial;
  }

  /** Errors, by the names of fields. */
  get errors(): ReadonlySignal<ReadonlyMap<string, string>> {
    return this.#errors;
  }

  /** The text of a field, as typed. */
  text(name: string): Signal<string> {
    const known = this.#texts.get(name) ?? signal(this.#initial[name] ?? "");
    this.#texts.set(name, known);
    return known;
  }

  /** The text of a field without blanks around it. */
  value(name: string): string {
    return this.text(name).value.trim();
  }

  /** The same, or undefined if it is empty: for optional parameters. */
  optional(name: string): string | undefined {
    return this.value(name) || undefined;
  }

  /** The words of a field that has one per line. */
  list(name: string): readonly string[] {
    return this.value(name).split(/\s+/).filter(Boolean);
  }

  /** At most `max` addresses, one per line. Throws FieldError. */
  addresses(name: string, max: number): readonly string[] {
    const all = this.list(name);
    const wrong = all.find((one) => parseAddress(one) === undefined);
    if (wrong !== undefined) {
      throw new FieldError(name, walletTexts().keys.noAddress(wrong));
    }
    return all.length > max ? valueIn(name, { fault: { what: "lines", max } }) : all;
  }

  /** An amount in the smallest unit of a token. Throws FieldError. */
  amount(name: string, token: string): bigint {
    const form = tokenForm(token).value;
    if (form === undefined) {
      throw new FieldError(name, "…");
    }
    const given = { decimals: form.decimals, locale: locale(), min: 0n };
    return valueIn(name, readAmount(this.value(name), given));
  }

  /** A whole number from 1 on. Throws FieldError. */
  whole(name: string): bigint {
    return valueIn(name, readWhole(this.value(name), { locale: locale() }));
  }

  /** A time of a `TimeField`, Unix seconds; undefined if none was chosen. Throws FieldError. */
  time(name: string): number | undefined {
    const text = this.value(name);
    if (text === "") {
      return undefined;
    }
    const time = readTime(text);
    return typeof time === "number" ? time : valueIn(name, { fault: { what: "time", why: time } });
  }

  /** Changes a field as if it had been typed. */
  type(name: string, text: string): void {
    this.text(name).value = text;
    if (this.#errors.value.has(name)) {
      const errors = new Map(this.#errors.value);
      errors.delete(name);
      this.#errors.value = errors;
    }
  }

  /** Fields that are shown register how they are checked. Returns how to take that back. */
  register(name: string, check: FieldCheck): () => void {
    this.#checks.set(name, check);
    return () => {
      if (this.#checks.get(name) === check) {
        this.#checks.delete(name);
      }
    };
  }

  /** Whether the form has a field of this name, shown now or before. */
  has(name: string): boolean {
    return this.#texts.has(name);
  }

  /** Checks all fields that are shown; true if all are right. */
  check(): boolean {
    const errors = new Map<string, string>();
    for (const [name, check] of this.#checks) {
      const wrong = check(this.value(name));
      if (wrong !== undefined) {
        errors.set(name, wrong);
      }
    }
    this.#errors.value = errors;
    return errors.size === 0;
  }

  /** Shows an error beside a field. */
  fail(name: string, message: string): void {
    this.#errors.value = new Map([...this.#errors.value, [name, message]]);
  }

  /** Empties the form. */
  reset(): void {
    for (const [name, text] of this.#texts) {
      text.value = this.#initial[name] ?? "";
    }
    this.#errors.value = new Map();
  }
}

function valueIn<T>(name: string, read: ReadText<T>): T {
  if ("fault" in read) {
    throw new FieldError(name, faultText(read.fault));
  }
  return read.value;
}

/** The state of a form while it is shown. */
export function useFormState(initial: Readonly<Record<string, string>> = {}): FormState {
  return useState(() => new FormState(initial))[0];
}
