import { Image, ImageOff } from "lucide-react";
import { useState } from "react";
import type { ImageReport, TemplateReport } from "../../src/preview/contract.js";
import { useOfProject } from "../state/data.js";
import { useRemoteImages } from "../stage/remote-images.js";
import { classes } from "../ui/classes.js";
import { EmptyState } from "../ui/empty-state.js";
import { ProblemCell } from "./problem-cell.js";
import { ElementRow, WhereCell } from "./row.js";
import { shownAddress } from "./shown-address.js";
import styles from "./table.module.css";
import { Tagged } from "./tagged.js";
import { StatusCell, type UrlRequests, UrlRequestsBar, useUrlRequests } from "./url-requests.js";
import { naturalInWords, useImageFacts, weightInWords } from "./use-image-facts.js";
import { useRows } from "./use-rows.js";

export const ImagesTab = ({ report: { images, places } }: { readonly report: TemplateReport }) => {
  const rows = useRows();
  const { byUrl } = useUrlRequests();
  if (images.length === 0) {
    return (
      <EmptyState icon={ImageOff} title="No images">
        This email is text only.
      </EmptyState>
    );
  }
  return (
    <>
      <UrlRequestsBar />
      <div {...rows} className={styles.scroll}>
        <table className={classes(styles.table, styles.many)}>
          <caption className="spoken">Images in the compiled email</caption>
          <thead>
            <tr>
              <th scope="col" className={styles.picture}>
                Image
              </th>
              <th scope="col" className={styles.text}>
                Alt text
              </th>
              <th scope="col" className={styles.size}>
                Shown at
              </th>
              <th scope="col" className={styles.natural}>
                Natural size
              </th>
              <th scope="col" className={styles.weight}>
                Weight
              </th>
              {byUrl && (
                <th scope="col" className={styles.requested}>
                  Status
                </th>
              )}
              <th scope="col">Problems</th>
              <th scope="col" className={styles.where}>
                Where
              </th>
            </tr>
          </thead>
          <tbody>
            {images.map((image, at) => (
              <ImageRow key={at} image={image} places={places} requests={byUrl} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

const ImageRow = ({
  image,
  places,
  requests,
}: {
  readonly image: ImageReport;
  readonly places: TemplateReport["places"];
  readonly requests: UrlRequests["byUrl"];
}) => {
  const { src, width, problems, place } = image;
  const assetsBase = useOfProject((project) => project.assetsBase);
  const { areShown } = useRemoteImages();
  const requested = requests?.get(src);
  // A user who requested an image may see it.
  const address = shownAddress(src, { assetsBase, remoteImages: areShown || requested !== undefined });
  const { natural, bytes = requested?.[0]?.bytes } = useImageFacts(address);
  return (
    <ElementRow place={place} first={<Picture src={src} address={address} />}>
      <td>
        <span className={styles.cut} title={image.alt}>
          <AltOf image={image} />
        </span>
      </td>
      <td className={styles.numbers}>{sizeOf(image)}</td>
      <td className={styles.numbers}>{natural ? naturalInWords(natural, width) : "–"}</td>
      <td className={styles.numbers}>{bytes === undefined ? "–" : weightInWords(bytes)}</td>
      {requests && <StatusCell requests={requested} />}
      <ProblemCell problems={problems} />
      <WhereCell places={places} place={place} />
    </ElementRow>
  );
};

const Picture = ({ src, address }: { readonly src: string; readonly address: string | undefined }) => {
  const [failed, setFailed] = useState("");
  return (
    <span className={styles.actions}>
      <span className={styles.thumbnail}>
        {address === undefined || failed === address ? (
          <Image size={14} aria-hidden />
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
  if (alt === undefined) return <span className={styles.none}>None</span>;
  return alt === "" ? <span className={styles.none}>Empty (decorative)</span> : <Tagged text={alt} />;
};

const sizeOf = ({ width, height }: ImageReport): string =>
  width === undefined && height === undefined ? "–" : `${width ?? "auto"} × ${height ?? "auto"}`;
