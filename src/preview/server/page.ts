import { readPageFile, readPageHtml } from "../../http.js";

/** The built page from `preview`, which a static copy consists of. */
export interface Page {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  /** The first part of a static copy's worker (`preview/data/variables-worker.ts`). */
  readonly worker: string;
  /** Licences of the bundled packages. */
  readonly licences: string;
}

export async function readPage(): Promise<Page> {
  const [html, script, style, worker, licences] = await Promise.all([
    readPageHtml(),
    readPageFile("app.js"),
    readPageFile("app.css"),
    readPageFile("variables-worker.js"),
    readPageFile("licences.txt"),
  ]);
  return { html, script, style, worker, licences };
}
