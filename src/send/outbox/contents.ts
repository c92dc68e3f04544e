import { Base64Content } from "../../api/calls/base64-content.js";
import type { OutboundAttachment, OutboundEmail } from "../../api/resources/emails.js";

/** An email as JSON, with its files separate: ten megabytes should not become part of one string. */
export interface Contents {
  readonly json: string;
  readonly files: readonly Uint8Array[];
}

type FileFacts = Omit<OutboundAttachment, "content">;

export function takeApart({ attachments, ...email }: OutboundEmail): Contents {
  if (attachments === undefined) return { json: JSON.stringify(email), files: [] };
  const facts = attachments.map(({ filename, content_type, content_id }): FileFacts => ({
    filename,
    content_type,
    content_id,
  }));
  const files = attachments.map(({ content }) =>
    typeof content === "string" ? Buffer.from(content, "base64") : content.bytes,
  );
  return { json: JSON.stringify({ ...email, attachments: facts }), files };
}

export function putTogether({ json, files }: Contents): OutboundEmail {
  const stored: Omit<OutboundEmail, "attachments"> & { attachments?: readonly FileFacts[] } = JSON.parse(json);
  const { attachments, ...email } = stored;
  if (attachments === undefined) return email;
  const content = (index: number) => new Base64Content(files[index] ?? new Uint8Array());
  return { ...email, attachments: attachments.map((facts, index) => ({ ...facts, content: content(index) })) };
}
