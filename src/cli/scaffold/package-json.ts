import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ConfigurationError } from "../../errors.js";
import { VERSION } from "../../version.js";

interface Wanted {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: ReadonlyMap<string, string>;
  readonly devDependencies: ReadonlyMap<string, string>;
}

/**
 * Adds scripts and dependencies to a folder's package.json, without changing existing entries. Creates the file if necessary.
 *
 * @returns The names of the added packages.
 */
export async function extendPackageJson(folder: string, wanted: Wanted): Promise<string[]> {
  const file = path.join(folder, "package.json");
  const manifest = await readManifest(file, folder);
  const added: string[] = [];
  const has = (name: string): boolean =>
    ["dependencies", "devDependencies", "peerDependencies"].some((kind) => name in section(manifest, kind));
  for (const [kind, packages] of [
    ["dependencies", wanted.dependencies],
    ["devDependencies", wanted.devDependencies],
  ] as const) {
    const missing = [...packages].filter(([name]) => !has(name));
    if (missing.length === 0) continue;
    added.push(...missing.map(([name]) => name));
    manifest[kind] = Object.fromEntries(
      Object.entries({ ...section(manifest, kind), ...Object.fromEntries(missing) }).toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      ),
    );
  }
  manifest["scripts"] = { ...wanted.scripts, ...section(manifest, "scripts") };
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return added;
}

/** The version range of lettershop for the project's dependencies. */
export const ownRange = `^${VERSION}`;

async function readManifest(file: string, folder: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    const name = path
      .basename(folder)
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^[._-]+|-+$/g, "");
    return { name: name === "" ? "emails" : name, private: true, type: "module" };
  }
  const manifest: unknown = parse(text, file);
  if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest))
    throw new ConfigurationError(`${file} must be a JSON object.`);
  return { ...manifest };
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError(`${file} is not valid JSON.`, {
      cause: error,
      hint: "Fix it and run `templates init` again.",
    });
  }
}

function section(manifest: Readonly<Record<string, unknown>>, kind: string): Record<string, unknown> {
  const value = manifest[kind];
  return typeof value === "object" && value !== null ? { ...value } : {};
}
