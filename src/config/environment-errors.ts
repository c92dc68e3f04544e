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
  const [where, option] = caller === "command" ? [" under CI", "--env"] : ["", '"environment"'];
  const reason = isLocalByDefault ? ": the default one, local, is for development only" : "";
  const meanwhile = isLocalByDefault && caller === "mailer" ? " While developing, set NODE_ENV=development." : "";
  return new ConfigurationError(`No environment is selected${where}${reason}.`, {
    hint: `Give ${option} or set LETTERSHOP_ENV to one of: ${names}. Or set LETTERSHOP_URL, LETTERSHOP_DOMAIN and LETTERSHOP_API_KEY.${meanwhile}`,
  });
}

export function missingVariable(given: string, missing: string): ConfigurationError {
  return new ConfigurationError(`${given} is set, and ${missing} is not.`, {
    hint: `Set ${missing} too, or name an environment of the configuration with LETTERSHOP_ENV.`,
  });
}

/** @param own The folder of this project. Of both, the message has only the last name where that tells them apart. */
export function otherProjectsService(url: string, own: string, other: string): ConfigurationError {
  const names = [own, other].map((folder) => folder.split(/[\\/]/).findLast(Boolean) ?? folder);
  const [ours, theirs] = names[0] === names[1] ? [own, other] : names;
  return new ConfigurationError(
    `The local service at ${url} belongs to another project: ${theirs}. This one is ${ours}.`,
    {
      hint: `Run "templates service" in ${ours} and restart the application, or set LETTERSHOP_URL=${url} to use that service anyway.`,
    },
  );
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
