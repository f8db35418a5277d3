import type { ListedProject } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { Picture } from "../../parts/pictures/picture.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedName, UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { pathWith } from "../listing/path-with.ts";

/** Projects, the newest first, live. */
export function ProjectList({
  filters,
  choices,
  cursorName = "cursor",
}: {
  readonly filters: { readonly owner?: string; readonly category?: string };
  readonly choices?: JSX.Element;
  readonly cursorName?: string;
}): JSX.Element {
  const texts = t().explorer.projects;
  return (
    <LedgerList<ListedProject>
      caption={texts.caption}
      path={pathWith("/mrc400", filters)}
      read={(page, options) => moneta.mrc400Projects({ ...filters, ...page }, options)}
      keyOf={({ id }) => id}
      cursorName={cursorName}
      live
      empty={texts.empty}
      filters={choices}
      columns={[
        {
          head: texts.name,
          kind: "main",
          cell: ({ id, name, image_url }) => (
            <span class="with-picture">
              <Picture url={image_url} name={name} seed={id} size="thumb" />
              <a href={link.project(id)}>
                <UntrustedName name={name} max={80} />
              </a>
            </span>
          ),
        },
        {
          head: texts.category,
          cell: ({ category }) => <UntrustedText text={category} max={64} />,
        },
        { head: texts.owner, cell: ({ owner }) => <AddressLink address={owner} /> },
        { head: texts.created, cell: ({ createdate }) => <TimeText time={createdate} /> },
      ]}
    />
  );
}
