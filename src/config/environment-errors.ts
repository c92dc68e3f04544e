import { ConfigurationError } from "../errors.js";
import { nearest } from "../nearest.js";

type Caller = "command" | "mailer";

export function notAnAddress(url: string): ConfigurationError {
  return new ConfigurationError(`"${url}" is not the address of a service.`, {
    hint: "It begins with https:// or http://.",
  });
}

export function credentialsInAddress(): ConfigurationError {
  return new ConfigurationError("The address of the service has a user name or a password in it.", {
    hint: "Leave them out: the key comes from the environment variable that keyVariable names.",
  });
}

export function unknownEnvironment(name: string, environments: object): ConfigurationError {
  const names = ["local", ...Object.keys(environments)];
  const near = nearest(name, names);
  return new ConfigurationError(`There is no environment "${name}".`, {
    hint:
      near === undefined
        ? `There are: ${names.join(", ")}. Others are defined in lettershop.config.ts.`
        : `Did you mean ${near}?`,
  });
}

/** @param isLocalByDefault Whether the configuration's default is `local`, which counts while developing only. */
export function nothingTold(caller: Caller, environments: object, isLocalByDefault: boolean): ConfigurationError {
  const names = [...Object.keys(environments), "local"].join(", ");
  const hintFor = (option: string): string =>
    `Give ${option} or set LETTERSHOP_ENV to one of: ${names}. Or set LETTERSHOP_URL, LETTERSHOP_DOMAIN and LETTERSHOP_API_KEY.`;
  if (caller === "command") {
    const local = isLocalByDefault ? '; "local" is for development only' : "";
    return new ConfigurationError(`No environment is selected, and under CI there is no default${local}.`, {
      hint: hintFor("--env"),
    });
  }
  const reason = isLocalByDefault ? ": the default one, local, counts while developing only" : "";
  const meanwhile = isLocalByDefault ? " While developing, set NODE_ENV=development." : "";
  return new ConfigurationError(`Nothing says which environment the mailer is to use${reason}.`, {
    hint: `${hintFor('"environment"')}${meanwhile}`,
  });
}

export function missingVariable(given: string, missing: string): ConfigurationError {
  return new ConfigurationError(`${given} is set, and ${missing} is not.`, {
    hint: `Set ${missing} too, or name an environment of the configuration with LETTERSHOP_ENV.`,
  });
}

/** @param own The folder of this project. Of both, the message has no more of the path than tells them apart. */
export function otherProjectsService(url: string, own: string, other: string): ConfigurationError {
  const [ours, theirs] = shortNames(own, other);
  return new ConfigurationError(
    `The local service at ${url} belongs to another project: ${theirs}. This one is ${ours}.`,
    {
      hint: `Run "templates service" in ${ours} and restart the application, or set LETTERSHOP_URL=${url} to use that service anyway.`,
    },
  );
}

/** The last names of paths, as many as it takes to tell them apart. */
function shortNames(...folders: readonly string[]): string[] {
  const names = folders.map((folder) => folder.split(/[\\/]/).filter(Boolean));
  const longest = Math.max(...names.map(({ length }) => length));
  for (let count = 1; ; count += 1) {
    const tails = names.map((each) => each.slice(-count).join("/") || "/");
    if (new Set(tails).size > 1 || count >= longest) return tails;
  }
}

/** A pipeline that names a variable which nobody has defined would go without its pin, and not know. */
export function emptyPin(variable: string): ConfigurationError {
  return new ConfigurationError(`${variable} is set and empty.`, {
    hint: "Give it its value where the pipeline is defined, or take it out.",
  });
}

export function missingKey(name: string | undefined, keyVariable: string, caller: Caller): ConfigurationError {
  const environment = name === undefined ? "The environment" : `The environment "${name}"`;
  const instead =
    caller === "command" ? "" : "; while developing, NODE_ENV=development sends to the local service instead";
  return new ConfigurationError(`${environment} has no key: ${keyVariable} is not set.`, {
    hint: `Set ${keyVariable} to its API key${instead}.`,
  });
}
