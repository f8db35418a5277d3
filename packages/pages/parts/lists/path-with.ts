export function pathWith(
  path: string,
  filters: Readonly<Record<string, string | number | bigint | undefined>>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined && value !== "") {
      parameters.set(name, String(value));
    }
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
