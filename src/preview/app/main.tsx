import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";

const root = document.getElementById("app");
if (!root) throw new Error("The page has no element #app.");

const start = () =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

// They are in the style sheet, and yet not at hand at once: what is drawn before them would move when they come.
document.fonts.load('13px "Inter Variable"').then(start, start);
