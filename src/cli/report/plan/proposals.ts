import type { LocalTemplate } from "../../../sync/local.js";

/** A template that looks renamed. */
export interface Proposal {
  /** The old and the new name on the service. */
  readonly from: string;
  readonly to: string;
  /** The template whose `template.json` would get `renamedFrom`. */
  readonly template: string;
  /** The line to add. */
  readonly line: string;
}

/** Adds the line for `template.json` to each proposal. Names in the project have no environment prefix or suffix. */
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
