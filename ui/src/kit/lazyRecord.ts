/**
 * A record whose values are made each time they are read. Constants of a module are made before a language is known, and it may
 * change: so are their texts.
 */
export function lazyRecord<T extends object>(makers: { [K in keyof T]: () => T[K] }): T {
  const made = {} as T;
  for (const key of Object.keys(makers) as (keyof T)[]) {
    Object.defineProperty(made, key, { get: makers[key], enumerable: true });
  }
  return made;
}
