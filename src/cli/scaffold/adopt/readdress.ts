import path from "node:path";
import type { ESTree } from "../../../modules/rolldown.js";
import { walk } from "../../../modules/walk.js";
import type { SourceModule, SourceModules } from "./source-modules.js";

/** Which file of a folder goes where. Paths have forward slashes. */
export interface Moves {
  /** The folder, absolute. */
  readonly from: string;
  /** The templates root, absolute. */
  readonly root: string;
  /** By a file's path in the folder, its path in the templates root. */
  readonly places: ReadonlyMap<string, string>;
}

/** A module with its imports, and the images that it names, changed to what they are from its new place. */
export async function readdressModule(
  module: SourceModule,
  place: string,
  moves: Moves,
  modules: SourceModules,
): Promise<string> {
  const edits: Edit[] = imagesServedIn(module, place, moves);
  for (const { specifier, start, end, target } of await modules.referencesIn(module)) {
    const changed = await specifierFrom(specifier, target, place, moves, modules);
    if (changed !== undefined) edits.push({ start, end, text: JSON.stringify(changed) });
  }
  // From the end, so that offsets hold.
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((code, { start, end, text }) => code.slice(0, start) + text + code.slice(end), module.code);
}

/** An MJML, HTML or CSS file with its relative paths, in quotes and in `url(…)`, changed to what they are from its new place. */
export function readdressMarkup(source: string, file: string, place: string, moves: Moves): string {
  return source.replace(RELATIVE, (whole: string, open: string, address: string) => {
    const old = path.resolve(moves.from, path.posix.dirname(file), address);
    const target = moves.places.get(relativePath(moves.from, old));
    if (target === undefined && !isOutside(old, moves)) return whole;
    return open + pathTo(target === undefined ? old : path.join(moves.root, target), place, moves);
  });
}

/** The files that an MJML, HTML or CSS file names by relative paths. */
export function pathsIn(source: string, file: string): string[] {
  return Array.from(source.matchAll(RELATIVE), ([, , address = ""]) =>
    path.posix.normalize(path.posix.join(path.posix.dirname(file), address)),
  );
}

const RELATIVE = /(["'(])(\.{1,2}\/[^"'()\s]*)(?=["')])/g;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** How a module at its new place imports a file; undefined where it can do so as before. */
async function specifierFrom(
  specifier: string,
  old: string,
  place: string,
  moves: Moves,
  modules: SourceModules,
): Promise<string | undefined> {
  const target = moves.places.get(relativePath(moves.from, old));
  if (target === undefined) {
    // A name of a workspace package or of tsconfig.json means the same in most places of a project.
    const isPath = specifier.startsWith(".");
    if (!isPath && (await modules.resolve(specifier, path.join(moves.root, place))) === old) return undefined;
    return pathTo(isPath ? path.join(path.dirname(old), writtenName(specifier, old, old)) : old, place, moves);
  }
  const moved = path.join(moves.root, target);
  return pathTo(path.join(path.dirname(moved), writtenName(specifier, old, moved)), place, moves);
}

/** The last name of a path as it was written: with an extension, with the one that it will be compiled to, or without one. */
function writtenName(specifier: string, old: string, moved: string): string {
  const { name, ext } = path.parse(moved);
  const { ext: written, name: writtenAs } = path.posix.parse(specifier);
  if (written === path.extname(old)) return name + ext;
  if (/^\.[cm]?jsx?$/.test(written)) return name + written;
  // A folder is imported as before.
  return name === "index" && writtenAs !== "index" ? "." : name;
}

/** `../_components/footer` */
function pathTo(target: string, place: string, { root }: Moves): string {
  const relative = relativePath(path.dirname(path.join(root, place)), target);
  if (relative === "") return ".";
  return relative.startsWith(".") ? relative : `./${relative}`;
}

function relativePath(from: string, to: string): string {
  return path.relative(from, to).replaceAll(path.sep, "/");
}

function isOutside(file: string, { from }: Moves): boolean {
  return relativePath(from, file).startsWith("..");
}

/**
 * Images that React Email serves under `/static`, from its own server while developing and from another's address later:
 * `"/static/logo.png"`, `${baseUrl}/static/logo.png`, `baseUrl + "/static/logo.png"`, and those in `url(…)`. A path that a
 * function makes an address of stays.
 */
function imagesServedIn(module: SourceModule, place: string, moves: Moves): Edit[] {
  const file = relativePath(moves.from, module.file);
  const edits: Edit[] = [];
  const passed = new Set<ESTree.Node>();
  walk(module.program, (node) => {
    if (node.type === "CallExpression" || node.type === "NewExpression")
      for (const argument of node.arguments) if (argument.type === "Literal") passed.add(argument);
    const { start, end } = node;
    const isSum =
      node.type === "BinaryExpression" && node.right.type === "Literal" && node.left.type !== "BinaryExpression";
    if (passed.has(node) || (!isSum && node.type !== "Literal" && node.type !== "TemplateLiteral")) return true;
    const written = module.code.slice(isSum ? node.right.start : start, end);
    const text = written.replace(SERVED, (whole: string, open: string, served: string) => {
      const target = servedImage(served, file, moves);
      return target === undefined ? whole : open + pathTo(path.join(moves.root, target), place, moves);
    });
    if (text !== written) edits.push({ start, end, text });
    return text === written;
  });
  return edits;
}

const SERVED = /(["'`(])(?:\$\{[^{}]*\})?\/(static\/[^"'`$\s()]+)(?=["'`)])/g;

/** The place of an image in the nearest `static` folder, from the module's own upwards. */
function servedImage(served: string, file: string, { places }: Moves): string | undefined {
  for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
    const place = places.get(path.posix.join(folder, served));
    if (place !== undefined || folder === ".") return place;
  }
}
