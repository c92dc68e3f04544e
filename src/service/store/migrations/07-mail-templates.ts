/** The template and variables that an email was rendered from, as JSON. */
export const mailTemplates = `
  ALTER TABLE mails ADD COLUMN template TEXT;
`;
