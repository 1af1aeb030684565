import { Autocomplete } from "@base-ui/react/autocomplete";
import { t } from "@lingui/core/macro";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { BOX } from "./field";
import { POPUP } from "./menu";

export interface Suggestion {
  value: string;
  note?: string;
}

/** A text field with suggestions to pick from. Any other text is as good. */
export function SuggestInput({
  label,
  value,
  suggestions,
  status,
  placeholder,
  onChange,
  onOpen,
}: {
  label: string;
  value: string;
  suggestions: Suggestion[];
  /** The text shown without suggestions. */
  status: string | null;
  placeholder?: string;
  onChange: (value: string) => void;
  /** The suggestions are about to be shown. */
  onOpen: () => void;
}) {
  // All of them, until something is typed to choose among them.
  const [typed, setTyped] = useState(false);
  const wanted = value.trim().toLowerCase();
  const shown = typed
    ? suggestions.filter((s) => `${s.value} ${s.note ?? ""}`.toLowerCase().includes(wanted))
    : suggestions;
  const said =
    status ??
    (typed && suggestions.length > 0 && shown.length === 0 ? t`No match. The name is used as typed.` : null);
  return (
    <Autocomplete.Root
      items={suggestions}
      filteredItems={shown}
      itemToStringValue={(item) => item.value}
      value={value}
      limit={300}
      openOnInputClick
      onValueChange={(next, { reason }) => {
        setTyped(reason === "input-change");
        onChange(next);
      }}
      onOpenChange={(open) => {
        if (open) onOpen();
        else setTyped(false);
      }}
    >
      <div className="relative">
        <Autocomplete.Input
          aria-label={label}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          className={`${BOX} h-8 pr-8`}
        />
        <Autocomplete.Trigger
          aria-label={t`Show choices for ${label}`}
          className="absolute top-0 right-0 flex size-8 items-center justify-center rounded-md text-fg-3 hover:text-fg"
        >
          <ChevronDown size={14} aria-hidden />
        </Autocomplete.Trigger>
      </div>
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={4} align="start" className="z-50">
          <Autocomplete.Popup
            className={`${POPUP} max-h-[min(var(--available-height),18rem)] w-(--anchor-width) min-w-80`}
          >
            <Autocomplete.Empty className="text-fg-3 text-sm">
              {said !== null && <div className="wrap-anywhere px-2 py-1.5">{said}</div>}
            </Autocomplete.Empty>
            <Autocomplete.List>
              {(item: Suggestion) => (
                <Autocomplete.Item
                  key={item.value}
                  value={item}
                  className="rounded-md px-2 py-1.5 outline-none data-highlighted:bg-hover"
                >
                  <span className="block truncate">{item.value}</span>
                  {item.note && <span className="nums block truncate text-fg-3 text-xs">{item.note}</span>}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
