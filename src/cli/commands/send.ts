import path from "node:path";
import { createMailer } from "../../send/index.js";
import { defineCommand, exitCode } from "../command.js";
import { prettyDiagnostics } from "../report/diagnostics.js";
import { chooseFixture } from "../fixture.js";
import { compileProject } from "../compile-project.js";
import { withProject, workingFolder } from "../project.js";
import { withTarget, type Target } from "../target.js";
import { UsageError } from "../arguments.js";
import type { CompiledTemplate, FilledFixture } from "../../template/template.js";
import type { Registry } from "../../template/registry.js";

export const send = defineCommand({
  summary: "Send one real message from a template",
  operands: "NAME",
  count: [1, 1],
  flags: {
    to: { summary: "The recipient", value: "ADDRESS", many: true },
    fixture: { summary: "The fixture whose variables are sent (default: default, else the first)", value: "F" },
    attach: { summary: "A file to attach", value: "FILE", many: true },
    from: { summary: "The sender's local part (default no-reply)", value: "NAME" },
  },
  examples: [
    "templates send receipt --to ada@example.com",
    "templates send receipt --to ada@example.com --fixture long --attach terms.pdf --env staging",
  ],
  async run({ names, flags, output, signal }) {
    if (flags.to.length === 0)
      throw new UsageError("A message needs a recipient.", { hint: `templates send ${names[0]} --to you@example.com` });
    return withProject(flags, async (open) => {
      return withTarget(open.project, flags.env, output, async (target) => {
        const { results, diagnostics } = await compileProject(open, names, target.environment.assets);
        if (diagnostics.length > 0)
          output.note(`${prettyDiagnostics(diagnostics, open.project.folder, output.style)}\n`);
        const compiled = results[0]?.compiled;
        if (compiled === undefined) return exitCode.findings;

        const { name, url, domain, apiKey, namePrefix, nameSuffix, version } = target.environment;
        const fixture = chooseFixture(compiled, flags.fixture);
        const mailer = createMailer({
          templates: registryOf(compiled, fixture, { name, url, domain, version, namePrefix, nameSuffix }),
          environment: name,
          url,
          domain,
          apiKey,
          from: flags.from ?? "no-reply",
        });
        try {
          const sent = await mailer.send(compiled.name, fixture.input, {
            to: flags.to,
            attachments: flags.attach.map((file) => ({ path: path.resolve(workingFolder(flags), file) })),
            signal,
          });
          output.print(`Accepted: ${sent.id}`);
          output.print(`  message id ${sent.messageId}`);
          output.print(`  ${whereToLook(target, open.project.dataFolder, sent.id)}`);
          output.json({ ...sent });
          return exitCode.done;
        } finally {
          await mailer.close();
        }
      });
    });
  },
});

function whereToLook({ environment: { name, url }, isTransient }: Target, dataFolder: string, id: string): string {
  if (name !== "local") return `follow it with: templates logs --env ${name}`;
  return isTransient
    ? `read it in ${path.join(path.relative(process.cwd(), dataFolder), "mail")}`
    : `read it at ${url}/mail/${encodeURIComponent(id)}`;
}

/**
 * A registry of this one template. The fixture has been checked and its derived variables computed when it was compiled,
 * so the schema and `derive` have nothing left to do.
 */
function registryOf(
  { name, hash, subject, contract }: CompiledTemplate,
  fixture: FilledFixture,
  environment: {
    readonly name: string;
    readonly url: string;
    readonly domain: string;
    readonly version: "v4" | "v3";
    readonly namePrefix: string;
    readonly nameSuffix: string;
  },
): Registry {
  const { name: environmentName, ...target } = environment;
  return {
    environments: { [environmentName]: { ...target, keyVariable: "LETTERSHOP_API_KEY" } },
    templates: {
      [name]: {
        hash,
        subject: subject !== "",
        contract,
        schema: { safeParse: (data) => ({ success: true, data }) },
        derive: () => fixture.variables,
      },
    },
  };
}
