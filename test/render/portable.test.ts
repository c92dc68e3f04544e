import { expect, test } from "vitest";
import { compiledOf, useProjects } from "./project.js";

/* What Mustache engines read differently does not remain in compiled bodies. */

const projects = useProjects();

test("tags that share a line in a hand-written text are put on separate lines", async () => {
  const result = await projects.compileOne({
    "hi/hi.html": "<p>{{#vip is-truthy}}Welcome back{{/vip}}{{^vip is-truthy}}Welcome{{/vip}}</p>",
    "hi/hi.txt": "{{#vip is-truthy}}\nWelcome back\n{{/vip}}{{^vip is-truthy}}\nWelcome\n{{/vip}}\n",
    "hi/template.json": '{"subject":"Hi"}',
  });
  expect(compiledOf(result).text_body).toBe(
    "{{#vip__is_truthy}}\nWelcome back\n{{/vip__is_truthy}}\n{{^vip__is_truthy}}\nWelcome\n{{/vip__is_truthy}}",
  );
});

test("in HTML, too, where a formatter joined them", async () => {
  const result = await projects.compileOne({
    "hi/hi.html":
      "<table>\n{{#rows}}\n<tr><td>{{.}}</td></tr>\n{{/rows}} {{^rows}}\n<tr><td>-</td></tr>\n{{/rows}}\n</table>",
    "hi/template.json": '{"subject":"Hi"}',
  });
  expect(compiledOf(result).html_body).toContain("\n{{/rows}}\n{{^rows}}\n");
});

test("a brace after a variable is kept separate from it in text and subject", async () => {
  const result = await projects.compileOne({
    "hi/hi.html": '<p>Send {"id":{{id}}} to us.</p>',
    "hi/template.json": '{"subject":"About {{id}}}"}',
  });
  expect(compiledOf(result)).toMatchObject({
    subject: "About {{{id}}}{{!}}}",
    text_body: 'Send {"id":{{{id}}}{{!}}} to us.',
    html_body: '<p>Send {"id":{{id}}&#125; to us.</p>',
  });
});
