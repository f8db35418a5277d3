import { useLocation } from "preact-iso";

/** Values of a URL's query; `undefined` and an empty text leave a name out. */
export type QueryChanges = Readonly<Record<string, string | undefined>>;

/** The query of the URL, and functions to change it. */
export interface UrlQuery {
  readonly query: Readonly<Record<string, string>>;
  /** The URL of this view with these values in its query. */
  readonly at: (changes: QueryChanges) => string;
  /** Changes the URL without a new entry in the browser's history: for filters. */
  readonly change: (changes: QueryChanges) => void;
}

/** The query of the view's URL, which has tabs, filters and pages. Source: explorer §1. */
export function useQuery(): UrlQuery {
  const { path, query, route } = useLocation();
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
