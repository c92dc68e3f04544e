import type { CssNode } from "css-tree";
import { htmlInView } from "../../../render/invariants/balance.js";
import { scanMarkup, VOID_ELEMENTS, type OpenTag } from "../../../text/markup/scan.js";
import {
  featuresOfAtRule,
  featuresOfDeclaration,
  featuresOfElement,
  featuresOfSelector,
} from "../../../check/client-support/features.js";
import type { Feature } from "../../../check/client-support/data.js";
import type { Use } from "../../../check/client-support/uses.js";
import { Support } from "../../../check/client-support/verdict.js";
import { hasComment } from "../../../check/css/read-css.js";
import { EmailDocument } from "../../../check/document/email-document.js";
import type { EmailElement } from "../../../check/document/nodes.js";
import { selectorsOf, sheetTree, sliceOf, valueOf, type Declaration } from "../../../check/document/stylesheet.js";
import { droppedByGmail } from "../../../check/rules/limits/gmail-styles.js";

/**
 * HTML as an email client renders it, according to client support data: without the elements, attributes, rules and
 * declarations that the client drops, and with the conditional comments of Outlook on Windows. This is an
 * approximation: the data does not cover how a client renders what remains. Mustache tags stay.
 *
 * @param client Its id in the data.
 */
export function clientView(html: string, client: string): string {
  return new ClientView(client.startsWith("outlook.windows") ? inOutlook(html) : html, client).html();
}

/** Applies conditional comments, and removes the settings that Outlook reads as XML. */
function inOutlook(html: string): string {
  return htmlInView(html, "outlook").replace(/<xml\b[^>]*>[^]*?<\/xml\s*>/gi, "");
}

class ClientView {
  readonly #html: string;
  readonly #client: string;
  readonly #support: Support;
  readonly #elements: ReadonlyMap<number | undefined, EmailElement>;
  readonly #dropped: ReadonlySet<EmailElement>;

  constructor(html: string, client: string) {
    this.#html = html;
    this.#client = client;
    this.#support = new Support([client]);
    const document = new EmailDocument({ html, tags: [], places: [], sources: new Map() });
    this.#elements = new Map(document.elements.map((element) => [element.start, element]));
    this.#dropped = client.startsWith("gmail.") ? droppedByGmail(document) : new Set();
  }

