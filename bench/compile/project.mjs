// @ts-check
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runProcess } from "../measure/run-process.mjs";
import { writeCorpus } from "./corpus.mjs";

const templates = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/**
 * A corpus on disk with what is run on it. Every run is held to the number of files that it has to write: a fast
 * build that left something out is none.
 *
 * @param {string} folder
 * @param {import("./corpus.mjs").CorpusOptions} options
 */
export function createProject(folder, options) {
  writeCorpus(folder, options);
  const count = options.mjml + options.react;

  /**
   * @param {readonly string[]} script A script of Node with its arguments.
   * @param {string} out Where it writes, within the project.
   * @param {number} files How many html files have to be there then.
   */
  async function run(script, out, files) {
    const figures = await runProcess([process.execPath, ...script], { cwd: folder });
    const written = readdirSync(path.join(folder, out), { recursive: true }).filter((file) =>
      String(file).endsWith(".html"),
    );
    if (written.length !== files)
      throw new Error(`${script.join(" ")} wrote ${written.length} of ${files} html files.`);
    return figures;
  }

  /** @param {string[]} names Of templates; without any, all are built. */
  const build = (...names) => run([templates, "build", ...names, "--out", "out"], "out", count);

  /** @param {string} out */
  function empty(out) {
    rmSync(path.join(folder, out), { recursive: true, force: true });
    mkdirSync(path.join(folder, out));
  }

  /**
   * Puts other words into a template, and gives them.
   *
   * @param {string} name
   * @param {string} extension
   * @param {number} round
   */
  function change(name, extension, round) {
    const file = path.join(folder, "templates", name, `${name}.${extension}`);
    const words = `You are receiving this (${round})`;
    writeFileSync(file, readFileSync(file, "utf8").replace("You are receiving this", words));
    return words;
  }

  const check = () => runProcess([process.execPath, templates, "check", "--format", "json"], { cwd: folder });

  return {
    folder,
    change,
    check,

    coldCheck() {
      rmSync(path.join(folder, ".lettershop"), { recursive: true, force: true });
      return check();
    },

    /** Builds into the folder of the last build. */
    build,

    coldBuild() {
      rmSync(path.join(folder, ".lettershop"), { recursive: true, force: true });
      empty("out");
      return build();
    },

    /**
     * Builds all after other words have come into one of them.
     *
     * @param {string} name
     * @param {string} extension
     * @param {number} round
     */
    async buildChanged(name, extension, round) {
      const words = change(name, extension, round);
      const figures = await build();
      const html = readFileSync(path.join(folder, "out", name, "body.html"), "utf8");
      if (!html.includes(words)) throw new Error(`${name} was changed, and what was built of it was not.`);
      return figures;
    },

    mjml() {
      empty("out-mjml");
      const command = path.join(folder, "node_modules", "mjml", "bin", "mjml");
      const includes = ["--config.allowIncludes", "true", "--config.includePath", "templates"];
      return run([command, "-r", "templates/mjml-*/*.mjml", "-o", "out-mjml", ...includes], "out-mjml", options.mjml);
    },

    emailExport() {
      const command = path.join(folder, "node_modules", "react-email", "dist", "cli", "index.mjs");
      return run(
        [command, "export", "--dir", "emails", "--outDir", "out-react", "--silent"],
        "out-react",
        options.react,
      );
    },
  };
}

/** @typedef {ReturnType<typeof createProject>} Project */
