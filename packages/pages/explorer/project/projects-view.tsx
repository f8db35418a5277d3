import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { WrittenFilter } from "../../parts/lists/written-filter.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { ProjectList } from "./project-list.tsx";

/** Source: explorer §2. */
export function ProjectsView(): JSX.Element {
  const { query } = useQuery();
  const category = query["category"];
  return (
    <View title={t().explorer.nav.projects}>
      <ProjectList
        filters={category === undefined ? {} : { category }}
        choices={<WrittenFilter name="category" label={t().explorer.projects.category} max={64} />}
      />
    </View>
  );
}
