import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import type { PipelineMachine } from "./pipeline-machine.js";

export interface GitHubState {
  readonly pulls: readonly { readonly number: number; readonly head: string; readonly sha: string }[];
  readonly comments: { readonly id: number; readonly login: string; body: string }[];
}

export const gitHubToken = "a-token-of-github";

/**
 * Gives a machine a simulated `gh` for the repository acme/shop, with the features that the guide uses. Its run 42 has the
 * machine's artifacts, from which its jq expressions select.
 */
export async function addGitHub(machine: PipelineMachine, { pulls, comments }: GitHubState): Promise<void> {
  await machine.serveProgram("gh", ([command, ...rest], { folder, env }) => {
    const { operands, options, fields } = parseArguments(rest, folder);
    const [of = "", what = ""] = operands;
    const { "--method": method = "GET", "--jq": jq = "" } = options;
    const quoted = (before: string) => jq.slice(jq.indexOf(before) + before.length).split('"')[1] ?? "";
    const issue = "repos/acme/shop/issues/7/comments";
    let lines: readonly number[] = [];
    if (env["GH_TOKEN"] !== gitHubToken) return { code: 4, stdout: "", stderr: "" };
    if (command === "run" && of === "download" && what === "42")
      cpSync(path.join(machine.artifacts, options["--name"] ?? ""), path.join(folder, options["--dir"] ?? ""), {
        recursive: true,
      });
    else if (command === "api" && method === "GET" && of === "repos/acme/shop/pulls" && fields["state"] === "open")
      lines = pulls
        .filter(({ head, sha }) => head === fields["head"] && sha === quoted("head.sha =="))
        .map((pull) => pull.number);
    else if (command === "api" && method === "GET" && of === issue && "--paginate" in options)
      lines = comments
        .filter(({ login, body }) => login === quoted("login ==") && body.startsWith(quoted("startswith(")))
        .map(({ id }) => id);
    else if (command === "api" && method === "POST" && of === issue)
      comments.push({ id: comments.length + 1, login: "github-actions[bot]", body: fields["body"] ?? "" });
    else if (command === "api" && method === "PATCH" && of.startsWith("repos/acme/shop/issues/comments/"))
      comments.filter(({ id }) => of.endsWith(`/${id}`)).forEach((comment) => (comment.body = fields["body"] ?? ""));
    else return { code: 1, stdout: "", stderr: "" };
    return { code: 0, stdout: lines.map((line) => `${line}\n`).join(""), stderr: "" };
  });
}

function parseArguments(args: readonly string[], folder: string) {
  const options: Record<string, string> = {};
  const fields: Record<string, string> = {};
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const each = args[at] ?? "";
    if (each === "-f" || each === "-F") {
      const [key = "", value = ""] = (args[(at += 1)] ?? "").split(/=(.*)/s);
      fields[key] =
        each === "-F" && value.startsWith("@") ? readFileSync(path.join(folder, value.slice(1)), "utf8") : value;
    } else if (each === "--paginate" || each === "--silent") options[each] = "";
    else if (each.startsWith("--")) options[each] = args[(at += 1)] ?? "";
    else operands.push(each);
  }
  return { options, fields, operands };
}
