/** A text as SQL, whatever it contains and however the engine reads backslashes. */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return quoted.includes("\\") ? ` E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** A name as SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
