import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Digest, SignatureChecker, type SignatureCurve } from "@moneta/ledger/signature-check";
import { loadAddon, type NativeVerifier } from "@moneta/native-verifier";
import { parseSignature } from "@moneta/protocol";
import type { KeyedAttempt } from "../../signatures/attempt-verifier.ts";
import { ConfirmedKeys } from "../../signatures/confirmed-keys.ts";
import { SampledNativeVerifier } from "../../signatures/sampled-native-verifier.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { type EdgeClaim, EdgeClaims } from "./edge-claims.ts";

/** The number of claims verified by both, and their verdicts. */
export interface Comparison {
  claims: number;
  fitting: number;
}

const TOGETHER = 64;

/**
 * Has both verifiers verify claims. Throws `VerdictDifference` if they differ, or if both are wrong
 * about a claim with a known verdict.
 */
export class VerifierComparison {
  readonly result: Comparison = { claims: 0, fitting: 0 };
  readonly #verifier: SampledNativeVerifier;
  readonly #checker = new SignatureChecker();

  constructor(native: NativeVerifier) {
    this.#verifier = new SampledNativeVerifier(native, 1, new ConfirmedKeys());
  }

  static open(addon: string): VerifierComparison {
    // Room for a few hundred keys: the bounded memory of keys is in use, too.
    return new VerifierComparison(loadAddon(addon, 256 << 10));
  }

  /**
   * Claims whose signature is malformed in our encoding are left out, because no verifier gets
   * them.
   */
  compare(claims: readonly Omit<EdgeClaim, "curve">[]): void {
    for (let start = 0; start < claims.length; start += TOGETHER) {
      const attempts: KeyedAttempt[] = [];
      const expected: Omit<EdgeClaim, "curve">[] = [];
      for (const claim of claims.slice(start, start + TOGETHER)) {
        const signature = parseSignature(claim.signature);
        if (signature === undefined) {
          if (claim.fits === true) {
            throw new Error(`a signature that fits is refused: ${JSON.stringify(claim)}`);
          }
          continue;
        }
        const { digest, message: data } = claim;
        const key = this.#checker.keyOf(claim.publicKey);
        if (key === undefined) {
          throw new Error(`no key: ${JSON.stringify(claim)}`);
        }
        attempts.push({ key, attempt: { digest, data, signature } });
        expected.push(claim);
      }
      const fits = this.#verifier.fit(attempts);
      for (const [index, claim] of expected.entries()) {
        if (claim.fits !== undefined && claim.fits !== fits[index]) {
          throw new Error(`both verifiers are wrong about ${JSON.stringify(claim)}`);
        }
      }
      this.result.claims += attempts.length;
      this.result.fitting += fits.filter((isFit) => isFit).length;
    }
  }

  /** At least `count` claims on the edges, most of them on the curve that is verified fastest. */
  compareEdges(count: number, random: SeededRandom): void {
    const edges = new EdgeClaims(random);
    const until = this.result.claims + count;
    while (this.result.claims < until) {
      const claims = Array.from({ length: 10 }, () => edges.next(random.pick(WEIGHTED)));
      this.compare(claims.flat());
    }
  }

  /** The vectors for our curves and digests in a folder of Wycheproof. */
  compareWycheproof(folder: string): void {
    for (const name of readdirSync(folder)) {
      const digest = FILE.exec(name)?.[1];
      if (digest === undefined) {
        continue;
      }
      const { testGroups } = JSON.parse(readFileSync(join(folder, name), "utf8")) as {
        readonly testGroups: readonly {
          readonly publicKeyDer: string;
          readonly tests: readonly {
            readonly msg: string;
            readonly sig: string;
            readonly result: "valid" | "invalid" | "acceptable";
          }[];
        }[];
      };
      for (const { publicKeyDer, tests } of testGroups) {
        const publicKey = Buffer.from(publicKeyDer, "hex").toString("base64");
        this.compare(
          tests.map(({ msg, sig, result }) => ({
            publicKey,
            digest: digest as Digest,
            message: Buffer.from(msg, "hex"),
            signature: Buffer.from(sig, "hex").toString("base64"),
            fits: result === "acceptable" ? undefined : result === "valid",
          })),
        );
      }
    }
  }
}

const FILE = /^ecdsa_secp(?:256|384|521)r1_(sha256|sha384|sha512)_.*\.json$/;

const WEIGHTED: readonly SignatureCurve[] = [
  ...Array<SignatureCurve>(16).fill("P-256"),
  ...Array<SignatureCurve>(3).fill("P-384"),
  "P-521",
];
