import type { JSX } from "preact";
import { CopyButton } from "../copy-button.tsx";

export function WholeId({ id }: { readonly id: string }): JSX.Element {
  return (
    <>
      <code class="hash">{id}</code>
      <CopyButton text={id} />
    </>
  );
}
