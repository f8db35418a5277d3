import type { Project } from "@moneta/sdk";
import { type ReadonlySignal, signal } from "@preact/signals";
import { moneta } from "./node.ts";
import { ReadOnce } from "./read-once.ts";

const projects = new ReadOnce((mrc400id) => moneta.mrc400({ mrc400id }));
const none: ReadonlySignal<Project | undefined> = signal(undefined);

/** Items inherit its name and URLs. Undefined for the id "". */
export function projectOf(id: string): ReadonlySignal<Project | undefined> {
  return id === "" ? none : projects.of(id);
}
