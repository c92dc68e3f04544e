import { existsSync } from "node:fs";
import { mkdir, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { replaceFile } from "../../files.js";
import { fill } from "../../mustache/fill.js";
import type { CompiledTemplate, Template } from "../../project/template.js";
import { type ChangedFile, nameValues, type UnnamedValue } from "../../render/react/derive/named-values.js";
import { UsageError } from "../arguments.js";
import { defineCommand, exitCode } from "../command.js";
import { compileProject } from "../compile-project.js";
import type { Output } from "../output.js";
import { compileContext, type OpenProject, withProject } from "../project.js";
import { countDiagnostics, prettyDiagnostics } from "../report/diagnostics.js";

export const command = defineCommand({
  operands: "NAME",
  count: [1, 1],
  flags: {},
  examples: ["templates derive receipt"],
  async run({ names: [name = ""], flags, output }) {
    return withProject(flags, async (open) => {
      const { folder, registryFile } = open.project;
      const { results, diagnostics } = await compileProject(open, [name]);
      const [result] = results;
      if (!result?.compiled) {
        output.note(`${prettyDiagnostics(diagnostics, folder, output.style)}\n`);
        output.note(`"${name}" does not compile: ${countDiagnostics(diagnostics)}.`);
        output.json({ name, diagnostics });
        return exitCode.findings;
      }
      const { compiled, template } = result;
      refuseTemplate(template, folder);
      const { names, files, instructions, unnamed } = await nameValues(compiled, template, compileContext(open));
      const obstacle =
        names.length > 0 && files.length === 0 ? UNKNOWN_FORM : await writeVerified(files, open, compiled);
      if (obstacle === undefined) {
        for (const { file } of files) output.print(`  ${path.relative(process.cwd(), file)}`);
        if (files.length === 0) output.print(nothingToDo(name, unnamed));
        report(unnamed, folder, output);
        if (files.length > 0 && existsSync(registryFile))
          output.note("The registry is out of date. Run: templates types");
        output.json({ name, names, files: files.map(({ file }) => file), unnamed });
        return exitCode.done;
      }
      output.note(`${obstacle} Nothing was written. Make these changes by hand:\n`);
      output.print(instructions);
      report(unnamed, folder, output);
      output.json({ name, names, files: [], unnamed, problem: obstacle, instructions });
      return exitCode.findings;
    });
  },
});

const UNKNOWN_FORM = "The code of this variables.ts can't be extended automatically.";

/** @throws {UsageError} It is not a React component in a folder of its own. */
function refuseTemplate({ name, engine, body, folder, root }: Template, project: string): void {
  if (engine !== "react") {
    const hint = "Only React components compute values. Write derive in variables.ts, and print what it returns.";
    throw new UsageError(`"${name}" is written in ${engine.toUpperCase()}.`, { hint });
  }
  if (folder !== root) return;
  const file = path.basename(body.file);
  throw new UsageError(`${path.relative(project, body.file)} is a single file, which can't have a variables.ts.`, {
    hint: `Move it to ${path.relative(project, path.join(folder, name, file))}, update its imports, and run this again.`,
  });
}

function nothingToDo(name: string, unnamed: readonly UnnamedValue[]): string {
  return unnamed.length === 0
    ? `"${name}" has no computed values.`
    : `"${name}" has no computed values that can get names.`;
}

function report(unnamed: readonly UnnamedValue[], folder: string, output: Output): void {
  for (const { at, code, reason } of unnamed) {
    const place = [path.relative(folder, at.file), at.line, at.column].filter((part) => part !== undefined).join(":");
    output.note(`${place}  ${code} stays a computed value: ${reason}.`);
  }
}

/**
 * Writes files and compiles the template again. If it then prints something else, restores the files.
 *
 * @returns Why the files were restored; undefined if they were written.
 */
async function writeVerified(
  files: readonly ChangedFile[],
  open: OpenProject,
  before: CompiledTemplate,
): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  const created = files.filter(({ file }) => !existsSync(path.dirname(file))).map(({ file }) => path.dirname(file));
  let isEqual = false;
  try {
    for (const { file, text } of files) {
      await mkdir(path.dirname(file), { recursive: true });
      replaceFile(file, text);
    }
    const { results, diagnostics } = await compileProject(open, [before.name]);
    const after = results[0]?.compiled;
    isEqual = after !== undefined && printsTheSame(before, after);
    if (isEqual) return undefined;
    const [error] = diagnostics.filter(({ severity }) => severity === "error");
    return error
      ? `The changed template does not compile: ${error.message}`
      : "The changed template prints something else.";
  } finally {
    if (!isEqual) {
      for (const { file, before: text } of files) {
        if (text === undefined) await rm(file, { force: true });
        else replaceFile(file, text);
      }
      for (const folder of created) await rmdir(folder).catch(() => undefined);
    }
  }
}

function printsTheSame(one: CompiledTemplate, other: CompiledTemplate): boolean {
  const printed = (compiled: CompiledTemplate) => compiled.fixtures.map(({ variables }) => fill(compiled, variables));
  return JSON.stringify(printed(one)) === JSON.stringify(printed(other));
}
