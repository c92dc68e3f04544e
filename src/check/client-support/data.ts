import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
// A type-only import, which also makes the compiler copy the file to the output.
import type data from "./data.json";

/** What email clients support of HTML and CSS: caniemail's data, as stored by `scripts/client-support-data.mjs`. */
export type SupportData = Omit<typeof data, "clients" | "features"> & {
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

/**
 * @example
 * supportData().date; // "2026-05-13"
 * @throws If the file cannot be read.
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

/** Whether caniemail has a feature with this id. */
export function isFeature(name: string | undefined): name is Feature {
  return name !== undefined && Object.hasOwn(supportData().features, name);
}

/** caniemail's page about a feature. */
export function pageOf(feature: Feature): string {
  return `https://www.caniemail.com/features/${feature}/`;
}
