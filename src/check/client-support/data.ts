import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
// The type alone; that it is named here is also what makes the compiler put the file beside the built one.
import type data from "./data.json";

/** How mail clients support html and CSS: caniemail's data, as `scripts/client-support-data.mjs` keeps it. */
export type SupportData = Omit<typeof data, "clients" | "features"> & {
  /** Names by ids: `outlook.windows` → `Outlook (Windows)`. */
  readonly clients: Readonly<Record<string, string>>;
  readonly features: Readonly<Record<Feature, FeatureSupport>>;
};

/** caniemail's name of something that clients support or don't: `css-display-flex`. */
export type Feature = keyof typeof data.features;

export interface FeatureSupport {
  readonly title: string;
  /** One word for each client, in the order of `clients`: `y`, `a1,2` (in part, see the notes), `n` or `u` (unknown). */
  readonly support: string;
  readonly notes?: Readonly<Record<string, string>>;
}

let loaded: SupportData | undefined;

/**
 * @example
 * supportData().date; // "2026-05-13"
 * @throws Where the file can't be read: without it nothing can be said about any client.
 */
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

/** Whether caniemail knows something by this name. */
export function isFeature(name: string | undefined): name is Feature {
  return name !== undefined && Object.hasOwn(supportData().features, name);
}

/** caniemail's page about a feature. */
export function pageOf(feature: Feature): string {
  return `https://www.caniemail.com/features/${feature}/`;
}
