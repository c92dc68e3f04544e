import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Variables } from "../mustache/variables.js";
import { positionAt } from "../position.js";
import type { TagTable } from "../mustache/tokens.js";
import type { Template } from "../template/template.js";
import { chosenAddress } from "./chosen-assets.js";
import type { CompileContext } from "./engine.js";
import type { Findings } from "./findings.js";
import type { Locate } from "./source/locate.js";

/** A file of an `_assets` folder. */
export interface Asset {
  /** Absolute. */
  readonly file: string;
  /** Its address under `assets.baseUrl`, and where `build` puts it under `assets/`. With forward slashes. */
  readonly path: string;
}

const ASSETS = "_assets";

/**
 * The images of a templates root: the files of every `_assets` folder in it, at the addresses that compiled templates
 * use.
 *
 * @example
 * listAssets("/app/templates"); // [{ file: "/app/templates/_assets/logo.png", path: "logo.png" }]
 *
 * @param root The templates root, absolute.
 * @returns Sorted by path.
 */
export function listAssets(root: string): Asset[] {
  // That it is missing is told where templates are loaded.
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
  /** Gets the paths at which images were looked for. */
  readonly places?: Set<string>;
}

export interface AssetOptions extends AssetsOfTemplate {
  readonly findings: Findings;
  /** Of the html's tokens. Default: it has none. */
  readonly tags?: TagTable;
  readonly locate?: Locate | undefined;
}

// In attributes, also those of Outlook's conditional comments, and in CSS; React writes the quotes of a style as `&#x27;`.
const REFERENCE =
  /\b(?:(?:src|background|poster)\s*=\s*["'](?<value>[^"']+)|url\(\s*(?:["']|&(?:#x27|#39|quot|apos);)?(?<address>(?:(?!&(?:#x27|#39|quot|apos);)[^"')\s])+))/gi;

/** Gives every image of an `_assets` folder the address that it will have when the mail is read. */
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
 * Gives every variable that is the path of an image of an `_assets` folder the address that the image will have.
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

/** The address that the image at an own path will have; none, where there is no such image. */
function resolve(reference: string, { template, context, places }: AssetsOfTemplate): string | undefined {
  const [file, suffix] = splitReference(reference);
  const found = find(decoded(file), template, places);
  const base = context.assets?.baseUrl.replace(/\/+$/, "") ?? "assets";
  return found && `${base}/${encodeURI(addressOf(found, template.root))}${suffix}`;
}

/**
 * Gives the images of a compiled html another address, as compiling for it would have done.
 *
 * @param from The `assets.baseUrl` that it was compiled with.
 */
export function moveAssets(html: string, from: string | undefined, to: string): string {
  const before = `${from?.replace(/\/+$/, "") ?? "assets"}/`;
  const after = `${to.replace(/\/+$/, "")}/`;
  return html.replace(REFERENCE, (whole: string, value?: string, address?: string) => {
    const reference = value ?? address ?? "";
    // Sections may choose between several.
    const moved = reference
      .split(/(?<=\}\})/)
      .map((part) => (part.startsWith(before) ? after + part.slice(before.length) : part));
    return whole.slice(0, whole.length - reference.length) + moved.join("");
  });
}

function referencesIn(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(REFERENCE), ([, value, address = ""]) => value ?? address));
}

/** The path of an own image and what follows it: a query or fragment. */
function splitReference(reference: string): [string, string] {
  const end = reference.search(/[?#]/);
  return end < 0 ? [reference, ""] : [reference.slice(0, end), reference.slice(end)];
}

function isOwn(file: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/|\\)|\uE000/i.test(file) && file.split("/").includes(ASSETS);
}

/** Where it says; else in an `_assets` folder beside the template or above, since a shared part knows no template. */
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
  const hint = "Put it there, or into an _assets folder beside the template or above it.";
  findings.error("asset-missing", `There is no image ${reference} for this template${note}.`, at, hint);
}

function decoded(file: string): string {
  try {
    return decodeURI(file);
  } catch {
    return file;
  }
}
