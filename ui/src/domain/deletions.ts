// Deletes data stored for a run or a saved question together with it: deletions are announced here to listeners.

const listeners = new Set<(name: string) => void>();

/** The key for data of a saved question; data of a run uses its id. */
export const savedQuestionName = (id: string) => `saved:${id}`;

export function onDeletion(listener: (name: string) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function announceDeletion(name: string) {
  for (const listener of listeners) listener(name);
}
