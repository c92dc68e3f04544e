/** What both versions show of accounts and domains, and SMTP credentials. */
export const accountAndDomainFields = ``;
