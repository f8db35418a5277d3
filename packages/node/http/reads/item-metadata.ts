import type { Item, Project, UnitItem } from "@moneta/ledger";
import { type ItemMetadata, itemName, withItemNumber } from "@moneta/protocol";

/** Source: mrc401 §20. */
export function metadataOfItem(item: Item, project: Project): ItemMetadata {
  return metadata(item, {
    name: itemName(item, project.name),
    description: project.texts.read().description,
    image: item.item_image_url || project.item_image_url || project.image_url,
    page: project.url,
  });
}

/** The item may stand alone. Source: mrc401 §20. */
export function metadataOfUnits(item: UnitItem, project: Project | undefined): ItemMetadata {
  return metadata(item, {
    name: itemName(item, project?.name ?? ""),
    description: item.texts.read().description || (project?.texts.read().description ?? ""),
    image:
      item.image_url ||
      item.item_image_url ||
      project?.item_image_url ||
      (project?.image_url ?? ""),
    page: item.url || (project?.url ?? ""),
  });
}

/** Texts `name` and `description` are no attributes here. */
function metadata(
  { id, attributes }: Pick<Item | UnitItem, "id" | "attributes">,
  own: {
    readonly name: string;
    readonly description: string;
    readonly image: string;
    readonly page: string;
  },
): ItemMetadata {
  const { description } = attributes;
  const isMember = ([member, value]: [string, unknown]): boolean =>
    (member === "name" || member === "description") && typeof value === "string";
  return {
    name: own.name,
    description: typeof description === "string" ? description : own.description,
    ...(own.image !== "" && { image: withItemNumber(own.image, id) }),
    ...(own.page !== "" && { external_url: withItemNumber(own.page, id) }),
    attributes: Object.entries(attributes)
      .filter((attribute) => !isMember(attribute))
      .map(([trait_type, value]) =>
        typeof value === "number"
          ? { trait_type, value, display_type: "number" as const }
          : { trait_type, value: String(value) },
      ),
  };
}
