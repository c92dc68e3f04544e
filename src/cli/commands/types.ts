import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { hasErrors } from "../../diagnostic.js";
import { changeInWords, compareRegistry, generateRegistry } from "../../registry/index.js";
import { defineCommand, exitCode } from "../command.js";
import { countDiagnostics, prettyDiagnostics } from "../report/diagnostics.js";
import { compileProject } from "../compile-project.js";
import { withProject } from "../project.js";

export const types = defineCommand({
  summary: "Write the typed registry that applications import",
  flags: {
    check: { summary: "Write nothing; exit with 1 when the file is out of date, and show what changes for callers" },
  },
  examples: ["templates types", "templates types --check"],
  async run({ flags, output }) {
    return withProject(flags, async (open) => {
      const { project } = open;
      const { results, diagnostics } = await compileProject(open, []);
      if (hasErrors(diagnostics)) {
        output.note(`${prettyDiagnostics(diagnostics, project.folder, output.style)}\n`);
        output.note(`The registry was not written: ${countDiagnostics(diagnostics)}.`);
        output.json({ file: project.registryFile, written: false, diagnostics });
        return exitCode.findings;
      }
      const file = path.relative(process.cwd(), project.registryFile) || project.registryFile;
      const before = await readIfThere(project.registryFile);
      const after = await generateRegistry({ results, project });
      const { upToDate, changes } = compareRegistry(before, after);

      for (const line of changes.flatMap(changeInWords)) output.print(`  ${line}`);
      if (flags.check) {
        output.print(
          upToDate
            ? `${file} is up to date.`
            : `${file} is ${before === undefined ? "missing" : "out of date"}. Run: templates types`,
        );
        output.json({ file: project.registryFile, upToDate, changes });
        return upToDate ? exitCode.done : exitCode.findings;
      }
      if (!upToDate) {
        await mkdir(path.dirname(project.registryFile), { recursive: true });
        await writeFile(project.registryFile, after);
      }
      output.print(upToDate ? `${file} is up to date.` : `Wrote ${file}.`);
      output.json({ file: project.registryFile, written: !upToDate, changes });
      return exitCode.done;
    });
  },
});

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
