import { Moneta } from "@moneta/sdk";

const [, prefix = ""] = /^(.*?)\/(?:explorer|wallet|status)(?:\/|$)/.exec(location.pathname) ?? [];

/** The path under which the node is found: empty, or that of a proxy in front of it. */
export const PREFIX: string = prefix;

/** The URL of the node that served this page. */
export const NODE_URL: string = `${location.origin}${PREFIX}`;

/** The client of that node. */
export const moneta: Moneta = new Moneta(NODE_URL, { retries: 2 });
