import type { ComponentChildren, JSX } from "preact";

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/;

export function Markdown({ text }: { readonly text: string }): JSX.Element {
  return <div class="markdown">{blocksOf(text).map((block, index) => drawn(block, index))}</div>;
}

/** Parts between empty lines; code may have some. */
function blocksOf(text: string): readonly string[] {
  return text
    .split(/^(```[\s\S]*?^```)$/m)
    .flatMap((part) => (part.startsWith("```") ? part : part.split(/\n{2,}/)))
    .flatMap((part) => part.trim().split(/(?<=^#+ .*)\n/))
    .filter((part) => part !== "");
}

function drawn(block: string, key: number): JSX.Element {
  const code = /^```\w*\n([\s\S]*?)\n?```$/.exec(block)?.[1];
  if (code !== undefined) {
    return <pre key={key}>{code}</pre>;
  }
  const [, marks, title] = /^(#+) (.*)$/.exec(block) ?? [];
  if (title !== undefined) {
    return marks === "#" ? <h2 key={key}>{inline(title)}</h2> : <h3 key={key}>{inline(title)}</h3>;
  }
  const lines = block.split("\n");
  if (lines.every((line) => line.startsWith("- "))) {
    return (
      <ul key={key}>
        {lines.map((line) => (
          <li key={line}>{inline(line.slice(2))}</li>
        ))}
      </ul>
    );
  }
  if (lines.every((line) => line.startsWith("|"))) {
    const [heads = [], , ...rows] = lines.map((line) => line.slice(1, -1).split(/(?<!\\)\|/));
    return <Table key={key} heads={heads.map(inline)} rows={rows.map((row) => row.map(inline))} />;
  }
  return <p key={key}>{inline(block)}</p>;
}

export function inline(text: string): ComponentChildren {
  return text.split(INLINE).map((part, index) => {
    if (part.startsWith("`")) {
      return <code key={index}>{part.slice(1, -1)}</code>;
    }
    if (part.startsWith("**")) {
      return <strong key={index}>{part.slice(2, -2)}</strong>;
    }
    const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    return href === undefined ? (
      part.replaceAll("\\|", "|")
    ) : (
      <a key={index} href={href}>
        {label}
      </a>
    );
  });
}

export function Table({
  heads,
  rows,
}: {
  readonly heads: readonly ComponentChildren[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head, column) => (
            <th scope="col" key={column}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
