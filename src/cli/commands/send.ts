import path from "node:path";
import { onSendEvent } from "../../send/events.js";
import { createMailer } from "../../send/index.js";
import { bare } from "../../send/parcel.js";
import { preloadMailer } from "../keyless/preload.js";
import { defineCommand, exitCode } from "../command.js";
import { prettyDiagnostics } from "../report/diagnostics.js";
import { chooseFixture } from "../compile-project.js";
import { workingFolder } from "../project.js";
import { mailerOptions, openMailerStore } from "../mailer-options.js";
import type { Output } from "../output.js";
import { sendingTarget, withTarget, type Target } from "../target.js";
import type { Project } from "../../project/load-project.js";
import { UsageError } from "../arguments.js";
import type { CompiledTemplate, FilledFixture } from "../../project/template.js";
import type { Registry, RegistryEnvironment } from "../../project/registry-types.js";

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
    const [store] = await Promise.all([openMailerStore(), preloadMailer()]);
    return withKeylessProject(flags, signal, async ({ project, compile }) => {
      return withSendingTarget(project, flags.env, output, async (target) => {
        const {
          templates: [compiled],
          diagnostics,
        } = await compile(names, target.environment.assets);
        if (diagnostics.length > 0) output.note(`${prettyDiagnostics(diagnostics, project.folder, output.style)}\n`);
        if (compiled === undefined) return exitCode.findings;

        const fixture = chooseFixture(compiled, flags.fixture);
        const { registered, ...options } = mailerOptions(target.environment);
        const mailer = createMailer({
          ...options,
          templates: registryOf(compiled, fixture, target.environment.name, registered),
          from: flags.from ?? "no-reply",
          store,
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
          if (target.environment.apiKey !== "") output.print(`  ${whereToLook(target, project.dataFolder, sent.id)}`);
          output.json({ ...sent });
          return exitCode.done;
        } finally {
          stopListening();
          await mailer.close();
          await store?.close();
        }
      });
    });
  },
});

type SendingTarget = Pick<Target, "environment" | "isTransient">;

async function withSendingTarget<Result>(
  project: Project,
  name: string | undefined,
  output: Output,
  use: (target: SendingTarget) => Promise<Result>,
): Promise<Result> {
  const environment = sendingTarget(project, name);
  if (environment.smtp === undefined) return withTarget(project, name, output, use);
  output.note(`Environment ${environment.name}: ${environment.domain} at ${environment.smtp.url}`);
  return use({ environment, isTransient: false });
}

function whereToLook(
  { environment: { name, url }, isTransient }: SendingTarget,
  dataFolder: string,
  id: string,
): string {
  if (name !== "local") return `to follow it, run: templates trace ${bare(id)} --env ${name}`;
  return isTransient
    ? `read it in ${path.join(path.relative(process.cwd(), dataFolder), "mail")}`
    : `read it at ${url}/mail/${encodeURIComponent(id)}`;
}

/**
 * A registry with only this template. Compiling has already checked the fixture and completed its variables, so the schema and
 * `derive` do nothing, and nothing is computed.
 */
function registryOf(
  { name, hash, subject, html_body, text_body, contract }: CompiledTemplate,
  fixture: FilledFixture,
  environmentName: string,
  environment: RegistryEnvironment,
): Registry {
  return {
    environments: { [environmentName]: environment },
    templates: {
      [name]: {
        hash,
        subject,
        contract: { ...contract, conditions: [] },
        schema: { safeParse: (data) => ({ success: true, data }) },
        derive: () => fixture.variables,
        // For SMTP. The images' URLs are in them already.
        bodies: async () => ({ html: () => html_body, text: () => text_body }),
      },
    },
  };
}
