import { ProblemError } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import type { Read } from "../ledger/use-read.ts";
import { t } from "../texts/texts.ts";
import { Problem } from "./problem.tsx";

/** The content of a read, that it is loading, or why it failed. Source: explorer §1. */
export function Shown<T>({
  read,
  children,
}: {
  readonly read: Read<T>;
  readonly children: (value: T) => ComponentChildren;
}): JSX.Element {
  const { value, error, again } = read;
  if (value !== undefined) {
    return <>{children(value)}</>;
  }
  if (error === undefined) {
    return <Loading />;
  }
  const isForGood = error instanceof ProblemError && [400, 404].includes(error.status);
  return <Problem error={error} again={isForGood ? undefined : again} />;
}

export function Loading(): JSX.Element {
  return (
    <div class="loading" role="status">
      <span class="for-screen-readers">{t().frame.loading}</span>
      <i />
      <i />
      <i />
    </div>
  );
}
