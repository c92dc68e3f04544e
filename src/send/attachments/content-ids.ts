import type { ReportProblem } from "../report.js";

interface Reference {
  readonly id: string;
  readonly offset: number;
}

/** Attributes that contain a URL; `style` and `srcset` contain several. */
const ADDRESSES = new Set("src background href poster data xlink:href lowsrc dynsrc".split(" "));

/**
 * Reports each `cid:` in the HTML that no attachment has, and each attachment with a content id that the HTML does not
 * use.
 *
 * @param html Undefined if it is not known here: then nothing is checked. Empty for a message without HTML.
 * @param attachments In the order in which the application passed them.
 */
export function checkContentIds(
  html: string | undefined,
  attachments: readonly { readonly content_id?: string | undefined }[],
  report: ReportProblem,
): void {
  if (html === undefined) return;
  const references = referencesIn(html);
  const ids = new Set(attachments.flatMap(({ content_id: id }) => id ?? []));
  const reported = new Set<string>();
  for (const { id, offset } of references) {
    if (ids.has(id) || ids.has(decoded(id)) || reported.has(id)) continue;
    reported.add(id);
    const lines = html.slice(0, offset).split("\n");
    const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    report("html", `uses ${named(id)} at ${place}, but no attachment has that contentId`);
  }
  const used = new Set(references.flatMap(({ id }) => [id, decoded(id)]));
  for (const [index, { content_id: id }] of attachments.entries()) {
    if (id !== undefined && !used.has(id))
      report(`attachments[${index}].contentId`, 'is not used in the html. Show the image with <img src="cid:…">');
  }
}

/** An id that looks like an address, or may be personal, is not quoted. */
function named(id: string): string {
  return /^[\w.-]{1,40}$/.test(id) ? `"cid:${id}"` : "a cid:";
}

/** What clients parse: style sheets, tags, and comments, of which only Outlook reads conditional ones. */
const PIECES =
  /<!--(?:-?>|(?!\[if\b|<!)[^]*?(?:--!?>|$))|<style\b[^>]*>([^]*?)(?:<\/style|$)|<[a-z](?:[^"'>=]|=\s*(?:"[^"]*"|'[^']*')?|["'])*>?/gi;
/** A match only starts at the beginning of a name; otherwise a long name without a value would take quadratic time. */
const ATTRIBUTE = /(?<![^\s"'>/=])([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** The content of conditional comments counts, because Outlook shows it. */
function referencesIn(html: string): Reference[] {
  return [...html.matchAll(PIECES)].flatMap(({ 0: piece, 1: css, index: offset }) => {
    if (piece.startsWith("<!--")) return [];
    const ids =
      css === undefined
        ? [...piece.matchAll(ATTRIBUTE)].flatMap(([, name = "", double, single, bare]) =>
            idsIn(name.toLowerCase(), unescaped(double ?? single ?? bare ?? "")),
          )
        : idsInCss(css);
    return ids.map((id) => ({ id, offset }));
  });
}

function idsIn(attribute: string, value: string): string[] {
  if (attribute === "style") return idsInCss(value);
  const addresses = attribute === "srcset" ? value.split(",") : ADDRESSES.has(attribute) ? [value] : [];
  return addresses.flatMap((address) => idOf(address.trim().split(/\s/)[0] ?? "") ?? []);
}

function idsInCss(css: string): string[] {
  const plain = css
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, code: string) => characterOf(Number.parseInt(code, 16)));
  return [...plain.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)\s]*))/gi)].flatMap(
    ([, double, single, bare]) => idOf((double ?? single ?? bare ?? "").trim()) ?? [],
  );
}

function idOf(address: string): string | undefined {
  const id = /^cid:(.*)$/is.exec(address)?.[1];
  // The angle brackets belong to the header.
  return id?.replace(/^(?:<|%3c)(.*)(?:>|%3e)$/i, "$1");
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  colon: ":",
  period: ".",
  commat: "@",
  nbsp: "\u00a0",
  lowbar: "_",
  dollar: "$",
  plus: "+",
  equals: "=",
  sol: "/",
  num: "#",
  percnt: "%",
};

/** Decodes character references to ASCII, which is all that a URL contains. */
function unescaped(value: string): string {
  if (!value.includes("&")) return value;
  return value.replaceAll(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));?/gi,
    (reference, hex?: string, decimal?: string, name = "") => {
      if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
      if (decimal !== undefined) return characterOf(Number(decimal));
      return (Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined) ?? reference;
    },
  );
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
