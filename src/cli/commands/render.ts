import { fill } from "../../mustache/fill.js";
import { defineCommand, exitCode } from "../command.js";
import { computedAsJson, computedTable } from "../report/computed.js";
import { countDiagnostics, prettyDiagnostics } from "../report/diagnostics.js";
import { chooseFixture, compileProject } from "../compile-project.js";
import { assetsOf } from "../assets.js";
import { withProject } from "../project.js";

export const command = defineCommand({
  operands: "NAME",
  count: [1, 1],
  flags: {
    fixture: {
      summary: "Fill the template with this fixture (default: the one named default, or the first)",
      value: "F",
    },
    part: { summary: "Print only this part, exactly as it is sent", value: "PART", oneOf: ["subject", "html", "text"] },
  },
  examples: ["templates render receipt", "templates render receipt --fixture long --part html > receipt.html"],
  async run({ names, flags, output }) {
    return withProject(flags, async (open) => {
      const assets = flags.env === undefined ? open.project.assets : assetsOf(open.project, flags.env);
      const { results, diagnostics } = await compileProject(open, names, assets);
      if (diagnostics.length > 0) output.note(`${prettyDiagnostics(diagnostics, open.project.folder, output.style)}\n`);
      const compiled = results[0]?.compiled;
      if (compiled === undefined) {
        output.note(`"${names[0]}" does not compile: ${countDiagnostics(diagnostics)}.`);
        output.json({ diagnostics });
        return exitCode.findings;
      }
      const fixture = chooseFixture(compiled, flags.fixture);
      const message = fill(compiled, fixture.variables);
      const { folder } = open.project;
      if (flags.part) output.write(message[flags.part]);
      else {
        output.print(`Subject: ${message.subject}\n\n${message.text}`);
        const computed = computedTable(compiled, fixture, folder);
        if (computed !== "") output.note(`\n${computed}`);
      }
      output.json({ name: compiled.name, ...message, computed: computedAsJson(compiled, fixture, folder) });
      return exitCode.done;
    });
  },
});
