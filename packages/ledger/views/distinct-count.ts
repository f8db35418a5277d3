/** 2^11 registers of a byte: a standard error of 2.3 %. */
const INDEX_BITS = 11;
const REGISTERS = 1 << INDEX_BITS;

/**
 * Counts distinct numbers below 2^32 in 2 KB. A register has the longest run of leading zeros, plus
 * one, of its hashes; joined counts have those of all numbers. Source: Flajolet et al., HyperLogLog
 * (2007), with linear counting of few.
 */
export class DistinctCount {
  readonly registers: Uint8Array;

  constructor(registers: Uint8Array = new Uint8Array(REGISTERS)) {
    this.registers = registers;
  }

  add(number: number): boolean {
    const hash = mixed(number);
    const index = hash >>> (32 - INDEX_BITS);
    return this.#raise(index, Math.clz32((hash << INDEX_BITS) | (1 << (INDEX_BITS - 1))) + 1);
  }

  join({ registers }: DistinctCount): void {
    for (const [index, run] of registers.entries()) {
      this.#raise(index, run);
    }
  }

  #raise(index: number, run: number): boolean {
    const isLonger = run > (this.registers[index] as number);
    if (isLonger) {
      this.registers[index] = run;
    }
    return isLonger;
  }

  get count(): number {
    const inverse = this.registers.reduce((sum, run) => sum + 2 ** -run, 0);
    const estimate = ((0.7213 / (1 + 1.079 / REGISTERS)) * REGISTERS ** 2) / inverse;
    const empty = this.registers.filter((run) => run === 0).length;
    const isFew = estimate <= 2.5 * REGISTERS && empty > 0;
    return Math.round(isFew ? REGISTERS * Math.log(REGISTERS / empty) : estimate);
  }
}

function mixed(number: number): number {
  let hash = number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
