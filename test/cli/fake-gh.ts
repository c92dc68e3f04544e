import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PipelineMachine } from "./pipeline-machine.js";

export interface GitHubState {
  readonly pulls: readonly { readonly number: number; readonly head: string; readonly sha: string }[];
  readonly comments: readonly { readonly id: number; readonly login: string; readonly body: string }[];
}

const token = "a-token-of-github";

/** GitHub's `gh`, as far as the guide uses it, on a state in a file. What its jq expressions select is read from them. */
const program = `
import { cpSync, readFileSync, writeFileSync } from "node:fs";
const [file, artifacts, command, ...rest] = process.argv.slice(2);
if (process.env.GH_TOKEN !== "${token}") process.exit(4);
const state = JSON.parse(readFileSync(file, "utf8"));
const options = {}, fields = {}, operands = [];
for (let at = 0; at < rest.length; at += 1) {
  const each = rest[at];
  if (each === "-f" || each === "-F") {
    const [key, value] = rest[(at += 1)].split(/=(.*)/s);
    fields[key] = each === "-F" && value.startsWith("@") ? readFileSync(value.slice(1), "utf8") : value;
  } else if (each === "--paginate" || each === "--silent") options[each] = true;
  else if (each.startsWith("--")) options[each] = rest[(at += 1)];
  else operands.push(each);
}
const print = (values) => values.forEach((value) => console.log(value));
const [of = "", what = ""] = operands;
const method = options["--method"] ?? "GET";
const jq = options["--jq"] ?? "";
const quoted = (before) => jq.slice(jq.indexOf(before) + before.length).split('"')[1];
if (command === "run" && of === "download" && what === "42")
  cpSync(artifacts + "/" + options["--name"], options["--dir"], { recursive: true });
else if (command === "api" && method === "GET" && of === "repos/acme/shop/pulls" && fields.state === "open")
  print(state.pulls.filter((pull) => pull.head === fields.head && pull.sha === quoted("head.sha ==")).map((pull) => pull.number));
else if (command === "api" && method === "GET" && of === "repos/acme/shop/issues/7/comments" && options["--paginate"])
  print(state.comments.filter(({ login, body }) => login === quoted("login ==") && body.startsWith(quoted("startswith("))).map(({ id }) => id));
else if (command === "api" && method === "POST" && of === "repos/acme/shop/issues/7/comments")
  state.comments.push({ id: state.comments.length + 1, login: "github-actions[bot]", body: fields.body });
else if (command === "api" && method === "PATCH" && of.startsWith("repos/acme/shop/issues/comments/"))
  state.comments.find(({ id }) => of.endsWith("/" + id)).body = fields.body;
else process.exit(1);
writeFileSync(file, JSON.stringify(state));
`;

/** Gives a machine the `gh` of the repository acme/shop, whose run 42 has left the machine's artifacts. */
export function addGitHub(machine: PipelineMachine, state: GitHubState) {
  const [file, script] = [path.join(machine.folder, "github.json"), path.join(machine.folder, "gh.mjs")];
  writeFileSync(file, JSON.stringify(state));
  writeFileSync(script, program);
  machine.addProgram("gh", `exec node '${script}' '${file}' '${machine.artifacts}' "$@"`);
  return { token, state: (): GitHubState => JSON.parse(readFileSync(file, "utf8")) };
}
