// All rows of a table. Opening and showing results belongs to another feature: the page passes what does it.

import { type ComponentType, createContext } from "react";
import type { Dialect, TableName } from "../../host/bindings";

/** Shows all rows of a table, until it is closed. */
export type BrowseRows = ComponentType<{ uri: string; table: TableName; dialect: Dialect; onClose: () => void }>;

export const BrowseContext = createContext<BrowseRows | null>(null);
