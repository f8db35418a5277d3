import type { JSX } from "preact";
import { Icon } from "../pictures/icon.tsx";
import { UntrustedText } from "../untrusted-text.tsx";

/** Of an address in the web, what stands behind its host. */
const PATH_MAX = 60;

/** A URL that somebody has written: a link if it leads into the web, with its host in front. */
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
