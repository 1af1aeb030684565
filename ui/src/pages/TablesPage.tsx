import { type ReactNode, useEffect, useMemo } from "react";
import { BrowseContext } from "../features/catalog/browse";
import { CatalogPage } from "../features/catalog/CatalogPage";
import { GlossaryContext } from "../features/catalog/glossary";
import { DefinitionForm } from "../features/connections/DefinitionForm";
import {
  keepDefinitions,
  loadDefinitions,
  removeDefinition,
  useDefinitions,
} from "../features/connections/definitions";
import { usableModels, useSettings } from "../features/settings/state";
import { beginQuestion } from "../run/startRun";
import { BrowseRows } from "./BrowseRows";
import { PrivacyLink } from "./PrivacyLink";

/** The tables of the open warehouse, with what was written about them. */
export function TablesPage({
  uri,
  ...rest
}: {
  uri: string;
  title: string;
  prepared: number;
  reading: boolean;
  note?: ReactNode;
}) {
  const known = useDefinitions((s) => s.kept[uri] ?? null);
  useEffect(() => void loadDefinitions(uri), [uri]);
  const glossary = useMemo(
    () => ({
      uri,
      known,
      keep: (next: NonNullable<typeof known>) => keepDefinitions(uri, next),
      remove: (definition: NonNullable<typeof known>["entries"][number]) => void removeDefinition(uri, definition),
      Form: DefinitionForm,
    }),
    [known, uri],
  );
  const { models, remotes, settings } = useSettings();
  const choices = useMemo(() => {
    const usable = usableModels(models, remotes).map(({ id, title }) => ({ value: id, label: title }));
    const first = usable.filter(({ value }) => value === settings?.defaultModel);
    return [...first, ...usable.filter((choice) => !first.includes(choice))];
  }, [models, remotes, settings?.defaultModel]);
  return (
    <GlossaryContext value={glossary}>
      <BrowseContext value={BrowseRows}>
        <CatalogPage {...rest} uri={uri} links={<PrivacyLink uri={uri} />} models={choices} onAsk={beginQuestion} />
      </BrowseContext>
    </GlossaryContext>
  );
}
