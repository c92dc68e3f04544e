/*
 * The thread's side: only MJML, which receives trees and returns HTML. No template code runs here.
 */
import { parentPort, workerData } from "node:worker_threads";
import { type MjmlJson, mjmlOf } from "./library.js";

/** A tree to render. */
export interface RenderRequest {
  readonly id: number;
  readonly tree: MjmlJson;
}

export type RenderAnswer =
  /** MJML is loaded. */
  | { readonly isReady: true }
  | { readonly id: number; readonly html: string }
  /** The error that MJML threw. */
  | { readonly id: number; readonly error: unknown };

const file: string = workerData;
const library = mjmlOf(file);

send({ isReady: true });
parentPort?.on("message", (request: RenderRequest) => {
  void answerTo(request).then(send);
});

function send(answer: RenderAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer);
}

async function answerTo({ id, tree }: RenderRequest): Promise<RenderAnswer> {
  try {
    return { id, html: await library.render(tree) };
  } catch (error) {
    return { id, error };
  }
}
