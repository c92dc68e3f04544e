import path from "node:path";
import { UsageError } from "../arguments.js";
import { defineCommand, exitCode } from "../command.js";
import { ENGINE_NAMES } from "../../project/template.js";
import { createTemplate } from "../scaffold/create-template.js";
import { installCommand } from "../scaffold/peers.js";
import { withProject } from "../project.js";

export const command = defineCommand({
  operands: "NAME",
  count: [1, 1],
  flags: {
    mjml: { summary: "Write the body in MJML (default)" },
    react: { summary: "Write the body as a React Email component" },
    html: { summary: "Write the body in HTML" },
  },
  examples: ["templates new order-shipped --mjml", "templates new order-shipped --react"],
  async run({ names: [name = ""], flags, output }) {
    const chosen = ENGINE_NAMES.filter((engine) => flags[engine]);
    if (chosen.length > 1) throw new UsageError(`A template has one body. Use only one of --${chosen.join(", --")}.`);
    const engine = chosen[0] ?? "mjml";
    const project = await withProject(flags, async (open) => open.project);
    const { written, missing } = await createTemplate(project, { name, engine });
    for (const file of written) output.print(`  ${path.relative(process.cwd(), file)}`);
    if (missing.length > 0) output.note(`Missing packages. Run: ${installCommand(missing)}`);
    output.json({ name, files: written, missing });
    return exitCode.done;
  },
});
