import type { DomNode, FormatCallback } from "html-to-text";
import { restore, type TagTable, TOKEN } from "../../mustache/tokens.js";
import { roleOf } from "../sections.js";
import { attributeOf, descendants, isBlank, isBlock, tagsInText, textOf } from "./dom.js";

/** Prints a link as a person would: `Pay now: https://…` where it stands alone, `our terms (https://…)` in a sentence. */
export function linkFormatter(tags: TagTable): FormatCallback {
  return (link, walk, builder) => {
    const address = addressOf(attributeOf(link, "href"));
    const label = textOf(link);
    if (label === "") {
      const isNew = address !== "" && !isLinkedElsewhere(link, tags);
      if (isNew) builder.addInline(alternativeOf(link) + address, { noWordTransform: true });
      return;
    }
    const space = takeSpaceAtEnd(link);
    walk(link.children, builder);
    const isSaid = address === "" || isSame(written(label, tags), written(address, tags));
    builder.addInline(isSaid ? space : besideLabel(address, label, link, tags) + space, { noWordTransform: true });
  };
}

/** Equal tags have different tokens. */
function written(text: string, tags: TagTable): string {
  return restore(text, tags, "text");
}

function addressOf(href: string): string {
  const address = href.trim();
  if (address.startsWith("#") || /^javascript:/i.test(address)) return "";
  return address.replace(/^(?:mailto|tel):([^?]*).*$/i, "$1");
}

function isSame(label: string, address: string): boolean {
  return bare(label) === bare(address);
}

function bare(address: string): string {
  return address.toLowerCase().replace(/^https?:\/\/(?:www\.)?|\/$|\s/g, "");
}

function alternativeOf(link: DomNode): string {
  const image = descendants(link).find((node) => attributeOf(node, "alt").trim() !== "");
  return image ? `${attributeOf(image, "alt").trim()}: ` : "";
}

function besideLabel(address: string, label: string, link: DomNode, tags: TagTable): string {
  if (label.endsWith(":")) return ` ${address}`;
  const standsAlone = isAloneOnLine(link, tags) || descendants(link).some(isBlock);
  return standsAlone && /[\p{L}\p{N}\uE001]$/u.test(label) ? `: ${address}` : ` (${address})`;
}

/** Space inside a link's end would come between the label and the address: it goes behind them. */
function takeSpaceAtEnd(link: DomNode): string {
  let space = "";
  const texts = descendants(link).filter(({ type }) => type === "text");
  for (const node of texts.reverse()) {
    const text = node.data ?? "";
    node.data = text.trimEnd();
    space = text.slice(node.data.length) + space;
    if (node.data !== "") break;
  }
  return space;
}

/** For each document, the addresses of its links that have a label: a linked picture beside them adds nothing. */
const labelled = new WeakMap<DomNode, ReadonlySet<string>>();

function isLinkedElsewhere(link: DomNode, tags: TagTable): boolean {
  const root = rootOf(link);
  let addresses = labelled.get(root);
  if (!addresses) {
    const links = descendants(root).filter((node) => node.name === "a" && textOf(node) !== "");
    addresses = new Set(links.map((node) => written(attributeOf(node, "href"), tags)));
    labelled.set(root, addresses);
  }
  return addresses.has(written(attributeOf(link, "href"), tags));
}

function rootOf(node: DomNode): DomNode {
  let root = node;
  while (root.parent) root = root.parent;
  return root;
}

function isAloneOnLine(node: DomNode, tags: TagTable): boolean {
  const { parent } = node;
  if (!parent) return true;
  const siblings = parent.children.filter((sibling) => sibling === node || !printsNothing(sibling, tags));
  const place = siblings.indexOf(node);
  const neighbours = [siblings[place - 1], siblings[place + 1]].filter((sibling) => sibling !== undefined);
  if (!neighbours.every(isBlock)) return false;
  return neighbours.length > 0 || isBlock(parent) || isAloneOnLine(parent, tags);
}

/** Blank, or only the tags of a section around the link. */
function printsNothing(node: DomNode, tags: TagTable): boolean {
  if (isBlank(node)) return true;
  if (node.type !== "text" || (node.data ?? "").replace(TOKEN, "").trim() !== "") return false;
  return tagsInText(node).every((tag) => roleOf(tags[tag]) !== "prints");
}
