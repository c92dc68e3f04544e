/**
 * Makes a change that draws the fields anew, as for another fixture: the same field has the focus then.
 *
 * @param fields Has them, before and after.
 */
export function keepingFocus(fields: HTMLElement | null, change: () => void): void {
  const at = controlsIn(fields).findIndex((control) => control === document.activeElement);
  change();
  if (at < 0) return;
  // Not before they are there.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) controlsIn(fields)[at]?.focus();
  });
}

function controlsIn(fields: HTMLElement | null): HTMLElement[] {
  return [...(fields?.querySelectorAll<HTMLElement>(".cm-content, input, textarea, select, button") ?? [])];
}
