import { shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { projectOf } from "../../ledger/projects.ts";
import { UntrustedName } from "../../parts/untrusted-text.tsx";
import { link } from "../links.ts";

export function ProjectLink({ id }: { readonly id: string }): JSX.Element {
  const project = projectOf(id).value;
  return (
    <a href={link.project(id)} title={id}>
      {project === undefined ? shortId(id) : <UntrustedName name={project.name} max={60} />}
    </a>
  );
}
