/** Whether words of an email run from left to right even where the email as a whole does not. */
export function keepsDirection(email: Document): boolean {
  const { defaultView: view, body } = email;
  if (!view) return false;
  return [...body.querySelectorAll("[style*='direction' i], [style*='direction' i] *")].some(
    (element) => hasWords(element) && view.getComputedStyle(element).direction === "ltr",
  );
}

function hasWords({ childNodes }: Element): boolean {
  return [...childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim());
}
