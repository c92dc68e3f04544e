import path from "node:path";
import { isForbidden, isNotFound, isUnauthorized } from "../../api/errors.js";
import { hasErrors } from "../../diagnostic.js";
import { LettershopError } from "../../errors.js";
import type { Project } from "../../config/load.js";
import { loadTemplates } from "../../template/load.js";
import { isReadyToSend, readAccount } from "../account.js";
import { defineCommand, exitCode } from "../command.js";
import { packageManifest } from "../manifest.js";
import type { Output } from "../output.js";
import { countDiagnostics } from "../report/diagnostics.js";
import { withProjectApart } from "../apart/project-apart.js";
import { missingPeers } from "../scaffold/peers.js";
import { type Target, withTarget } from "../target.js";

/** One thing that was looked at. */
interface Finding {
  readonly state: "fine" | "advice" | "missing";
  readonly what: string;
  /** How to get it. */
  readonly hint?: string;
}

export const doctor = defineCommand({
  summary: "Find out what is missing and how to get it",
  flags: {},
  examples: ["templates doctor", "templates doctor --env production"],
  async run({ flags, output, signal }) {
    const findings: Finding[] = [nodeFinding()];
    await withProjectApart(flags, signal, async ({ project }) => {
      findings.push({
        state: "fine",
        what: `project ${project.folder}${project.configFile === undefined ? ", without a configuration file" : ""}`,
      });
      findings.push(...(await templateFindings(project)));
      findings.push(...(await serviceFindings(project, flags.env, output, signal)));
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
  const found: Finding[] = [];
  if (templates.length === 0 && diagnostics.length === 0)
    found.push({
      state: "advice",
      what: `no templates in ${roots}`,
      hint: "Run: templates init, or templates new NAME",
    });
  else if (hasErrors(diagnostics))
    found.push({
      state: "missing",
      what: `${count(templates.length)} in ${roots}, and ${countDiagnostics(diagnostics)}`,
      hint: "Run: templates check",
    });
  else found.push({ state: "fine", what: `${count(templates.length)} in ${roots}` });

  const needed = missingPeers(project.folder, [...new Set(templates.map(({ engine }) => engine))]);
  found.push(
    needed.length === 0
      ? { state: "fine", what: "the packages that the templates need" }
      : {
          state: "missing",
          what: `not installed: ${needed.join(", ")}`,
          hint: `Run: npm install --save-dev ${needed.join(" ")}`,
        },
  );
  return found;
}

function count(templates: number): string {
  return `${templates} template${templates === 1 ? "" : "s"}`;
}

async function serviceFindings(
  project: Project,
  name: string | undefined,
  output: Output,
  signal: AbortSignal,
): Promise<Finding[]> {
  try {
    return await withTarget(project, name, output, (target) => accountFindings(target, signal));
  } catch (error) {
    if (!(error instanceof LettershopError)) throw error;
    return [{ state: "missing", what: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) }];
  }
}

async function accountFindings(target: Target, signal: AbortSignal): Promise<Finding[]> {
  const { client, environment } = target;
  const { name, domain, url } = environment;
  try {
    const { plan, sendsPerDay, sendsPerMonth, isOverQuota } = await readAccount(target, signal);
    const aMonth = sendsPerMonth === undefined ? "" : `, ${sendsPerMonth} a month`;
    const found: Finding[] = [
      { state: "fine", what: `key accepted by ${url}` },
      { state: "fine", what: `plan ${plan}: ${sendsPerDay} sends a day${aMonth}` },
    ];
    if (isOverQuota === true)
      found.push({
        state: "missing",
        what: "the account is over its quota",
        hint: "Sending is refused until the next period, or a larger plan.",
      });
    found.push(
      (await isReadyToSend(target, signal))
        ? { state: "fine", what: `domain ${domain} is ready to send` }
        : {
            state: "missing",
            what: `domain ${domain} is not ready to send`,
            hint: "Complete its DNS records in the dashboard: two DKIM CNAME records and a DMARC TXT record.",
          },
    );
    const templates = await client.templates.list(domain, { signal });
    found.push({ state: "fine", what: `${templates.length} of 200 templates on ${domain}` });
    return found;
  } catch (error) {
    if (!(error instanceof LettershopError)) throw error;
    const hint = hintFor(error, name, domain);
    return [{ state: "missing", what: error.message, ...(hint === undefined ? {} : { hint }) }];
  }
}

function hintFor(error: LettershopError, environment: string, domain: string): string | undefined {
  if (isUnauthorized(error))
    return `Set the key of the environment "${environment}"; it is in the API section of the account's dashboard.`;
  if (isForbidden(error)) return "Templates and sending need a premium plan.";
  if (isNotFound(error)) return `Add ${domain} to the account, or mend "domain" in the configuration.`;
  return error.hint;
}
