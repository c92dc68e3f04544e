import { git } from "../git.js";

/** Unix seconds of the commit that is checked out in a folder; undefined where git does not tell. */
export async function commitTime(folder: string): Promise<number | undefined> {
  // Unlike `git log`, this runs nothing that the repository's configuration names.
  const line = await git(folder, ["rev-list", "--max-count=1", "--timestamp", "HEAD"]).catch(() => "");
  const seconds = Number(/^[0-9]+/.exec(line)?.[0]);
  return Number.isNaN(seconds) ? undefined : seconds;
}
