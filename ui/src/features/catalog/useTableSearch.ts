// The table or column that was looked up elsewhere, until the page of tables has opened it.

import { create } from "zustand";
import type { FoundName } from "../../host/bindings";

export const useTableSearch = create<{ sought: FoundName | null }>(() => ({ sought: null }));

export function searchFor(sought: FoundName | null) {
  useTableSearch.setState({ sought });
}
