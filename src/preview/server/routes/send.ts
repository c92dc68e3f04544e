import { Hono } from "hono";
import { fill } from "../../../mustache/fill.js";
import type { MailerAccess } from "../access.js";
import { readBody } from "../http/body.js";
import { Refusal } from "../refusal.js";
import type { RouteContext } from "./context.js";

/** Sends to environments and reads from them. */
export function sendRoutes({ workspace, access }: RouteContext): Hono {
  return new Hono()
    .post("/send", async (c) => {
      const { mailer } = access;
      if (!mailer) throw new Refusal(404, "This preview can't send.");
      const { template, input, ...message } = await readBody(c, "send");
      const { subject, html, text } = await fillFor(mailer, message.environment, template, input);
      return c.json(await mailer.send({ isConfirmed: false, ...message, template, input, subject, html, text }));
    })
    .get("/remote/:name", async (c) => {
      const name = c.req.param("name");
      await workspace.detail(name);
      if (!access.remote) return c.json([]);
      return c.json(await access.remote.reports(name, (assets) => workspace.compileFor(name, assets)));
    })
    .get("/remote/:name/:environment", async (c) => {
      const { name, environment } = c.req.param();
      const deployed = await access.remote?.deployed(name, environment);
      if (deployed) return c.json(deployed);
      throw new Refusal(404, `${name} isn't deployed to ${environment}.`);
    });

  async function fillFor(mailer: MailerAccess, environment: string, template: string, input: Record<string, unknown>) {
    const [compiled, answer] = await Promise.all([
      mailer.assets(environment).then((assets) => workspace.compileFor(template, assets)),
      workspace.variables(template, { input }),
    ]);
    if (!compiled) throw new Refusal(409, `"${template}" does not compile.`, "Fix its problems, then send it.");
    const [problem] = answer.problems;
    if (problem) {
      const where = problem.path.length > 0 ? `${problem.path.join(".")}: ` : "";
      throw new Refusal(422, `The variables don't fit the template. ${where}${problem.message}`);
    }
    return fill(compiled, "variables" in answer ? answer.variables : {});
  }
}
