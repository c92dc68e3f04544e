import { createRequire } from "node:module";
import { Writable } from "node:stream";
import type { SourcePosition } from "../../diagnostic.js";
import type { Variables } from "../../mustache/variables.js";
import type { Bundle } from "../../process/bundle.js";
import type { TaskContext } from "../../process/host.js";

/** The required parts of the project's own React, resolved from the template's folder. */
export interface ReactLibrary {
  readonly createElement: (type: unknown) => object;
  readonly renderToPipeableStream: (element: unknown, options: StreamOptions) => { pipe(to: Writable): unknown };
}

interface StreamOptions {
  readonly progressiveChunkSize: number;
  readonly onAllReady: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Renders an element like React on a server, waiting for suspended parts (Tailwind suspends), without React's additions for
 * hydration in a browser.
 */
export function renderHtml(element: unknown, { renderToPipeableStream }: ReactLibrary): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const target = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        resolve(withoutReactMarks(Buffer.concat(chunks).toString()));
        done();
      },
    });
    const stream = renderToPipeableStream(element, {
      // Larger parts would be streamed later, with a script that inserts them.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => stream.pipe(target),
      onError: reject,
    });
  });
}

/** An element with exactly these props: `createElement` would copy their visible properties. */
export function elementOf(component: unknown, props: unknown, { createElement }: ReactLibrary): object {
  return { ...createElement(component), props };
}

const MARKS = /<!--\/?\$[!?~&]?-->|<!-- -->/g;
const IMAGE_PRELOAD = /<link (?=[^>]*\brel="preload")(?=[^>]*\bas="image")[^>]*>/g;

/** React marks the boundaries of texts and suspended parts, and tells browsers to preload images. */
function withoutReactMarks(html: string): string {
  return html.replace(MARKS, "").replace(IMAGE_PRELOAD, "").replaceAll("\0", "");
}

/** React Email's doctype, which replaces React's. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

export function withDoctype(html: string): string {
  return DOCTYPE + withoutDoctype(html);
}

export function withoutDoctype(html: string): string {
  return html.replace(/<!DOCTYPE[^>]*>/gi, "");
}

export function loadReact(file: string): ReactLibrary {
  const require = createRequire(file);
  return { ...require("react"), ...require("react-dom/server") };
}

/** What a component renders with real variables, or the error that it threw. */
export type RenderedExample = { readonly html: string } | { readonly error: string; readonly at?: SourcePosition };

/** Renders the unmodified component with real variables, in a worker. */
export async function renderExamples(
  { bundle, examples }: { readonly bundle: Bundle; readonly examples: readonly Variables[] },
  context: TaskContext,
): Promise<RenderedExample[]> {
  const { default: component } = await context.load(bundle);
  const react = loadReact(bundle.file);
  const rendered: RenderedExample[] = [];
  for (const variables of examples) {
    try {
      rendered.push({ html: withDoctype(await renderHtml(elementOf(component, variables, react), react)) });
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const at = context.positionOf(error);
      rendered.push({ error: error.message, ...(at && { at }) });
    }
  }
  return rendered;
}
