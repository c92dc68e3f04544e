import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { engineOf } from "../../project/candidates.js";
import { stemOf } from "../../project/template-name.js";
import type { Engine } from "../../project/template.js";
import { UsageError } from "../arguments.js";

/**
 * The files of the starter templates with bodies of the chosen kinds, including shared parts and images, by path within the
 * templates folder.
 */
export async function starterFiles(chosen: readonly Engine[]): Promise<ReadonlyMap<string, Buffer>> {
  const published = await readPublished();
  const bodies = [...published.keys()].filter((file) => isBody(file) && chosen.includes(engineOf(file) ?? "html"));
  const included = new Set(bodies.map((file) => path.posix.dirname(file)));
  return new Map(
    [...published].filter(([file]) => {
      const [folder = ""] = file.split("/");
      if (!folder.startsWith("_")) return included.has(folder);
      const engine = engineOf(file);
      return engine === undefined || chosen.includes(engine);
    }),
  );
}

/** The names of all starter templates with the kind of their body, sorted by name. */
export async function starters(): Promise<readonly { readonly name: string; readonly engine: Engine }[]> {
  const bodies = [...(await readPublished()).keys()].filter(isBody);
  return bodies
    .map((file) => ({ name: path.posix.dirname(file), engine: engineOf(file) ?? "html" }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * A starter template under a new name: its files by path within its folder, the body first; and the shared parts and images that
 * it uses, by path within the templates folder.
 *
 * @throws {UsageError} There is no such starter.
 */
export async function starterTemplate(
  { starter, engine }: { readonly starter: string; readonly engine: Engine },
  name: string,
): Promise<{ readonly files: ReadonlyMap<string, Buffer>; readonly parts: ReadonlyMap<string, Buffer> }> {
  const published = await readPublished();
  const own = [...published.keys()].filter((file) => file.startsWith(`${starter}/`));
  const body = own.find((file) => isBody(file) && engineOf(file) === engine);
  if (body === undefined) throw new UsageError(`There is no starter template "${starter}" in ${engine}.`);
  const renamed = (file: string): string => {
    const { dir, name: stem, ext } = path.posix.parse(file.slice(starter.length + 1));
    return dir === "" && stem === starter ? `${stemOf(name)}${ext}` : path.posix.join(dir, `${stem}${ext}`);
  };
  const contentOf = (file: string): Buffer => published.get(file) ?? Buffer.of();
  return {
    files: new Map([body, ...own.filter((file) => file !== body)].map((file) => [renamed(file), contentOf(file)])),
    parts: new Map(partsOf(own, published).map((file) => [file, contentOf(file)])),
  };
}

/** The shared files that some files use, directly or indirectly. */
function partsOf(files: readonly string[], published: ReadonlyMap<string, Buffer>): string[] {
  const parts = new Set<string>();
  const shared = [...published.keys()].filter((file) => file.startsWith("_"));
  const queue = [...files];
  for (const file of queue) {
    const text = String(published.get(file));
    const named = shared.filter((part) => !parts.has(part) && namesIn(file, part).some((each) => text.includes(each)));
    for (const part of named) parts.add(part);
    queue.push(...named);
  }
  return [...parts];
}

/** How a file may refer to a part: by its full name, as a partial of the same kind, or as a module. */
function namesIn(file: string, part: string): string[] {
  const { dir, name, ext } = path.posix.parse(part);
  if (/^\.tsx?$/.test(ext)) return path.posix.dirname(file) === dir ? [`"./${name}.js"`] : [`/${dir}/${name}.js"`];
  return path.posix.extname(file) === ext ? [`/${part}"`, `{{> ${dir}/${name}}}`] : [`/${part}"`];
}

/** The templates of lettershop's repository, which the package contains as one compressed file. */
async function readPublished(): Promise<ReadonlyMap<string, Buffer>> {
  const compressed = await readFile(new URL("starters.br", import.meta.url));
  const files: Readonly<Record<string, string>> = JSON.parse(String(await promisify(brotliDecompress)(compressed)));
  return new Map(Object.entries(files).map(([file, content]) => [file, Buffer.from(content, "latin1")]));
}

/** Whether a file is a template's body, such as `receipt/receipt.mjml`, and not a shared part. */
function isBody(file: string): boolean {
  const { dir, name } = path.posix.parse(file);
  return name === dir && engineOf(file) !== undefined;
}
