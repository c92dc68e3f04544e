import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import type { PreviewEvent } from "../../contract.js";
import type { RouteContext } from "./context.js";

/** So often something is said, so that nothing between takes the silence for an end. */
const BEAT_MS = 20_000;

/** Tells the page what happens, from the project as it is now on. */
export function eventRoutes({ workspace, access, ending }: RouteContext): Hono {
  return new Hono().get("/events", (c) => {
    // nginx would hold events back until it has some kB of them.
    c.header("X-Accel-Buffering", "no");
    return streamSSE(c, async (stream) => {
      let last: Promise<unknown> = Promise.resolve();
      // Each is made when it is its turn: what is told later is never older.
      const tellNext = (make: () => Promise<PreviewEvent>) => {
        last = last
          .then(async () => stream.writeSSE({ data: JSON.stringify(await make()) }))
          .catch(() => stream.abort());
      };
      const tell = (event: PreviewEvent) => tellNext(async () => event);
      const tellProject = () => tellNext(async () => ({ kind: "project", project: await workspace.state() }));
      tellProject();
      const ends = [
        workspace.subscribe((event) => (event.kind === "project" ? tellProject() : tell(event))),
        access.inbox?.watch({
          mail: (mail) => tell({ kind: "mail", mail }),
          deleted: () => tell({ kind: "deleted-mails" }),
          reachable: (isReachable, other) => tell({ kind: "inbox", isReachable, ...(other && { other }) }),
        }),
      ];
      const beat = setInterval(() => void stream.write(": here\n\n"), BEAT_MS);
      await new Promise<void>((resolve) => {
        stream.onAbort(resolve);
        ends.push(ending.subscribe(resolve));
      });
      clearInterval(beat);
      for (const end of ends) end?.();
    });
  });
}
