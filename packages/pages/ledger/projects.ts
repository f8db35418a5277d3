import { ProblemError, type Project } from "@moneta/sdk";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { moneta } from "./node.ts";

const projects = new Map<string, Signal<Project | undefined>>();

/**
 * A project that items belong to; undefined until it is known, and if there is none. Read once
 * while the page is open: items take its name and its URLs from it.
 */
export function projectOf(id: string): ReadonlySignal<Project | undefined> {
  const known = projects.get(id);
  if (known !== undefined) {
    return known;
  }
  const project = signal<Project | undefined>(undefined);
  projects.set(id, project);
  if (id !== "") {
    void load(id, project);
  }
  return project;
}

async function load(id: string, project: Signal<Project | undefined>): Promise<void> {
  try {
    project.value = await moneta.mrc400({ mrc400id: id });
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 404)) {
      projects.delete(id); // whoever shows it next asks again
    }
  }
}
