// The parts of the connection's definitions that the page needs; another feature owns them, and the page passes them.

import { type ComponentType, createContext, useContext } from "react";
import type { Definition, Definitions } from "../../host/bindings";

export interface Glossary {
  /** The data that they are about. */
  uri: string;
  /** `null` until it is loaded. */
  known: Definitions | null;
  /** Keeps all of them; true on success. */
  keep: (known: Definitions) => Promise<boolean>;
  remove: (definition: Definition) => void;
  /** The form of a definition. */
  Form: ComponentType<{
    /** Where what is typed is kept until it is sent or given up. */
    place: string;
    before: Definition;
    label: string;
    onKeep: (definition: Definition) => void;
    onCancel: () => void;
  }>;
}

export const GlossaryContext = createContext<Glossary>({
  uri: "",
  known: null,
  keep: async () => false,
  remove: () => {},
  Form: () => null,
});

export const useGlossary = () => useContext(GlossaryContext);
