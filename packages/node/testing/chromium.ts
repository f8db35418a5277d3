import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url));

const execute = promisify(execFile);
const HAS_PACKAGED = process.platform === "linux" && process.arch === "x64";
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--font-render-hinting=none",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];
/** Pages are laid out but not painted: 15 % less CPU. The other settings are those of Playwright. */
const WITHOUT_PIXELS =
  "--blink-settings=acceleratedCompositingEnabled=false,primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4";

/**
 * A real Chromium that reaches only this machine: CHROME_PATH if set, the npm package's on Linux
 * x64, the installed Chrome elsewhere. The caller closes it. Open pages with `locale: "en-US"`:
 * `Intl` does not know the packaged one's default. For screenshots, `hasPixels`.
 */
export async function launchChromium({ hasPixels = false } = {}): Promise<Browser> {
  const own = process.env["CHROME_PATH"];
  const args = hasPixels ? ARGUMENTS : [...ARGUMENTS, WITHOUT_PIXELS];
  if (own !== undefined) {
    return await chromium.launch({ executablePath: own, args });
  }
  if (!HAS_PACKAGED) {
    return await chromium.launch({ channel: "chrome", args });
  }
  const folder = await unpacked();
  const fonts = fontsFile(folder);
  return await chromium.launch({
    executablePath: join(folder, "chromium"),
    args,
    // Its own libraries and fonts, none of the machine's.
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, "al2023/lib"),
      FONTCONFIG_FILE: fonts,
    },
  });
}

/** Why no Chromium can be launched here, as a test's `skip`; false if one can. */
export function withoutChromium(): string | false {
  return HAS_PACKAGED || process.env["CHROME_PATH"] !== undefined || isChromeInstalled()
    ? false
    : "not on this machine: Chrome (install it, or name one in CHROME_PATH)";
}

function isChromeInstalled(): boolean {
  return [
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    join(process.env["PROGRAMFILES"] ?? "", "Google/Chrome/Application/chrome.exe"),
    join(process.env["LOCALAPPDATA"] ?? "", "Google/Chrome/Application/chrome.exe"),
  ].some((path) => existsSync(path));
}

/**
 * Where the packaged Chromium is unpacked, once for all. It appears there complete, because tests
 * run in parallel.
 */
async function unpacked(): Promise<string> {
  const packaged = join(fileURLToPath(import.meta.resolve("@sparticuz/chromium")), "../..");
  const { version } = JSON.parse(readFileSync(join(packaged, "package.json"), "utf8"));
  const folder = join(CACHE, `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    const unfinished = mkdtempSync(join(CACHE, "chromium-"));
    try {
      await unpack(join(packaged, "bin"), unfinished);
      renameSync(unfinished, folder);
    } catch (thrown) {
      if (!existsSync(folder)) {
        throw thrown;
      }
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return folder;
}

/**
 * The file that lists the fonts' folders. Fonts may have been moved since they were unpacked:
 * without them Chromium ends at its first page.
 */
function fontsFile(folder: string): string {
  const file = join(folder, "fonts.conf");
  const fonts = `<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${join(folder, "fonts-cache")}</cachedir></fontconfig>`;
  const text = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">${fonts}`;
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    const own = `${file}.${process.pid}`;
    writeFileSync(own, text);
    renameSync(own, file);
  }
  return file;
}

/** The package always unpacks to the temporary folder, which only its own process may have here. */
async function unpack(bin: string, folder: string): Promise<void> {
  const archives = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
  const script = `
    import { inflate } from ${JSON.stringify(import.meta.resolve("@sparticuz/chromium"))};
    await Promise.all(process.argv.slice(1).map((archive) => inflate(archive)));`;
  const paths = archives.map((archive) => join(bin, archive));
  const args = ["--input-type=module", "--eval", script, ...paths];
  await execute(process.execPath, args, { env: { ...process.env, TMPDIR: folder } });
}
