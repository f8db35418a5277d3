import type { ListedProject } from "@moneta/sdk";
import type { JSX } from "preact";
import { usePlaces } from "../../parts/links/places.ts";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { Picture } from "../../parts/pictures/picture.tsx";
import { UntrustedName, UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { dayVolume } from "./day-volume.tsx";

export function ProjectList({
  filters,
  ...frame
}: ListFrame & {
  readonly filters: { readonly owner?: string; readonly category?: string };
}): JSX.Element {
  const texts = t().explorer.projects;
  const places = usePlaces();
  return (
    <LedgerList
      caption={texts.caption}
      {...listOf("mrc400Projects", filters)}
      empty={texts.empty}
      columns={[
        {
          head: texts.name,
          kind: "main",
          cell: ({ id, name, image_url }) => (
            <span class="with-picture">
              <Picture url={image_url} name={name} seed={id} size="thumb" />
              <a href={places.project(id)}>
                <UntrustedName name={name} max={80} />
              </a>
            </span>
          ),
        },
        {
          head: texts.category,
          cell: ({ category }) => <UntrustedText text={category} max={64} />,
        },
        { head: texts.dayVolume, kind: "number", cell: (project) => dayVolume(project, 1) || "" },
        { head: t().explorer.home.day.trades, count: ({ day_trades }) => day_trades },
        filters.owner === undefined && {
          head: texts.owner,
          address: ({ owner }: ListedProject) => owner,
        },
        { head: texts.created, time: ({ createdate }) => createdate },
      ]}
      {...frame}
    />
  );
}
