import type { JSX } from "preact";
import { link } from "../../explorer/links.ts";
import { projectOf } from "../../ledger/projects.ts";
import { UntrustedName } from "../untrusted-text.tsx";
import { shortened } from "./address-link.tsx";
import { shortNumber } from "./item-name.tsx";

/** `MRC020_`, an address and `_`, behind which a sealed text has what its owner calls it. */
const SEAL_HEAD = 48;
const NAME_MAX = 40;
const HEAD = 6;
const TAIL = 4;

/** The URL of the view of an item, a listing, an offer, an order, a sealed text or a project. */
export function thingHref(id: string): string {
  if (id.startsWith("DEX")) {
    return link.listing(id);
  }
  if (id.startsWith("OFF")) {
    return link.offer(id);
  }
  if (id.startsWith("MRC040_")) {
    return link.order(id);
  }
  if (isSeal(id)) {
    return link.seal(id);
  }
  return isProject(id) ? link.project(id) : link.item(id);
}

/**
 * An item, a listing, an offer, an order, a sealed text or a project: by its name where one is known, else by
 * a part of its id.
 */
export function ThingLink({
  id,
  name,
}: {
  readonly id: string;
  readonly name?: string | undefined;
}): JSX.Element {
  const [projectId] = /^MRC400_[^_]+/.exec(id) ?? [];
  const project = projectId === undefined ? undefined : projectOf(projectId).value;
  const known =
    name ?? (isProject(id) ? project?.name : isSeal(id) ? id.slice(SEAL_HEAD) : undefined);
  if (known !== undefined) {
    return (
      <a href={thingHref(id)} title={id}>
        <UntrustedName name={known} max={NAME_MAX} />
      </a>
    );
  }
  const short = shortened(id.slice(id.lastIndexOf("_") + 1), HEAD, TAIL);
  return project === undefined ? (
    <a class="id" href={thingHref(id)} title={id}>
      {short}
    </a>
  ) : (
    <a href={thingHref(id)} title={id}>
      <UntrustedName name={project.name} max={NAME_MAX} /> #{shortNumber(id)}
    </a>
  );
}

function isSeal(id: string): boolean {
  return id.startsWith("MRC020_") && id.length > SEAL_HEAD;
}

function isProject(id: string): boolean {
  return /^MRC400_[^_]*$/.test(id);
}
