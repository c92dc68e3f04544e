import type { Use } from "../../client-support/use.js";
import { isOfForm } from "../safety/form-element.js";

/** What the rules base-element, embedded-content, script-element and form-element tell, with what to do about it. */
export function isToldElsewhere({ by, element }: Use): boolean {
  if (by.kind !== "element") return false;
  return TOLD.has(element.name) || (FIELDS.has(element.name) && isOfForm(element));
}

const TOLD: ReadonlySet<string> = new Set(["base", "object", "embed", "iframe", "applet", "script", "form"]);
const FIELDS: ReadonlySet<string> = new Set(["input", "select", "textarea", "button"]);
