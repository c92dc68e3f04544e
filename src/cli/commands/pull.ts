import { NO_RETRIES } from "../../api/calls/policy.js";
import { defineCommand, exitCode } from "../command.js";
import type { Output } from "../output.js";
import { type Pulled, type PullState, pullTemplates } from "../pull-templates.js";
import { type Target, withTarget } from "../target.js";

export const command = defineCommand({
  operands: "[names…]",
  flags: {},
  examples: ["templates pull --env production", "templates pull receipt --env staging"],
  async run({ names, flags, output, signal, withKeylessProject }) {
    return withKeylessProject(flags, signal, (opened) => {
      const use = async (target: Target) => {
        const { name, domain } = target.environment;
        const pulled = await pullTemplates({ ...opened, target, asked: names, signal });
        report(pulled, output);
        output.json({ environment: name, domain, templates: pulled });
        return pulled.every(isDone) ? exitCode.done : exitCode.findings;
      };
      return withTarget(opened.project, flags.env, output, use, { policy: NO_RETRIES });
    });
  },
});

const SENTENCES: Readonly<Record<PullState, string>> = {
  pulled: "pulled",
  inexact: "pulled, but does not compile to what the service has",
  unchanged: "unchanged",
  kept: "skipped: the local template differs from the service's. Rename or delete it, then pull again.",
  refused: "not pulled",
};

function isDone({ state }: Pulled): boolean {
  return state === "pulled" || state === "unchanged";
}

function report(pulled: readonly Pulled[], output: Output): void {
  for (const template of pulled) {
    const { name, state, reasons } = template;
    const mark = isDone(template) ? output.style("green", "✓") : output.style("yellow", "!");
    output.print(`${mark} ${name}: ${SENTENCES[state]}`);
    for (const reason of reasons) output.print(`    ${reason}`);
  }
  if (pulled.length === 0) output.print("Nothing to pull: all of the environment's templates are already here.");
}
