import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Variables } from "../mustache/variables.js";
import { positionAt } from "../text/position.js";
import type { TagTable } from "../mustache/tokens.js";
import type { Template } from "../project/template.js";
import { chosenAddress } from "./chosen-assets.js";
import type { CompileContext } from "./engine.js";
import type { Findings } from "./findings.js";
import type { Locate } from "./source/locate.js";

/** A file in an `_assets` folder. */
export interface Asset {
  /** Absolute. */
  readonly file: string;
  /** Its URL path below `assets.baseUrl`, and its path in the `assets/` folder of a build. With forward slashes. */
  readonly path: string;
}

const ASSETS = "_assets";

/**
 * The images of a templates root: the files in all `_assets` folders, with the paths that compiled templates
 * use.
 *
 * @example
 * listAssets("/app/templates"); // [{ file: "/app/templates/_assets/logo.png", path: "logo.png" }]
 *
 * @param root The templates root, absolute.
 * @returns Sorted by path.
 */
export function listAssets(root: string): Asset[] {
  // A missing root is reported when templates are loaded.
  const files = existsSync(root) ? filesIn(root, false) : [];
  return files.map((file) => ({ file, path: addressOf(file, root) })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function filesIn(folder: string, isAssets: boolean): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}${path.sep}${entry.name}`;
    if (entry.isDirectory()) return filesIn(file, isAssets || entry.name === ASSETS);
    return isAssets && entry.isFile() && !entry.name.startsWith(".") ? [file] : [];
  });
}

export interface AssetsOfTemplate {
  readonly template: Template;
  readonly context: CompileContext;
  /** Receives the paths at which images were looked up. */
  readonly places?: Set<string>;
}

export interface AssetOptions extends AssetsOfTemplate {
  readonly findings: Findings;
  /** The tags of the HTML's tokens. Default: it has none. */
  readonly tags?: TagTable;
  readonly locate?: Locate | undefined;
}

// In attributes, also in Outlook's conditional comments, and in CSS; React writes the quotes in a style as `&#x27;`.
const REFERENCE =
  /\b(?:(?:src|background|poster)\s*=\s*["'](?<value>[^"']+)|url\(\s*(?:["']|&(?:#x27|#39|quot|apos);)?(?<address>(?:(?!&(?:#x27|#39|quot|apos);)[^"')\s])+))/gi;

/** Replaces references to images in `_assets` folders with their final URLs. */
export function resolveAssets(html: string, options: AssetOptions): string {
  if (!html.includes(ASSETS)) return html;
  const addresses = new Map<string, string>();
  const addressOfImage = (reference: string): string | undefined => {
    const resolved = isOwn(splitReference(reference)[0]) ? resolve(reference, options) : reference;
    if (resolved === undefined) reportMissing(reference, options);
    return resolved;
  };
  for (const reference of referencesIn(html)) {
    const { tags } = options;
    const isChosen = tags !== undefined && reference.includes("\uE000") && reference.includes(ASSETS);
    const resolved = isChosen
      ? chosenAddress(reference, { folder: `${ASSETS}/`, tags, resolve: addressOfImage })
      : addressOfImage(reference);
    if (resolved !== undefined) addresses.set(reference, resolved);
  }
  return html.replace(REFERENCE, (whole: string, value?: string, address?: string) => {
    const reference = value ?? address ?? "";
    return whole.slice(0, whole.length - reference.length) + (addresses.get(reference) ?? reference);
  });
}

/**
 * Replaces variables that are paths of images in `_assets` folders with the images' final URLs.
 *
 * @example
 * resolveAssetsOf({ photo: "../_assets/ada.png" }, options); // { photo: "https://cdn.example/mail/ada.png" }
 */
export function resolveAssetsOf(variables: Variables, options: AssetsOfTemplate): Variables {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, resolveValue(value, options)]));
}

function resolveValue(value: unknown, options: AssetsOfTemplate): unknown {
  if (typeof value === "string")
    return value.includes(ASSETS) && isOwn(splitReference(value)[0]) ? (resolve(value, options) ?? value) : value;
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, options));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolveValue(each, options)]));
}

/** The final URL of an image in `_assets`; undefined if there is no such image. */
function resolve(reference: string, { template, context, places }: AssetsOfTemplate): string | undefined {
  const [file, suffix] = splitReference(reference);
  const image = find(decoded(file), template, places);
  const base = context.assets?.baseUrl.replace(/\/+$/, "") ?? "assets";
  return image && `${base}/${encodeURI(addressOf(image, template.root))}${suffix}`;
}

/**
 * Moves the images of compiled HTML to another base URL, as if it had been compiled for it.
 *
 * @param from The `assets.baseUrl` that it was compiled with.
 */
export function moveAssets(html: string, from: string | undefined, to: string): string {
  const before = `${from?.replace(/\/+$/, "") ?? "assets"}/`;
  const after = `${to.replace(/\/+$/, "")}/`;
  return html.replace(REFERENCE, (whole: string, value?: string, address?: string) => {
    const reference = value ?? address ?? "";
    // Sections may choose between several URLs.
    const moved = reference
      .split(/(?<=\}\})/)
      .map((part) => (part.startsWith(before) ? after + part.slice(before.length) : part));
    return whole.slice(0, whole.length - reference.length) + moved.join("");
  });
}

function referencesIn(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(REFERENCE), ([, value, address = ""]) => value ?? address));
}

/** The path of an image, and the query or fragment after it. */
function splitReference(reference: string): [string, string] {
  const end = reference.search(/[?#]/);
  return end < 0 ? [reference, ""] : [reference.slice(0, end), reference.slice(end)];
}

function isOwn(file: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/|\\)|\uE000/i.test(file) && file.split("/").includes(ASSETS);
}

/** At the written path, or else in an `_assets` folder next to the template or above it: a shared part doesn't know which template includes it. */
function find(written: string, { root, folder, body }: Template, places?: Set<string>): string | undefined {
  const inAssets = written.slice(written.lastIndexOf(`${ASSETS}/`));
  const candidates = [path.resolve(path.dirname(body.file), written)];
  for (let above = folder; isWithin(above, root); above = path.dirname(above))
    candidates.push(path.join(above, inAssets));
  for (const candidate of candidates) {
    if (!isWithin(candidate, root)) continue;
    places?.add(candidate);
    if (existsSync(candidate)) return candidate;
  }
  return undefined;
}

function isWithin(file: string, root: string): boolean {
  const relative = path.relative(root, file);
  return relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

function addressOf(file: string, root: string): string {
  const parts = path.relative(root, file).split(path.sep);
  parts.splice(parts.lastIndexOf(ASSETS), 1);
  return parts.join("/");
}

function reportMissing(reference: string, { template, findings, locate }: AssetOptions): void {
  const { file, text } = template.body;
  const offset = text.indexOf(reference);
  const inBody = offset < 0 ? { file } : { file, ...positionAt(text, offset) };
  const { at, note } = locate?.(reference) ?? { at: inBody, note: "" };
  const hint = "Put it there, or into an _assets folder next to the template or above it.";
  findings.error("asset-missing", `The image ${reference} does not exist${note}.`, at, hint);
}

function decoded(file: string): string {
  try {
    return decodeURI(file);
  } catch {
    return file;
  }
}
