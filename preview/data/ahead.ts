/*
 * Requests what the page shows first while the page's main script is still loading.
 */

/** Responses by path, below `api/`. */
export type PrefetchedResponses = Map<string, Promise<Response | undefined>>;

declare global {
  interface Window {
    /** Missing in a static copy, and where Vite serves the page. */
    askedAhead?: PrefetchedResponses;
  }
}

const name = /^#\/templates\/([^/?]+)/.exec(location.hash)?.[1];
const paths = ["project", ...(name === undefined ? [] : [`templates/${name}`])];
// `live.ts` repeats a request that failed.
window.askedAhead = new Map(paths.map((path) => [path, fetch(`api/${path}`).catch(() => undefined)]));
