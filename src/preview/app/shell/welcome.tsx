import { MailPlus, TriangleAlert } from "lucide-react";
import { useOfProject } from "../state/data.js";
import { FirstSteps } from "../ui/first-steps.js";
import { ProblemText } from "./problem-text.js";

const steps = [
  { what: "A template of MJML, for designers", line: "npx lettershop new welcome --mjml" },
  { what: "A template of React components", line: "npx lettershop new welcome --react" },
  { what: "The starter set: receipt, password reset and more", line: "npx lettershop init" },
  { what: "What you have: a folder of React Email or MJML files", line: "npx lettershop init --from ./emails" },
];

/** A project without templates: how the first one comes, or what stands in the way of those that there are. */
export const Welcome = () => {
  const name = useOfProject((project) => project.name);
  const obstacles = useOfProject((project) => project.problems).filter(({ isBlocking }) => isBlocking);
  if (obstacles.length > 0) {
    return (
      <FirstSteps
        icon={TriangleAlert}
        title={`${name} can’t be shown yet`}
        about="Its templates show here as soon as this is mended."
      >
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
      about="Run one of these in the project’s folder. The template shows here as soon as its file is there."
      steps={steps}
    >
      <p>
        A file of your own works too: save <code>templates/welcome.html</code>, <code>.mjml</code> or <code>.tsx</code>.
      </p>
    </FirstSteps>
  );
};
