import { contractChanges } from "../../mustache/contract-changes.js";
import type { VariablesContract } from "../../mustache/variables.js";
import type { Content } from "../content.js";

/** A variable that a new version of a template reads and that running applications don't pass. */
export interface Breaking {
  /** As in the tags, with the sections around it: `order.items[].price`. */
  readonly variable: string;
  /** What would happen, in a few words: "would be blank", "was a string or number, is used as a list". */
  readonly effect: string;
}

/** A version of a template, with the parts that matter to applications. */
export interface Version {
  /** The variables that fill it. If absent, applications are assumed to pass what it reads. */
  readonly contract?: VariablesContract;
  readonly content: Pick<Content, "subject" | "html_body" | "text_body">;
}

/**
 * What a new version of a template would leave blank or show differently, for applications that pass the deployed
 * version's variables. A template that reads less, or the same in a different way, breaks nothing.
 *
 * @example
 * breakingChanges({ before: { content: stored }, after: { contract: local.contract, content: local.content } });
 * // [{ variable: "order.items[].price", effect: "would be blank" }]
 *
 * @returns Each variable once, sorted; empty if nothing breaks.
 */
export function breakingChanges({ before, after }: { readonly before: Version; readonly after: Version }): Breaking[] {
  return contractChanges(readOf(before), readOf(after));
}

function readOf({ contract, content: { subject, html_body, text_body } }: Version): {
  texts: string[];
  contract?: VariablesContract;
} {
  return { texts: [subject, text_body, html_body], ...(contract && { contract }) };
}
