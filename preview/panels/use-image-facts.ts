import { useEffect, useState } from "react";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

interface ImageFacts {
  readonly natural?: ImageSize;
  readonly bytes?: number;
}

/** An image's natural size, and its size in bytes if it belongs to the project or is part of the HTML. */
export const useImageFacts = (address: string | undefined): ImageFacts => {
  const [facts, setFacts] = useState<ImageFacts>({});
  useEffect(() => {
    setFacts({});
    if (address === undefined) return undefined;
    let isWanted = true;
    const add = (more: ImageFacts) => {
      if (isWanted) setFacts((before) => ({ ...before, ...more }));
    };
    const image = new Image();
    image.referrerPolicy = "no-referrer";
    image.addEventListener("load", () => add({ natural: { width: image.naturalWidth, height: image.naturalHeight } }));
    image.src = address;
    void weigh(address).then((bytes) => bytes !== undefined && add({ bytes }));
    return () => {
      isWanted = false;
    };
  }, [address]);
  return facts;
};

/** Undefined for images of other hosts, and in a copy that was opened as a file. */
async function weigh(address: string): Promise<number | undefined> {
  if (/^data:/i.test(address)) return bytesOfData(address);
  if (/^https?:/i.test(address)) return undefined;
  const response = await fetch(address).catch(() => undefined);
  return response?.ok === true ? (await response.blob()).size : undefined;
}

export function bytesOfData(address: string): number {
  const comma = address.indexOf(",");
  const data = address.slice(comma + 1);
  if (/;\s*base64$/i.test(address.slice(0, comma))) return Math.floor((data.replace(/[\s=]/g, "").length * 3) / 4);
  return new TextEncoder().encode(data.replace(/%[\da-f]{2}/gi, "x")).length;
}

/** With the pixel density at the shown width: `1200 × 400 (2×)`. */
export function naturalInWords({ width, height }: ImageSize, shown: string | undefined): string {
  const size = `${width} × ${height}`;
  const shownWidth = /^\d+(?:px)?$/.test(shown ?? "") ? Number.parseInt(shown ?? "", 10) : 0;
  return shownWidth === 0 ? size : `${size} (${Number((width / shownWidth).toFixed(1))}×)`;
}

export function weightInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