  /** Replaces an unsupported element by its content. An unsupported `<style>` is removed with its content. */
  html(): string {
    const open: { readonly name: string; readonly element: EmailElement | undefined; readonly isKept: boolean }[] = [];
    return scanMarkup(this.#html)
      .pieces.map((piece) => {
        const written = this.#html.slice(piece.start, piece.end);
        if (piece.kind === "open") {
          const { name } = piece;
          const element = this.#elements.get(piece.start);
          const isKept = element === undefined || this.#keeps(element);
          if (!piece.selfClosing && !VOID_ELEMENTS.has(name)) open.push({ name, element, isKept });
          return !isKept ? "" : element ? this.#startTag(piece, element) : written;
        }
        if (piece.kind === "close") {
          const at = open.findLastIndex(({ name }) => name === piece.name);
          return at < 0 || open.splice(at)[0]?.isKept !== false ? written : "";
        }
        const { name, element, isKept = true } = open.at(-1) ?? {};
        if (name !== "style" || !element) return written;
        return isKept ? this.#sheet(written, element) : "";
      })
      .join("");
  }

  #keeps(element: EmailElement): boolean {
    if (this.#dropped.has(element)) return false;
    return featuresOfElement(element.name, element.attributes).every(
      ({ feature, attribute }) => attribute !== undefined || this.#takes({ feature, element, by: { kind: "element" } }),
    );
  }

  #startTag({ attributes, start, end }: OpenTag, element: EmailElement): string {
    const lost = new Set(
      featuresOfElement(element.name, element.attributes).flatMap(({ feature, attribute: name }) => {
        // Without its `href`, a link would no longer look like one.
        if (name === undefined || name === "href") return [];
        const by = { kind: "attribute", name, value: element.attribute(name) ?? "" } as const;
        return this.#takes({ feature, element, by }) ? [] : [name];
      }),
    );
    const style = this.#style(element);
    let tag = "";
    let copied = start;
    for (const { name, start: from, value, valueStart } of attributes) {
      const isStyle = name.toLowerCase() === "style";
      if (isStyle ? style === undefined : !lost.has(name.toLowerCase())) continue;
      const isQuoted = valueStart > from + name.length && /["']/.test(this.#html.charAt(valueStart - 1));
      tag += this.#html.slice(copied, from) + (isStyle && style ? `style="${escaped(style)}"` : "");
      copied = valueStart + value.length + (isQuoted ? 1 : 0);
    }
    return tag + this.#html.slice(copied, end);
  }

  /** The remaining style attribute. Undefined if all of it remains. */
  #style(element: EmailElement): string | undefined {
    const written = element.attribute("style") ?? "";
    const by = { kind: "attribute", name: "style", value: written } as const;
    if (hasComment(written) && !this.#takes({ feature: "css-comments", element, by })) return "";
    // Outlook uses `mso-hide` where it does not support hiding by `display`.
    const isHidden = element.styleValue("mso-hide") === "all";
    const kept = element.style.filter(
      (declaration) => (isHidden && declaration.property === "display") || this.#takesDeclaration(declaration, element),
    );
    if (kept.length === element.style.length) return undefined;
    return kept
      .map(({ property, value, important }) => `${property}:${value}${important ? " !important" : ""}`)
      .join(";");
  }

  #sheet(css: string, element: EmailElement): string {
    let kept = "";
    let copied = 0;
    const replace = ({ loc }: CssNode, by = ""): void => {
      if (!loc) return;
      kept += css.slice(copied, loc.start.offset) + by;
      copied = loc.end.offset;
    };
    const takes = (features: readonly Feature[], by: Use["by"]): boolean =>
      features.every((feature) => this.#takes({ feature, element, by }));
    const visit = (node: CssNode): void => {
      if (node.type === "StyleSheet" || node.type === "Block") return node.children.forEach(visit);
      if (node.type === "Atrule") {
        const name = node.name.toLowerCase();
        const prelude = node.prelude ? sliceOf(node.prelude, css) : "";
        if (!takes(featuresOfAtRule(name, prelude), { kind: "at-rule", name, prelude })) replace(node);
        else if (node.block) visit(node.block);
      } else if (node.type === "Rule") {
        const all = selectorsOf(sliceOf(node.prelude, css));
        const read = all.filter((selector) => takes(featuresOfSelector(selector), { kind: "selector", selector }));
        if (read.length === 0) return replace(node);
        if (read.length < all.length) replace(node.prelude, read.join(", "));
        visit(node.block);
      } else if (node.type === "Declaration") {
        const declaration = { ...valueOf(node, css), property: node.property.toLowerCase() };
        if (!this.#takesDeclaration(declaration, element)) replace(node);
      }
    };
    visit(sheetTree(css));
    return kept + css.slice(copied);
  }

  #takesDeclaration({ property, value, important }: Omit<Declaration, "at">, element: EmailElement): boolean {
    return featuresOfDeclaration(property, value, important).every((feature) =>
      this.#takes({ feature, element, by: { kind: "declaration", property, value } }),
    );
  }

  /** Whether the client supports a feature as it is used here. Buggy support counts as support. */
  #takes(use: Use): boolean {
    const { unsupported, partial } = this.#support.of(use);
    if (unsupported.length > 0) return false;
    return partial.length === 0 || this.#support.notesOn(use, this.#client).every((note) => note.startsWith("Buggy"));
  }
}

/** Escaped for an attribute; tags stay unchanged. */
function escaped(value: string): string {
  return value.replaceAll(/\{\{[^]*?\}\}\}?|[&"]/g, (part) =>
    part === "&" ? "&amp;" : part === '"' ? "&quot;" : part,
  );
}
