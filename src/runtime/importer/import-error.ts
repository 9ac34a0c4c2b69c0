/** Causes of a failed import, as its termination message and the DataVolume's condition name them. */
export type ImportProblem =
  | 'ArchiveUnsafe'
  | 'ChecksumMismatch'
  | 'DeviceNotAccessible'
  | 'FormatUnsupported'
  | 'ImageInvalid'
  | 'ImageTooLarge'
  | 'RequestInvalid'
  | 'SourceChanged'
  | 'SourceRejected'
  | 'SourceStalled'
  | 'SourceUnreachable'
  | 'StorageFull';

/** Failure of an import, with a remedy for its user. */
export class ImportError extends Error {
  public override readonly name = 'ImportError';
  public constructor(
    public readonly problem: ImportProblem,
    message: string,
    public readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
