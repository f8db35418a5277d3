import type { JSX } from "preact";
import { link } from "../../explorer/links.ts";
import { IdLink } from "../../parts/links/address-link.tsx";
import type { Account } from "./account.ts";

export function AccountBadge({
  account: { name, color, address },
  whole = false,
}: {
  readonly account: Account;
  readonly whole?: boolean;
}): JSX.Element {
  return (
    <span class="account-badge">
      <AccountColor color={color} /> <bdi>{name}</bdi>{" "}
      {address !== undefined && <IdLink id={address} href={link.address(address)} whole={whole} />}
    </span>
  );
}

export function AccountColor({ color }: { readonly color: number }): JSX.Element {
  return <span class={`account-color color-${color}`} aria-hidden="true" />;
}
