import { shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { link } from "../../explorer/links.ts";
import { usePlaces } from "./places.ts";

export function AddressLink({
  address,
  whole = false,
}: {
  readonly address: string;
  readonly whole?: boolean;
}): JSX.Element {
  const mark = usePlaces().mark?.(address);
  return (
    <>
      <IdLink id={address} href={link.address(address)} whole={whole} />
      {mark && <> {mark}</>}
    </>
  );
}

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
    <a class={whole ? "id hash" : "id"} href={href} title={id}>
      {whole ? id : shortId(id)}
    </a>
  );
}
