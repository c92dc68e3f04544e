import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { StoredTemplate } from "../../../src/api/contract/v4/templates.js";
import type { Write } from "./gateway.js";

/** Writes that were repeated although the same one before them had taken effect. */
export function repeated(writes: readonly Write[]): Write[] {
  const last = new Map<string, Write>();
  return writes.filter((write) => {
    const { name = "" }: { readonly name?: string } = write.method === "POST" ? JSON.parse(write.body) : {};
    const about = `${write.path}/${name}`.replace(/\/+$/, "");
    const before = last.get(about);
    if (write.hadEffect) last.set(about, write);
    return before?.method === write.method && before.body === write.body;
  });
}

/** What was overwritten or deleted and is in no run's folder. */
export async function unsaved(writes: readonly Write[], folder: string): Promise<StoredTemplate[]> {
  const saved = await savedIn(folder);
  return writes.flatMap(({ before, hadEffect }) =>
    before === undefined || !hadEffect || saved.some((each) => same(each, before)) ? [] : [before],
  );
}

/** Everything that runs saved. */
export async function savedIn(folder: string): Promise<StoredTemplate[]> {
  const files = await readdir(path.join(folder, "runs"), { recursive: true }).catch(() => []);
  return Promise.all(
    files
      .filter((file) => file.endsWith(".json"))
      .map(async (file): Promise<StoredTemplate> =>
        JSON.parse(await readFile(path.join(folder, "runs", file), "utf8")),
      ),
  );
}

export function same(a: StoredTemplate, b: StoredTemplate | undefined): boolean {
  return b !== undefined && isDeepStrictEqual({ ...a }, { ...b });
}
