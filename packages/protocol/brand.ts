declare const brand: unique symbol;

/** A `T` that has been checked to be an `N`. Only the file that checks it has the `as`. */
export type Brand<T, N extends string> = T & { readonly [brand]: N };
