import { ConfigurationError } from "../errors.js";
import { nearest } from "../text/nearest.js";

type Caller = "command" | "mailer";

export function notAnAddress(url: string): ConfigurationError {
  return new ConfigurationError(`"${url}" is not a valid service URL.`, {
    hint: "It must begin with https:// or http://.",
  });
}

export function credentialsInAddress(): ConfigurationError {
  return new ConfigurationError("The service URL contains a user name or password.", {
    hint: "Remove them. The API key comes from the environment variable that `keyVariable` names.",
  });
}

export function unknownEnvironment(name: string, environments: object): ConfigurationError {
  const names = ["local", ...Object.keys(environments)];
  const near = nearest(name, names);
  return new ConfigurationError(`There is no environment "${name}".`, {
    hint:
      near === undefined
        ? `Environments: ${names.join(", ")}. You can define more in lettershop.config.ts.`
        : `Did you mean ${near}?`,
  });
}

/** @param isLocalByDefault Whether the configuration's default is `local`, which is only used in development. */
export function nothingTold(caller: Caller, environments: object, isLocalByDefault: boolean): ConfigurationError {
  const names = [...Object.keys(environments), "local"].join(", ");
  const [where, option] = caller === "command" ? [" under CI", "--env"] : ["", '"environment"'];
  const reason = isLocalByDefault ? ": the default, local, is only for development" : "";
  const inDevelopment = isLocalByDefault && caller === "mailer" ? " In development, set NODE_ENV=development." : "";
  return new ConfigurationError(`No environment is selected${where}${reason}.`, {
    hint: `Set ${option} or LETTERSHOP_ENV to one of: ${names}. Or set LETTERSHOP_URL, LETTERSHOP_DOMAIN and LETTERSHOP_API_KEY.${inDevelopment}`,
  });
}

export function missingVariable(present: string, missing: string): ConfigurationError {
  return new ConfigurationError(`${present} is set, but ${missing} is not.`, {
    hint: `Set ${missing} as well, or select an environment from the configuration with LETTERSHOP_ENV.`,
  });
}

/** @param own This project's folder. The message shortens both folders to their last name if these differ. */
export function otherProjectsService(url: string, own: string, other: string): ConfigurationError {
  const names = [own, other].map((folder) => folder.split(/[\\/]/).findLast(Boolean) ?? folder);
  const [ours, theirs] = names[0] === names[1] ? [own, other] : names;
  return new ConfigurationError(
    `The local service at ${url} belongs to another project: ${theirs}. This project is ${ours}.`,
    {
      hint: `Run "templates service" in ${ours} and restart the application, or set LETTERSHOP_URL=${url} to use that service anyway.`,
    },
  );
}

/** Refuses an empty pin: a pipeline that refers to an undefined variable would silently run without it. */
export function emptyPin(variable: string): ConfigurationError {
  return new ConfigurationError(`${variable} is set but empty.`, {
    hint: "Set its value in the pipeline's settings, or remove it.",
  });
}

export function missingKey(name: string | undefined, keyVariable: string, caller: Caller): ConfigurationError {
  const environment = name === undefined ? "The environment" : `The environment "${name}"`;
  const instead =
    caller === "command" ? "" : " In development, set NODE_ENV=development to send to the local service instead.";
  return new ConfigurationError(`${environment} has no key: ${keyVariable} is not set.`, {
    hint: `Set ${keyVariable} to its API key.${instead}`,
  });
}
