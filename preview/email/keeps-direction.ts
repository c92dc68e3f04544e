/** Whether text of the email sets its own direction and therefore stays left to right in a right-to-left preview. */
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
