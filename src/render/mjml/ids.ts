const RANDOM_ID = /mj-carousel-([0-9a-f]{16})-|id="([0-9a-f]{16})" class="mj-menu-checkbox"/g;

/** Numbers the ids that MJML draws at random for each navbar and carousel, so that two builds are identical. */
export function stableIds(html: string): string {
  let stable = html;
  for (const [index, id] of randomIds(html).entries())
    stable = stable.replaceAll(id, String(index + 1).padStart(16, "0"));
  return stable;
}

/** Each once, in the order of the html. */
export function randomIds(html: string): string[] {
  return [...new Set(Array.from(html.matchAll(RANDOM_ID), (match) => match[1] ?? match[2] ?? ""))];
}
