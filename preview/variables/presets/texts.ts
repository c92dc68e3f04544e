const UNBREAKABLE = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle";

/** Eight times as long, and with a word that cannot be broken. */
export function longText(text: string): string {
  if (isAddress(text)) return text;
  const source = text.trim() === "" ? "Placeholder text" : text;
  return `${Array.from({ length: 8 }, () => source).join(" ")} ${UNBREAKABLE}`;
}

/** The beginning of a string, without half a character or a space at its end. */
export function cut(text: string, length: number): string {
  return text.slice(0, Math.max(0, length)).replace(/[\s\p{Surrogate}]$/u, "n");
}

const ARABIC = "مرحبا بالعالم، هذا نص من اليمين إلى اليسار. ";
const HEBREW = "שלום עולם, זהו טקסט מימין לשמאל. ";

/** About as long as before, with the original digits, which run left to right inside such text. */
export function rightToLeftText(text: string): string {
  if (isAddress(text)) return text;
  const source = text.length % 2 === 0 ? ARABIC : HEBREW;
  const length = Math.max(8, text.length);
  const words = source
    .repeat(Math.ceil(length / source.length))
    .slice(0, length)
    .trim();
  return [words, ...(text.match(/\d+/g) ?? [])].join(" ");
}

export function htmlText(text: string): string {
  return isAddress(text) ? text : `<b>${text}</b> & "quotes", 'quotes' <i>{{name}} {{{name}}}`;
}

/** Whether it is a URL or colour, as used by links, images and styles: any other value would only break them. */
function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z+.-]*:|\/|#[0-9a-f]{3,8}$|\S+@\S+\.\S+$|\d{4}-\d{2}-\d{2})/i.test(text) && !/\s/.test(text);
}
