import type { RecordForm } from "./record-form.ts";
import {
  RECORD_FORMS,
  type RecordType,
  type RecordValue,
  type RecordValues,
} from "./record-types.ts";

interface Place {
  readonly name: string;
  readonly fixed: string | undefined;
}

interface PlacedForm {
  readonly form: RecordForm;
  readonly required: readonly Place[];
  readonly all: readonly Place[];
}

const PLACES: Map<string, readonly Place[]> = new Map();

const FORMS: ReadonlyMap<string, readonly PlacedForm[]> = new Map(
  Object.entries(RECORD_FORMS).map(([type, forms]) => [type, forms.map(placed)]),
);

function placed(form: RecordForm): PlacedForm {
  const { parameters, optional } = form;
  return { form, required: placesOf(parameters), all: placesOf([...parameters, ...optional]) };
}

function placesOf(names: readonly string[]): readonly Place[] {
  const key = names.join(" ");
  const shared = PLACES.get(key);
  if (shared !== undefined) {
    return shared;
  }
  const places = names.map((name) => ({
    name,
    fixed: name.startsWith("=") ? name.slice(1) : undefined,
  }));
  PLACES.set(key, places);
  return places;
}

/** Records of one operation often share values: the shared array is printed once. */
let latest: {
  readonly values: object;
  readonly places: readonly Place[];
  readonly parameters: readonly string[];
} = { values: {}, places: [], parameters: [] };

/** Source: chain §9. */
export function recordParameters<T extends RecordType>(
  type: T,
  values: RecordValues<T>,
): { readonly form: RecordForm; readonly parameters: readonly string[] } {
  const forms = FORMS.get(type) ?? [];
  const given = values as { readonly [name: string]: RecordValue | undefined };
  const found =
    forms.length === 1 ? forms[0] : forms.find(({ required }) => hasAll(required, given));
  if (found === undefined) {
    throw new Error(`${type} has no form with the parameters ${Object.keys(given).join()}`);
  }
  const { form, required, all } = found;
  const [firstOptional] = form.optional;
  const isWhole = firstOptional !== undefined && given[firstOptional] !== undefined;
  const places = isWhole ? all : required;
  if (latest.values !== values || latest.places !== places) {
    latest = { values, places, parameters: textsIn(places, given, type) };
  }
  return { form, parameters: latest.parameters };
}

function hasAll(
  places: readonly Place[],
  given: { readonly [name: string]: RecordValue | undefined },
): boolean {
  return places.every(({ name, fixed }) => fixed !== undefined || given[name] !== undefined);
}

function textsIn(
  places: readonly Place[],
  given: { readonly [name: string]: RecordValue | undefined },
  type: RecordType,
): readonly string[] {
  return places.map(({ name, fixed }) => {
    const value = given[name] ?? fixed;
    if (value === undefined) {
      throw new Error(`a record of type ${type} lacks ${name}`);
    }
    return String(value);
  });
}
