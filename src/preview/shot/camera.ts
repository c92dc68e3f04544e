import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { launchChromium } from "./launch.js";

export interface CameraOptions {
  /** The project's. */
  readonly folder: string;
  /** How many pictures are taken at once. */
  readonly pages: number;
  readonly remoteImages: boolean;
  /** The file of one of the project's images, by its address. */
  readonly asset: (address: URL) => Promise<string | undefined>;
}

export interface Sitter {
  readonly html: string;
  /** CSS pixels. */
  readonly width: number;
  readonly scheme: "light" | "dark";
}

export interface Camera {
  /** A PNG of all of the email, from top to bottom. */
  take(sitter: Sitter): Promise<Buffer>;
  close(): Promise<void>;
}

/** Where emails are shown: their images' relative addresses begin here. */
export const SET = "http://email.invalid/";

/** In the page; its fonts are there then. */
const MEASURE =
  "document.fonts.ready.then(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight])";

/** What Chromium draws at most; below it, it repeats. */
const TALLEST = 16_000;

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data: http: https:; font-src data:";

/** What would make the same email look different elsewhere, or reach out. */
const switches = ["--disable-gpu", "--disable-lcd-text", "--font-render-hinting=none", "--force-color-profile=srgb"];

/** Opens a browser that shows emails without scripts and without the network. */
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

async function setUp(browser: Browser, { pages, remoteImages, asset }: CameraOptions): Promise<Camera> {
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
  const free = await openPages(context, pages);
  const waiting: ((page: Page) => void)[] = [];

  return {
    async take({ html, width, scheme }) {
      const page = free.pop() ?? (await new Promise<Page>((resolve) => waiting.push(resolve)));
      try {
        shown.set(page, html);
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme: scheme });
        await page.goto(SET, { waitUntil: "load" });
        const [wide, tall] = await page.evaluate<[number, number]>(MEASURE);
        const clip = { x: 0, y: 0, width: Math.max(width, wide), height: Math.min(Math.max(tall, 1), TALLEST) };
        return await page.screenshot({ fullPage: true, clip, animations: "disabled", caret: "hide" });
      } finally {
        const next = waiting.shift();
        if (next) next(page);
        else free.push(page);
      }
    },
    close: async () => browser.close(),
  };
}

async function openPages(context: BrowserContext, count: number): Promise<Page[]> {
  return Promise.all(Array.from({ length: count }, async () => context.newPage()));
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
  // "aborted" leaves the page where it is, also when a `<meta>` wanted to lead it elsewhere.
  return route.abort("aborted");
}
