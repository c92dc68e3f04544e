import type { LocalTemplate } from "../../../sync/local.js";

/** A template that seems to be another one under a new name. */
export interface Proposal {
  /** Both on the service. */
  readonly from: string;
  readonly to: string;
  /** The template whose `template.json` may say so. */
  readonly template: string;
  /** The line for it. */
  readonly line: string;
}

/** With the line that makes a rename of each: names in the project are without the environment's affixes. */
export function proposalsOf(
  proposals: readonly { readonly from: string; readonly to: string }[],
  local: readonly LocalTemplate[],
): Proposal[] {
  return proposals.map(({ from, to }) => {
    const template = local.find(({ name }) => name === to)?.template ?? to;
    const start = Math.max(0, to.indexOf(template));
    const prefix = to.slice(0, start);
    const suffix = to.slice(start + template.length);
    const hasAffixes = from.startsWith(prefix) && from.endsWith(suffix) && from.length > prefix.length + suffix.length;
    const former = hasAffixes ? from.slice(prefix.length, from.length - suffix.length) : from;
    return { from, to, template, line: `"renamedFrom": ${JSON.stringify(former)}` };
  });
}
