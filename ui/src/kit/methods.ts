// The published methods' parameters as their papers give them: what a question is asked with before the settings are
// read, and what a reset on the settings page goes back to.

import { type Methods, paperMethods } from "../host/bindings";

export const PAPER_METHODS: Methods = paperMethods;
