import { StatusCause } from '../../../api/meta';

/** A patch that cannot be read (400) or cannot be applied to this object (422). */
export class PatchError extends Error {
  public constructor(
    public readonly code: 400 | 422,
    message: string,
    public readonly reason: 'BadRequest' | 'Invalid' = code === 400 ? 'BadRequest' : 'Invalid',
  ) {
    super(message);
    this.name = 'PatchError';
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
