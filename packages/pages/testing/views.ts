/** The path of every view, by its name, for tests and screenshots that go through all of them. */
export function viewPaths(): Readonly<Record<string, string>> {
  return {
    home: "/explorer",
    transactions: "/explorer/transactions",
    blocks: "/explorer/blocks",
    block: "/explorer/block/0",
    search: "/explorer/search?q=nothing",
    wallet: "/wallet",
    status: "/status",
  };
}
