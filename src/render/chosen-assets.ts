import { isInverted, nameOf, roleOf, type TagTable, TOKEN } from "../mustache/tokens.js";

/** A piece of a URL: text, or the number of a tag. */
type Piece = string | number;

/** Maximum number of different section names to try. */
const NAMES_MAX = 6;

export interface ChosenAssets {
  /** The folder that begins the path of an image. */
  readonly folder: string;
  readonly tags: TagTable;
  /** The URL of a whole path; undefined if there is no such image, which is reported. */
  readonly resolve: (path: string) => string | undefined;
}

/**
 * Resolves the URLs of images that sections choose between. Every possible path is resolved.
 *
 * @example
 * // {{#dark}}../_assets/a.png{{/dark}}{{^dark}}../_assets/b.png{{/dark}} and ../_assets/{{#dark}}a{{/dark}}{{^dark}}b{{/dark}}.png
 * chosenAddress(reference, { folder: "_assets/", tags, resolve }); // {{#dark}}https://cdn.example/a.png{{/dark}}{{^dark}}…
 *
 * @returns Undefined if a variable is part of the path, or a path is not that of an image.
 */
export function chosenAddress(reference: string, { folder, tags, resolve }: ChosenAssets): string | undefined {
  const pieces = piecesOf(reference);
  let address = "";
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] ?? "";
    const end = typeof piece === "string" ? piece.indexOf(folder) + folder.length : 0;
    if (typeof piece === "number" || end < folder.length) {
      address += written(piece);
      continue;
    }
    const head = piece.slice(0, end);
    const rest = withinSection([piece.slice(end), ...pieces.slice(at + 1)], tags);
    const prefixes = new Set(possiblePaths(rest, tags)?.map((path) => prefixOf(resolve(head + path), path)));
    const [prefix] = prefixes;
    if (prefixes.size !== 1 || prefix === undefined) return undefined;
    address += prefix + rest.map((each) => (typeof each === "string" ? encoded(each) : written(each))).join("");
    at += rest.length - 1;
  }
  return address;
}

function piecesOf(reference: string): Piece[] {
  return reference.split(TOKEN).flatMap((part, index): Piece[] => {
    if (index % 2 === 1) return [Number(part)];
    return part === "" ? [] : [part];
  });
}

function written(piece: Piece): string {
  return typeof piece === "string" ? piece : `\uE000${piece}\uE001`;
}

/** The pieces up to the end of the section that contains the first of them. */
function withinSection(pieces: readonly Piece[], tags: TagTable): Piece[] {
  let depth = 0;
  const end = pieces.findIndex((piece) => {
    const role = typeof piece === "number" ? roleOf(tags[piece]) : "prints";
    depth += role === "opens" ? 1 : role === "closes" ? -1 : 0;
    return depth < 0;
  });
  return end < 0 ? [...pieces] : pieces.slice(0, end);
}

/** All possible values of these pieces; undefined if they print a variable, or too many sections decide. */
function possiblePaths(pieces: readonly Piece[], tags: TagTable): string[] | undefined {
  const used = pieces.filter((piece) => typeof piece === "number");
  if (used.some((tag) => roleOf(tags[tag]) === "prints")) return undefined;
  const names = [...new Set(used.map((tag) => nameOf(tags[tag])))];
  if (names.length > NAMES_MAX) return undefined;
  return Array.from({ length: 2 ** names.length }, (_, bits) => {
    const isTrue = (tag: number): boolean => ((bits >> names.indexOf(nameOf(tags[tag]))) & 1) === 1;
    const shown: boolean[] = [];
    return pieces
      .map((piece) => {
        if (typeof piece === "string") return shown.every(Boolean) ? piece : "";
        if (roleOf(tags[piece]) === "opens") shown.push(isTrue(piece) !== isInverted(tags[piece]));
        else shown.pop();
        return "";
      })
      .join("");
  });
}

/** The part of the URL before the path. */
function prefixOf(address: string | undefined, path: string): string | undefined {
  const end = encoded(path);
  return address?.endsWith(end) ? address.slice(0, address.length - end.length) : undefined;
}

function encoded(path: string): string {
  try {
    return encodeURI(decodeURI(path));
  } catch {
    return encodeURI(path);
  }
}
