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

/** An operation that a form sends: a method of the client library. */
export type OperationName = {
  [N in keyof Methods]: N extends `${"token" | "mrc"}${string}` ? N : never;
}[keyof Methods] &
  string;

/** The acting address, and the time: Unix seconds. */
export interface Acting {
  readonly address: string;
  readonly now: number;
  /** The spendable amount of a token; undefined until that is known. */
  readonly spendable: (token: string) => bigint | undefined;
}

/** An effect of an operation besides its movements: a sentence of the texts. */
export type NoteEffect = keyof WalletTexts["operations"]["notes"];

/** An operation as a form: data that one component draws. `S` is its subject. */
export interface FormOf<S> {
  readonly name: OperationName;
  readonly on: SubjectKind;
  /** The last part of its path: `/wallet/item/<id>/sell`. */
  readonly action: string;
  /** The names of its fields, as `fieldsOf` takes them; none for a form without fields. */
  readonly fields?: string | ((subject: S, by: Acting) => string);
  /** Whether fields and `fixed` are the one entry of its `itemdata`. */
  readonly isEntry?: boolean;
  /** Details of fields from the subject: initial texts, tokens of amounts, amounts to fill in. */
  readonly more?: (subject: S, by: Acting) => Readonly<Record<string, Partial<Field>>>;
  /** Parameters that are not fields: its subject, and terms that it is bound to. */
  readonly fixed?: (subject: S) => Values;
  /** Those of `fixed` that are shown before signing. */
  readonly shown?: readonly string[];
  /** Parameters besides `itemdata`. */
  readonly beside?: (subject: S) => Values;
  /** Values that no request can express, by field. The node refuses all others. */
  readonly check?: (values: Values, subject: S) => Readonly<Record<string, FieldFault>>;
  /** Parameters from the values of the fields, if they differ. */
  readonly convert?: (values: Values, subject: S) => Values;
  /** Of a purchase: its total, in the smallest unit of its token. */
  readonly pays?: (
    members: Values,
    subject: S,
  ) => { readonly amount: bigint; readonly token: string };
  /** The members as the review shows them, where a field is a part of a parameter. */
  readonly shownAs?: (members: Values) => Values;
  /** Of an update: only members that differ from the first texts are sent. */
  readonly sendsChanges?: boolean;
  /** Whether it is worth a button: the subject's state and owner, not the ledger's rules. */
  readonly isOffered: (subject: S, by: Acting) => boolean;
  /** Sentences on its effects, besides the movements of the node's forecast. */
  readonly notes?: readonly NoteEffect[] | ((values: Values, subject: S) => readonly NoteEffect[]);
  /** Whether it lists an item, whose later price is shared with others. */
  readonly showsFees?: boolean;
  /** The policy of the created or changed thing, shown in words before signing. */
  readonly policy?: (values: Values, subject: S) => WithPolicy | undefined;
  /** Whether it passes on an item whose terms the project's owner may still change. */
  readonly givesItem?: boolean;
  /** Done after it by the same signature, without parameters of its own. */
  readonly then?: "tokencreate";
  /** Anybody may send it, without a signature. */
  readonly isUnsigned?: boolean;
  /** It cannot be undone, and takes something away. */
  readonly isDestructive?: boolean;
}

/** An operation on some kind of subject, for components that draw all of them. */
export type OperationForm = FormOf<Subject>;

/** An operation, whose functions get a subject of its kind. */
export function operationForm<K extends SubjectKind>(
  form: FormOf<Subjects[K]> & { readonly on: K },
): OperationForm {
  // Components pass a subject of this kind.
  return form as unknown as OperationForm;
}

/** The name under which `parameters.ts` has the fields of an operation. */
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
  // The token of an amount may be fixed by the subject.
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const token = fixed[field.of ?? ""];
      return [name, token === undefined ? field : { ...field, of: String(token) }];
    }),
  );
}

/**
 * The values of a form's texts, or the fault of each wrong field. An update sends members that
 * differ from the first texts; an emptied text clears its field.
 */
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

/** The parameters of an operation, without its list: those that its fields mean, and fixed ones. */
export function membersOf(form: OperationForm, values: Values, subject: Subject): Values {
  const converted = form.convert?.(values, subject) ?? values;
  const all = { ...form.fixed?.(subject), ...converted };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The request of an operation, as the client library takes it. */
export function requestOf(form: OperationForm, members: Values, subject: Subject): object {
  return form.isEntry === true ? { ...form.beside?.(subject), itemdata: [members] } : members;
}

/**
 * The terms of a transferred item that the project's owner may still change; undefined if there are
 * none, or if the owner receives it. Source: mrc401 §2.6
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
