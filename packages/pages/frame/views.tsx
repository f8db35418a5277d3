import type { ComponentType, JSX } from "preact";
import { Route, Router } from "preact-iso";
import { NotFoundView } from "./not-found-view.tsx";

/** Of a page, by their paths below its own. */
export function Views({
  root,
  home,
  views,
  names = {},
}: {
  readonly root: string;
  readonly home: ComponentType;
  readonly views: Readonly<Record<string, unknown>>;
  /** Of the views in the navigation, by their paths without the slash. */
  readonly names?: Readonly<Record<string, string>>;
}): JSX.Element {
  return (
    <Router onRouteChange={startAtTop}>
      <Route path={root} component={home} />
      {Object.entries(views).map(([path, view]) => (
        <Route key={path} path={`${root}${path}`} component={view as ComponentType} />
      ))}
      <Route default component={NotFoundView} views={Object.keys(views)} names={names} />
    </Router>
  );
}

/** Screen readers begin to read the new view. */
function startAtTop(): void {
  // A reader who types the next search keeps the focus.
  if (document.activeElement?.closest("search") == null) {
    document.getElementById("main")?.focus({ preventScroll: true });
  }
}
