import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";

const root = document.getElementById("app");
if (!root) throw new Error("The page has no element #app.");

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
