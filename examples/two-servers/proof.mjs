/** The service's limit: emails in any 60 seconds. */
export const LIMIT = 10;

/** Compares the orders with the emails in the service's log. If there are no problems, each order has one receipt. */
export function findProblems({ orders, emails, counts, output }) {
  const subjects = orders.map((number) => `Receipt for order ${number}`);
  const timesSent = (subject) => emails.filter((email) => email.subject === subject).length;
  const most = mostInAMinute(emails);
  return [
    ...subjects.filter((subject) => timesSent(subject) === 0).map((subject) => `Not sent: ${subject}`),
    ...subjects.filter((subject) => timesSent(subject) > 1).map((subject) => `Sent more than once: ${subject}`),
    ...emails.filter(({ subject }) => !subjects.includes(subject)).map(({ subject }) => `Has no order: ${subject}`),
    most > LIMIT && `${most} emails were sent within 60 s. The limit is ${LIMIT}.`,
    counts.accepted < orders.length && `The outbox has only ${counts.accepted} accepted messages.`,
    output.includes("the service answered 429") && "The service refused requests because there were too many.",
  ].filter(Boolean);
}

/** The largest number of emails in any 60 seconds. */
export function mostInAMinute(emails) {
  return Math.max(0, ...emails.map((_, index) => inLastMinute(emails.slice(0, index + 1))));
}

/** The number of emails in the 60 seconds up to the last one. */
export function inLastMinute(emails) {
  const last = emails.at(-1)?.sentAt ?? 0;
  return emails.filter(({ sentAt }) => sentAt > last - 60_000).length;
}
