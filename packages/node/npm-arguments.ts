type Environment = Readonly<Record<string, string | undefined>>;

/** If npm has taken settings as its own options. `alone`: the values after a space. */
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

/** For a value that stands alone, such as `./data`. */
export function insteadOf(value: string, environment: Environment): string {
  const setting = /^[0-9]+$/.test(value) ? "port" : "data";
  const command = commandOf(environment);
  const flag = value.includes("://") ? "--log URL" : `--${setting} ${shown(value)}`;
  return command === undefined
    ? `write ${flag}`
    : `write -- before settings: ${command} -- ${flag}`;
}

/** `...` if it may contain a password or a secret. */
export function shown(value: string): string {
  return /^[\w./~-]{1,100}$/.test(value) ? value : "...";
}

/** `npx` passes everything on. */
function commandOf({ npm_lifecycle_event: event }: Environment): string | undefined {
  if (event === undefined || event === "npx") {
    return undefined;
  }
  return event === "start" ? "npm start" : `npm run ${event}`;
}
