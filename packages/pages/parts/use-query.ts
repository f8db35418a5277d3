import { useLocation, useRoute } from "preact-iso";

/** `undefined` and an empty text leave a name out. */
export type QueryChanges = Readonly<Record<string, string | undefined>>;

export interface UrlQuery {
  readonly query: Readonly<Record<string, string>>;
  readonly at: (changes: QueryChanges) => string;
  /** Without a new entry in the browser's history. */
  readonly change: (changes: QueryChanges) => void;
}

/** It has tabs, filters and pages. Source: explorer §1. */
export function useQuery(): UrlQuery {
  const { route } = useLocation();
  // Those of the view: it stays while the next one is loaded.
  const { path, query } = useRoute();
  const at = (changes: QueryChanges): string => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, ...changes })) {
      if (value !== undefined && value !== "") {
        parameters.set(name, value);
      }
    }
    return `${path}${parameters.size === 0 ? "" : `?${parameters}`}`;
  };
  return { query, at, change: (changes) => route(at(changes), true) };
}
