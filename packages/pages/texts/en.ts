const plural = new Intl.PluralRules("en");

function counted(count: number, one: string, other: string): string {
  return `${count} ${plural.select(count) === "one" ? one : other}`;
}

/** All texts of the pages, in English. Other languages have the same members (`Texts`). */
export const en = {
  frame: {
    skip: "Skip to the content",
    pages: "Pages",
    page: { explorer: "Explorer", wallet: "Wallet", status: "Status" },
    loading: "Loading",
    tryAgain: "Try again",
    unreachable: "The node does not answer. It may be starting, or your connection may be down.",
    lost: "The connection to the node is lost. What you see may be out of date; the page reconnects by itself.",
    live: "live",
    notLive: "not connected",
    deployment: { test: "test", production: "production" },
    height: (height: string): string => `block ${height}`,
    reference: "API reference",
    theme: "Theme",
    themes: { system: "system", light: "light", dark: "dark" },
    language: "Language",
    copy: "Copy",
    copied: "Copied",
  },
  amounts: {
    ofUnknown: (amount: string, token: string): string => `${amount} units of token ${token}`,
    smallestUnits: (decimals: number): string =>
      `in the smallest unit (${counted(decimals, "decimal", "decimals")})`,
    token: (token: string): string => (token === "0" ? "native coin (token 0)" : `token ${token}`),
  },
  list: {
    newEntries: (count: number, isAll: boolean): string => `${count}${isAll ? "+" : ""} new`,
    end: "Nothing further: this is the end of the list.",
    pages: "Pages of this list",
    first: "« Newest",
    next: "Older »",
    saveCsv: (caption: string): string => `Save all of “${caption}” as CSV`,
    openJson: (caption: string): string => `Open “${caption}” as JSON`,
  },
  explorer: {
    nav: {
      home: "Home",
      blocks: "Blocks",
      transactions: "Transactions",
      tokens: "Tokens",
      projects: "Projects",
      items: "Items",
      market: "Market",
      protocol: "Protocol",
    },
    notFound: {
      title: "There is no such page",
      text: "The link may be incomplete.",
      home: "Go to the start of the explorer.",
    },
    search: {
      label: "Search the ledger",
      placeholder: "Address, transaction, block, token, item …",
      title: (text: string): string => `Search: ${text}`,
      nothing:
        "Nothing found. You can search for an address, a transaction, the number or id of a block, the id or symbol of a token, a project, an item, a listing.",
    },
    home: {
      title: "The ledger now",
      allBlocks: "All blocks",
    },
    blocks: {
      caption: "Newest blocks",
      empty: "There is no block yet.",
      number: "Block",
      time: "Time",
      count: "Transactions",
      id: "Id",
    },
    block: {
      title: (block: string): string => `Block ${block}`,
      number: "Number",
      id: "Id",
      time: "Time",
      count: "Transactions",
      previous: "Previous block",
    },
  },
  status: {
    title: "Status of this node",
    about:
      "Measured every five seconds while this page is open, and kept for an hour in this page alone.",
    ready: "ready",
    notReady: "not ready",
    closed:
      "This node does not show its figures here: whoever operates it keeps /metrics for the inside.",
    unreachable: "The node does not answer. The page goes on asking.",
    nothing: "none",
    alarming: "look here",
    watchedBy: "Watched by the alert",
    perSecond: (value: string): string => `${value} a second`,
    perMinute: (value: string): string => `${value} a minute`,
    errors: "Errors by path, since the node was started",
    ofAnswers: (count: string): string => `of ${count} responses`,
    noErrors: "No response was an error.",
    status: "Status",
    route: "Path",
    count: "Count",
    noRoute: "(no known path)",
    conditions: {
      cannotWrite:
        "Blocks could not be stored. The node's log says why; most often the disk is full.",
      diskFull: "Less than 5 % of the disk is free. The node stops writing when it is full.",
      heldByClock: "The clock has jumped by more than a day, and writes are refused.",
      clockJumped: "The clock has jumped by more than an hour.",
      rulesUnknown: "Rules are announced that this software does not know: upgrade it.",
    },
    figures: {
      writes: { name: "Writes", means: "Operations that were done." },
      refused: {
        name: "Refused writes",
        means: "Operations that the rules refused, after admission.",
      },
      median: { name: "Response time, median", means: "Half of all responses took less." },
      slowest: {
        name: "Response time, 99th percentile",
        means: "One response in a hundred took more.",
      },
      queue: {
        name: "Queue",
        means: "Share of the operations that may be pending. When it is full, writes get 503.",
      },
      blockFill: {
        name: "Operations in a block",
        means: "On average in the last minute. Blocks grow with the load.",
      },
      execute: { name: "Execution of a block, 99th percentile", means: "Rules and hashes." },
      sync: { name: "Sync of a block, 99th percentile", means: "Time until the disk has it." },
      ledgerThread: {
        name: "Ledger thread",
        means: "Share of the time in which it executes and stores. At 100 % it limits writes.",
      },
      signatures: { name: "Signatures", means: "Verified signatures." },
      mainThread: {
        name: "Main thread, 99th percentile",
        means: "How long requests wait before they are read.",
      },
      blockAge: { name: "Newest block", means: "Its age. Blocks are made when there are writes." },
      unsigned: {
        name: "Transactions since the last checkpoint",
        means: "A checkpoint is signed when somebody asks for it.",
      },
      diskFree: { name: "Free disk", means: "Room for the ledger." },
      diskDays: {
        name: "The disk lasts",
        means: "At the rate since this page was opened, ten minutes at least, an hour at most.",
      },
      ledgerSize: { name: "Ledger", means: "Size of its files." },
      logOfChanges: {
        name: "Log of changes",
        means:
          "Changes that are not yet in the main file. It grows while something reads for long.",
      },
      faults: {
        name: "Faults",
        means: "Responses with status 500 since the start. The log has each.",
      },
      unavailable: { name: "Unavailable", means: "Responses with status 503." },
      refusedRequests: {
        name: "Refused requests",
        means: "Responses with a status from 400 to 499.",
      },
      streams: { name: "Event streams", means: "Open connections of pages, shops and wallets." },
      dropped: { name: "Dropped streams", means: "Streams whose clients did not keep up." },
      webhooks: {
        name: "Webhooks behind",
        means: "Transactions that webhooks have not been told of.",
      },
      memory: { name: "Memory", means: "Of the whole process." },
      descriptors: {
        name: "File descriptors",
        means: "Share in use. Without them the node accepts no connections.",
      },
    },
  },
};
