/** Permanent rejection of a Pod by the node. */
export class AdmissionError extends Error {
  public override readonly name = 'AdmissionError';
  public constructor(
    public readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** Temporary rejection of a Pod: the node retries. */
export class NotReadyError extends Error {
  public override readonly name = 'NotReadyError';
  public constructor(
    public readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}
