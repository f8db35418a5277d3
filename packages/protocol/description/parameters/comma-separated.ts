import { Refused, refuse } from "../faults.ts";
import { type Parameter, parameter, type Schema } from "../parameter.ts";

export function commaSeparatedSchema(max: number): Schema {
  return {
    type: "string",
    format: "comma-separated",
    pattern: `^[^,]+(,[^,]+){0,${max - 1}}$`,
  };
}

/** One to `max` different values, separated by commas, or 1101. Source: chain §10, §11. */
export function commaSeparated<T>(
  inner: Parameter<T>,
  { max, of }: { readonly max: number; readonly of: string },
): Parameter<readonly T[]> {
  const wanted = `up to ${max} ${of}, separated by commas`;
  return parameter<readonly T[]>({
    wanted,
    schema: commaSeparatedSchema(max),
    refusals: ["1101", ...inner.refusals],
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
