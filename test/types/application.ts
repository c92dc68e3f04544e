import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { compiled, makeFolder, repository, type TemplateFacts, write } from "../registry/templates.js";
import { bodiesSpecifier, generateBodies } from "../../src/registry/bodies.js";
import { generateRegistry } from "../../src/registry/generate.js";
import { readImportEnding } from "../../src/registry/import-ending.js";

const run = promisify(execFile);

/** An application that has lettershop and zod installed, and a registry in its sources. */
export interface Application {
  readonly folder: string;
}

export interface ApplicationOptions {
  readonly templates: readonly TemplateFacts[];
  /** Members of package.json. */
  readonly packageJson: object;
  readonly compilerOptions: object;
  readonly files: Readonly<Record<string, string>>;
  /** Whether the registry comes with bodies. */
  readonly bodies?: boolean;
}

export async function makeApplication({
  templates,
  packageJson,
  compilerOptions,
  files,
  bodies = false,
}: ApplicationOptions): Promise<Application> {
  const folder = await makeFolder();
  const lettershop = path.join(folder, "node_modules", "lettershop");
  await mkdir(lettershop);
  await symlink(path.join(repository, "dist"), path.join(lettershop, "dist"), "junction");
  await symlink(
    path.join(repository, "node_modules", "@types"),
    path.join(folder, "node_modules", "@types"),
    "junction",
  );
  const door = (name: string) => ({ types: `./dist/${name}/index.d.ts`, default: `./dist/${name}/index.js` });
  await write(folder, {
    ...files,
    "package.json": JSON.stringify({ name: "application", private: true, ...packageJson }),
    "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }),
    "node_modules/lettershop/package.json": JSON.stringify({
      name: "lettershop",
      type: "module",
      exports: { "./send": door("send"), "./api": door("api"), "./testing": door("testing") },
    }),
  });
  const results = await Promise.all(templates.map((facts) => compiled(folder, facts)));
  const environments = {
    production: { url: "https://api.example.com", domain: "example.com", version: "v4", keyVariable: "MAIL_KEY" },
  } as const;
  const registryFile = path.join(folder, "src/templates.gen.ts");
  const project = {
    folder,
    dataFolder: path.join(folder, ".lettershop"),
    environments,
    locale: "en-US",
    timeZone: "UTC",
  };
  const specifier = bodies ? bodiesSpecifier(registryFile, await readImportEnding(registryFile)) : undefined;
  await write(folder, {
    "src/templates.gen.ts": await generateRegistry({ results, project, bodiesSpecifier: specifier }),
  });
  if (bodies) {
    const generated = generateBodies({ results, registryFile, assets: undefined, imagesOf: () => ["logo.png"] });
    await write(folder, Object.fromEntries(generated.map(({ file, text }) => [path.relative(folder, file), text])));
  }
  return { folder };
}

/** Compiles with the real compiler. Each complaint is `file:line TS1234`. */
export async function compile({ folder }: Application): Promise<string[]> {
  const compiler = path.join(repository, "node_modules", "typescript", "bin", "tsc");
  const output = await run(process.execPath, [compiler, "-p", ".", "--pretty", "false", "--singleThreaded"], {
    cwd: folder,
  }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  return [...output.matchAll(/^(\S.*?)\((\d+),\d+\): error (TS\d+)|^error (TS\d+).*$/gm)].map(
    ([all, file, line, code]) => (file === undefined ? all : `${file}:${line} ${code}`),
  );
}

/** Runs a file and gives what it prints. */
export async function runFile({ folder }: Application, file: string): Promise<string> {
  const { stdout } = await run(process.execPath, [file], { cwd: folder });
  return stdout.trim();
}
