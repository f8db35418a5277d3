import type { JSX } from "preact";
import { link } from "../explorer/links.ts";
import { shortened } from "./address-link.tsx";
import { UntrustedText } from "./untrusted-text.tsx";

const NAME_MAX = 40;
const HEAD = 6;
const TAIL = 4;

/** The URL of the view of an item of either kind, a listing or a project. */
export function thingHref(id: string): string {
  if (id.startsWith("DEX")) {
    return link.listing(id);
  }
  return /^MRC400_[^_]*$/.test(id) ? link.project(id) : link.item(id);
}

/** An item, a listing or a project: its name, or what of its id tells it from others. */
export function ThingLink({
  id,
  name,
}: {
  readonly id: string;
  readonly name?: string | undefined;
}): JSX.Element {
  const own = id.slice(id.lastIndexOf("_") + 1);
  return name === undefined ? (
    <a class="id" href={thingHref(id)} title={id}>
      {shortened(own, HEAD, TAIL)}
    </a>
  ) : (
    <a href={thingHref(id)} title={id}>
      <UntrustedText text={name} max={NAME_MAX} />
    </a>
  );
}
