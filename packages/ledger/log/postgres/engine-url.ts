import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { fileProblem } from "../../file-problem.ts";

export interface EngineHost {
  readonly host: string;
  readonly port: number;
}

export type SslMode = "disable" | "require" | "verify-ca" | "verify-full";

export interface PasswordSources {
  /** `""` for none. */
  readonly file: string;
  readonly environment: string | undefined;
}

/** Its message quotes no part of the URL or password. */
export class EngineUrlProblem extends Error {
  override readonly name: string = "EngineUrlProblem";
}

/** Makes the same `EngineUrl` in a worker thread. */
export interface EngineUrlParts {
  readonly user: string;
  readonly hosts: readonly EngineHost[];
  readonly database: string;
  readonly sslMode: SslMode;
  /** PEM; undefined for those of the system. */
  readonly sslAuthorities: string | undefined;
  readonly sslAuthoritiesFile: string | undefined;
  readonly password: string | undefined;
}

const SSL_MODES: readonly SslMode[] = ["disable", "require", "verify-ca", "verify-full"];

/** However it is printed, its password is not. Source: cluster §2. */
export class EngineUrl {
  readonly hosts: readonly EngineHost[];
  readonly user: string;
  readonly database: string;
  readonly sslMode: SslMode;
  readonly #parts: EngineUrlParts;

  constructor(parts: EngineUrlParts) {
    this.hosts = parts.hosts;
    this.user = parts.user;
    this.database = parts.database;
    this.sslMode = parts.sslMode;
    this.#parts = parts;
  }

  /**
   * Reads
   * `postgres://user:password@host1:5432,host2/database?sslmode=verify-full&sslrootcert=FILE`.
   * Throws `EngineUrlProblem`.
   */
  static parse(text: string): EngineUrl {
    const found = /^postgres(?:ql)?:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(text);
    if (found === null) {
      throw new EngineUrlProblem(
        "a log in PostgreSQL is given as postgres://USER@HOST[:PORT][,HOST...]/DATABASE, with / ? # @ : of a password percent-encoded",
      );
    }
    const [, authority = "", path = "", query = ""] = found;
    const at = authority.lastIndexOf("@");
    const [user = "", ...more] = authority.slice(0, Math.max(at, 0)).split(":");
    if (user === "") {
      throw new EngineUrlProblem("the log's URL names no user: postgres://USER@HOST/DATABASE");
    }
    const inUrl = more.length === 0 ? undefined : decoded(more.join(":"), "password");
    const ssl = sslOf(new URLSearchParams(query));
    const name = decoded(user, "user");
    return new EngineUrl({
      user: name,
      hosts: authority
        .slice(at + 1)
        .split(",")
        .map(hostOf),
      database: decoded(path, "database") || name,
      ...ssl,
      password: inUrl,
    });
  }

  /** With another password if it has none. Throws `EngineUrlProblem`. */
  withPassword(sources: PasswordSources): EngineUrl {
    const { password } = this.#parts;
    if (password !== undefined && sources.file !== "") {
      throw new EngineUrlProblem(
        "the log's URL has a password and --log-password-file names another: give one of them",
      );
    }
    return new EngineUrl({ ...this.#parts, password: password ?? passwordFrom(sources) });
  }

  partsWithPassword(): EngineUrlParts {
    return this.#parts;
  }

  toString(): string {
    const hosts = this.hosts.map(({ host, port }) => hostText(host, port)).join(",");
    return `postgres://${encodeURIComponent(this.user)}@${hosts}/${encodeURIComponent(this.database)}${queryOf(this.#parts)}`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

/** `""` if it is not encrypted. */
function queryOf({ sslMode, sslAuthoritiesFile: file }: EngineUrlParts): string {
  if (sslMode === "disable") {
    return "";
  }
  const authorities =
    file === undefined ? "" : `&sslrootcert=${encodeURIComponent(file).replaceAll("%2F", "/")}`;
  return `?sslmode=${sslMode}${authorities}`;
}

export function hostText(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A text of the operator's without the passwords of URLs in it. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(/([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):.*@/gis, "$1:***@");
}

function hostOf(text: string): EngineHost {
  const found = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::([0-9]{1,5}))?$/.exec(text);
  const port = Number(found?.[3] ?? 5432);
  if (found === null || port < 1 || port > 65_535) {
    throw new EngineUrlProblem(
      "the log's URL has a host that is none: HOST, HOST:PORT or [IPv6]:PORT, several separated by commas, with / ? # @ : of a password percent-encoded",
    );
  }
  return { host: found[1] ?? found[2] ?? "", port };
}

function sslOf(
  query: URLSearchParams,
): Pick<EngineUrlParts, "sslMode" | "sslAuthorities" | "sslAuthoritiesFile"> {
  const unknown = [...query.keys()].find((name) => name !== "sslmode" && name !== "sslrootcert");
  if (unknown !== undefined) {
    throw new EngineUrlProblem(
      "the log's URL has a parameter that is not known: sslmode and sslrootcert are",
    );
  }
  const wanted = query.get("sslmode") ?? "disable";
  const sslMode = SSL_MODES.find((mode) => mode === wanted);
  if (sslMode === undefined) {
    throw new EngineUrlProblem(`sslmode in the log's URL must be ${SSL_MODES.join(" or ")}`);
  }
  const file = query.get("sslrootcert");
  if (file !== null && !sslMode.startsWith("verify-")) {
    throw new EngineUrlProblem(
      `sslrootcert in the log's URL is of no use with sslmode ${sslMode}, which verifies nothing: give sslmode=verify-full or verify-ca`,
    );
  }
  return {
    sslMode,
    sslAuthorities: file === null ? undefined : contentOf(file, "sslrootcert in the log's URL:"),
    sslAuthoritiesFile: file ?? undefined,
  };
}

function passwordFrom({ file, environment }: PasswordSources): string | undefined {
  if (file === "") {
    return environment === "" ? undefined : environment;
  }
  const password = contentOf(file, "--log-password-file").replace(/\r?\n$/, "");
  if (password === "" || password.includes("\n")) {
    throw new EngineUrlProblem(`--log-password-file ${file} must hold the password, on one line`);
  }
  return password;
}

function contentOf(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    throw new EngineUrlProblem(`${what} ${fileProblem(file, thrown)}`);
  }
}

function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new EngineUrlProblem(`the ${what} in the log's URL is not percent-encoded correctly`);
  }
}
