import { Popover } from "@base-ui/react/popover";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Columns3 } from "lucide-react";
import { useState } from "react";
import type { ResultColumn } from "../../host/bindings";
import { IconButton } from "../../kit/button";
import { SearchInput } from "../../kit/field";
import { Menu, MenuSwitch, POPUP } from "../../kit/menu";
import { columnsNamed, type GridLayout, hideColumn, showColumn } from "./layout";

/** From more columns on, they can be searched. */
const SEARCHED = 12;

interface PickerProps {
  columns: ResultColumn[];
  look: GridLayout;
  onLook: (look: GridLayout) => void;
}

/** The columns to show: a menu of a few, a list with a search of many. */
export function ColumnPicker(props: PickerProps) {
  const { columns, look, onLook } = props;
  const trigger = (
    <IconButton label={t`Columns`} size="sm">
      <Columns3 size={14} />
    </IconButton>
  );
  if (columns.length > SEARCHED) {
    return (
      <Popover.Root>
        <Popover.Trigger render={trigger} />
        <Popover.Portal>
          <Popover.Positioner sideOffset={4} align="end" className="z-50">
            <Popover.Popup aria-label={t`Columns`} className={`${POPUP} flex w-72 flex-col`}>
              <ColumnList {...props} />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    );
  }
  return (
    <Menu align="end" width="w-60" trigger={trigger}>
      {look.order.map((c) => (
        <MenuSwitch key={c} checked={!look.hidden.includes(c)} onChange={(on) => onLook(changed(look, c, on))}>
          {columns[c]!.name}
        </MenuSwitch>
      ))}
    </Menu>
  );
}

const changed = (look: GridLayout, column: number, on: boolean) =>
  on ? showColumn(look, column) : hideColumn(look, column);

function ColumnList({ columns, look, onLook }: PickerProps) {
  const [typed, setTyped] = useState("");
  const found = columnsNamed(columns, look, typed);
  return (
    <>
      <SearchInput value={typed} onChange={setTyped} placeholder={t`Search columns`} className="m-1" />
      {found.length === 0 && (
        <p className="px-2 py-1 text-fg-3 text-sm">
          <Trans>No matches.</Trans>
        </p>
      )}
      <ul className="max-h-[50vh] overflow-y-auto">
        {found.map((c) => (
          <li key={c}>
            <label className="flex items-center gap-2 rounded-md px-2 py-1 hover:bg-hover">
              <input
                type="checkbox"
                checked={!look.hidden.includes(c)}
                onChange={(event) => onLook(changed(look, c, event.target.checked))}
                className="accent-(--accent)"
              />
              <span className="min-w-0 flex-1 truncate" title={columns[c]!.name}>
                {columns[c]!.name}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}
