import { type Amount, decimalText } from "@moneta/protocol";
import { WrongUse } from "../command-line/wrong-use.ts";
import { amountText, fractionOf, nameOf, type TokenUnits } from "./amounts.ts";

// Users give the price of one whole token; the wire has that of `min_trade_unit` smallest units.

/** Finest first. Source: tokens §8. */
const TRADE_UNITS = Array.from({ length: 9 }, (_, zeros) => 10n ** BigInt(zeros));
const TRADE_UNIT_MAX = TRADE_UNITS.at(-1) as bigint;

export interface Pair {
  readonly goods: TokenUnits;
  readonly money: TokenUnits;
}

export interface WireOffer {
  readonly price: string;
  readonly min_trade_unit: string;
}

/**
 * Converts a price per whole token to the wire, with the finest exact trade unit by default. Throws
 * a `WrongUse` that names exact prices. Source: tokens §8, §9.
 */
export function wireOffer(
  {
    price,
    amount,
    unit,
  }: { readonly price: string; readonly amount: bigint; readonly unit?: bigint },
  { goods, money }: Pair,
): WireOffer {
  const [numerator, fractionDigits] = fractionOf(price);
  const divisor = 10n ** BigInt(fractionDigits + goods.decimal);
  const wire = (candidate: bigint): bigint | undefined => {
    const dividend = numerator * 10n ** BigInt(money.decimal) * candidate;
    return dividend % divisor === 0n ? dividend / divisor : undefined;
  };
  const candidates = unit === undefined ? TRADE_UNITS : [unit];
  const found = candidates.find((candidate) => wire(candidate) !== undefined);
  if (found === undefined) {
    throw new WrongUse(inexactPrice(price, candidates.at(-1) as bigint, { goods, money }));
  }
  if (amount % found !== 0n) {
    throw new WrongUse(oddAmount(price, amount, found, { goods, money }));
  }
  return { price: String(wire(found)), min_trade_unit: String(found) };
}

/** The exact price of one whole token, even below the smallest unit. */
export function priceEach({ price, min_trade_unit }: WireOffer, { goods, money }: Pair): string {
  const each = BigInt(price) * 10n ** BigInt(goods.decimal);
  const decimals = money.decimal + (min_trade_unit.length - 1);
  return amountText(String(each), { ...money, decimal: decimals });
}

export function payment({ price, min_trade_unit }: WireOffer, amount: bigint): bigint {
  return (BigInt(price) * amount) / BigInt(min_trade_unit);
}

export function tradeUnitsText({ decimal }: TokenUnits): string {
  const [finest = 1n] = TRADE_UNITS;
  const [first, last] = [finest, TRADE_UNIT_MAX].map((unit) =>
    decimalText(unit as Amount, decimal),
  );
  return `${first}, or ten, a hundred, ... times that, up to ${last}`;
}

function inexactPrice(price: string, unit: bigint, { goods, money }: Pair): string {
  // The price of a whole token is a multiple of 10^exponent of the money.
  const exponent = goods.decimal - money.decimal - (String(unit).length - 1);
  const [numerator, digits] = fractionOf(price);
  const below =
    exponent >= 0
      ? numerator / 10n ** BigInt(digits + exponent)
      : (numerator * 10n ** BigInt(-exponent)) / 10n ** BigInt(digits);
  const shown = (steps: bigint): string => inMoney(steps, exponent, money);
  const near = below === 0n ? shown(1n) : `${shown(below)} or ${shown(below + 1n)}`;
  const limit =
    unit === TRADE_UNIT_MAX
      ? "the finest that the market has"
      : `the finest with --min-trade-unit ${decimalText(unit as Amount, goods.decimal)}`;
  return `the price of one ${nameOf(goods)} is ${price}, but must be a multiple of ${shown(1n)}, ${limit}: ${near}`;
}

function oddAmount(price: string, amount: bigint, unit: bigint, pair: Pair): string {
  const { goods, money } = pair;
  const shown = (units: bigint): string => amountText(String(units), goods);
  const below = amount - (amount % unit);
  const near = below === 0n ? shown(unit) : `${shown(below)} or ${shown(below + unit)}`;
  return `${shown(amount)} cannot be traded at ${price} ${nameOf(money)} each: at this price amounts are multiples of ${shown(unit)}, such as ${near}`;
}

/** `count` times 10^exponent of a token. */
function inMoney(count: bigint, exponent: number, money: TokenUnits): string {
  return exponent >= 0
    ? amountText(String(count * 10n ** BigInt(exponent)), { ...money, decimal: 0 })
    : amountText(String(count), { ...money, decimal: -exponent });
}
