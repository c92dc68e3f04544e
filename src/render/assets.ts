import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Variables } from "../mustache/variables.js";
import { positionAt } from "../text/position.js";
import {
  fillSections,
  halfSection,
  isInverted,
  roleOf,
  tagName,
  tagsIn,
  type TagTable,
  token,
} from "../mustache/tokens.js";
import type { Template } from "../project/template.js";
import type { CompileContext } from "./engine.js";
import type { Findings } from "./findings.js";
import type { Locate } from "./source/mapped-text.js";
import { attempt, isWithin } from "../files.js";
import { isPlainObject } from "../values.js";

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
  const { tags } = options;
  const resolve = (reference: string): string | undefined => {
    const resolved = isOwn(splitReference(reference)[0]) ? finalUrl(reference, options) : reference;
    if (resolved === undefined) reportMissing(reference, options);
    return resolved;
  };
  return replaceReferences(html, (reference) => {
    const isChosen = tags !== undefined && reference.includes("\uE000") && reference.includes(ASSETS);
    const address =
      addresses.get(reference) ??
      (isChosen ? chosenAddress(reference, tags, resolve) : resolve(reference)) ??
      reference;
    addresses.set(reference, address);
    return address;
  });
}

function replaceReferences(html: string, replace: (reference: string) => string): string {
  return html.replace(REFERENCE, (whole: string, value?: string, address?: string) => {
    const reference = value ?? address ?? "";
    return whole.slice(0, whole.length - reference.length) + replace(reference);
  });
}

/** Replaces variables that are paths of images in `_assets` folders with the images' final URLs. */
export function resolveAssetsOf(variables: Variables, options: AssetsOfTemplate): Variables {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, resolveValue(value, options)]));
}

function resolveValue(value: unknown, options: AssetsOfTemplate): unknown {
  if (typeof value === "string")
    return value.includes(ASSETS) && isOwn(splitReference(value)[0]) ? (finalUrl(value, options) ?? value) : value;
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, options));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolveValue(each, options)]));
}

/** The final URL of an image in `_assets`; undefined if there is no such image. */
function finalUrl(reference: string, { template, context, places }: AssetsOfTemplate): string | undefined {
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
  return replaceReferences(html, (reference) => {
    // Sections may choose between several URLs.
    const parts = reference.split(/(?<=\}\})/);
    return parts.map((part) => (part.startsWith(before) ? after + part.slice(before.length) : part)).join("");
  });
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
function find(reference: string, { root, folder, body }: Template, places?: Set<string>): string | undefined {
  const inAssets = reference.slice(reference.lastIndexOf(`${ASSETS}/`));
  const candidates = [path.resolve(path.dirname(body.file), reference)];
  for (let above = folder; isWithin(root, above); above = path.dirname(above))
    candidates.push(path.join(above, inAssets));
  for (const candidate of candidates) {
    if (!isWithin(root, candidate)) continue;
    places?.add(candidate);
    if (existsSync(candidate)) return candidate;
  }
  return undefined;
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
  return attempt(() => decodeURI(file)) ?? file;
}

/** The folder that begins the path of an image. */
const FOLDER = `${ASSETS}/`;
/** Maximum number of different section names to try. */
const NAMES_MAX = 6;

/**
 * Resolves the URLs of images that sections choose between. Every possible path is resolved.
 *
 * @example
 * // {{#dark}}../_assets/a.png{{/dark}}{{^dark}}../_assets/b.png{{/dark}} and ../_assets/{{#dark}}a{{/dark}}{{^dark}}b{{/dark}}.png
 * chosenAddress(reference, tags, resolve); // {{#dark}}https://cdn.example/a.png{{/dark}}{{^dark}}…
 *
 * @param resolve Returns the URL of a whole path; undefined if there is no such image, which is reported.
 * @returns Undefined if a variable is part of the path, or a path is not that of an image.
 */
function chosenAddress(
  reference: string,
  tags: TagTable,
  resolve: (file: string) => string | undefined,
): string | undefined {
  let address = "";
  let from = 0;
  for (let at = reference.indexOf(FOLDER); at >= 0; at = reference.indexOf(FOLDER, from)) {
    const start = Math.max(from, reference.lastIndexOf("\uE001", at) + 1);
    const end = at + FOLDER.length;
    const rest = withinSection(reference.slice(end), tags);
    const prefixes = possiblePaths(rest, tags)?.map((ending) =>
      prefixOf(resolve(reference.slice(start, end) + ending), ending),
    );
    const [prefix, ...others] = new Set(prefixes);
    if (prefix === undefined || others.length > 0) return undefined;
    const parts = rest.split(/(\uE000\d+\uE001)/).map((part, index) => (index % 2 === 0 ? encoded(part) : part));
    address += reference.slice(from, start) + prefix + parts.join("");
    from = end + rest.length;
  }
  return address + reference.slice(from);
}

/** The text up to the end of the section that contains its beginning. */
function withinSection(text: string, tags: TagTable): string {
  const half = halfSection(tagsIn(text), tags);
  const isEnd = half !== undefined && roleOf(tags[half]) === "closes";
  return isEnd ? text.slice(0, text.indexOf(token(half))) : text;
}

/** All possible texts; undefined if they contain a variable, or too many sections decide. */
function possiblePaths(text: string, tags: TagTable): string[] | undefined {
  const used = tagsIn(text);
  const names = [...new Set(used.map((tag) => tagName(tags[tag])))];
  if (names.length > NAMES_MAX || used.some((tag) => roleOf(tags[tag]) === "prints")) return undefined;
  return Array.from({ length: 2 ** names.length }, (_, bits) =>
    fillSections(text, tags, (opening) => {
      const isTrue = ((bits >> names.indexOf(tagName(tags[opening]))) & 1) === 1;
      return Number(isTrue !== isInverted(tags[opening]));
    }),
  );
}

/** The part of the URL before the path. */
function prefixOf(address: string | undefined, file: string): string | undefined {
  const end = encoded(file);
  return address?.endsWith(end) ? address.slice(0, address.length - end.length) : undefined;
}

function encoded(file: string): string {
  return encodeURI(decoded(file));
}
