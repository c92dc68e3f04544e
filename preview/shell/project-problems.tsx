import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useCommands } from "../palette/commands.js";
import { MessageText } from "../ui/message-text.js";
import { useOfProject } from "../state/data.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import styles from "./bars.module.css";
import { ProblemText } from "./problem-text.js";

/** Problems of the configuration and of templates that could not be loaded. All others are among the findings. */
export const ProjectProblems = () => {
  const problems = useOfProject((project) => project.problems).filter(({ isBlocking }) => isBlocking);
  const [isOpen, setIsOpen] = useState(false);
  const [first] = problems;
  useCommands(
    first
      ? [{ id: "project-problems", title: "Show project problems", group: "Page", run: () => setIsOpen(true) }]
      : [],
  );
  if (!first) return null;
  return (
    <div role="status" className={styles.error}>
      <TriangleAlert size={16} aria-hidden />
      <p className={styles.text}>
        {first.at && <code>{first.at.file}</code>} <MessageText text={first.message} />
      </p>
      <Button onClick={() => setIsOpen(true)}>
        {problems.length === 1 ? "Show it" : `Show all ${problems.length}`}
      </Button>
      <Dialog
        title={problems.length === 1 ? "Project problem" : `${problems.length} project problems`}
        isOpen={isOpen}
        size="wide"
        onClose={() => setIsOpen(false)}
      >
        {problems.map((problem, at) => (
          <ProblemText key={at} problem={problem} />
        ))}
      </Dialog>
    </div>
  );
};
