import { Refused, refuse } from "./faults.ts";
import { commaSeparatedSchema, type Parameter, parameter } from "./parameters.ts";

/** One value or several with commas between them, each once; undefined where it is left out. More than `max` are refused with 1101. Source: chain §10, §11. */
export function commaSeparated<T>(
  inner: Parameter<T>,
  { max, of }: { readonly max: number; readonly of: string },
): Parameter<readonly T[] | undefined> {
  const wanted = `up to ${max} ${of}, separated by commas`;
  return parameter<readonly T[] | undefined>({
    wanted,
    schema: commaSeparatedSchema(max),
    refusals: ["1101", ...inner.refusals],
    optional: true,
    read(text, name) {
      const parts = text.split(",", max + 1);
      if (parts.length > max) {
        return refuse({
          code: "1101",
          parameter: name,
          given: `more than ${max} ${of}`,
          wanted,
        });
      }
      const values = new Set<T>();
      for (const part of parts) {
        const value = inner.read(part, name);
        if (value instanceof Refused) {
          return value;
        }
        values.add(value);
      }
      return [...values];
    },
  });
}
