import path from "node:path";
import { onSendEvent } from "../../send/events.js";
import { createMailer } from "../../send/index.js";
import { preloadMailer } from "../keyless/preload.js";
import { defineCommand, exitCode } from "../command.js";
import { prettyDiagnostics } from "../report/diagnostics.js";
import { chooseFixture } from "../compile-project.js";
import { workingFolder } from "../project.js";
import { projectTarget, type Target, withTarget } from "../target.js";
import { UsageError } from "../arguments.js";
import type { CompiledTemplate, FilledFixture } from "../../project/template.js";
import type { Environment } from "../../project/environment.js";
import type { Registry } from "../../project/registry-types.js";
import { smtp } from "../../smtp/index.js";

export const command = defineCommand({
  operands: "NAME",
  count: [1, 1],
  flags: {
    to: { summary: "Send to this address", value: "ADDRESS", many: true },
    fixture: { summary: "Send this fixture's variables (default: the one named default, or the first)", value: "F" },
    attach: { summary: "Attach this file", value: "FILE", many: true },
    from: { summary: "Local part of the sender's address (default no-reply)", value: "NAME" },
  },
  examples: [
    "templates send receipt --to ada@example.com",
    "templates send receipt --to ada@example.com --fixture long --attach terms.pdf --env staging",
  ],
  async run({ names, flags, output, signal, withKeylessProject }) {
    if (flags.to.length === 0)
      throw new UsageError("A message needs a recipient.", {
        hint: `Run: templates send ${names[0]} --to you@example.com`,
      });
    await preloadMailer();
    return withKeylessProject(flags, signal, async ({ project, compile }) => {
      const transport = smtp();
      const send = async (environment: Environment, hintFor: (id: string) => string | undefined) => {
        const {
          templates: [compiled],
          diagnostics,
        } = await compile(names, environment.assets);
        if (diagnostics.length > 0) output.note(`${prettyDiagnostics(diagnostics, project.folder, output.style)}\n`);
        if (compiled === undefined) return exitCode.findings;

        const { name, domain, allowInsecure } = environment;
        const fixture = chooseFixture(compiled, flags.fixture);
        const mailer = createMailer({
          ...(environment.smtp && { transport }),
          ...(hasService(environment) && { url: environment.url, apiKey: environment.apiKey }),
          templates: registryOf(compiled, fixture, environment),
          environment: name,
          domain,
          allowInsecure,
          from: flags.from ?? "no-reply",
        });
        const stopListening = onSendEvent((event) => {
          if (event.type === "attachment-warning") output.note(`Warning: ${event.path} ${event.message}`);
        });
        try {
          const sent = await mailer.send(compiled.name, fixture.input, {
            to: flags.to,
            attachments: flags.attach.map((file) => ({ path: path.resolve(workingFolder(flags), file) })),
            signal,
          });
          output.print(`Accepted: ${sent.id}`);
          output.print(`  message id ${sent.messageId}`);
          for (const { email, code } of sent.refused ?? [])
            output.note(`Warning: the server refused ${email} (${code})`);
          const hint = hintFor(sent.id);
          if (hint !== undefined) output.print(`  ${hint}`);
          output.json({ ...sent });
          return exitCode.done;
        } finally {
          stopListening();
          await mailer.close();
        }
      };
      const environment = projectTarget(project, flags.env, transport);
      if (environment.smtp === undefined)
        return withTarget(project, flags.env, output, async (target) =>
          send(target.environment, (id) => whereToLook(target, project.dataFolder, id)),
        );
      output.note(`Environment ${environment.name}: ${environment.domain}, by ${environment.smtp.url}`);
      return send(environment, (id) => (hasService(environment) ? howToTrace(environment, id) : undefined));
    });
  },
});

/** Whether there is a service whose log can be read. By SMTP, there may be none. */
function hasService({ apiKey }: Environment): boolean {
  return apiKey !== "";
}

function howToTrace({ name }: Environment, id: string): string {
  return `to follow it, run: templates trace ${id} --env ${name}`;
}

function whereToLook({ environment, isTransient }: Target, dataFolder: string, id: string): string {
  if (environment.name !== "local") return howToTrace(environment, id);
  return isTransient
    ? `read it in ${path.join(path.relative(process.cwd(), dataFolder), "mail")}`
    : `read it at ${environment.url}/mail/${encodeURIComponent(id)}`;
}

/**
 * A registry with only this template. Compiling has already checked the fixture and computed its derived variables, so the
 * schema and `derive` do nothing.
 */
function registryOf(
  { name, hash, subject, html_body, text_body, contract }: CompiledTemplate,
  fixture: FilledFixture,
  { name: environment, domain, version, namePrefix, nameSuffix, recipients }: Environment,
): Registry {
  const keyVariable = "LETTERSHOP_API_KEY";
  return {
    environments: {
      [environment]: { domain, version, keyVariable, namePrefix, nameSuffix, ...(recipients && { recipients }) },
    },
    templates: {
      [name]: {
        hash,
        subject,
        contract,
        schema: { safeParse: (data) => ({ success: true, data }) },
        derive: () => fixture.variables,
        // For SMTP. The images' URLs are in them already.
        bodies: async () => ({ html: () => html_body, text: () => text_body }),
      },
    },
  };
}
