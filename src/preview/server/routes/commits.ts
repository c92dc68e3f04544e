import { Hono } from "hono";
import { Refusal } from "../refusal.js";
import { CommittedTemplates } from "../workspace/committed.js";
import type { RouteContext } from "./context.js";

/** Serves templates as they were at earlier commits. */
export function commitRoutes({ workspace, access: { commits } }: RouteContext): Hono {
  const committed = commits && new CommittedTemplates(commits);
  return new Hono()
    .get("/commits/:name", async (c) => {
      const { files } = await workspace.made(c.req.param("name"));
      return c.json(commits ? await commits.list(files) : { ofTemplate: [] });
    })
    .get("/commits/:name/:hash", async (c) => {
      const { name, hash } = c.req.param();
      // Compiling the current version comes first.
      const { template, assets } = await workspace.made(name);
      if (!/^[0-9a-f]{4,64}$/.test(hash)) throw new Refusal(400, `"${hash}" isn't the hash of a commit.`);
      if (!committed)
        throw new Refusal(
          404,
          "Commits can't be shown: the project is not in a git repository, or git is not installed.",
        );
      return c.json(await committed.at(hash, template, assets));
    });
}
