import { readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Hono } from "hono";
import { getMimeType } from "hono/utils/mime";
import { notFound } from "./http/api-error.js";

const FOLDER = "_assets";

/**
 * Serves the images of templates: the file `receipt/_assets/logo.png` below a templates root is
 * `/assets/receipt/logo.png`. Only what really lies in an `_assets` folder is served, links followed.
 */
export function assetRoutes(roots: readonly string[]): Hono {
  return new Hono().get("/assets/*", async (c) => {
    const segments = decodePath(c.req.path).split("/").slice(2);
    const file = await findAsset(roots, segments);
    if (file === undefined) throw notFound("There is no such asset.");
    return c.body(new Uint8Array(await readFile(file)), 200, {
      "Content-Type": getMimeType(file) ?? "application/octet-stream",
      "Cache-Control": "no-cache",
      // An SVG that is opened by itself is a page of this origin: it gets no scripts.
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "X-Content-Type-Options": "nosniff",
    });
  });
}

/** The file that the address means: in an `_assets` folder as near to it as there is, of the first root that has it. */
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

/** A segment that is one name on every system: no way up, no separator, no drive or stream. */
function isPlainName(segment: string): boolean {
  return segment !== "" && segment !== "." && segment !== ".." && !/[\\/:\0]/.test(segment);
}

/** The file's real path, if it is a file and lies within the folder. */
async function fileWithin(folder: string, file: string): Promise<string | undefined> {
  try {
    const [realFolder, realFile] = await Promise.all([realpath(folder), realpath(file)]);
    return realFile.startsWith(realFolder + sep) && (await stat(realFile)).isFile() ? realFile : undefined;
  } catch {
    // Neither is there, which is the ordinary case: most paths are tried in vain.
    return undefined;
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
