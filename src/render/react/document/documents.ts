import { withoutSites } from "../../source/sites.js";
import { type Choose, merge, zipUnits } from "../../merge-cases.js";

/**
 * Merges two whole documents, with choices in head and body, because there may be only one of each; undefined if they
 * aren't documents, or differ otherwise.
 */
export function mergeDocuments(yes: readonly string[], no: readonly string[], choose: Choose): string[] | undefined {
  const [first, second] = [readDocument(yes), readDocument(no)];
  if (!first || !second) return undefined;
  const html = zipTags(first.html, second.html, choose);
  const body = zipTags(first.body, second.body, choose);
  const inHead = merge(first.inHead, second.inHead, choose) ?? [choose(first.inHead.join(""), second.inHead.join(""))];
  const inBody = merge(first.inBody, second.inBody, choose) ?? [choose(first.inBody.join(""), second.inBody.join(""))];
  if (html === undefined || body === undefined || withoutSites(first.head) !== withoutSites(second.head))
    return undefined;
  return [html, first.head, ...inHead, "</head>", body, ...inBody, "</body>", "</html>"];
}

interface Document {
  readonly html: string;
  readonly head: string;
  readonly inHead: readonly string[];
  readonly body: string;
  readonly inBody: readonly string[];
}

function readDocument(units: readonly string[]): Document | undefined {
  const [html = "", head = "", ...rest] = units;
  const headEnd = rest.indexOf("</head>");
  const body = rest[headEnd + 1] ?? "";
  const isDocument = /^<html\b/.test(html) && /^<head\b/.test(head) && headEnd >= 0 && /^<body\b/.test(body);
  if (!isDocument || rest.at(-2) !== "</body>" || rest.at(-1) !== "</html>") return undefined;
  return { html, head, inHead: rest.slice(0, headEnd), body, inBody: rest.slice(headEnd + 2, -2) };
}

/** Merges two tags; an empty attribute that only one of them has makes no difference. */
function zipTags(yes: string, no: string, choose: Choose): string | undefined {
  return zipUnits(withEmpty(yes, no), withEmpty(no, yes), choose);
}

function withEmpty(tag: string, other: string): string {
  const missing = [" class=", " style="].filter((name) => other.includes(name) && !tag.includes(name));
  return missing.reduce((longer, name) => longer.replace(/>$/, `${name}"">`), tag);
}
