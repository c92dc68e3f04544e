/** An image of the project, which this page has at `assets/`. */
export interface OwnImage {
  /** As html names it: `assets/logo.png`. */
  readonly path: string;
  readonly type: string;
  readonly base64: string;
}

/**
 * The images that html names by their place in this page, as the configuration does not say where they will be: an exported
 * file takes them along. A copy that was opened as a file can't read its own.
 */
export async function ownImages(html: string): Promise<readonly OwnImage[]> {
  if (window.location.protocol === "file:") return [];
  const paths = new Set(Array.from(html.matchAll(OWN), ([path]) => path));
  const found = await Promise.all(Array.from(paths, read));
  return found.filter((image) => image !== undefined);
}

/** Html with each image's path replaced. */
export function withImages(html: string, images: readonly OwnImage[], addressOf: (image: OwnImage) => string): string {
  const byPath = new Map(images.map((image) => [image.path, image]));
  return html.replace(OWN, (path) => {
    const image = byPath.get(path);
    return image ? addressOf(image) : path;
  });
}

/** Where an address begins. */
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
