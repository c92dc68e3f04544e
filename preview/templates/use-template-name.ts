import { nameProblem } from "../../src/project/template-name.js";
import { useLayoutEffect } from "react";
import { useOfProject } from "../state/data.js";

/** Why a template can't have this name. Undefined if it can. */
export const useNameProblem = (name: string): string | undefined => {
  const isTaken = useOfProject(({ templates }) => templates.some((template) => template.name === name));
  if (name === "") return "Enter a name, such as order-shipped.";
  return isTaken ? `A template named "${name}" already exists.` : nameProblem(name);
};

/** Acts once the list contains a template, before the next paint. Does nothing while the name is undefined. */
export const useWhenListed = (name: string | undefined, act: () => void): void => {
  const isListed = useOfProject(({ templates }) => templates.some((template) => template.name === name));
  useLayoutEffect(() => {
    if (isListed) act();
    // Runs once, even if other things are rendered meanwhile.
  }, [isListed]);
};
