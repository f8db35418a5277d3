import type { ComponentType, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { lazy as lazyComponent } from "preact-iso";
import { onReconnect } from "../ledger/live.ts";
import { Problem } from "../parts/problem.tsx";
import { t } from "../texts/texts.ts";
import { View } from "./view.tsx";

/** Without the node it shows a note, and reloads once the node is back. */
export function lazy<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  // Browsers may remember that a module failed to load.
  const orProblem = (): Promise<ComponentType<Props>> =>
    load().catch((error: Error) => () => <NotLoaded error={error} />);
  return lazyComponent(orProblem as () => Promise<ComponentType>) as ComponentType<Props>;
}

function NotLoaded({ error }: { readonly error: Error }): JSX.Element {
  const reload = (): void => location.reload();
  useEffect(() => onReconnect(reload), []);
  return (
    <View title={t().frame.notLoaded}>
      <Problem error={error} again={reload} />
    </View>
  );
}
