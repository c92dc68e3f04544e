/** How many files a mail brings, without the images that its html shows. */
export const mailAttachments = `
  ALTER TABLE mails ADD COLUMN attachments INTEGER NOT NULL DEFAULT 0;
`;
