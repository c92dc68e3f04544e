import { type CodePiece, codePieces, endOfBraces } from "./jsx-tag.js";

/** A key of an object in an expression. */
interface Key {
  readonly name: string;
  readonly at: number;
  /** Where its value begins. */
  readonly valueAt: number;
  /** How many brackets are around it. */
  readonly depth: number;
}

/**
 * Where a style's expression gives a property its value: in an object of its own, or in one of the file that it names.
 *
 * @param start Where the expression begins.
 */
export function findStyleKey(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  property: string,
): number | undefined {
  const own = keysIn(text, start, end).findLast(({ name }) => isSameName(name, property));
  if (own) return own.at;
  for (const path of namesIn(text, start, end).reverse()) {
    const object = objectAt(text, path);
    const inner = object === undefined ? [] : keysIn(text, object, endOfBraces(text, object));
    const found = inner.findLast(({ name, depth }) => depth === 1 && isSameName(name, property));
    if (found) return found.at;
  }
  return undefined;
}

/** `backgroundColor` and `background-color`, `WebkitTextSizeAdjust` and `-webkit-text-size-adjust`. */
export function isSameName(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(name: string): string {
  return name.replaceAll(/[-:]/g, "").toLowerCase();
}

function keysIn(text: string, start: number, end: number): Key[] {
  const keys: Key[] = [];
  const open: string[] = [];
  let before = "";
  const pieces = piecesIn(text, start, end);
  for (const [index, piece] of pieces.entries()) {
    const written = text.slice(piece.at, piece.end);
    const next = pieces[index + 1];
    const after = text.charAt(next?.at ?? end);
    const mayBeKey = open.at(-1) === "{" && (before === "{" || before === ",");
    if (mayBeKey && (piece.kind === "string" || piece.kind === "word") && (after === ":" || /[,}]/.test(after))) {
      const name = piece.kind === "string" ? written.slice(1, -1) : written;
      keys.push({ name, at: piece.at, valueAt: pieces[index + 2]?.at ?? end, depth: open.length });
    }
    if (piece.kind === "sign" && /[{[(]/.test(written)) open.push(written);
    else if (piece.kind === "sign" && /[}\])]/.test(written)) open.pop();
    before = written;
  }
  return keys;
}

/** The names of values in an expression, such as `styles.button`, in their order. */
function namesIn(text: string, start: number, end: number): string[][] {
  const names: string[][] = [];
  const pieces = piecesIn(text, start, end);
  for (let index = 0; index < pieces.length; index += 1) {
    const path: string[] = [];
    while (pieces[index]?.kind === "word") {
      path.push(wordAt(text, pieces[index]));
      if (wordAt(text, pieces[index + 1]) !== "." || pieces[index + 2]?.kind !== "word") break;
      index += 2;
    }
    const after = wordAt(text, pieces[index + 1]);
    if (path.length > 0 && after !== "(" && after !== ":") names.push(path);
  }
  return names;
}

/** Where the object begins that a name of the file stands for: `const styles = { button: { … } }`. */
function objectAt(text: string, [name = "", ...members]: readonly string[]): number | undefined {
  const declaration = new RegExp(`\\b(?:const|let|var)\\s+${name.replaceAll("$", "\\$")}\\b[^=;{]*=\\s*\\{`, "g");
  const found = declaration.exec(text);
  let object = found ? found.index + found[0].length - 1 : undefined;
  for (const member of members) {
    if (object === undefined) return undefined;
    const keys: Key[] = keysIn(text, object, endOfBraces(text, object));
    const valueAt = keys.find((key) => key.depth === 1 && key.name === member)?.valueAt ?? -1;
    object = text.charAt(valueAt) === "{" ? valueAt : undefined;
  }
  return object;
}

function piecesIn(text: string, start: number, end: number): CodePiece[] {
  const pieces: CodePiece[] = [];
  for (const piece of codePieces(text, start)) {
    if (piece.at >= end) break;
    pieces.push(piece);
  }
  return pieces;
}

function wordAt(text: string, piece: CodePiece | undefined): string {
  return piece ? text.slice(piece.at, piece.end) : "";
}
