import { StatusCause } from '../../../api/meta';

/**
 * A patch that cannot be read (400), cannot be applied to this object (422), or does not match the type (500, as the
 * real server responds to an applied configuration with an unknown field).
 */
export class PatchError extends Error {
  public readonly reason: 'BadRequest' | 'Invalid' | '';
  public constructor(
    public readonly code: 400 | 422 | 500,
    message: string,
    /** Operation that failed, and why; clients do not see it. */
    public readonly detail?: string,
  ) {
    super(message);
    this.name = 'PatchError';
    this.reason = code === 400 ? 'BadRequest' : code === 422 ? 'Invalid' : '';
  }
}

/** Other managers own fields that this apply would change (409, reason `Conflict`). */
export class ConflictError extends Error {
  public readonly code = 409;
  public readonly reason = 'Conflict';
  public constructor(
    message: string,
    public readonly causes: StatusCause[],
  ) {
    super(message);
    this.name = 'ConflictError';
  }
}
