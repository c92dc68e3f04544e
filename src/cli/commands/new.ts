import path from "node:path";
import { loadTemplates } from "../../template/load.js";
import { nameProblem, stemOf } from "../../template/name.js";
import { UsageError } from "../arguments.js";
import { defineCommand, exitCode } from "../command.js";
import { firstTemplate } from "../scaffold/first-template.js";
import { installCommand, missingPeers } from "../scaffold/peers.js";
import { withProject } from "../project.js";
import { writeNewFiles } from "../scaffold/write-new.js";

export const newTemplate = defineCommand({
  summary: "Add one template with a schema and a fixture",
  operands: "NAME",
  count: [1, 1],
  flags: {
    mjml: { summary: "Write the body in MJML (default)" },
    react: { summary: "Write the body as a React Email component" },
    html: { summary: "Write the body in HTML" },
  },
  examples: ["templates new order-shipped --mjml", "templates new order-shipped --react"],
  async run({ names: [name = ""], flags, output }) {
    const chosen = (["mjml", "react", "html"] as const).filter((engine) => flags[engine]);
    if (chosen.length > 1) throw new UsageError(`A template has one body: --${chosen.join(" or --")}, not both.`);
    const engine = chosen[0] ?? "mjml";
    const problem = nameProblem(name);
    if (problem !== undefined) throw new UsageError(problem);
    const project = await withProject(flags, async (open) => open.project);
    if (loadTemplates(project.roots).names.has(name)) throw new UsageError(`There is a template "${name}" already.`);
    const [root = ""] = project.roots;
    const files = firstTemplate(name, engine);
    const { written, kept } = await writeNewFiles(path.join(root, stemOf(name)), files);
    for (const file of written) output.print(`  ${path.relative(process.cwd(), file)}`);
    for (const file of kept) output.note(`Kept as it was: ${path.relative(process.cwd(), file)}`);
    const missing = missingPeers(project.folder, [engine], files.values());
    if (missing.length > 0) output.note(`Needed as well: ${installCommand(missing)}`);
    output.json({ name, files: written, missing });
    return exitCode.done;
  },
});
