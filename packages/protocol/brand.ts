declare const brand: unique symbol;

/** Only the file that checks it has the `as`. */
export type Brand<T, N extends string> = T & { readonly [brand]: N };
