import type { Found, Item, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { itemNameOf } from "../../ledger/item-names.ts";
import { moneta } from "../../ledger/node.ts";
import { projectOf } from "../../ledger/projects.ts";
import { useRead } from "../../ledger/use-read.ts";
import { itemName } from "../../parts/links/item-name.tsx";
import { pictureUrlOf } from "../../parts/pictures/item-urls.ts";
import { UntrustedName } from "../../parts/untrusted-text.tsx";
import type { FieldProps } from "./field.tsx";
import type { FieldCheck } from "./form-state.ts";
import { PickerField } from "./picker-field.tsx";

const ITEMS_MAX = 100;
const NAME_MAX = 60;

export function ItemField({
  holder,
  check,
  ...field
}: FieldProps & {
  /** Empty until it is known. */
  readonly holder: string;
  readonly check: FieldCheck;
}): JSX.Element {
  const { value } = useRead(`items of ${holder}`, async (options) =>
    holder === ""
      ? undefined
      : await moneta.addressItems({ address: holder, view: "full", limit: ITEMS_MAX }, options),
  );
  const own = value?.items.flatMap(({ record }) => (record === undefined ? [] : foundOf(record)));
  const id = field.form.value(field.name);
  const name = check(id) === undefined ? itemNameOf(id).value : undefined;
  return (
    <PickerField
      {...field}
      own={own ?? []}
      kind="item"
      check={check}
      placeholder="MRC40…"
      {...(name === undefined ? {} : { chosen: <UntrustedName name={name} max={NAME_MAX} /> })}
    />
  );
}

function foundOf(item: Item | UnitItem): Found {
  const image = pictureUrlOf(item, projectOf(item.mrc400).value);
  return { kind: "item", id: item.id, name: itemName(item), image };
}
