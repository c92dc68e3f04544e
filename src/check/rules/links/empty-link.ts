import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { askedByCompiler } from "../../variables/tags.js";
import { branches } from "../../truth/branches.js";
import { inWords } from "../../truth/smallest.js";
import { TruthTable } from "../../truth/truth-table.js";
import { nameOf } from "../structure/accessible-name.js";
import { addressesIn } from "./addresses.js";
import { onceEach } from "../../once-each.js";

const HINT = "Write where it leads, or take the link away.";

export const emptyLink: Rule = {
  id: "empty-link",
  summary: "A link has no address, or only `#`.",
  severity: "error",
  checkTemplate(checked) {
    const { compiled, document } = checked;
    const sections = branches(document);
    // A button whose variable is empty is compiled, too.
    const asked = [...askedByCompiler(compiled.contract)].map((name) => `#${name}`);
    const isForEmpty = (element: EmailElement) => asked.some((section) => sections.get(element)?.includes(section));

    const links = addressesIn(checked).filter(({ use }) => use === "link");
    const empty = links
      .filter(({ written }) => NOWHERE.test(written))
      .map(({ element, written, atUse }): Finding => ({
        // `#` is what one writes who means to come back; an empty address is what is left of another.
        severity: written === "" ? "error" : "warning",
        message: `The link${named(element)} leads nowhere: its address is ${written === "" ? "empty" : written}.`,
        cause: `A link leads nowhere: its address is ${written === "" ? "empty" : written}.`,
        at: atUse(),
        hint: HINT,
      }));
    const emptied = links.flatMap(({ element, written, atUse }): Finding[] => {
      const part = { text: written, around: sections.get(element) ?? [] };
      const found = TruthTable.of(checked).blank(part, (text) => NOWHERE.test(text.trim()));
      if (!found) return [];
      const address = found.texts
        .flat()
        .map((text) => text.trim())
        .find((text) => NOWHERE.test(text));
      const message = `With ${inWords(found.variables)} the link${named(element)} leads nowhere: its address is ${address || "empty"}.`;
      const hint = "Give it an address for that case, too, or put the whole link into the section.";
      return [{ severity: "warning", message, at: atUse(), hint }];
    });
    const without = document
      .named("a")
      .filter(
        (element) => !["href", "name", "id"].some((name) => element.attributes.has(name)) && named(element) !== "",
      )
      .map((element): Finding => ({
        severity: "warning",
        message: `The link${named(element)} leads nowhere: it has no address.`,
        cause: "A link leads nowhere: it has no address.",
        at: element.atUse(),
        hint: HINT,
      }));
    const buttons = document
      .named("p")
      .filter((element) => isButton(element) && !isForEmpty(element))
      .map((element): Finding => ({
        severity: "warning",
        message: `The button "${element.text.replace(/\s+/g, " ").trim()}" leads nowhere: it has no address.`,
        cause: "A button leads nowhere: it has no address.",
        at: element.at(),
        hint: HINT,
      }));
    return onceEach([...empty, ...emptied, ...without, ...buttons]);
  },
};

const NOWHERE = /^#?!?$/;

/** What MJML makes of a button without an address. */
function isButton({ parent, attributes }: EmailElement): boolean {
  return (
    parent?.name === "td" &&
    parent.attribute("role") === "presentation" &&
    /cursor:\s*auto/.test(parent.attribute("style") ?? "") &&
    /display:\s*inline-block/.test(attributes.get("style") ?? "")
  );
}

/** By what a reader sees or hears of it, after a space. */
function named(link: EmailElement): string {
  const name = nameOf(link);
  return name && ` "${name.slice(0, 60)}"`;
}
