import { SITE_ATTRIBUTE } from "../../markup/scan.js";
import { siteAttribute } from "../source/sites.js";
import type { MjmlLibrary } from "./library.js";

/**
 * Lets MJML's components print the site of their element in every tag that they write its attributes into. Where no
 * element has one, nothing changes.
 */
export function printSites(components: MjmlLibrary["components"]): void {
  // Most inherit the function from one class.
  const printers = new Set(Object.values(components).flatMap((component) => printerOf(component) ?? []));
  for (const printer of printers) {
    const { htmlAttributes: print } = printer;
    printer.htmlAttributes = function printSite(given) {
      const site = this.attributes?.[SITE_ATTRIBUTE];
      return print.call(this, given) + (typeof site === "string" ? siteAttribute(site) : "");
    };
  }
}

type Print = (this: Printer, given: unknown) => string;

/** What prints the attributes of a component's tags: a class's prototype. */
interface Printer {
  attributes?: Readonly<Record<string, unknown>>;
  htmlAttributes: Print;
}

function printerOf(component: unknown): Printer | undefined {
  let owner: unknown = typeof component === "function" ? component.prototype : undefined;
  while (isObject(owner) && !Object.hasOwn(owner, "htmlAttributes")) owner = Object.getPrototypeOf(owner);
  return isPrinter(owner) ? owner : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isPrinter(value: unknown): value is Printer {
  return isObject(value) && "htmlAttributes" in value && typeof value.htmlAttributes === "function";
}
