// Details that only experts need, such as tokens, rule codes and hashes: hidden until the user asks for them.

import { create } from "zustand";
import { host } from "../host/host";

const KEY = "experts.details";

export const useExperts = create<{ details: boolean }>(() => ({ details: false }));

export async function startExperts() {
  useExperts.setState({ details: (await host().preference(KEY)) === "yes" });
}

export function setExpertDetails(details: boolean) {
  useExperts.setState({ details });
  void host().setPreference(KEY, details ? "yes" : "no");
}
