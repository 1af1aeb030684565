import { useEffect, useMemo, useState } from "react";

const NOTHING: never[] = [];

/** Where something is searched: in what is here, or at the host, which takes a moment. */
export type Search<T> = { here: (typed: string) => T[] } | { away: (typed: string) => Promise<T[]> };

/**
 * Returns the results of a search; empty without a search text. Earlier results stay until the host answers: the list
 * does not flicker with each letter.
 */
export function useSearchResults<T>(search: Search<T> | null, typed: string | null): T[] {
  const here = useMemo(
    () => (search && "here" in search && typed !== null ? search.here(typed) : NOTHING),
    [search, typed],
  );
  const [late, setLate] = useState<T[]>(NOTHING);
  useEffect(() => {
    if (!search || !("away" in search) || typed === null) return setLate(NOTHING);
    let current = true;
    // A failed lookup only means that nothing is suggested.
    search.away(typed).then(
      (found) => current && setLate(found),
      () => current && setLate(NOTHING),
    );
    return () => {
      current = false;
    };
  }, [search, typed]);
  if (typed === null) return NOTHING;
  return search && "away" in search ? late : here;
}
