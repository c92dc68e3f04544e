/** An image of the project, which the page serves at `assets/`. */
export interface OwnImage {
  /** As in the HTML: `assets/logo.png`. */
  readonly path: string;
  readonly type: string;
  readonly base64: string;
}

/**
 * The images that the HTML references relative to the page, because no base URL is configured. Exported files embed
 * them. A static copy that was opened as a file cannot read them.
 */
export async function ownImages(html: string): Promise<readonly OwnImage[]> {
  if (window.location.protocol === "file:") return [];
  const paths = new Set(Array.from(html.matchAll(OWN), ([path]) => path));
  const images = await Promise.all(Array.from(paths, read));
  return images.filter((image) => image !== undefined);
}

/** The HTML with the path of each image replaced. */
export function withImages(html: string, images: readonly OwnImage[], addressOf: (image: OwnImage) => string): string {
  const byPath = new Map(images.map((image) => [image.path, image]));
  return html.replace(OWN, (path) => {
    const image = byPath.get(path);
    return image ? addressOf(image) : path;
  });
}

/** Matches where a URL starts. */
const OWN = /(?<=["'(])assets\/[^"'()\s<>]+/g;

async function read(path: string): Promise<OwnImage | undefined> {
  const answer = await fetch(path).catch(() => undefined);
  if (!answer?.ok) return undefined;
  const type = answer.headers.get("content-type") ?? "application/octet-stream";
  return { path, type, base64: base64(new Uint8Array(await answer.arrayBuffer())) };
}

export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
