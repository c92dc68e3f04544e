import type * as Playwright from "playwright-core";
import type { Browser, Page, Route } from "playwright-core";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { chromiumPath } from "../../project/own-environment.js";
import { ConfigurationError } from "../../errors.js";
import { resolvePeer } from "../../render/peer.js";

export interface CameraOptions {
  /** The project's folder. */
  readonly folder: string;
  readonly remoteImages: boolean;
  /** Finds the file of one of the project's images by its URL. */
  readonly asset: (address: URL) => Promise<string | undefined>;
}

export interface Sitter {
  readonly html: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly scheme: "light" | "dark";
}

export interface Camera {
  /** A PNG of the whole email, from top to bottom. */
  take(sitter: Sitter): Promise<Buffer>;
  close(): Promise<void>;
}

/** The URL at which emails are shown. Relative image URLs start here. */
export const SET = "http://email.invalid/";

/** Runs in the page. Fonts have loaded when it resolves. */
const MEASURE =
  "document.fonts.ready.then(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight])";

/** The maximum height that Chromium renders. Below it, the image repeats. */
const TALLEST = 16_000;

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data: http: https:; font-src data:";

/** Settings that make screenshots the same on every machine. */
const switches = ["--disable-gpu", "--disable-lcd-text", "--font-render-hinting=none", "--force-color-profile=srgb"];

/** Starts a browser that shows emails without scripts and without network access. */
export async function openCamera(options: CameraOptions): Promise<Camera> {
  const offline = options.remoteImages ? [] : ["--host-resolver-rules=MAP * ~NOTFOUND"];
  const browser = await launchChromium(options.folder, [...switches, ...offline]);
  try {
    return await setUp(browser, options);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function setUp(browser: Browser, { remoteImages, asset }: CameraOptions): Promise<Camera> {
  const shown = new WeakMap<Page, string>();
  const context = await browser.newContext({
    javaScriptEnabled: false,
    deviceScaleFactor: 1,
    reducedMotion: "reduce",
    serviceWorkers: "block",
    locale: "en-US",
    timezoneId: "UTC",
  });
  await context.route("**/*", async (route) => answer(route, shown, remoteImages, asset));
  /** Open pages that take no screenshot at the moment. */
  const free: Page[] = [];

  return {
    async take({ html, width, scheme }) {
      const page = free.pop() ?? (await context.newPage());
      try {
        shown.set(page, html);
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme: scheme });
        await page.goto(SET, { waitUntil: "load" });
        const [wide, tall] = await page.evaluate<[number, number]>(MEASURE);
        const clip = { x: 0, y: 0, width: Math.max(width, wide), height: Math.min(Math.max(tall, 1), TALLEST) };
        return await page.screenshot({ fullPage: true, clip, animations: "disabled", caret: "hide" });
      } finally {
        free.push(page);
      }
    },
    close: async () => browser.close(),
  };
}

async function answer(
  route: Route,
  shown: WeakMap<Page, string>,
  remoteImages: boolean,
  asset: CameraOptions["asset"],
): Promise<void> {
  const request = route.request();
  const isImage = request.resourceType() === "image";
  if (request.isNavigationRequest() && request.url() === SET)
    return route.fulfill({
      body: shown.get(request.frame().page()) ?? "",
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": policy },
    });
  const file = isImage ? await asset(new URL(request.url())) : undefined;
  if (file !== undefined) return route.fulfill({ path: file });
  if (isImage && remoteImages) return route.continue();
  // "aborted" keeps the page in place, even if a `<meta>` element tries to navigate.
  return route.abort("aborted");
}

/** Paths in common distributions. Chrome and Edge are found by their channels. */
const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Starts an installed Chromium: the one in `CHROMIUM_PATH`, Playwright's own, or the system's.
 *
 * @param folder The project's folder, in which `playwright-core` is looked up first.
 * @throws {MissingPeerError} `playwright-core` is not installed.
 * @throws {ConfigurationError} No browser is installed, or none starts.
 */
async function launchChromium(folder: string, args: readonly string[]): Promise<Playwright.Browser> {
  const { chromium } = loadPlaywright(folder);
  const named = chromiumPath();
  const choices: Playwright.LaunchOptions[] =
    named === undefined
      ? [
          ...[chromium.executablePath(), ...places]
            .filter((file) => existsSync(file))
            .map((executablePath) => ({ executablePath })),
          { channel: "chrome" },
          { channel: "msedge" },
        ]
      : [{ executablePath: named }];
  let failure: unknown;
  for (const choice of choices) {
    try {
      return await chromium.launch({ ...choice, args: [...args] });
    } catch (error) {
      failure ??= error;
    }
  }
  throw browserError(named, failure);
}

function loadPlaywright(folder: string): typeof Playwright {
  const file = resolvePeer("playwright-core", folder, "`templates preview shot`");
  const playwright: typeof Playwright = createRequire(import.meta.url)(file);
  return playwright;
}

function browserError(named: string | undefined, cause: unknown): ConfigurationError {
  if (named !== undefined)
    return new ConfigurationError(`Can't start the browser in CHROMIUM_PATH: ${named}`, { cause });
  return new ConfigurationError("Can't start Chromium, Chrome or Edge.", {
    cause,
    hint: "Install Chrome, or run: npx playwright-core install chromium. To use another browser, set CHROMIUM_PATH to its path.",
  });
}
