import type { CallOptions } from "@moneta/sdk";
import { useEffect, useRef, useState } from "preact/hooks";
import { height, onReconnect } from "./live.ts";

export interface Read<T> {
  /** Undefined while loading, and after a failed first reading. */
  readonly value: T | undefined;
  /** Of the last reading. A value beside it is an older one. */
  readonly error: Error | undefined;
  readonly again: () => void;
}

type Result<T> = Partial<Pick<Read<T>, "value" | "error">>;

/** Between readings after new blocks, ms. */
const PAUSE_MS = 800;

/**
 * Reads again when `key` changes, and after new blocks if `live`. Never shows the value of another
 * key. Components of one key share its readings. New blocks never abort a reading, or slow responses
 * would never arrive.
 */
export function useRead<T>(
  key: string,
  read: (options: CallOptions) => Promise<T>,
  { live = false }: { readonly live?: boolean } = {},
): Read<T> {
  const [shown, show] = useState<{ readonly key: string; readonly result: Result<T> }>();
  const newest = useRef(read);
  newest.current = read;
  useEffect(() => {
    const reading = readingOf<T>(key, (options) => newest.current(options));
    return reading.join((result) => show({ key, result }), live);
  }, [key, live]);
  const { value, error } = shown?.key === key ? shown.result : {};
  return { value, error, again: () => readings.get(key)?.again() };
}

// biome-ignore lint/suspicious/noExplicitAny: a key is read in one way.
const readings = new Map<string, Reading<any>>();

function readingOf<T>(key: string, read: (options: CallOptions) => Promise<T>): Reading<T> {
  const known = readings.get(key);
  if (known !== undefined) {
    return known;
  }
  const reading = new Reading(read, () => readings.delete(key));
  readings.set(key, reading);
  return reading;
}

class Reading<T> {
  readonly #read: (options: CallOptions) => Promise<T>;
  readonly #end: () => void;
  readonly #shows = new Set<(result: Result<T>) => void>();
  readonly #abort = new AbortController();
  #result: Result<T> | undefined;
  /** Results of older ones are not shown. */
  #round = 0;
  #reading: Promise<void> = Promise.resolve();
  #lastRead = 0;
  /** The lowest of what the newest reading shows. */
  #height: number | undefined;
  #followers = 0;
  #unfollow: (() => void) | undefined;
  #stopWaiting: (() => void) | undefined;

  constructor(read: (options: CallOptions) => Promise<T>, end: () => void) {
    this.#read = read;
    this.#end = end;
    this.again();
  }

  /** Returns how to leave. The last to leave ends it. */
  join(show: (result: Result<T>) => void, live: boolean): () => void {
    this.#shows.add(show);
    if (this.#result !== undefined) {
      show(this.#result);
    }
    this.#follow(live ? 1 : 0);
    return () => {
      this.#shows.delete(show);
      this.#follow(live ? -1 : 0);
      if (this.#shows.size === 0) {
        this.#abort.abort();
        this.#stopWaiting?.();
        this.#end();
      }
    };
  }

  again(): void {
    this.#round += 1;
    const round = this.#round;
    this.#lastRead = performance.now();
    this.#height = undefined;
    const onHeight = (shown: number): void => {
      if (round === this.#round) {
        this.#height = Math.min(this.#height ?? shown, shown);
      }
    };
    const take = (result: Result<T>): void => {
      if (!this.#abort.signal.aborted && round === this.#round) {
        this.#take(result);
      }
    };
    this.#reading = this.#read({ signal: this.#abort.signal, onHeight }).then(
      (value) => take({ value }),
      (error: Error) => take({ ...this.#result, error }),
    );
  }

  /** Whether another reading would show the same. */
  #reflects(newest: number | undefined): boolean {
    const isWhole = this.#result !== undefined && this.#result.error === undefined;
    return isWhole && newest !== undefined && (this.#height ?? -1) >= newest;
  }

  #take(result: Result<T>): void {
    this.#result = result;
    this.#stopWaiting?.();
    this.#stopWaiting = result.error && onReconnect(() => this.again());
    for (const show of this.#shows) {
      show(result);
    }
  }

  #follow(more: number): void {
    this.#followers += more;
    if (this.#followers === 0) {
      this.#unfollow?.();
      this.#unfollow = undefined;
    } else {
      this.#unfollow ??= this.#onNewBlocks();
    }
  }

  #onNewBlocks(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let seen = height.peek();
    const readAgain = async (): Promise<void> => {
      await this.#reading;
      if (!isOver) {
        timer = undefined;
        seen = height.peek();
        if (!this.#reflects(seen)) {
          this.again();
        }
      }
    };
    const stop = height.subscribe((now) => {
      if (now === undefined || now === seen || timer !== undefined) {
        return;
      }
      seen = now;
      const rest = Math.max(0, this.#lastRead + PAUSE_MS - performance.now());
      timer = setTimeout(() => void readAgain(), rest);
    });
    return () => {
      isOver = true;
      stop();
      clearTimeout(timer);
    };
  }
}
