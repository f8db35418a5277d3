import { shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { link } from "../../explorer/links.ts";
import { itemNameOf } from "../../ledger/item-names.ts";
import { projectOf } from "../../ledger/projects.ts";
import { UntrustedName } from "../untrusted-text.tsx";
import { type Places, usePlaces } from "./places.ts";

/** `MRC020_`, an address and `_`, before the owner's name. */
const SEAL_HEAD = 48;
const NAME_MAX = 60;

export function thingHref(id: string, places: Omit<Places, "mark" | "actions">): string {
  if (id.startsWith("DEX")) {
    return places.listing(id);
  }
  if (id.startsWith("OFF")) {
    return places.offer(id);
  }
  if (id.startsWith("MRC040_")) {
    return places.order(id);
  }
  if (isSeal(id)) {
    return link.seal(id);
  }
  return isProject(id) ? places.project(id) : places.item(id);
}

export function ThingLink({
  id,
  name,
  href,
}: {
  readonly id: string;
  readonly name?: string | undefined;
  readonly href?: string;
}): JSX.Element {
  const usual = thingHref(id, usePlaces());
  const known = name ?? thingName(id) ?? "";
  return (
    <a class={known === "" ? "id" : undefined} href={href ?? usual} title={id}>
      {known === "" ? shortId(id) : <UntrustedName name={known} max={NAME_MAX} />}
    </a>
  );
}

/** As its maker wrote it; undefined if it is not known. */
export function thingName(id: string): string | undefined {
  if (isSeal(id)) {
    return id.slice(SEAL_HEAD);
  }
  if (isProject(id)) {
    return projectOf(id).value?.name;
  }
  return /^MRC40[02]_/.test(id) ? itemNameOf(id).value : undefined;
}

function isSeal(id: string): boolean {
  return id.startsWith("MRC020_") && id.length > SEAL_HEAD;
}

export function isProject(id: string): boolean {
  return /^MRC400_[^_]*$/.test(id);
}
