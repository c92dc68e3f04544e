import { Download, File, FileArchive, FileCode, FileSpreadsheet, FileText, Image, type LucideIcon } from "lucide-react";
import type { MailAttachment, MailDetail } from "../../src/preview/contract.js";
import styles from "./attachments.module.css";
import { formatSize } from "./format.js";

export const Attachments = ({ attachments }: Pick<MailDetail, "attachments">) => (
  <ul className={styles.list}>
    {attachments.map((attachment) => (
      <li key={attachment.url}>
        <Attachment {...attachment} />
      </li>
    ))}
  </ul>
);

/**
 * Attachments can be downloaded but not opened here: their names and types come from the sender and can't be trusted.
 */
const Attachment = ({ filename, contentType, contentId, bytes, url }: MailAttachment) => {
  const Icon = iconOf(contentType);
  return (
    <a className={styles.file} href={url} download={filename}>
      <Icon size={20} strokeWidth={1.5} aria-hidden />
      <span className={styles.name}>
        <b>{filename}</b>
        <span>
          {contentType}
          {contentId !== undefined && ` · embedded as cid:${contentId}`}
        </span>
      </span>
      <span className={styles.size}>{formatSize(bytes)}</span>
      <Download size={16} aria-hidden />
    </a>
  );
};

const icons: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^image\//, Image],
  [/zip|compressed|tar/, FileArchive],
  [/csv|spreadsheet|excel/, FileSpreadsheet],
  [/html|json|xml|javascript|calendar/, FileCode],
  [/^text\/|pdf|word/, FileText],
];

const iconOf = (contentType: string): LucideIcon => icons.find(([pattern]) => pattern.test(contentType))?.[1] ?? File;
