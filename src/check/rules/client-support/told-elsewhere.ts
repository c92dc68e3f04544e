import type { Verdict } from "../../client-support/verdict.js";
import type { Use } from "../../client-support/use.js";
import { isOfForm } from "../safety/form-element.js";

/** What the rules base-element, embedded-content, script-element, form-element and gmail-styles tell, with what to do about it. */
export function isToldElsewhere({ by, element }: Use, { partial, unsupported }: Verdict): boolean {
  if (by.kind !== "element") return false;
  if (element.name === "style") return [...partial, ...unsupported].every((client) => client.startsWith("gmail."));
  return TOLD.has(element.name) || (FIELDS.has(element.name) && isOfForm(element));
}

const TOLD: ReadonlySet<string> = new Set(["base", "object", "embed", "iframe", "applet", "script", "form"]);
const FIELDS: ReadonlySet<string> = new Set(["input", "select", "textarea", "button"]);
