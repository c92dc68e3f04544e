/*
 * Asks for what the page shows first, while the page's script is still on its way.
 */

/** Answers by what was asked for, below `api/`. */
export type AskedAhead = Map<string, Promise<Response | undefined>>;

declare global {
  interface Window {
    /** Absent in a copy, and where Vite serves the page. */
    askedAhead?: AskedAhead;
  }
}

const name = /^#\/templates\/([^/?]+)/.exec(location.hash)?.[1];
const paths = ["project", ...(name === undefined ? [] : [`templates/${name}`])];
// A server that does not answer is asked again.
window.askedAhead = new Map(paths.map((path) => [path, fetch(`api/${path}`).catch(() => undefined)]));
