import {
  type Answered,
  type KeyHolder,
  type Params,
  signatureOf,
  type TestNode,
} from "../test-node.ts";

/** A signed exchange, with both halves. */
export type ExchangeRequest = Readonly<Record<string, string>>;

/** The sides' agreement, without addresses; given keys are used, otherwise fresh ones. */
export type ExchangeTerms = Params;

export interface ExchangeSigning {
  readonly from: KeyHolder;
  readonly to: KeyHolder;
  /** Signers, if not the sides. */
  readonly fromSigner?: KeyHolder;
  readonly toSigner?: KeyHolder;
  readonly isFull?: boolean;
}

type Side = "from" | "to";

const OWN = ["Addr", "Amount", "Token", "Feesendto", "Feeamount", "Feetoken"];
const OTHERS = ["Addr", "Amount", "Token"];

/** The short string of a side, as the specification has it. Source: protocols §2.3. */
export function shortText(side: Side, sent: Params): string {
  const other = side === "from" ? "to" : "from";
  const names = [
    ...OWN.map((name) => `${side}${name}`),
    ...OTHERS.map((name) => `${other}${name}`),
    `${side}Tkey`,
  ];
  return names.map((name) => sent[name] ?? "").join("|");
}

/** Signs both halves of an exchange, which has keys already. Source: protocols §2.3, §2.4. */
export function signedExchange(
  node: TestNode,
  sent: Params,
  { from, to, fromSigner = from, toSigner = to, isFull = false }: ExchangeSigning,
): ExchangeRequest {
  if (isFull) {
    const { signature: fromSign, ...all } = node.fullySigned("exchange", sent, fromSigner);
    const { signature: toSign } = node.fullySigned("exchange", sent, toSigner);
    return { ...all, fromSign, toSign };
  }
  return {
    ...sent,
    fromSign: signatureOf(shortText("from", sent), fromSigner),
    toSign: signatureOf(shortText("to", sent), toSigner),
  };
}

/** An exchange with fresh keys, unless the terms have some, which both sides have signed. */
export async function exchangeRequest(
  node: TestNode,
  terms: ExchangeTerms,
  signing: ExchangeSigning,
): Promise<ExchangeRequest> {
  const { from, to } = signing;
  const sent = {
    fromAddr: from.address,
    toAddr: to.address,
    ...terms,
    fromTkey: terms["fromTkey"] ?? (await node.key(from)),
    toTkey: terms["toTkey"] ?? (await node.key(to)),
  };
  return signedExchange(node, sent, signing);
}

export function sendExchange(node: TestNode, request: ExchangeRequest): Promise<Answered> {
  return node.post("/exchange", request);
}
