/** Bytes that an import reads. */
export interface Source {
  /** Size in bytes, if the server reports it. */
  readonly size?: number;
  /** Bytes that are transferred for the whole content, if that is known. */
  readonly transferBytes?: number;
  /**
   * Version of the content, such as an ETag or a digest. Two starts of an importer read the same bytes if it is equal.
   * Without it, an import cannot continue after its process ended.
   */
  readonly version?: string;
  /** Whether `read` is possible: the server sends ranges, and reports its size. */
  readonly isRandomAccess: boolean;
  /** Yields the bytes from a position. A broken connection is opened again where it ended. */
  stream(from?: number): AsyncIterable<Buffer>;
  /** Reads exactly these bytes. */
  read(position: number, length: number): Promise<Buffer>;
  close(): void;
}
