import path from "node:path";
import { type ESTree, walk } from "../../../process/rolldown.js";
import { relativeTo } from "../../report/check-report.js";
import type { SourceModule, SourceModules } from "./source-modules.js";

/** Where the files of a folder are moved. Paths have forward slashes. */
export interface Moves {
  /** The original folder, absolute. */
  readonly from: string;
  /** The templates folder, absolute. */
  readonly root: string;
  /** Each file's path in the templates folder, by its path in the original folder. */
  readonly places: ReadonlyMap<string, string>;
}

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
  // Edit from the end, so that offsets stay valid.
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((code, { start, end, text }) => code.slice(0, start) + text + code.slice(end), module.code);
}

/** Updates relative paths in an MJML, HTML or CSS file, in quotes and in `url(…)`, for its new location. */
export function readdressMarkup(source: string, file: string, place: string, moves: Moves): string {
  return source.replace(RELATIVE, (whole: string, open: string, address: string) => {
    const old = path.resolve(moves.from, path.posix.dirname(file), address);
    const target = moves.places.get(relativeTo(moves.from, old));
    if (target === undefined && !isOutside(old, moves)) return whole;
    return open + pathTo(target === undefined ? old : path.join(moves.root, target), place, moves);
  });
}

/** The files that an MJML, HTML or CSS file refers to by relative paths. */
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

/** The specifier that imports a file from a module's new location; undefined if it stays the same. */
async function specifierFrom(
  specifier: string,
  old: string,
  place: string,
  moves: Moves,
  modules: SourceModules,
): Promise<string | undefined> {
  const target = moves.places.get(relativeTo(moves.from, old));
  if (target === undefined) {
    // Workspace packages and tsconfig.json paths usually resolve the same from anywhere in the project.
    const isPath = specifier.startsWith(".");
    if (!isPath && (await modules.resolve(specifier, path.join(moves.root, place))) === old) return undefined;
    return pathTo(isPath ? path.join(path.dirname(old), writtenName(specifier, old, old)) : old, place, moves);
  }
  const moved = path.join(moves.root, target);
  return pathTo(path.join(path.dirname(moved), writtenName(specifier, old, moved)), place, moves);
}

/** The file name in a specifier, in the original style: with the extension, with that of the compiled file, or without. */
function writtenName(specifier: string, old: string, moved: string): string {
  const { name, ext } = path.parse(moved);
  const { ext: written, name: writtenAs } = path.posix.parse(specifier);
  if (written === path.extname(old)) return name + ext;
  if (/^\.[cm]?jsx?$/.test(written)) return name + written;
  // An import of a folder stays one.
  return name === "index" && writtenAs !== "index" ? "." : name;
}

/** `../_components/footer` */
function pathTo(target: string, place: string, { root }: Moves): string {
  const relative = relativeTo(path.dirname(path.join(root, place)), target);
  if (relative === "") return ".";
  return relative.startsWith(".") ? relative : `./${relative}`;
}

function isOutside(file: string, { from }: Moves): boolean {
  return relativeTo(from, file).startsWith("..");
}

/**
 * Edits for images that React Email serves under `/static`: `"/static/logo.png"`, `${baseUrl}/static/logo.png`,
 * `baseUrl + "/static/logo.png"`, and those in `url(…)`. A path that is passed to a function stays unchanged.
 */
function imagesServedIn(module: SourceModule, place: string, moves: Moves): Edit[] {
  const file = relativeTo(moves.from, module.file);
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

/** The new path of an image in the nearest `static` folder, searching upwards from the module's folder. */
function servedImage(served: string, file: string, { places }: Moves): string | undefined {
  for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
    const place = places.get(path.posix.join(folder, served));
    if (place !== undefined || folder === ".") return place;
  }
}
