import type { Json } from "@moneta/protocol";

export type JsonObject = { readonly [name: string]: Json };
