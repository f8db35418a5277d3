import { createReadStream, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { fileProblem, NotYet, withoutPasswords } from "@moneta/ledger";
import { plainHttpUrl, SettingProblem } from "../settings.ts";
import { WrongArchive } from "./layout.ts";

export interface Range {
  readonly offset: number;
  readonly bytes: number;
}

/** Both methods throw `NotYet` if a retry may help, else `WrongArchive`. */
export interface ArchiveFiles {
  readonly where: string;
  stream(file: string): AsyncIterable<Uint8Array>;
  range(file: string, range: Range): Promise<Buffer>;
}

const SILENCE_MS = 30_000;
/** Of one request, beyond the first `SILENCE_MS`: without it one byte at a time would take days. */
const BYTES_A_SECOND_MIN = 16 << 10;

/** Throws `SettingProblem` if `where` is neither a folder nor a URL. */
export function openArchive(where: string, silenceMs = SILENCE_MS): ArchiveFiles {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(where)) {
    const url = plainHttpUrl(where);
    if (url === undefined) {
      throw new SettingProblem(
        `${withoutPasswords(where)} must be an http or https URL without user, query or fragment, such as https://archive.example/main`,
      );
    }
    return new ServedFiles(url.href.replace(/\/+$/, ""), silenceMs);
  }
  if (statSync(where, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SettingProblem(`${where} is not a folder: name the folder or the URL of an archive`);
  }
  return new LocalFiles(where);
}

/** Throws as `ArchiveFiles` does. */
export async function wholeFile(
  files: ArchiveFiles,
  file: string,
  bytesMax: number,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of files.stream(file)) {
    bytes += part.length;
    if (bytes > bytesMax) {
      throw new WrongArchive(`${files.where}/${file} has more than ${bytesMax} bytes`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

class LocalFiles implements ArchiveFiles {
  readonly where: string;

  constructor(folder: string) {
    this.where = folder;
  }

  async *stream(file: string): AsyncGenerator<Uint8Array> {
    try {
      yield* createReadStream(join(this.where, file)) as AsyncIterable<Buffer>;
    } catch (thrown) {
      throw this.#problem(file, thrown);
    }
  }

  async range(file: string, { offset, bytes }: Range): Promise<Buffer> {
    try {
      await using handle = await open(join(this.where, file));
      const part = Buffer.alloc(bytes);
      const { bytesRead } = await handle.read(part, 0, bytes, offset);
      return wholePart(part.subarray(0, bytesRead), { bytes, name: join(this.where, file) });
    } catch (thrown) {
      throw this.#problem(file, thrown);
    }
  }

  #problem(file: string, thrown: unknown): unknown {
    if (!(thrown instanceof Error) || !("syscall" in thrown)) {
      return thrown;
    }
    const path = join(this.where, file);
    return (thrown as NodeJS.ErrnoException).code === "ENOENT"
      ? new WrongArchive(`${path} is missing`)
      : new SettingProblem(`${path} cannot be read: ${fileProblem(path, thrown)}`, {
          cause: thrown,
        });
  }
}

class ServedFiles implements ArchiveFiles {
  readonly where: string;

  readonly #silenceMs: number;

  constructor(url: string, silenceMs: number) {
    this.where = url;
    this.#silenceMs = silenceMs;
  }

  async *stream(file: string): AsyncGenerator<Uint8Array> {
    yield* this.#bytes(file, {});
  }

  /** A server without ranges sends the file from its beginning, until the reader stops. */
  async range(file: string, { offset, bytes }: Range): Promise<Buffer> {
    const last = offset + bytes - 1;
    const parts: Uint8Array[] = [];
    let found = 0;
    const skipped = { bytes: offset };
    for await (const part of this.#bytes(file, { range: `bytes=${offset}-${last}`, skipped })) {
      parts.push(part);
      found += part.length;
      if (found >= bytes) {
        break;
      }
    }
    const part = Buffer.concat(parts).subarray(0, bytes);
    return wholePart(part, { bytes, name: `${this.where}/${file}` });
  }

  /** Skips the first bytes of a response that ignores the range. */
  async *#bytes(
    file: string,
    { range, skipped = { bytes: 0 } }: { range?: string; skipped?: { bytes: number } },
  ): AsyncGenerator<Uint8Array> {
    const url = `${this.where}/${file}`;
    const ending = new AbortController();
    // Runs only while waiting for the server, not while the caller works.
    let timer: NodeJS.Timeout | undefined;
    let [bytes, waitedMs] = [0, 0];
    const answered = async <T>(answer: Promise<T>): Promise<T> => {
      const beganMs = performance.now();
      const leftMs = this.#silenceMs + (bytes * 1000) / BYTES_A_SECOND_MIN - waitedMs;
      timer = setTimeout(() => ending.abort(), Math.min(this.#silenceMs, leftMs));
      const value = await answer;
      clearTimeout(timer);
      waitedMs += performance.now() - beganMs;
      return value;
    };
    try {
      const asked = fetch(url, {
        signal: ending.signal,
        // A redirect could lead into a private network.
        redirect: "manual",
        headers: {
          "Accept-Encoding": "identity",
          ...(range === undefined ? {} : { Range: range }),
        },
      });
      const response = await answered(asked);
      assertServed(url, response, range);
      let left = response.status === 206 ? 0 : skipped.bytes;
      const parts = response.body?.getReader();
      for (;;) {
        const part = parts && (await answered(parts.read())).value;
        if (part === undefined) {
          return;
        }
        bytes += part.length;
        const rest = part.subarray(Math.min(left, part.length));
        left -= part.length - rest.length;
        if (rest.length > 0) {
          yield rest;
        }
      }
    } catch (thrown) {
      if (thrown instanceof WrongArchive || thrown instanceof NotYet) {
        throw thrown;
      }
      const { cause = thrown } = thrown as Error;
      const reason = ending.signal.aborted ? "too few bytes in time" : (cause as Error).message;
      throw new NotYet(`${url}: ${reason}`);
    } finally {
      clearTimeout(timer);
      ending.abort();
    }
  }
}

function assertServed(url: string, { status, headers }: Response, range: string | undefined): void {
  const encoding = headers.get("content-encoding") ?? "identity";
  // A shorter file ends before the requested range does.
  const from = range?.replace("=", " ").replace(/\d+$/, "") ?? "";
  if (status === 206 && headers.get("content-range")?.startsWith(from) !== true) {
    throw new WrongArchive(
      `${url}: the server sends ${headers.get("content-range")}, requested was ${range}`,
    );
  }
  if (status === 404 || status === 410 || status === 416) {
    throw new WrongArchive(
      `${url} is ${status === 416 ? "shorter than its index says" : "missing"}`,
    );
  }
  if (status !== 200 && status !== 206) {
    const where = headers.get("location");
    throw new NotYet(
      where === null
        ? `${url}: the server answers ${status}`
        : `${url}: the server answers ${status} and names ${JSON.stringify(where).slice(0, 200)}, which is not followed: give the final URL`,
    );
  }
  if (encoding !== "identity") {
    throw new WrongArchive(
      `${url}: the server sends it with Content-Encoding ${JSON.stringify(encoding)}: serve the files as they are`,
    );
  }
}

function wholePart(part: Buffer, { bytes, name }: { bytes: number; name: string }): Buffer {
  if (part.length < bytes) {
    throw new WrongArchive(`${name} is shorter than its index says`);
  }
  return part;
}
