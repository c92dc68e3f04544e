import { Writable } from "node:stream";

/** The parts of the project's own React that are needed; resolved from the template's folder. */
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
 * Renders an element as React does on a server, waiting for what suspends (Tailwind does), without what React adds for
 * a browser that would take over the page.
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
      // Larger parts would be sent later, with a script that puts them in place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => stream.pipe(target),
      onError: reject,
    });
  });
}

/** The component's element, whose properties are these very ones: `createElement` would copy what it can see of them. */
export function elementOf(component: unknown, props: unknown, { createElement }: ReactLibrary): object {
  return { ...createElement(component), props };
}

const MARKS = /<!--\/?\$[!?~&]?-->|<!-- -->/g;
const IMAGE_PRELOAD = /<link (?=[^>]*\brel="preload")(?=[^>]*\bas="image")[^>]*>/g;

/** React marks where texts and suspended parts begin, and asks browsers to load images early. */
function withoutReactMarks(html: string): string {
  return html.replace(MARKS, "").replace(IMAGE_PRELOAD, "").replaceAll("\0", "");
}

/** The one that React Email writes, in the place of React's. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

export function withDoctype(html: string): string {
  return DOCTYPE + withoutDoctype(html);
}

export function withoutDoctype(html: string): string {
  return html.replace(/<!DOCTYPE[^>]*>/gi, "");
}
