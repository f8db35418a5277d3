import type { ComponentChildren, JSX } from "preact";
import { InFacts } from "./reveal.tsx";

export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element {
  return (
    <dl class="facts">
      <InFacts.Provider value={true}>
        {facts
          .filter(([, value]) => value !== undefined && value !== null && value !== false)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </InFacts.Provider>
    </dl>
  );
}
