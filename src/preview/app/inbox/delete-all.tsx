import { Trash2 } from "lucide-react";
import { counted } from "../state/counts.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import type { Deletion } from "./use-deletion.js";

/** Asks before everything is deleted. */
export const DeleteAll = ({ count, cancel, confirm }: Deletion["deleteAll"]) => (
  <Dialog
    title={`Delete ${count === 1 ? "" : "all "}${counted(count ?? 0, "email")}?`}
    isOpen={count !== undefined}
    size="narrow"
    onClose={cancel}
    footer={
      <>
        <Button onClick={cancel}>Cancel</Button>
        <Button kind="primary" icon={Trash2} onClick={() => void confirm()}>
          Delete
        </Button>
      </>
    }
  >
    <p>This deletes every email of the local service, with its attachments. It can’t be undone.</p>
  </Dialog>
);
