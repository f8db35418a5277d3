type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What to write instead, if npm has taken settings among `names` for options of its own: it keeps
 * what stands before `--` in variables, and passes `alone` on, the values after a space. Undefined
 * if it has taken none.
 */
export function takenByNpm(
  environment: Environment,
  { names, alone }: { readonly names: readonly string[]; readonly alone: readonly string[] },
): string | undefined {
  const command = commandOf(environment);
  const taken = names.flatMap((name) => {
    const value = environment[`npm_config_${name.replaceAll("-", "_")}`];
    return value === undefined ? [] : [{ name, value }];
  });
  if (command === undefined || taken.length === 0) {
    return undefined;
  }
  const bare = taken.filter(({ value }) => value === "true");
  const flags = taken.map(({ name, value }) => {
    const [own = "", ...more] = value === "true" ? alone : [value];
    return `--${name} ${shown(bare.length < 2 && more.length === 0 ? own : "")}`;
  });
  const all = taken.map(({ name }) => `--${name}`).join(" and ");
  return `npm has kept ${all} for itself: write -- before settings: ${command} -- ${flags.join(" ")}`;
}

/** What to write instead of a value that stands alone, such as `./data`. */
export function insteadOf(value: string, environment: Environment): string {
  const setting = /^[0-9]+$/.test(value) ? "port" : "data";
  const command = commandOf(environment);
  const flag = value.includes("://") ? "--log URL" : `--${setting} ${shown(value)}`;
  return command === undefined
    ? `write ${flag}`
    : `write -- before settings: ${command} -- ${flag}`;
}

/** A value as far as it can be shown: it may hold a password or a secret. */
export function shown(value: string): string {
  return /^[\w./~-]{1,100}$/.test(value) ? value : "...";
}

/** How npm was told to run this; undefined if it was not. `npx` passes everything on. */
function commandOf({ npm_lifecycle_event: event }: Environment): string | undefined {
  if (event === undefined || event === "npx") {
    return undefined;
  }
  return event === "start" ? "npm start" : `npm run ${event}`;
}
