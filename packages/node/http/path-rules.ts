/** Lets every documented maximum through the query string. Source: conventions §1.3. */
export const HEAD_BYTES_MAX = 512 * 1024;

export const PATH_RULES = { ignoreTrailingSlash: true, maxParamLength: HEAD_BYTES_MAX } as const;
