import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  ArrowDown,
  ArrowLeft,
  ArrowLeftToLine,
  ArrowRight,
  ArrowUp,
  Columns3,
  EyeOff,
  Funnel,
  Hash,
  MoveHorizontal,
  Pin,
  Sigma,
  X,
} from "lucide-react";
import { MenuItem, MenuLabel, MenuLine } from "../../kit/menu";
import { freezeColumns, type GridLayout, hideColumn, moveColumn, visibleColumns, withFilter } from "./layout";

/** The actions of a column. */
export function ColumnMenu({
  column,
  look,
  blocked,
  onLook,
  onFilter,
  onStatistics,
  onSelect,
  onFit,
  onFormat,
}: {
  /** Its place in the source. */
  column: number;
  look: GridLayout;
  /** Why rows cannot be sorted and filtered. */
  blocked: string | null;
  onLook: (look: GridLayout) => void;
  onFilter: () => void;
  onStatistics: () => void;
  onSelect: () => void;
  onFit: () => void;
  /** Null where the column can be shown in one way only. */
  onFormat: (() => void) | null;
}) {
  const seen = visibleColumns(look);
  const at = seen.indexOf(column);
  const off = blocked !== null;
  const sort = look.sort?.column === column ? look.sort : null;
  const frozenHere = look.frozen === at + 1;
  return (
    <>
      <MenuItem
        icon={<ArrowUp size={14} />}
        disabled={off || sort?.down === false}
        onSelect={() => onLook({ ...look, sort: { column, down: false } })}
      >
        <Trans>Sort ascending</Trans>
      </MenuItem>
      <MenuItem
        icon={<ArrowDown size={14} />}
        disabled={off || sort?.down === true}
        onSelect={() => onLook({ ...look, sort: { column, down: true } })}
      >
        <Trans>Sort descending</Trans>
      </MenuItem>
      {sort && (
        <MenuItem icon={<X size={14} />} onSelect={() => onLook({ ...look, sort: null })}>
          <Trans>Remove sorting</Trans>
        </MenuItem>
      )}
      <MenuItem icon={<Funnel size={14} />} disabled={off} onSelect={onFilter}>
        {look.filters[column] ? t`Change filter` : t`Filter`}
      </MenuItem>
      {look.filters[column] && (
        <MenuItem icon={<X size={14} />} onSelect={() => onLook(withFilter(look, column, null))}>
          <Trans>Remove filter</Trans>
        </MenuItem>
      )}
      <MenuItem icon={<Sigma size={14} />} disabled={off} onSelect={onStatistics}>
        <Trans>Statistics</Trans>
      </MenuItem>
      {blocked && <MenuLabel>{blocked}</MenuLabel>}
      <MenuLine />
      <MenuItem icon={<Columns3 size={14} />} onSelect={onSelect}>
        <Trans>Select column</Trans>
      </MenuItem>
      {onFormat && (
        <MenuItem icon={<Hash size={14} />} onSelect={onFormat}>
          <Trans context="how values are shown">Format</Trans>
        </MenuItem>
      )}
      <MenuItem icon={<MoveHorizontal size={14} />} onSelect={onFit}>
        <Trans>Fit width</Trans>
      </MenuItem>
      <MenuItem
        icon={<ArrowLeft size={14} />}
        disabled={at === 0}
        onSelect={() => onLook(moveColumn(look, column, at - 1))}
      >
        <Trans>Move left</Trans>
      </MenuItem>
      <MenuItem
        icon={<ArrowRight size={14} />}
        disabled={at === seen.length - 1}
        onSelect={() => onLook(moveColumn(look, column, at + 1))}
      >
        <Trans>Move right</Trans>
      </MenuItem>
      <MenuItem
        icon={<ArrowLeftToLine size={14} />}
        disabled={at === 0}
        onSelect={() => onLook(moveColumn(look, column, 0))}
      >
        <Trans>Move first</Trans>
      </MenuItem>
      <MenuItem icon={<Pin size={14} />} onSelect={() => onLook(freezeColumns(look, column))}>
        {frozenHere ? t`Unfreeze columns` : t`Freeze up to here`}
      </MenuItem>
      <MenuItem
        icon={<EyeOff size={14} />}
        disabled={seen.length < 2}
        onSelect={() => onLook(hideColumn(look, column))}
      >
        <Trans>Hide column</Trans>
      </MenuItem>
    </>
  );
}
