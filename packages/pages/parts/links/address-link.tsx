import type { JSX } from "preact";
import { link } from "../../explorer/links.ts";

const HEAD = 8;
const TAIL = 6;

/** The start and the end of an id, which tell most of them apart. */
export function shortened(id: string, head = HEAD, tail = TAIL): string {
  return id.length <= head + tail + 1 ? id : `${id.slice(0, head)}…${id.slice(-tail)}`;
}

/** An address: shortened, in full for screen readers and as a title, leading to its view. */
export function AddressLink({
  address,
  whole = false,
}: {
  readonly address: string;
  readonly whole?: boolean;
}): JSX.Element {
  return <IdLink id={address} href={link.address(address)} whole={whole} />;
}

/** The id of anything that has a view. */
export function IdLink({
  id,
  href,
  whole = false,
}: {
  readonly id: string;
  readonly href: string;
  readonly whole?: boolean;
}): JSX.Element {
  return (
    <a class="id" href={href} title={id}>
      {whole ? id : shortened(id)}
    </a>
  );
}
