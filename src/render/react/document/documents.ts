import { withoutSites } from "../../source/sites.js";
import { merge } from "../../cases/merge.js";
import { type Choose, zipUnits } from "../../cases/zip.js";

/**
 * Two whole documents as one with choices in its head and body, since there may be only one of each; undefined where
 * they aren't documents, or differ in more than that.
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

/** A tag with what both have; of attributes that mean nothing when they are empty, one may have more. */
function zipTags(yes: string, no: string, choose: Choose): string | undefined {
  return zipUnits(withEmpty(yes, no), withEmpty(no, yes), choose);
}

function withEmpty(tag: string, other: string): string {
  const missing = [" class=", " style="].filter((name) => other.includes(name) && !tag.includes(name));
  return missing.reduce((longer, name) => longer.replace(/>$/, `${name}"">`), tag);
}
