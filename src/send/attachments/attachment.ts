/**
 * What a file is made of: bytes; a text in base64; a `Blob`; a stream, of Node or the web, or whatever else gives bytes one piece
 * after the other. A piece of a stream may be a text, which is written as UTF-8.
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

/** A `ReadableStream` of the web, such as the body of what `fetch` answers. */
export interface WebStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

interface AttachmentFacts {
  /** `application/pdf`. Default: what the file's name says. */
  readonly contentType?: string | undefined;
  /** For an image of the html: `logo` is shown by `<img src="cid:logo">`. */
  readonly contentId?: string | undefined;
}

/**
 * A file to attach: its content, or where it is on disk. It is read while the message is checked. Bytes are not copied: they
 * have to stay as they are until the send has ended.
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
