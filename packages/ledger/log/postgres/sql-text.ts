/** With any content, however the engine treats backslashes. */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return quoted.includes("\\") ? ` E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
