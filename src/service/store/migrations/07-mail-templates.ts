/** Which template a mail was made from, with what variables: JSON, as the request named them. */
export const mailTemplates = `
  ALTER TABLE mails ADD COLUMN template TEXT;
`;
