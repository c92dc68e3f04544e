import type data from "./data.json";
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { memoizeByString } from "../../cache/memoize.js";
import { matchesPattern } from "../../text/pattern.js";

// A type-only import, which also makes the compiler copy the file to the output.

/** What email clients support of HTML and CSS: caniemail's data, as stored by `scripts/client-support-data.mjs`. */
type SupportData = Omit<typeof data, "clients" | "features"> & {
  /** Names by id: `outlook.windows` → `Outlook (Windows)`. */
  readonly clients: Readonly<Record<string, string>>;
  readonly features: Readonly<Record<Feature, FeatureSupport>>;
};

/** The id of a caniemail feature: `css-display-flex`. */
export type Feature = keyof typeof data.features;

export interface FeatureSupport {
  readonly title: string;
  /** One word for each client, in the order of `clients`: `y`, `a1,2` (in part, see the notes), `n` or `u` (unknown). */
  readonly support: string;
  readonly notes?: Readonly<Record<string, string>>;
}

let loaded: SupportData | undefined;

/** What email clients support, loaded once. */
export function supportData(): SupportData {
  loaded ??= read();
  return loaded;
}

function read(): SupportData {
  const compressed = readFileSync(new URL("data.json.br", import.meta.url));
  return JSON.parse(brotliDecompressSync(compressed).toString());
}

export function allFeatures(): Feature[] {
  return Object.keys(supportData().features).filter(isFeature);
}

/** Whether caniemail has a feature with this id. */
export function isFeature(name: string | undefined): name is Feature {
  return name !== undefined && Object.hasOwn(supportData().features, name);
}

/** caniemail's page about a feature. */
export function pageOf(feature: Feature): string {
  return `https://www.caniemail.com/features/${feature}/`;
}

/**
 * The clients that are checked if a project names none: the most widely used ones. Each platform counts as one client
 * because support differs between platforms. Clients are not weighted by market share: published shares count the opens that
 * Apple's and Gmail's proxies cause as reads.
 */
export const DEFAULT_CLIENTS: readonly string[] = [
  "apple-mail.ios",
  "apple-mail.macos",
  "gmail.desktop-webmail",
  "gmail.ios",
  "gmail.android",
  "outlook.windows",
  "outlook.outlook-com",
  "outlook.macos",
  "outlook.ios",
  "outlook.android",
  "yahoo.desktop-webmail",
  "yahoo.ios",
  "yahoo.android",
  "samsung-email.android",
];

/** The ids of the clients that match the patterns, in the order of the data; the default clients if there are no patterns. */
export function clientsOf(patterns: readonly string[]): readonly string[] {
  return clientsOfLines((patterns.length === 0 ? DEFAULT_CLIENTS : patterns).join("\n"));
}

const clientsOfLines = memoizeByString(10, (lines): readonly string[] => {
  // `gmail` matches each of its platforms.
  const patterns = lines.split("\n").flatMap((line) => [line.trim(), `${line.trim()}.*`]);
  return Object.keys(supportData().clients).filter((client) =>
    patterns.some((pattern) => matchesPattern(pattern.toLowerCase(), client)),
  );
});

/** Patterns that match no client. */
export function unknownPatterns(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => clientsOf([pattern]).length === 0);
}

/** The display names of clients. A family whose platforms are all included is named once. */
export function nameClients(some: readonly string[], all: readonly string[]): string {
  const names: string[] = [];
  for (const family of new Set(some.map(familyOf))) {
    const [included, members] = [some, all].map((list) => list.filter((client) => familyOf(client) === family));
    const isWhole = included?.length === members?.length && (included?.length ?? 0) > 1;
    names.push(...(included ?? []).slice(0, isWhole ? 1 : undefined).map((client) => nameOf(client, isWhole)));
  }
  return names.join(", ");
}

function nameOf(client: string, asFamily: boolean): string {
  const name = supportData().clients[client] ?? client;
  return asFamily ? name.replace(/ \(.*\)$|\.com$/, "") : name;
}

function familyOf(client: string): string {
  return client.split(".", 1)[0] ?? client;
}

/**
 * What recipients lose if a feature is not supported:
 * - `content`: layout or content breaks, or the styles that depend on it; one client without support is enough to report it,
 * - `style`: it looks different; this matters if many clients lack support,
 * - `extra`: an enhancement that nobody misses; reported only if most clients lack support,
 * - `expected`: every good email uses it for the clients that support it, and there is no alternative for the others.
 */
