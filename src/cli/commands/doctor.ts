import path from "node:path";
import { hasErrors } from "../../diagnostic.js";
import { LettershopError } from "../../errors.js";
import { type Environment, isIncluded, remoteName } from "../../project/environment.js";
import type { Project } from "../../project/load-project.js";
import type { SmtpServer } from "../../project/smtp-server.js";
import { systemClock } from "../../send/clock.js";
import { type Check, verify } from "../../send/tracking/verify.js";
import type { NamedTemplate } from "../../send/tracking/verify-templates.js";
import { loadTemplates } from "../../project/load-templates.js";
import { defineCommand, exitCode } from "../command.js";
import type { Output } from "../output.js";
import { countDiagnostics } from "../report/diagnostics.js";
import type { KeylessProject } from "../keyless/keyless-project.js";
import { installCommand, missingPeers, packageManifest } from "../scaffold/peers.js";
import { sendingTarget, type Target, withTarget } from "../target.js";
import { plural } from "../report/check-report.js";
import { smtp } from "../../smtp/index.js";

/** The result of one check of the setup. */
interface Finding {
  readonly state: "fine" | "advice" | "missing";
  readonly what: string;
  /** How to fix it. */
  readonly hint?: string | undefined;
}

export const command = defineCommand({
  flags: {},
  examples: ["templates doctor", "templates doctor --env production"],
  async run({ flags, output, signal, withKeylessProject }) {
    const findings: Finding[] = [nodeFinding()];
    await withKeylessProject(flags, signal, async (opened) => {
      const { project } = opened;
      findings.push({
        state: "fine",
        what: `project ${project.folder}${project.configFile === undefined ? ", without a configuration file" : ""}`,
      });
      findings.push(...(await templateFindings(project)));
      findings.push(...(await serviceFindings(opened, flags.env, output, signal)));
    });
    for (const { state, what, hint } of findings) {
      output.print(`${mark(state, output.style)} ${what}`);
      if (hint !== undefined) output.print(`    ${hint}`);
    }
    output.json({ findings });
    return findings.some(({ state }) => state === "missing") ? exitCode.findings : exitCode.done;
  },
});

function mark(state: Finding["state"], style: Output["style"]): string {
  return { fine: style("green", "✓"), advice: style("yellow", "!"), missing: style("red", "✗") }[state];
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isOldEnough = major > 20 || (major === 20 && minor >= 19);
  const what = `Node ${process.versions.node}`;
  return isOldEnough
    ? { state: "fine", what }
    : { state: "missing", what, hint: `lettershop needs Node ${packageManifest.engines.node}.` };
}

async function templateFindings(project: Project): Promise<Finding[]> {
  const { templates, diagnostics } = loadTemplates(project.roots);
  const roots = project.roots.map((root) => path.relative(project.folder, root) || ".").join(", ");
  const findings: Finding[] = [];
  if (templates.length === 0 && diagnostics.length === 0)
    findings.push({
      state: "advice",
      what: `no templates in ${roots}`,
      hint: "Run: templates init (or templates new NAME)",
    });
  else if (hasErrors(diagnostics))
    findings.push({
      state: "missing",
      what: `${plural(templates.length, "template")} in ${roots}, and ${countDiagnostics(diagnostics)}`,
      hint: "Run: templates check",
    });
  else findings.push({ state: "fine", what: `${plural(templates.length, "template")} in ${roots}` });

  const engines = [...new Set(templates.map(({ engine }) => engine))];
  const sources = templates.map(({ body }) => body.text);
  const needed = missingPeers(project.folder, engines, sources);
  findings.push(
    needed.length === 0
      ? { state: "fine", what: "all packages that the templates need are installed" }
      : {
          state: "missing",
          what: `not installed: ${needed.join(", ")}`,
          hint: `Run: ${installCommand(needed)}`,
        },
  );
  return findings;
}

async function serviceFindings(
  { project, compile }: KeylessProject,
  name: string | undefined,
  output: Output,
  signal: AbortSignal,
): Promise<Finding[]> {
  try {
    const sending = sendingTarget(project, name);
    const found = sending.smtp ? [await smtpFinding(sending, sending.smtp)] : [];
    // By SMTP, neither a service nor its templates are needed.
    if (sending.smtp && project.environments[sending.name]?.url === undefined) return found;
    return await withTarget(project, name, output, async (target) => {
      const { environment } = target;
      const templates = sending.smtp ? [] : await namedTemplates(project, compile, target);
      const { url, domain } = environment;
      const { checks } = await verify({ ...target, url, domain }, templates, signal);
      return [...found, ...checkFindings(checks, environment)];
    });
  } catch (error) {
    if (!(error instanceof LettershopError)) throw error;
    return [{ state: "missing", what: error.message, hint: error.hint }];
  }
}

const SMTP_TIMEOUT_MS = 10_000;

/** Whether the SMTP server accepts the connection and the login. */
async function smtpFinding({ domain, allowInsecure }: Environment, server: SmtpServer): Promise<Finding> {
  const transport = await smtp().open({
    server,
    domain,
    allowInsecure,
    timeoutMs: SMTP_TIMEOUT_MS,
    clock: systemClock,
  });
  const { ok, message, hint } = await transport.verify();
  await transport.close();
  return { state: ok ? "fine" : "missing", what: message, hint };
}

/** The templates that compile and that the environment includes. `templateFindings` reports why others don't compile. */
async function namedTemplates(
  project: Project,
  compile: KeylessProject["compile"],
  { environment }: Target,
): Promise<NamedTemplate[]> {
  if (loadTemplates(project.roots).templates.length === 0) return [];
  const compiled = await compile([], environment.assets).catch((error: unknown) => {
    if (error instanceof LettershopError && error.code !== "aborted") return undefined;
    throw error;
  });
  return (compiled?.templates ?? [])
    .filter(({ name }) => isIncluded(environment, name))
    .map(({ name, contract }) => ({ name, remoteName: remoteName(environment, name), contract }));
}

/**
 * All templates that are deployed correctly are one finding. For the local service, problems with templates are only advice,
 * because `templates dev` syncs them.
 */
function checkFindings(checks: readonly Check[], environment: Environment): Finding[] {
  const valid = checks.filter(({ name, ok }) => name === "template" && ok).length;
  const findings = checks
    .filter(({ name, ok }) => name !== "template" || !ok)
    .map(({ name, ok, message, hint }): Finding => {
      const isLocal = name === "template" && environment.name === "local";
      const advice = name === "key" ? keyHint(environment) : hint;
      return {
        state: ok ? "fine" : isLocal ? "advice" : "missing",
        what: message,
        hint: ok ? undefined : advice,
      };
    });
  if (valid > 0)
    findings.push({ state: "fine", what: `${plural(valid, "template")} deployed, matching what applications pass` });
  return findings;
}

function keyHint({ name }: Environment): string {
  return `Set the key of the environment "${name}". You can find it in the API section of the account's dashboard.`;
}
