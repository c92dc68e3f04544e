import { MailPlus, Plus, TriangleAlert } from "lucide-react";
import { useOfProject } from "../state/data.js";
import { Button } from "../ui/button.js";
import { FirstSteps } from "../ui/first-steps.js";
import { ProblemText } from "./problem-text.js";

const newTemplate = [
  { what: "A new template in MJML", line: "npx lettershop new welcome --mjml" },
  { what: "A new template in React", line: "npx lettershop new welcome --react" },
];

const steps = [
  { what: "Starter templates: welcome, receipt, sign-in code and failed payment", line: "npx lettershop init" },
  { what: "Your React Email or MJML files, from the folder they are in", line: "npx lettershop init --from ./emails" },
];

/**
 * Shown for a project without templates: how to create the first one, or which problems keep its templates from
 * loading.
 */
export const Welcome = ({ onNew }: { readonly onNew: () => void }) => {
  const name = useOfProject((project) => project.name);
  const problems = useOfProject((project) => project.problems);
  const canCreate = useOfProject(({ can }) => can.changeTemplates);
  const obstacles = problems.filter(({ isBlocking }) => isBlocking);
  const root = problems.find(({ rule }) => rule === "templates-root")?.at?.file ?? "templates";
  if (obstacles.length > 0) {
    return (
      <FirstSteps icon={TriangleAlert} title={`${name} can't be shown yet`} about="Fix this to see its templates here.">
        {obstacles.map((problem, at) => (
          <ProblemText key={at} problem={problem} />
        ))}
      </FirstSteps>
    );
  }
  return (
    <FirstSteps
      icon={MailPlus}
      title={`${name} has no templates yet`}
      about={
        canCreate
          ? "Create the first one here, or run one of these in the project's folder. New templates show up here right away."
          : "Run one of these in the project's folder. New templates show up here right away."
      }
      {...(canCreate && {
        action: (
          <Button kind="primary" icon={Plus} onClick={onNew}>
            New template
          </Button>
        ),
      })}
      steps={canCreate ? steps : [...newTemplate, ...steps]}
    >
      <p>
        Or save your own file as <code>{root}/welcome.html</code>, <code>.mjml</code> or <code>.tsx</code>.
      </p>
    </FirstSteps>
  );
};
