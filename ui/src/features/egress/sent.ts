/** A request that went to a model behind an address. */
export interface SentRequest {
  /** 1, 2, 3 ... within the run. */
  number: number;
  /** RFC 3339; null where the run does not say when it began. */
  at: string | null;
  /** The step that asked. */
  step: string;
  /** Its node in the graph; null where it has none. */
  node: string | null;
  /** Scheme, host and port. */
  to: string;
  /** Byte for byte. */
  body: string;
  /** Its size. */
  bytes: number;
  /** Tables whose values it contains. */
  valuesOf: string[];
}
