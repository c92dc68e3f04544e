import path from "node:path";
import { writeCopy } from "../../preview/write-copy.js";
import { readPage } from "../../preview/server/page.js";
import { openWorkspace } from "../../preview/server/workspace/workspace.js";
import { UsageError } from "../arguments.js";
import { type ExitCode, exitCode } from "../command.js";
import type { Output } from "../output.js";
import { type ProjectFlags, workingFolder } from "../project.js";
import { printProblems, projectAccess } from "./project-access.js";
import { plural } from "../report/check-report.js";

/** `templates preview build`: writes the preview of the project's templates as static files. */
export async function buildCopy(
  flags: ProjectFlags & { readonly out: string | undefined },
  output: Output,
): Promise<ExitCode> {
  if (flags.out === undefined)
    throw new UsageError('"templates preview build" needs an output folder.', {
      hint: "Run: templates preview build --out DIR",
    });
  const out = path.resolve(workingFolder(flags), flags.out);
  const access = await projectAccess(flags);
  const workspace = openWorkspace(access, { watch: false });
  try {
    const { templates, broken } = await writeCopy({ workspace, page: await readPage(), folder: access.folder, out });
    output.print(`${plural(templates.length, "template")} in ${displayPath(out)}`);
    if (broken.length > 0) output.note(`Did not compile: ${broken.join(", ")}. The copy shows why.`);
    const isTroubled = printProblems(await workspace.state(), output);
    output.json({ out, templates, broken });
    return isTroubled || broken.length > 0 ? exitCode.findings : exitCode.done;
  } finally {
    await workspace.close();
  }
}

function displayPath(out: string): string {
  return path.relative(process.cwd(), path.join(out, "index.html")) || out;
}
