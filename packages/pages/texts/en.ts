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
  wallet: {
    nav: {
      home: "Overview",
      send: "Send",
      receive: "Receive",
      history: "History",
      accounts: "Accounts",
    },
    production: "Production: what you sign here is final and worth what it says.",
    insecure: {
      title: "The wallet needs HTTPS",
      text: "This page came over plain HTTP, so browsers give it no keys: somebody on the way could have changed it. Open it over https, or on the machine itself as localhost.",
      explorer: "The explorer works as it is.",
    },
    noAccount: {
      title: "Welcome",
      text: "An account is a key that this browser makes and keeps, and an address for it in the ledger. Nobody else has the key: no server, no company.",
      name: "My account",
      create: "Create an account",
      creating: "Creating …",
      restore: "Restore a back-up",
      import: "Import a key (PEM)",
      elsewhere: (count: number): string =>
        `This browser has ${counted(count, "account", "accounts")} of another ledger. Open the wallet of a node of that ledger to use them.`,
    },
    opening: "The key is made and kept. Waiting for the ledger to answer with its address.",
    account: "Account",
    form: {
      missing: "Fill this in.",
      optional: "(optional)",
      tooLong: (length: string, max: string): string =>
        `This has ${length} characters, and at most ${max} are kept.`,
      noAddress:
        "This is no address: it begins with MT and has 40 characters. One of them may be mistyped.",
      unknownToken: "There is no such token.",
      noToken: "The id of a token is a number, such as 0 for the native coin.",
      noAmount: "Write digits, with a point before the decimals, such as 1.5",
      zero: "This must be more than 0.",
      tooMuch: (max: string, symbol: string): string => `Only ${max} ${symbol} can be spent.`,
      tooFine: (symbol: string, decimals: string): string =>
        `${symbol} has at most ${decimals} digits after the point.`,
      available: "Available:",
      useAll: "Use all",
      nativeCoin: "(native coin)",
      noTime: "Choose a date and a time.",
      past: "This must be later than now.",
      zone: (zone: string): string => `In your time zone, ${zone}.`,
      review: "Review",
      reviewTitle: "Before you sign",
      account: "Account",
      covers: (ledger: string): string =>
        `Your signature covers all of this and the ledger ${ledger} alone: nobody can change a part of it, use it twice or on another ledger.`,
      exactly: "Exactly what is signed",
      sign: "Sign and send",
      signing: "Signing …",
      back: "Back",
      another: "Do another",
    },
    writes: {
      title: "Just now",
      sending: "sent",
      sendingText: "Waiting for the ledger …",
      unanswered: (attempts: number): string =>
        `No answer yet, after ${counted(attempts, "attempt", "attempts")}. The same signed request is sent again until its outcome is known: it is done once, or not at all. You may close this page.`,
      inBlock: (height: string): string => `in block ${height}`,
      transaction: "Transaction",
      refused: "refused",
      expired: "not done",
      expiredText:
        "It did not reach the ledger in time, and its temporary key has expired. Nothing has happened, and it cannot be done any more.",
      verified: "checked by proof",
      wrong: "the proof is wrong: do not trust this node",
      unchecked: "checking the proof",
      dismiss: (title: string): string => `Take “${title}” out of this list`,
    },
    send: {
      title: "Send",
      to: "To",
      token: "Token",
      amount: "Amount",
      memo: "Memo",
      memoHint: "Anybody can read it, for ever.",
      more: "Lock date and tag",
      unlockdate: "Locked until",
      tags: "Tag",
      tagsHint: "A short text by which the receiver sorts payments.",
      fee: "Fee",
      noFee: "none",
      done: (amount: string, to: string): string => `Send ${amount} to ${to}`,
    },
  },
};
