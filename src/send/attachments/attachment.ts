/**
 * The content of a file: bytes; a base64 string; a `Blob`; a Node or web stream, or another source of consecutive
 * chunks. Strings in a stream are written as UTF-8.
 */
export type AttachmentContent =
  | Uint8Array
  | ArrayBuffer
  | string
  | BlobLike
  | WebStream
  | AsyncIterable<Uint8Array | string>;

/** A `Blob` or a `File`. */
export interface BlobLike {
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A web `ReadableStream`, such as the body of a `fetch` response. */
export interface WebStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

interface AttachmentFacts {
  /** `application/pdf`. Default: derived from the filename. */
  readonly contentType?: string | undefined;
  /** For an image in the HTML: `logo` is shown by `<img src="cid:logo">`. */
  readonly contentId?: string | undefined;
}

/**
 * A file to attach: its content, or its path on disk. It is read while the message is checked. Bytes are not copied:
 * don't change them until the send has ended.
 *
 * @example
 * { filename: "invoice.pdf", content: await createInvoice(order) }
 * { path: new URL("./terms.pdf", import.meta.url) }
 * { filename: "logo.png", content: createReadStream("logo.png"), contentId: "logo" }
 */
export type Attachment =
  | (AttachmentFacts & {
      readonly filename: string;
      readonly content: AttachmentContent;
      readonly path?: undefined;
    })
  | (AttachmentFacts & {
      /** Default: the last part of the path. */
      readonly filename?: string | undefined;
      readonly path: string | URL;
      readonly content?: undefined;
    });
