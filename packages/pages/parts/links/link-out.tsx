import type { JSX } from "preact";
import { Icon } from "../pictures/icon.tsx";
import { UntrustedText } from "../untrusted-text.tsx";

const PATH_MAX = 60;

/** A user's URL: a link only to the web, with its host first. */
export function LinkOut({ url }: { readonly url: string }): JSX.Element {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    return <UntrustedText text={url} max={PATH_MAX} />;
  }
  const { host, pathname, search, hash } = parsed;
  const path = `${pathname}${search}${hash}`;
  return (
    <a class="link-out" href={parsed.href} rel="noopener noreferrer" target="_blank">
      {host}
      {path !== "/" && (
        <span class="quiet">
          <UntrustedText text={path} max={PATH_MAX} />
        </span>
      )}
      <Icon of="leave" />
    </a>
  );
}
