import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../arguments.js";
import { kebabCase } from "../../template/name.js";
import type { Engine } from "../../template/template.js";

/** A folder of templates made for another tool, as files of ours. */
export interface Adopted {
  /** Contents by their path within the templates root. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly engines: readonly Engine[];
  /** What a person has to know or to finish. */
  readonly notes: readonly string[];
}

const engineOf: Readonly<Record<string, Engine>> = {
  ".mjml": "mjml",
  ".tsx": "react",
  ".jsx": "react",
  ".html": "html",
};

/** Modules and styles that hold relative addresses of other files. */
const withAddresses = new Set([".tsx", ".jsx", ".ts", ".js", ".mjs", ".mjml", ".html", ".css"]);

/**
 * Reads a folder of React Email, MJML or HTML files: each email becomes a template of its own folder, one of a sub-folder
 * with that folder in its name; what else lies there becomes shared parts, and the addresses between them are kept right.
 *
 * @example
 * const { files } = await adoptFolder("/app/emails", "/app/templates");
 * [...files.keys()]; // ["welcome/welcome.tsx", "welcome/template.json", "auth-reset/auth-reset.tsx", "_components/footer.tsx"]
 */
export async function adoptFolder(from: string, root: string): Promise<Adopted> {
  if (!existsSync(from)) throw new UsageError(`There is no folder ${from}.`);
  const entries = (await readdir(from, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(from, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .filter((file) => !/(^|\/)(node_modules|\.[^/]*)(\/|$)/.test(file))
    .toSorted();

  const places = new Map<string, string>();
  const templates = new Map<string, string>();
  for (const file of entries) {
    const { dir, name, ext } = path.posix.parse(file);
    const isBody =
      engineOf[ext] !== undefined &&
      !/(?:^|\/)_/.test(file) &&
      (await isTemplate(path.join(from, file), ext, dir !== ""));
    if (!isBody) {
      places.set(file, sharedPlace(file));
      continue;
    }
    const templateName = kebabCase(nameAt(dir, name));
    const clash = templates.get(templateName);
    if (clash !== undefined)
      throw new UsageError(`${clash} and ${file} would both be the template "${templateName}".`, {
        hint: "Rename one of them, then run init again.",
      });
    templates.set(templateName, file);
    places.set(file, `${templateName}/${templateName}${ext === ".jsx" ? ".tsx" : ext}`);
  }
  if (templates.size === 0)
    throw new UsageError(`${from} holds no React Email (.tsx), MJML (.mjml) or HTML (.html) file.`);

  const files = new Map<string, string | Buffer>();
  for (const [file, place] of places) {
    const content = await readFile(path.join(from, file));
    files.set(
      place,
      withAddresses.has(path.extname(file))
        ? readdress(content.toString("utf8"), { from, file, root, place, places })
        : content,
    );
  }
  const engines = new Set<Engine>();
  for (const [name, file] of templates) {
    engines.add(engineOf[path.extname(file)] ?? "html");
    const source = (await readFile(path.join(from, file), "utf8")).replaceAll("\r\n", "\n");
    if (!hasSubject(source))
      files.set(`${name}/template.json`, `${JSON.stringify({ subject: title(name) }, null, 2)}\n`);
  }
  const titled = [...templates.keys()].filter((name) => files.has(`${name}/template.json`)).toSorted();
  return {
    files,
    engines: [...engines].toSorted(),
    notes:
      titled.length === 0
        ? []
        : [`Subjects made from the names, to be written in template.json: ${titled.join(", ")}.`],
  };
}

/**
 * A module without a default export is a part of others; an MJML or HTML file without its root element too. In a sub-folder,
 * where components lie as well, only a module that has the root itself is an email.
 */
async function isTemplate(file: string, extension: string, isNested: boolean): Promise<boolean> {
  const source = await readFile(file, "utf8");
  if (extension === ".mjml") return /<mjml[\s>]/.test(source);
  if (extension === ".html") return /<html[\s>]/i.test(source);
  return /\bexport\s+default\b|\bas\s+default\b/.test(source) && (!isNested || /<html[\s>]/i.test(source));
}

/** `auth-reset` of `auth/reset.tsx`; `welcome` of `welcome/welcome.tsx` and `welcome/index.tsx`. */
function nameAt(dir: string, name: string): string {
  const folders = dir.split("/").filter((folder) => folder !== "");
  const own = folders.length > 0 && (name === "index" || name === folders.at(-1)) ? [] : [name];
  return [...folders, ...own].join("-");
}

/** Shared parts are what begins with `_`; images lie in `_assets`. */
function sharedPlace(file: string): string {
  if (/\.(png|jpe?g|gif|webp|svg|ico)$/i.test(file))
    return `_assets/${file.replace(/^(static|images|assets|_assets)\//, "")}`;
  const [first = "", ...rest] = file.split("/");
  return [first.startsWith("_") ? first : `_${first}`, ...rest].join("/");
}

interface Move {
  readonly from: string;
  readonly file: string;
  readonly root: string;
  readonly place: string;
  readonly places: ReadonlyMap<string, string>;
}

/** Relative addresses in quotes and in `url(…)`, and `/static/…`, changed to what they are from the new place. */
function readdress(source: string, move: Move): string {
  return (
    source
      .replaceAll("\r\n", "\n")
      .replace(/(["'(])(\.{1,2}\/[^"'()\s]*)(?=["')])/g, (whole, open: string, address: string) => {
        const target = targetOf(address, move);
        if (target === undefined) return whole;
        return `${open}${relativeTo(target, move)}`;
      })
      // As React Email has images: from its own server while developing, from another's address later.
      .replace(/(["'`])(?:\$\{[\w.]+\})?\/(static\/[^"'`$\s]+)(?=["'`])/g, (whole, open: string, image: string) => {
        const target = move.places.get(image);
        return target === undefined ? whole : `${open}${relativeTo(path.join(move.root, target), move)}`;
      })
  );
}

function relativeTo(target: string, { root, place }: Move): string {
  const relative = path.relative(path.dirname(path.join(root, place)), target).replaceAll(path.sep, "/");
  return relative.startsWith(".") ? relative : `./${relative}`;
}

/** Where an address leads after the move: with the ending, or without one, as the address has it. */
function targetOf(address: string, { from, file, root, places }: Move): string | undefined {
  const old = path.resolve(from, path.posix.dirname(file), address);
  const inside = path.relative(from, old).replaceAll(path.sep, "/");
  if (inside.startsWith("..")) return old;
  for (const ending of ["", ".tsx", ".ts", ".jsx", ".js", "/index.tsx", "/index.ts"]) {
    const place =
      places.get(inside + ending) ??
      (ending === ""
        ? (places.get(inside.replace(/\.js$/, ".tsx")) ?? places.get(inside.replace(/\.js$/, ".ts")))
        : undefined);
    if (place !== undefined) return path.join(root, ending === "" ? place : place.slice(0, -ending.length));
  }
  return undefined;
}

function hasSubject(source: string): boolean {
  return /<mj-title>|<title>|export\s+const\s+subject\b/.test(source);
}

function title(name: string): string {
  return name.replace(/[-_]+/g, " ").replace(/^./, (letter) => letter.toUpperCase());
}
