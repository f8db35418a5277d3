export interface Tag {
  readonly name: string;
  readonly description: string;
}

type Group = Tag & {
  readonly has: RegExp;
};

const GROUPS: readonly Group[] = [
  {
    name: "Accounts",
    description:
      "An address belongs to whoever has the private key of its public key. It holds balances of the native coin, whose token id is `0`, and of tokens.",
    has: /^(address|addressRead|addressByKey|nonce|getkey|transfer|multitransfer|exchange|faucet|balance|balanceOfToken)$/,
  },
  {
    name: "Keys, recovery and grants",
    description:
      "An address may have several keys, of which some sign together, and passkeys. Its keys can change, and recovery keys can replace lost ones after a delay. A grant lets the key of a program act for it within bounds.",
    has: /^(address(keys|recover\w*|esOfKey)|grant\w*)$/,
  },
  {
    name: "Tokens",
    description:
      "Whoever wants to may issue tokens: a draft first, then the token. Its amounts are integers in its smallest unit; `decimal` says where the point is.",
    has: /^(token(save|create|burn|increase|update|setbase|addtarget|removetarget)|tokens?|tokenHolders|tokenImage|totalsupply)$/,
  },
  {
    name: "Token market",
    description: "Tokens on sale, requested, or on auction, as a whole or in parts.",
    has: /^(mrc010\w+|tokenListings?|tokenTrades|tokenCandles)$/,
  },
  {
    name: "Order exchange",
    description:
      "Orders to buy and sell a token for another at a price (MRC040): they trade with each other, the best price first, and wait in a book. A price is that of one whole token of what is traded.",
    has: /^(mrc040\w+|orders?|orderBook|orderTrades?|pendingOrders)$/,
  },
  {
    name: "Sealed texts",
    description:
      "Commitments that are opened later (MRC020), such as sealed bids. Requests are public, so the key is never sent before its date: its hash is. From the date on anybody who has the key may open it, and everybody can check it.",
    has: /^(mrc020(open)?|seals?)$/,
  },
  {
    name: "Projects",
    description:
      "Items belong to projects (MRC400), whose owner and partners create and change them.",
    has: /^mrc400/,
  },
  {
    name: "Items",
    description:
      "Items that there is one of (MRC401): NFTs of a project, sold or put up for auction.",
    has: /^(mrc401|addressItems$)/,
  },
  {
    name: "Multi-unit items",
    description:
      "Items that there are many alike of (MRC402): prints, tickets, potions; of a project or standing alone.",
    has: /^mrc402/,
  },
  {
    name: "Batches",
    description:
      "Many operations in one request: each with its own result, or all together or not at all.",
    has: /^(batch|bundle|group|groupTransactions)$/,
  },
  {
    name: "Chain",
    description: "Blocks and transactions, as they were made and as they are shown.",
    has: /^(height|block|blockRaw|blocks|blocksRaw|transaction|protocol)$/,
  },
  {
    name: "History",
    description: "What happened, newest first, of an address, of an item or of all, and how much.",
    has: /^(transactions|addressTransactions|itemTransactions|totals)$/,
  },
  { name: "Search", description: "Finds things by name or id.", has: /^search$/ },
  {
    name: "Events",
    description: "What happens, as it happens.",
    has: /^events$/,
  },
  {
    name: "Proofs",
    description:
      "Signed checkpoints of the tree of all transactions, and proofs against them, in the formats of C2SP and RFC 6962.",
    has: /^(checkpoint\w*|transactionProof|tile|entryBundle)$/,
  },
  { name: "Service", description: "The node itself.", has: /^service$/ },
];

export const TAGS: readonly Tag[] = GROUPS.map(({ name, description }) => ({ name, description }));

export function tagOf(operation: string): string {
  const group = GROUPS.find(({ has }) => has.test(operation));
  if (group === undefined) {
    throw new Error(`${operation} is in no group of the documentation`);
  }
  return group.name;
}
