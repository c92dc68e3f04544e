import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import type { Engine } from "../../project/template.js";
import { defineCommand, type ExitCode, exitCode } from "../command.js";
import { workingFolder } from "../project.js";
import { table } from "../report/table.js";
import { MissingPeerError } from "../../errors.js";
import { type Adopted, adoptFolder } from "../scaffold/adopt/adopt-folder.js";
import {
  configFile,
  extendPackageJson,
  installPackages,
  isForMacos,
  isLauncher,
  launchers,
  ownRange,
  packageManager,
} from "../scaffold/project-files.js";
import { missingPackages, neededPeers, packageManifest, runtimePeers } from "../scaffold/peers.js";
import { starterFiles } from "../scaffold/starters.js";
import { writeNewFiles } from "../scaffold/create-template.js";
import { plural } from "../report/check-report.js";

export const command = defineCommand({
  operands: "[dir]",
  count: [0, 1],
  flags: {
    from: { summary: "Import a folder of React Email or MJML files instead of adding starters", value: "DIR" },
    mjml: { summary: "Add starters in MJML (default) and HTML" },
    react: { summary: "Add starters in React Email and HTML" },
    launchers: {
      summary:
        "Add Preview.command and Preview.cmd, which open the preview on double-click; no starters if templates/ exists",
    },
    noInstall: { summary: "Write package.json without installing packages" },
  },
  examples: [
    "templates init",
    "templates init my-app --react",
    "templates init --from emails",
    "templates init --launchers",
  ],
  async run({ names: [directory = "."], flags, output }) {
    const folder = path.resolve(workingFolder(flags), directory);
    await mkdir(folder, { recursive: true });
    const manager = packageManager(folder);
    let adopted: Adopted | undefined;
    try {
      if (flags.from !== undefined) adopted = await adoptFolder(path.resolve(workingFolder(flags), flags.from), folder);
    } catch (error) {
      // Reading modules needs a peer dependency. Node can't load it in a process that has already failed to find it.
      if (!(error instanceof MissingPeerError) || flags.noInstall) throw error;
      const added = await extendPackageJson(folder, { ...required, devDependencies: neededPeers(["react"], []) });
      if (added.length === 0 || !(await installPackages(folder, manager))) throw error;
      return runAgain();
    }
    const isSetUp = flags.launchers && !flags.mjml && !flags.react && existsSync(path.join(folder, "templates"));
    const engines: readonly Engine[] = adopted?.engines ?? (isSetUp ? [] : chosenEngines(flags));
    const files = adopted?.files ?? (isSetUp ? new Map<string, string>() : await starterFiles(engines));
    const templates = await writeNewFiles(path.join(folder, "templates"), files);
    const rest = await writeNewFiles(
      folder,
      new Map([
        ["lettershop.config.ts", configFile(path.basename(folder))],
        [".lettershop/.gitignore", "*\n"],
        ...(flags.launchers ? launchers(manager) : []),
      ]),
    );
    for (const file of rest.written.filter(isForMacos)) await chmod(file, 0o755);
    const dependencies = await extendPackageJson(folder, {
      ...required,
      devDependencies: new Map([
        ...neededPeers(engines, files.values()),
        ...Array.from(adopted?.packages ?? []).filter(
          ([name]) => !(name in packageManifest.peerDependencies) && missingPackages(folder, [name]).length > 0,
        ),
      ]),
    });

    const written = [...templates.written, ...rest.written];
    const kept = [...templates.kept, ...rest.kept];
    for (const file of adopted ? rest.written : written) output.print(`  ${path.relative(folder, file)}`);
    if (kept.length > 0) output.note(`Unchanged: ${kept.map((file) => path.relative(folder, file)).join(", ")}`);

    const line = `${manager} install`;
    if (dependencies.length > 0) output.print(`Added to package.json: ${dependencies.join(", ")}`);
    const installed = !flags.noInstall && dependencies.length > 0 ? await installPackages(folder, manager) : undefined;
    if (installed === false) output.note(`"${line}" failed. Run it in ${folder} to see why.`);
    if (adopted) output.print(adoptionTable(adopted));
    const into = directory === "." ? "" : `cd ${directory} && `;
    const first = installed === true || dependencies.length === 0 ? "" : `${line} && `;
    output.print(`Next: ${into}${first}npx templates build`);
    const toOpen = [...written, ...kept].filter(isLauncher).map((file) => path.basename(file));
    const byClick = toOpen.length > 0 ? `, or double-click ${toOpen.join(" or ")}` : "";
    output.print(`To see the templates: npx templates preview --open${byClick}`);
    output.json({
      folder,
      files: written,
      kept,
      added: dependencies,
      installed: installed === true,
      ...(adopted && { adopted: reportOf(adopted) }),
    });
    return installed === false ? exitCode.findings : exitCode.done;
  },
});

/** The contents of the table, for `--json`. */
function reportOf({ templates, parts, notUnderstood, notTaken }: Adopted): object {
  return { templates, parts, notUnderstood, notTaken };
}

/** What every project's package.json gets. */
const required = {
  scripts: {
    "templates:build": "templates build",
    "templates:check": "templates check",
    "templates:preview": "templates preview --open",
    "templates:sync": "templates sync",
    "templates:types": "templates types",
  },
  dependencies: new Map([
    ["lettershop", ownRange],
    ["zod", packageManifest.dependencies["zod"] ?? "^4"],
    ...runtimePeers(),
  ]),
};

/** Runs this command in a new process and returns its exit code. */
async function runAgain(): Promise<ExitCode> {
  const child = spawn(process.execPath, process.argv.slice(1), { stdio: "inherit" });
  const [code]: unknown[] = await once(child, "exit");
  return Object.values(exitCode).find((each) => each === code) ?? exitCode.findings;
}

function chosenEngines({ mjml, react }: { readonly mjml: boolean; readonly react: boolean }): readonly Engine[] {
  return [...(mjml || !react ? (["mjml"] as const) : []), ...(react ? (["react"] as const) : []), "html"];
}

/** What each file of an imported folder has become: a template, a part or nothing, and why. */
function adoptionTable({ templates, parts, notUnderstood, notTaken }: Adopted): string {
  const images = parts.filter(({ place }) => place.startsWith("_assets/"));
  const others = parts.filter((part) => !images.includes(part));
  return table([
    ["FILE", "BECOMES", "NOTE"],
    ...templates.map(({ file, name, notes }) => [file, `template ${name}`, notes.join("; ")]),
    ...others.map(({ file, place, why }) => [file, `part ${place}`, why]),
    ...(images.length > 0 ? [[plural(images.length, "image"), "_assets", ""]] : []),
    ...notUnderstood.map(({ file, why }) => [file, "not understood", why]),
    ...notTaken.slice(0, NOT_TAKEN_MAX).map(({ file, why }) => [file, "skipped", why]),
    ...(notTaken.length > NOT_TAKEN_MAX ? [[plural(notTaken.length - NOT_TAKEN_MAX, "more file"), "skipped", ""]] : []),
  ]);
}

/** Maximum number of skipped files to list; the rest are counted. */
const NOT_TAKEN_MAX = 10;
