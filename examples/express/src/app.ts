import express from "express";
import { accounts } from "./accounts.js";
import { health } from "./health.js";
import { mailErrors } from "./mail-errors.js";
import { orders } from "./orders.js";

export const app = express();
app.use(express.json());
app.use(orders, accounts, health);
app.use(mailErrors);
