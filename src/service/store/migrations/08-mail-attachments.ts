/** Number of an email's attachments, without images that the HTML embeds. */
export const mailAttachments = `
  ALTER TABLE mails ADD COLUMN attachments INTEGER NOT NULL DEFAULT 0;
`;
