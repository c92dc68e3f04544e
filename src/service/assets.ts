import { readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Hono } from "hono";
import { getMimeType } from "hono/utils/mime";
import { attempt } from "../files.js";
import { FILE_POLICY } from "../http.js";
import { notFound } from "./http/api-error.js";

const FOLDER = "_assets";

/**
 * Serves the images of templates: the file `receipt/_assets/logo.png` below a templates root has the URL
 * `/assets/receipt/logo.png`. Only files that are really inside an `_assets` folder are served, after following links.
 */
export function assetRoutes(roots: readonly string[]): Hono {
  return new Hono().get("/assets/*", async (c) => {
    const { path } = c.req;
    const segments = (attempt(() => decodeURIComponent(path)) ?? path).split("/").slice(2);
    const file = await findAsset(roots, segments);
    if (file === undefined) throw notFound("There is no such asset.");
    return c.body(new Uint8Array(await readFile(file)), 200, {
      "Content-Type": getMimeType(file) ?? "application/octet-stream",
      "Cache-Control": "no-cache",
      "Content-Security-Policy": FILE_POLICY,
      "X-Content-Type-Options": "nosniff",
    });
  });
}

/** The file of a URL: in the nearest `_assets` folder, in the first root that has it. */
async function findAsset(roots: readonly string[], segments: readonly string[]): Promise<string | undefined> {
  if (!segments.every(isPlainName)) return undefined;
  for (const root of roots) {
    for (let depth = segments.length - 1; depth >= 0; depth -= 1) {
      const folder = join(root, ...segments.slice(0, depth), FOLDER);
      const file = await fileWithin(folder, join(folder, ...segments.slice(depth)));
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

/** Whether a segment is a plain name on every system: not `..`, no separator, drive or stream. */
function isPlainName(segment: string): boolean {
  return segment !== "" && segment !== "." && segment !== ".." && !/[\\/:\0]/.test(segment);
}

/** The file's real path, if it is a file inside the folder. */
async function fileWithin(folder: string, file: string): Promise<string | undefined> {
  try {
    const [realFolder, realFile] = await Promise.all([realpath(folder), realpath(file)]);
    return realFile.startsWith(realFolder + sep) && (await stat(realFile)).isFile() ? realFile : undefined;
  } catch {
    // Missing files are normal here: most candidate paths do not exist.
    return undefined;
  }
}
