import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { askedByCompiler } from "../../variables/tags.js";
import { branches } from "../structure/sections.js";
import { addressesIn } from "./addresses.js";
import { onceEach } from "../../once-each.js";

const HINT = "Write where it leads, or take the link away.";

export const emptyLink: Rule = {
  id: "empty-link",
  summary: "A link has no address, or only `#`.",
  severity: "error",
  checkTemplate({ compiled, document }) {
    const sections = branches(document);
    // A button whose variable is empty is compiled, too.
    const asked = [...askedByCompiler(compiled.contract)].map((name) => `#${name}`);
    const isForEmpty = (element: EmailElement) => asked.some((section) => sections.get(element)?.includes(section));

    const empty = addressesIn(document)
      .filter(({ use, written }) => use === "link" && /^#?!?$/.test(written))
      .map(({ element, written, atUse }): Finding => ({
        // `#` is what one writes who means to come back; an empty address is what is left of another.
        severity: written === "" ? "error" : "warning",
        message: `The link${named(element)} leads nowhere: its address is ${written === "" ? "empty" : written}.`,
        at: atUse(),
        hint: HINT,
      }));
    const without = document
      .named("a")
      .filter(
        (element) => !["href", "name", "id"].some((name) => element.attributes.has(name)) && named(element) !== "",
      )
      .map((element): Finding => ({
        severity: "warning",
        message: `The link${named(element)} leads nowhere: it has no address.`,
        at: element.atUse(),
        hint: HINT,
      }));
    const buttons = document
      .named("p")
      .filter((element) => isButton(element) && !isForEmpty(element))
      .map((element): Finding => ({
        severity: "warning",
        message: `The button "${element.text.replace(/\s+/g, " ").trim()}" leads nowhere: it has no address.`,
        at: element.at(),
        hint: HINT,
      }));
    return onceEach([...empty, ...without, ...buttons]);
  },
};

/** What MJML makes of a button without an address. */
function isButton({ parent, attributes }: EmailElement): boolean {
  return (
    parent?.name === "td" &&
    parent.attribute("role") === "presentation" &&
    /cursor:\s*auto/.test(parent.attribute("style") ?? "") &&
    /display:\s*inline-block/.test(attributes.get("style") ?? "")
  );
}

/** By what a reader sees of it, after a space. */
function named(link: EmailElement): string {
  const text = link.text.replace(/\s+/g, " ").trim();
  const alt = link.descendants
    .find(({ name }) => name === "img")
    ?.attribute("alt")
    ?.trim();
  const label = text || alt;
  return label ? ` "${label.slice(0, 60)}"` : "";
}
