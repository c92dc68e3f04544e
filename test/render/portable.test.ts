import { expect, test } from "vitest";
import { compiledOf, useProjects } from "./project.js";

/* What engines of Mustache read in different ways is not left in what is compiled. */

const projects = useProjects();

test("tags that share a line in a text that a person wrote get a line each", async () => {
  const result = await projects.compileOne({
    "hi/hi.html": "<p>{{#vip is-truthy}}Welcome back{{/vip}}{{^vip is-truthy}}Welcome{{/vip}}</p>",
    "hi/hi.txt": "{{#vip is-truthy}}\nWelcome back\n{{/vip}}{{^vip is-truthy}}\nWelcome\n{{/vip}}\n",
    "hi/template.json": '{"subject":"Hi"}',
  });
  expect(compiledOf(result).text_body).toBe(
    "{{#vip__is_truthy}}\nWelcome back\n{{/vip__is_truthy}}\n{{^vip__is_truthy}}\nWelcome\n{{/vip__is_truthy}}",
  );
});

test("in html too, where a formatter put them on a line", async () => {
  const result = await projects.compileOne({
    "hi/hi.html":
      "<table>\n{{#rows}}\n<tr><td>{{.}}</td></tr>\n{{/rows}} {{^rows}}\n<tr><td>-</td></tr>\n{{/rows}}\n</table>",
    "hi/template.json": '{"subject":"Hi"}',
  });
  expect(compiledOf(result).html_body).toContain("\n{{/rows}}\n{{^rows}}\n");
});

test("a brace after a variable stands apart from it in text and subject", async () => {
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
