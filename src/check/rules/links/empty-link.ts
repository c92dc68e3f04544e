import type { EmailElement } from "../../document/nodes.js";
import { onceEach } from "../../once-each.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { branches } from "../../truth/branches.js";
import { inWords } from "../../truth/smallest.js";
import { TruthTable } from "../../truth/truth-table.js";
import { askedByCompiler } from "../../variables/tags.js";
import { nameOf } from "../structure/accessible-name.js";
import { addressesIn } from "./addresses.js";

export const emptyLink: Rule = {
  id: "empty-link",
  summary: "A link has no address, or only `#`.",
  severity: "error",
  checkTemplate: (checked) =>
    onceEach([...emptyAddresses(checked), ...anchorsWithoutAddress(checked), ...buttonsWithoutAddress(checked)]),
};

const NOWHERE = /^#?!?$/;

function emptyAddresses(checked: CheckedTemplate): Finding[] {
  const links = addressesIn(checked).filter(({ use }) => use === "link");
  return links.flatMap(({ element, attribute, written }): Finding[] => {
    const at = element.atUse(attribute);
    // `#` is what one writes who means to come back; an empty address is what is left of another.
    if (NOWHERE.test(written)) {
      const lack = `its address is ${written || "empty"}`;
      return [{ ...finding(`link${named(element)}`, lack), severity: written === "" ? "error" : "warning", at }];
    }
    const part = { text: written, around: branches(checked.document).get(element) ?? [] };
    const found = TruthTable.of(checked).blank(part, (text) => NOWHERE.test(text.trim()));
    if (!found) return [];
    const address = found.texts.flat().find((text) => NOWHERE.test(text.trim()));
    const message = `With ${inWords(found.variables)} the link${named(element)} leads nowhere: its address is ${address?.trim() || "empty"}.`;
    const hint = "Give it an address for that case, too, or put the whole link into the section.";
    return [{ severity: "warning", message, at, hint }];
  });
}

function anchorsWithoutAddress({ document }: CheckedTemplate): Finding[] {
  return document
    .named("a")
    .filter((link) => !["href", "name", "id"].some((name) => link.attributes.has(name)) && named(link) !== "")
    .map((link) => ({ ...finding(`link${named(link)}`, "it has no address"), at: link.atUse() }));
}

/** What MJML makes of a button without an address. */
function buttonsWithoutAddress({ document, compiled }: CheckedTemplate): Finding[] {
  // A button whose variable is empty is compiled, too.
  const forEmpty = [...askedByCompiler(compiled.contract)].map((name) => `#${name}`);
  return document
    .named("p")
    .filter(
      ({ parent, attributes }) =>
        parent?.name === "td" &&
        parent.attribute("role") === "presentation" &&
        /cursor:\s*auto/.test(parent.attribute("style") ?? "") &&
        /display:\s*inline-block/.test(attributes.get("style") ?? ""),
    )
    .filter(
      (button) =>
        !branches(document)
          .get(button)
          ?.some((section) => forEmpty.includes(section)),
    )
    .map((button) => ({ ...finding(`button${named(button)}`, "it has no address"), at: button.at() }));
}

function finding(what: string, lack: string): Finding {
  return {
    severity: "warning",
    message: `The ${what} leads nowhere: ${lack}.`,
    cause: `A ${what.replace(/ .*/s, "")} leads nowhere: ${lack}.`,
    hint: "Write where it leads, or take the link away.",
  };
}

/** By what a reader sees or hears of it, after a space. */
function named(element: EmailElement): string {
  const name = nameOf(element);
  return name && ` "${name.slice(0, 60)}"`;
}
