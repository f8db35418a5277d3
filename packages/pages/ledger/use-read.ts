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

/** Between readings after new blocks, ms. */
const PAUSE_MS = 800;

/**
 * Reads again when `key` changes, and after new blocks if `live`. Never shows the value of another
 * key. New blocks never abort a reading, or slow responses would never arrive.
 */
export function useRead<T>(
  key: string,
  read: (options: CallOptions) => Promise<T>,
  { live = false }: { readonly live?: boolean } = {},
): Read<T> {
  const [result, setResult] = useState<{ key: string; value?: T; error?: Error }>({ key });
  const [round, setRound] = useState(0);
  const lastRead = useRef(0);
  const reading = useRef<Promise<void>>(Promise.resolve());

  useEffect(() => {
    const abort = new AbortController();
    lastRead.current = performance.now();
    reading.current = read({ signal: abort.signal }).then(
      (value) => {
        if (!abort.signal.aborted) {
          setResult({ key, value });
        }
      },
      (error: Error) => {
        if (!abort.signal.aborted) {
          setResult((before) => (before.key === key ? { ...before, error } : { key, error }));
        }
      },
    );
    return () => abort.abort();
  }, [key, round]);

  useEffect(() => {
    if (!live) {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let seen = height.peek();
    const readAgain = async (): Promise<void> => {
      await reading.current;
      if (!isOver) {
        timer = undefined;
        seen = height.peek();
        setRound((before) => before + 1);
      }
    };
    const stop = height.subscribe((now) => {
      if (now === undefined || now === seen || timer !== undefined) {
        return;
      }
      seen = now;
      const rest = Math.max(0, lastRead.current + PAUSE_MS - performance.now());
      timer = setTimeout(() => void readAgain(), rest);
    });
    return () => {
      isOver = true;
      stop();
      clearTimeout(timer);
    };
  }, [key, live]);

  const again = (): void => setRound((before) => before + 1);
  const hasFailed = result.key === key && result.error !== undefined;
  useEffect(() => (hasFailed ? onReconnect(again) : undefined), [key, hasFailed]);

  return result.key === key
    ? { value: result.value, error: result.error, again }
    : { value: undefined, error: undefined, again };
}
