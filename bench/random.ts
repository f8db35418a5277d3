/** A whole number of at least 0 and less than `bound`. */
export function below(bound: number): number {
  return Math.floor(Math.random() * bound);
}

export function pick<T>(list: readonly T[]): T {
  return list[below(list.length)] as T;
}
