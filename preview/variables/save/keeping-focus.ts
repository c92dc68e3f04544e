/**
 * Makes a change that renders the fields again, such as switching to another fixture, and then focuses the same field.
 *
 * @param fields The element that contains the fields before and after.
 */
export function keepingFocus(fields: HTMLElement | null, change: () => void): void {
  const at = controlsIn(fields).findIndex((control) => control === document.activeElement);
  change();
  if (at < 0) return;
  // Waits until they are rendered.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) controlsIn(fields)[at]?.focus();
  });
}

function controlsIn(fields: HTMLElement | null): HTMLElement[] {
  return [...(fields?.querySelectorAll<HTMLElement>(".cm-content, input, textarea, select, button") ?? [])];
}
