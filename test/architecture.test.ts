import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Which folder of `src/` may import which, including types. Imports go downwards only; a folder can't import one that it doesn't
 * list. `types:` allows only `import type`, `limits` only the plain constants of `api/limits.ts`, `contract` what both sides of
 * the service's interface share: its schemas, limits and the local service's address.
 */
const foundations = ["errors", "diagnostic", "text", "values", "files", "cache", "version", "time-limit"];
const table: Record<string, readonly string[]> = {
  errors: [],
  diagnostic: [],
  text: [],
  values: [],
  files: [],
  http: [],
  version: [],
  "time-limit": [],
  cache: ["files"],
  mustache: foundations,
  api: foundations,
  process: ["mustache", ...foundations],
  project: ["mustache", "process", "api", ...foundations],
  render: ["project", "process", "mustache", "limits:api", ...foundations],
  registry: ["render", "project", "process", "mustache", "limits:api", ...foundations],
  check: ["render", "registry", "project", "process", "mustache", "limits:api", ...foundations],
  sqlite: foundations,
  service: ["contract:api", "process", "mustache", "sqlite", "http", ...foundations],
  sync: ["types:project", "mustache", "api", ...foundations],
  send: ["project", "mustache", "api", "sqlite", ...foundations],
  smtp: ["send", "project", "api", ...foundations],
  postgres: ["send", "project", "api", ...foundations],
  react: ["mustache"],
  testing: ["send", "service", "types:project", "api", "mustache", ...foundations],
  preview: ["render", "registry", "check", "project", "process", "mustache", "limits:api", "http", ...foundations],
  page: ["preview", "check", "project", "mustache", ...foundations],
  index: ["api", "mustache", "project", "send", ...foundations],
  cli: ["*"],
};

interface Import {
  readonly from: string;
  readonly file: string;
  readonly to: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

function folderOf(file: string): string {
  if (file.startsWith(path.join(root, "preview") + path.sep)) return "page";
  const [first = ""] = path.relative(path.join(root, "src"), file).split(path.sep);
  return first.replace(/\.tsx?$/, "");
}

function importsOf(file: string): Import[] {
  const source = readFileSync(file, "utf8");
  const found: Import[] = [];
  for (const match of source.matchAll(
    /^\s*(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)|new URL\("(\.[^"]+\.js)"/gm,
  )) {
    const specifier = match[2] ?? match[3] ?? match[4] ?? "";
    const target = path.resolve(path.dirname(file), specifier);
    found.push({
      from: folderOf(file),
      file: path.relative(root, file),
      to: folderOf(target.replace(/\.js$/, ".ts")),
      target,
      typeOnly: match[1] !== undefined,
    });
  }
  return found;
}

const files = ["src", "preview"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join(root, folder, file)),
);
const allImports = files.flatMap(importsOf);
const imports = allImports.filter(({ from, to }) => from !== to);

function isAllowed({ from, to, target, typeOnly }: Import): boolean {
  const allowed = table[from] ?? [];
  if (allowed.includes("*") || allowed.includes(to)) return to !== "cli";
  if (typeOnly && allowed.includes(`types:${to}`)) return true;
  const within = path.relative(path.join(root, "src", to), target).split(path.sep)[0] ?? "";
  if (allowed.includes(`contract:${to}`)) return ["contract", "limits.js", "local.js"].includes(within);
  return allowed.includes(`limits:${to}`) && within === "limits.js";
}

describe("architecture", () => {
  it("reads all forms of imports", () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  it("has a row of the import table for the page, and for every folder and file at the top of src/", () => {
    expect([...new Set(files.map(folderOf))].toSorted()).toEqual(Object.keys(table).toSorted());
  });

  it("imports downwards only", () => {
    expect(
      imports
        .filter((entry) => !isAllowed(entry))
        .map(({ file, target }) => `${file} imports ${path.relative(root, target)}`),
    ).toEqual([]);
  });

  it.each(["src/send", "src/preview", "src/service", "src/check", "preview"])(
    "has no two folders in %s that import each other",
    (room) => {
      const within = (file: string): string | undefined => {
        const [folder, ...rest] = path.relative(path.join(root, room), file).split(path.sep);
        return rest.length > 0 && folder !== ".." ? folder : undefined;
      };
      const arrows = new Set<string>();
      for (const { file, target } of allImports) {
        const [from, to] = [within(path.join(root, file)), within(target)];
        if (from !== undefined && to !== undefined && from !== to) arrows.add(`${from} → ${to}`);
      }
      expect(arrows.size).toBeGreaterThan(0);
      expect([...arrows].filter((arrow) => arrows.has(arrow.split(" → ").toReversed().join(" → ")))).toEqual([]);
    },
  );

  it("lets sending load only what runs in a bundle: nothing that compiles, locates itself on disk, or is a large package", () => {
    const reached = new Set([path.join(root, "src/send/index.ts")]);
    for (const file of reached)
      for (const { target, typeOnly } of allImports.filter((entry) => path.join(root, entry.file) === file))
        if (!typeOnly) reached.add(target.replace(/\.js$/, ".ts"));
    expect(reached.size).toBeGreaterThan(100);
    const folders = ["api", "mustache", "project", "send", "sqlite", ...foundations];
    expect([...reached].filter((file) => !folders.includes(folderOf(file)))).toEqual([]);
    const unbundled = [...reached].filter((file) =>
      /import\.meta|new Worker\(|^import (?!type ).*"(?:undici|zod)"|import\("(?:undici|zod)"\)/m.test(
        readFileSync(file, "utf8"),
      ),
    );
    expect(unbundled).toEqual([]);
  });

  it("names every folder in docs/architecture.md, with the imports that the table allows", () => {
    const map = readFileSync(path.join(root, "docs/architecture.md"), "utf8");
    for (const [folder, allowed] of Object.entries(table)) {
      const row = new RegExp(`^\\| \`${folder}\` *\\|[^|]*\\| ([^|]*?) *\\|$`, "m").exec(map)?.[1];
      expect(row, `a row for \`${folder}\``).toBeDefined();
      expect(row, `the imports of \`${folder}\``).toBe(described(allowed));
    }
  });
});

describe("docs/architecture.md and CONTRIBUTING.md", () => {
  // Not from the disk: an example that was installed has a link to this folder in its own.
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const existing = execFileSync("git", listed, { cwd: root, encoding: "utf8" })
    .split("\n")
    .map((file) => `/${file}`);

  it.each(["docs/architecture.md", "CONTRIBUTING.md"])("names only files that exist in %s", (document) => {
    const text = readFileSync(path.join(root, document), "utf8");
    const named = Array.from(text.matchAll(/`([\w./-]+\.(?:json|md|mjs|tsx?))`/g), ([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !existing.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });
});

/** How docs/architecture.md writes a row of the table. */
function described(allowed: readonly string[]): string {
  if (allowed.length === 0) return "nothing";
  if (allowed.includes("*")) return "all";
  const others = allowed.filter((entry) => !foundations.includes(entry));
  if (others.length === 0) return allowed === foundations ? "the foundations" : allowed.join(", ");
  return others
    .map((entry) => entry.replace(/^types:(.*)/, "$1 (types)").replace(/^(limits|contract):(.*)/, "$2 ($1)"))
    .join(", ");
}