export type Loss = "content" | "style" | "extra" | "expected";

export function lossOf(feature: string): Loss {
  return BY_FEATURE.get(feature) ?? "style";
}

/** The alternative to a feature, if there is a well-known one. */
export function alternativeTo(feature: Feature): string | undefined {
  return INSTEAD.find(([pattern]) => pattern.test(feature))?.[1];
}

/** Features by the loss without support; for all others it is `style`. */
export const FEATURES: Readonly<Record<Exclude<Loss, "style">, string>> = {
  content: `
    css-column-count css-column-layout-properties css-comments css-display-flex css-display-grid css-display-none
    css-float css-grid-template css-left-right-top-bottom css-nesting css-position css-rgb css-variables html-audio
    html-base html-button-reset html-button-submit html-dialog html-form html-hidden html-image-maps
    html-input-checkbox html-input-radio html-input-reset html-input-submit html-input-text html-link html-marquee
    html-meter html-object html-popover html-progress html-select html-svg html-textarea html-video css-at-import
    image-apng image-avif image-base64 image-bmp image-hdr image-heif image-ico image-mp4 image-svg image-tiff
    image-webp
  `,
  extra: `
    css-accent-color css-animation css-at-font-face css-at-keyframes css-at-media-device-pixel-ratio
    css-at-media-hover css-at-media-orientation css-at-media-prefers-reduced-motion css-at-supports
    css-backdrop-filter css-border-radius css-border-radius-logical css-box-shadow css-box-sizing css-empty-cells
    css-font-kerning css-font-size-adjust css-height css-font-stretch css-font-weight css-hyphenate-character
    css-hyphenate-limit-chars css-hyphens css-inert-attribute css-opacity css-orphans css-outline css-outline-offset
    css-pseudo-class-active css-pseudo-class-default css-pseudo-class-focus css-pseudo-class-focus-visible
    css-pseudo-class-focus-within css-pseudo-class-hover css-pseudo-class-link css-pseudo-class-target
    css-pseudo-class-visited css-resize css-scroll-snap css-sytem-ui css-tab-size css-text-decoration-color
    css-text-decoration-skip-ink css-text-decoration-style css-text-decoration-thickness css-text-overflow
    css-text-shadow css-text-underline-offset css-text-underline-position css-text-wrap css-transition css-user-select
    css-widows html-abbr html-acronym html-bdi html-loading-attribute html-picture html-required html-rp html-rt
    html-ruby html-semantics html-srcset html-wbr
  `,
  expected: `
    css-at-media css-at-media-prefers-color-scheme css-color-scheme css-cursor css-important css-overflow-wrap
    css-word-break css-word-wrap html-aria-describedby html-aria-hidden html-aria-label html-aria-labelledby
    html-aria-live html-body html-doctype html-lang html-meta-color-scheme html-role html-target
  `,
};

const LOSSES = ["content", "extra", "expected"] as const;
const BY_FEATURE: ReadonlyMap<string, Loss> = new Map(
  LOSSES.flatMap((loss) => Array.from(FEATURES[loss].matchAll(/\S+/g), ([name]) => [name, loss] as const)),
);

const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^css-at-import$|^html-link$/, "Move the styles into the template."],
  [
    /^css-comments$/,
    "Move the comment in front of the rule: some clients drop a rule or a whole style attribute that contains a comment.",
  ],
  [/^css-(?:display-flex|display-grid|grid-template)$/, "Use tables for layout: they work everywhere."],
  [/^css-float$/, "Use table cells, or the `align` attribute."],
  [/^css-(?:position|left-right-top-bottom)$/, "Position it with tables and padding."],
  [/^css-rgb$/, "Write `rgb(0, 128, 0)` with commas, or `#008000`."],
  [/^css-rgba$/, "Use an opaque colour: `#008000`."],
  [/^css-variables$/, "Write the value directly."],
  [/^css-unit-rem$/, "Use pixels; with React Email's Tailwind, use its `pixelBasedPreset`."],
  [/^css-unit-calc$/, "Use a fixed length or a percentage."],
  [/^html-(?:audio|form)$/, "Link to a web page that has it."],
  [/^html-video$/, "Use an image that links to a page with the video."],
  [/^html-svg$|^image-(?!gif|jpg|mp4|png)/, "Use a PNG or JPEG with an https URL."],
];
