import type { ComponentChildren, JSX } from "preact";
import { InFacts } from "./reveal.tsx";

export type Fact = readonly [name: string, value: ComponentChildren];

/** Nothing if no fact has a value. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element | null {
  const known = facts.filter(
    ([, value]) => value !== undefined && value !== null && value !== false,
  );
  if (known.length === 0) {
    return null;
  }
  return (
    <dl class="facts">
      <InFacts.Provider value={true}>
        {known.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </InFacts.Provider>
    </dl>
  );
}
