import { parseAddress, readTime } from "@moneta/sdk";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { tokenForm } from "../../ledger/tokens.ts";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { faultText } from "../operations/fault-text.ts";
import { type ReadText, readAmount, readWhole } from "../operations/fields.ts";

/** Why a text cannot be used; undefined if it can. */
export type FieldCheck = (text: string) => string | undefined;

/** A field that is wrong when the form makes its request. */
export class FieldError extends Error {
  override readonly name: string = "FieldError";
  /** The field's name, the operation's parameter. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Fields have the names of parameters, so that the API's errors appear beside them. */
export class FormState {
  readonly #initial: Readonly<Record<string, string>>;
  readonly #texts = new Map<string, Signal<string>>();
  readonly #checks = new Map<string, FieldCheck>();
  readonly #errors = signal<ReadonlyMap<string, string>>(new Map());

  constructor(initial: Readonly<Record<string, string>> = {}) {
    this.#initial = initial;
  }

  get errors(): ReadonlySignal<ReadonlyMap<string, string>> {
    return this.#errors;
  }

  text(name: string): Signal<string> {
    const known = this.#texts.get(name) ?? signal(this.#initial[name] ?? "");
    this.#texts.set(name, known);
    return known;
  }

  /** Without blanks around it. */
  value(name: string): string {
    return this.text(name).value.trim();
  }

  /** Undefined if it is empty. */
  optional(name: string): string | undefined {
    return this.value(name) || undefined;
  }

  /** Separated by blanks or lines. */
  list(name: string): readonly string[] {
    return this.value(name).split(/\s+/).filter(Boolean);
  }

  /** At most `max`, one per line. Throws FieldError. */
  addresses(name: string, max: number): readonly string[] {
    const all = this.list(name);
    const wrong = all.find((one) => parseAddress(one) === undefined);
    if (wrong !== undefined) {
      throw new FieldError(name, walletTexts().keys.noAddress(wrong));
    }
    return all.length > max ? valueIn(name, { fault: { what: "lines", max } }) : all;
  }

  /** In the smallest unit. Throws FieldError. */
  amount(name: string, token: string): bigint {
    const form = tokenForm(token).value;
    if (form === undefined) {
      throw new FieldError(name, "…");
    }
    const given = { decimals: form.decimals, locale: locale(), min: 0n };
    return valueIn(name, readAmount(this.value(name), given));
  }

  /** From 1 on. Throws FieldError. */
  whole(name: string): bigint {
    return valueIn(name, readWhole(this.value(name), { locale: locale() }));
  }

  /** Unix seconds; undefined if none was chosen. Throws FieldError. */
  time(name: string): number | undefined {
    const text = this.value(name);
    if (text === "") {
      return undefined;
    }
    const time = readTime(text);
    return typeof time === "number" ? time : valueIn(name, { fault: { what: "time", why: time } });
  }

  type(name: string, text: string): void {
    this.text(name).value = text;
    if (this.#errors.value.has(name)) {
      const errors = new Map(this.#errors.value);
      errors.delete(name);
      this.#errors.value = errors;
    }
  }

  /** Shown fields register their check. Returns the removal. */
  register(name: string, check: FieldCheck): () => void {
    this.#checks.set(name, check);
    return () => {
      if (this.#checks.get(name) === check) {
        this.#checks.delete(name);
      }
    };
  }

  has(name: string): boolean {
    return this.#texts.has(name);
  }

  /** Of all shown fields; true if all are right. */
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

  fail(name: string, message: string): void {
    this.#errors.value = new Map([...this.#errors.value, [name, message]]);
  }

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

export function useFormState(initial: Readonly<Record<string, string>> = {}): FormState {
  return useState(() => new FormState(initial))[0];
}
