const RANDOM_ID = /mj-carousel-([0-9a-f]{16})-|id="([0-9a-f]{16})" class="mj-menu-checkbox"/g;

/** Replaces the random ids that MJML generates for navbars and carousels with numbers, so that two builds are identical. */
export function stableIds(html: string): string {
  let stable = html;
  for (const [index, id] of randomIds(html).entries())
    stable = stable.replaceAll(id, String(index + 1).padStart(16, "0"));
  return stable;
}

/** Without duplicates, in the order of the HTML. */
export function randomIds(html: string): string[] {
  return [...new Set(Array.from(html.matchAll(RANDOM_ID), (match) => match[1] ?? match[2] ?? ""))];
}
