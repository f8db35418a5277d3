import { AddonProblem, findAddon, loadAddon } from "@moneta/native-verifier";
import { SettingProblem, type Settings } from "../settings.ts";

/** In a form that threads can receive. */
export type ChosenVerifier =
  | { readonly name: "platform" }
  | {
      readonly name: "native";
      readonly addon: string;
      /** One in so many verdicts is compared with the platform's. */
      readonly sample: number;
    };

export const PLATFORM_VERIFIER: ChosenVerifier = { name: "platform" };

/** `problem`: why `auto` could not load an existing addon. Throws a `SettingProblem`. */
export function chooseVerifier({
  verifier: word,
  "verifier-sample": sample,
}: Pick<Settings, "verifier" | "verifier-sample">): {
  readonly verifier: ChosenVerifier;
  readonly problem?: string;
} {
  if (word === "platform") {
    return { verifier: PLATFORM_VERIFIER };
  }
  const addon = findAddon();
  const problem = addon === undefined ? undefined : loadingProblem(addon);
  if (addon !== undefined && problem === undefined) {
    return { verifier: { name: "native", addon, sample } };
  }
  if (word === "native") {
    const reason = problem ?? "the native verifier is not built: npm run build:native";
    throw new SettingProblem(`--verifier native: ${reason}`);
  }
  return { verifier: PLATFORM_VERIFIER, ...(problem === undefined ? {} : { problem }) };
}

/** By default the platform's. Throws `SettingProblem`. */
export function verifierOption(text: string | undefined): ChosenVerifier {
  const word = (["auto", "platform", "native"] as const).find((each) => each === text);
  if (text !== undefined && word === undefined) {
    throw new SettingProblem(`--verifier is "${text}" but must be auto or platform or native`);
  }
  return chooseVerifier({ verifier: word ?? "platform", "verifier-sample": SAMPLE }).verifier;
}

const SAMPLE = 1000;

function loadingProblem(addon: string): string | undefined {
  try {
    loadAddon(addon, 0);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AddonProblem) {
      return thrown.message;
    }
    throw thrown;
  }
}
