declare const brand: unique symbol;

/** A `T` that has been checked or computed to be an `N`; the `as` that makes one stands only in the file that does so. */
export type Brand<T, N extends string> = T & { readonly [brand]: N };
