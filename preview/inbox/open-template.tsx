import { PencilRuler } from "lucide-react";
import type { MailDetail } from "../../src/preview/contract.js";
import { useProject, useTemplate } from "../state/data.js";
import { changeView } from "../state/view-store.js";
import { Button } from "../ui/button.js";
import { inputOf } from "./input-of.js";

/** Opens the email's template, with the variables that the email was sent with. */
export const OpenTemplate = ({ template }: { readonly template: NonNullable<MailDetail["template"]> }) => {
  const { templates } = useProject();
  const { name, variables } = template;
  const isHere = templates.some((each) => each.name === name);
  const { detail } = useTemplate(isHere ? name : undefined);
  if (!isHere) return <span title="This template isn't in this project">{name}</span>;
  const contract = detail?.name === name ? detail.compiled?.contract : undefined;
  const open = () =>
    changeView({
      screen: "template",
      template: name,
      fixture: undefined,
      ...(contract && { edited: JSON.stringify(inputOf(contract, variables)) }),
    });
  return (
    <Button icon={PencilRuler} title="Open the template with the variables this email was sent with" onClick={open}>
      Open {name}
    </Button>
  );
};
