/**
 * Scales an email's text as for a recipient who set a larger or smaller text size. Images and columns keep their size.
 */
export function enlargeText(email: Document, percent: number): void {
  const view = email.defaultView;
  if (!view || percent === 100) return;
  const factor = percent / 100;
  const changes: (() => void)[] = [];
  for (const element of email.querySelectorAll<HTMLElement>("body, body *:not(svg, svg *)")) {
    const { fontSize, lineHeight } = view.getComputedStyle(element);
    changes.push(() => {
      element.style.setProperty("font-size", scaled(fontSize, factor), "important");
      if (lineHeight !== "normal" && parseFloat(lineHeight) > 0) {
        element.style.setProperty("line-height", scaled(lineHeight, factor), "important");
      }
    });
  }
  for (const apply of changes) apply();
}

function scaled(length: string, factor: number): string {
  return `${parseFloat(length) * factor}px`;
}
