import { parseAddress } from "@moneta/protocol/client";

/** A request for a payment, as in a `moneta:` URI. Source: explorer §3. */
export interface PaymentRequest {
  readonly address: string;
  /** The id of the token; the native coin if absent. */
  readonly token?: string | undefined;
  /** Smallest unit of the token, 1 to 10^40; the payer decides if absent. */
  readonly amount?: bigint | undefined;
  /** 1 to 2,048 characters. */
  readonly memo?: string | undefined;
  /** The id of block 0 of the ledger. */
  readonly ledger?: string | undefined;
}

const AMOUNT_MAX = 10n ** 40n;
const MEMO_LENGTH_MAX = 2048;
/** The longest memo with each of its bytes as %XX, and the other parts. */
const LENGTH_MAX = 12 * MEMO_LENGTH_MAX + 500;

const PARAMETERS = {
  token: {
    wanted: "the id of a token: decimal digits without leading zero",
    isRight: (text: string) => /^(0|[1-9][0-9]{0,39})$/.test(text),
  },
  amount: {
    wanted: "an integer in the smallest unit, 1 to 10^40, without leading zero",
    isRight: (text: string) => /^[1-9][0-9]{0,40}$/.test(text) && BigInt(text) <= AMOUNT_MAX,
  },
  memo: {
    wanted: `a text of 1 to ${MEMO_LENGTH_MAX} characters`,
    isRight: (text: string) =>
      text !== "" && text.isWellFormed() && [...text].length <= MEMO_LENGTH_MAX,
  },
  ledger: {
    wanted: "the id of block 0, 64 lower-case hex digits",
    isRight: (text: string) => /^[0-9a-f]{64}$/.test(text),
  },
} as const;

type Name = keyof typeof PARAMETERS;

/**
 * The URI of a payment request, for example for a QR code: `moneta:MT...?token=0&amount=150000000`.
 * Throws TypeError for invalid values. Source: explorer §3.
 */
export function paymentUri(request: PaymentRequest): string {
  const query = Object.entries(PARAMETERS).flatMap(([name]) => {
    const value = request[name as Name];
    return value === undefined
      ? []
      : [`${name}=${encodeURIComponent(checked(name as Name, String(value)))}`];
  });
  const path = `moneta:${checkedAddress(request.address)}`;
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/**
 * Reads the URI of a payment request. Throws TypeError with the fault for anything else, including
 * an unknown, empty or repeated parameter. Source: explorer §3.
 */
export function parsePaymentUri(text: string): PaymentRequest {
  if (text.length > LENGTH_MAX) {
    throw new TypeError(`A payment URI has at most ${LENGTH_MAX} characters.`);
  }
  const [, address = "", query] = /^moneta:([^?]*)(?:\?(.*))?$/is.exec(text) ?? [];
  const texts = new Map<Name, string>();
  for (const part of query?.split("&") ?? []) {
    const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    if (!isName(name)) {
      const known = Object.keys(PARAMETERS).join(", ");
      throw new TypeError(`A payment URI has no parameter ${JSON.stringify(name)}, only ${known}.`);
    }
    if (texts.has(name)) {
      throw new TypeError(`The payment URI has ${name} twice.`);
    }
    texts.set(name, checked(name, decoded(name, value)));
  }
  const { amount, ...others } = Object.fromEntries(texts) as Partial<Record<Name, string>>;
  return {
    address: checkedAddress(address),
    ...others,
    ...(amount === undefined ? {} : { amount: BigInt(amount) }),
  };
}

function isName(name: string): name is Name {
  return Object.hasOwn(PARAMETERS, name);
}

function checked(name: Name, text: string): string {
  if (!PARAMETERS[name].isRight(text)) {
    throw new TypeError(`${name} of a payment URI must be ${PARAMETERS[name].wanted}.`);
  }
  return text;
}

function checkedAddress(address: string): string {
  if (parseAddress(address) === undefined) {
    throw new TypeError("A payment URI begins with moneta: and an address, such as moneta:MT...");
  }
  return address;
}

function decoded(name: Name, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new TypeError(`${name} of the payment URI has a % that begins no UTF-8 text.`);
  }
}
