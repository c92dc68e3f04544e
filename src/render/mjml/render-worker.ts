/*
 * The thread's side: only MJML, which receives trees and returns HTML. No template code runs here.
 */
import { workerData } from "node:worker_threads";
import { serveThread } from "../../process/rpc.js";
import { type MjmlLibrary, mjmlOf } from "./library.js";

/** The thread's functions. */
export interface Renderer {
  /** MJML is loaded. */
  ready(input: undefined): void;
  render: MjmlLibrary["render"];
}

const file: string = workerData;
const library = mjmlOf(file);
const functions = { ready() {}, render: (tree) => library.render(tree) } satisfies Renderer;
serveThread({ functions });
