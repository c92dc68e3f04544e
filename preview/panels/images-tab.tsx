import { Image as ImageIcon, ImageOff } from "lucide-react";
import { useEffect, useState } from "react";
import type { ImageReport, TemplateReport } from "../../src/preview/contract.js";
import { useOfProject } from "../state/data.js";
import { useRemoteImages } from "../stage/remote-images.js";
import { classes } from "../ui/classes.js";
import { EmptyState } from "../ui/empty-state.js";
import { imageUrl } from "./report.js";
import styles from "./url-table.module.css";
import { Tagged, UrlRow, UrlTable, useUrlRequests } from "./url-table.js";

export const ImagesTab = ({ report: { images, places } }: { readonly report: TemplateReport }) => {
  if (images.length === 0) {
    return (
      <EmptyState icon={ImageOff} title="No images">
        This email is text only.
      </EmptyState>
    );
  }
  return (
    <UrlTable
      caption="Images in the compiled email"
      isWide
      columns={[
        { name: "Image", width: "22%" },
        { name: "Alt text", width: "18%" },
        { name: "Shown at", width: 92 },
        { name: "Natural size", width: 136 },
        { name: "Weight", width: 72 },
      ]}
    >
      {images.map((image, at) => (
        <ImageRow key={at} image={image} places={places} />
      ))}
    </UrlTable>
  );
};

const ImageRow = ({ image, places }: { readonly image: ImageReport; readonly places: TemplateReport["places"] }) => {
  const { src, width } = image;
  const assetsBase = useOfProject((project) => project.assetsBase);
  const { areShown } = useRemoteImages();
  const requested = useUrlRequests().byUrl?.get(src);
  // A user who requested an image may see it.
  const address = imageUrl(src, { assetsBase, remoteImages: areShown || requested !== undefined });
  const { natural, bytes = requested?.[0]?.bytes } = useImageFacts(address);
  return (
    <UrlRow url={src} of={image} places={places} first={<Picture src={src} address={address} />}>
      <td>
        <span className={styles.cut} title={image.alt}>
          <AltOf image={image} />
        </span>
      </td>
      <td className={styles.numbers}>{sizeOf(image)}</td>
      <td className={styles.numbers}>{natural ? naturalInWords(natural, width) : "–"}</td>
      <td className={styles.numbers}>{bytes === undefined ? "–" : weightInWords(bytes)}</td>
    </UrlRow>
  );
};

const Picture = ({ src, address }: { readonly src: string; readonly address: string | undefined }) => {
  const [failed, setFailed] = useState("");
  return (
    <span className={styles.actions}>
      <span className={styles.thumbnail}>
        {address === undefined || failed === address ? (
          <ImageIcon size={14} aria-hidden />
        ) : (
          <img src={address} alt="" loading="lazy" referrerPolicy="no-referrer" onError={() => setFailed(address)} />
        )}
      </span>
      <code className={classes(styles.cut, styles.whole)} title={src}>
        <Tagged text={shortened(src)} />
      </code>
    </span>
  );
};

/** Cuts off the data of a data URL. */
const shortened = (src: string): string => (/^data:/i.test(src) ? `${src.slice(0, src.indexOf(",") + 1)}…` : src);

const AltOf = ({ image: { alt } }: { readonly image: ImageReport }) => {
  if (alt === undefined) return <span className="soft">None</span>;
  return alt === "" ? <span className="soft">Empty (decorative)</span> : <Tagged text={alt} />;
};

const sizeOf = ({ width, height }: ImageReport): string =>
  width === undefined && height === undefined ? "–" : `${width ?? "auto"} × ${height ?? "auto"}`;

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

interface ImageFacts {
  readonly natural?: ImageSize;
  readonly bytes?: number;
}

/** An image's natural size, and its size in bytes if it belongs to the project or is part of the HTML. */
const useImageFacts = (address: string | undefined): ImageFacts => {
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

function bytesOfData(address: string): number {
  const comma = address.indexOf(",");
  const data = address.slice(comma + 1);
  if (/;\s*base64$/i.test(address.slice(0, comma))) return Math.floor((data.replace(/[\s=]/g, "").length * 3) / 4);
  return new TextEncoder().encode(data.replace(/%[\da-f]{2}/gi, "x")).length;
}

/** With the pixel density at the shown width: `1200 × 400 (2×)`. */
function naturalInWords({ width, height }: ImageSize, shown: string | undefined): string {
  const size = `${width} × ${height}`;
  const shownWidth = /^\d+(?:px)?$/.test(shown ?? "") ? Number.parseInt(shown ?? "", 10) : 0;
  return shownWidth === 0 ? size : `${size} (${Number((width / shownWidth).toFixed(1))}×)`;
}

function weightInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
