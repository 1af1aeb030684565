// What is remembered for a run or a saved question goes with it. Who deletes one says so here; who remembers something listens.

const listeners = new Set<(name: string) => void>();

/** What things of a saved question are remembered under; those of a run have its id. */
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
