import { type Actor, type Moneta, type OwnerPowers, ownerPowers } from "@moneta/sdk";
import type { WalletTexts } from "../../texts/wallet-texts.ts";
import {
  type Field,
  type FieldFault,
  type Fields,
  fieldsOf,
  type Reading,
  readFields,
  type Values,
} from "./fields.ts";
import type { Subject, SubjectKind, Subjects, WithPolicy } from "./subject.ts";

type Methods = Actor & Moneta;

/** A method of the client library. */
export type OperationName = {
  [N in keyof Methods]: N extends `${"token" | "mrc"}${string}` ? N : never;
}[keyof Methods] &
  string;

/** The acting address, and the time, Unix seconds. */
export interface Acting {
  readonly address: string;
  readonly now: number;
  /** Undefined until it is known. */
  readonly spendable: (token: string) => bigint | undefined;
}

export type NoteEffect = keyof WalletTexts["operations"]["notes"];

/** An operation as a form. `S` is its subject. */
export interface FormOf<S> {
  readonly name: OperationName;
  readonly on: SubjectKind;
  /** In `/wallet/item/<id>/sell`, `sell`. */
  readonly action: string;
  readonly fields?: string | ((subject: S, by: Acting) => string);
  /** Whether fields and `fixed` are the one entry of `itemdata`. */
  readonly isEntry?: boolean;
  readonly more?: (subject: S, by: Acting) => Readonly<Record<string, Partial<Field>>>;
  /** Parameters without fields: its subject, and bound terms. */
  readonly fixed?: (subject: S) => Values;
  /** Shown before signing, of `fixed`. */
  readonly shown?: readonly string[];
  /** Besides `itemdata`. */
  readonly beside?: (subject: S) => Values;
  /** Values that no request can express; the node refuses all others. */
  readonly check?: (values: Values, subject: S) => Readonly<Record<string, FieldFault>>;
  readonly convert?: (values: Values, subject: S) => Values;
  /** The total of a purchase, in the smallest unit. */
  readonly pays?: (
    members: Values,
    subject: S,
  ) => { readonly amount: bigint; readonly token: string };
  readonly shownAs?: (members: Values) => Values;
  /** An update sends only changed members. */
  readonly sendsChanges?: boolean;
  /** Whether it is worth a button, by state and owner, not the ledger's rules. */
  readonly isOffered: (subject: S, by: Acting) => boolean;
  /** Besides the movements of the forecast. */
  readonly notes?: readonly NoteEffect[] | ((values: Values, subject: S) => readonly NoteEffect[]);
  /** For listings of items: a later price is shared with others. */
  readonly showsFees?: boolean;
  readonly policy?: (values: Values, subject: S) => WithPolicy | undefined;
  /** Whether it passes on an item whose terms its project's owner may change. */
  readonly givesItem?: boolean;
  /** Done after it by the same signature. */
  readonly then?: "tokencreate";
  readonly isUnsigned?: boolean;
  /** It cannot be undone, and takes something away. */
  readonly isDestructive?: boolean;
}

export type OperationForm = FormOf<Subject>;

export function operationForm<K extends SubjectKind>(
  form: FormOf<Subjects[K]> & { readonly on: K },
): OperationForm {
  // Components pass a subject of this kind.
  return form as unknown as OperationForm;
}

export function described({ name, isEntry = false }: OperationForm): string {
  return isEntry ? `${name}[]` : name;
}

export function formFields(form: OperationForm, subject: Subject, by: Acting): Fields {
  const { fields: names = "" } = form;
  if (names === "") {
    return {};
  }
  const fixed = form.fixed?.(subject) ?? {};
  const fields = fieldsOf(
    described(form),
    typeof names === "string" ? names : names(subject, by),
    form.more?.(subject, by),
  );
  // The subject may fix the token of an amount.
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const token = fixed[field.of ?? ""];
      return [name, token === undefined ? field : { ...field, of: String(token) }];
    }),
  );
}

/** Or the fault of each wrong field. An update sends changes; an emptied text clears its field. */
export function readForm(
  { sendsChanges = false, check }: OperationForm,
  {
    subject,
    fields,
    initial,
    reading,
  }: {
    readonly subject: Subject;
    readonly fields: Fields;
    readonly initial: Readonly<Record<string, string>>;
    readonly reading: Reading;
  },
): ReturnType<typeof readFields> {
  const read = readFields(fields, reading);
  if ("faults" in read || !sendsChanges) {
    const faults = "values" in read ? (check?.(read.values, subject) ?? {}) : {};
    return Object.keys(faults).length > 0 ? { faults } : read;
  }
  const names = Object.keys(fields);
  const changed = names.filter((name) => reading.texts[name]?.trim() !== initial[name]);
  if (changed.length === 0) {
    return { faults: { [names[0] ?? ""]: { what: "nothing" } } };
  }
  const values = changed.map((name) => [
    name,
    read.values[name] ?? (fields[name]?.kind === "pairs" ? [] : ""),
  ]);
  return { values: Object.fromEntries(values) };
}

export function membersOf(form: OperationForm, values: Values, subject: Subject): Values {
  const converted = form.convert?.(values, subject) ?? values;
  const all = { ...form.fixed?.(subject), ...converted };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export function requestOf(form: OperationForm, members: Values, subject: Subject): object {
  return form.isEntry === true ? { ...form.beside?.(subject), itemdata: [members] } : members;
}

/**
 * Terms of a passed-on item that its project's owner may change; undefined if none, or if the owner
 * receives it. Source: mrc401 §2.6
 */
export function powersOf(
  { givesItem = false }: OperationForm,
  {
    members,
    subject,
    own,
  }: { readonly members: Values; readonly subject: Subject; readonly own: string },
): OwnerPowers | undefined {
  return !givesItem ||
    !("item" in subject) ||
    subject.item === undefined ||
    (members["toAddr"] ?? own) === subject.project?.owner
    ? undefined
    : ownerPowers(subject.item);
}
