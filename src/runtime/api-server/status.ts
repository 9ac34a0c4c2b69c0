import type { Status, StatusCause } from '../../api/meta';

/** The group of the kinds that our refusals speak of. */
export const KUBEVIRT_GROUP = 'kubevirt.io';

/** Which object a refusal is about; `kind` is the resource's singular, as Kubernetes' own errors name it. */
export interface Subject {
  readonly group?: string;
  readonly kind: string;
  readonly name: string;
}

/** What we answer instead of doing it. Thrown anywhere below a request, written as a `Status` by the server. */
export class Refusal extends Error {
  public override readonly name = 'Refusal';

  public constructor(
    public readonly code: number,
    public readonly reason: string,
    message: string,
    public readonly details: Status['details'] = {},
    /** What the user can do about it. */
    public readonly remedy?: string,
  ) {
    super(message);
  }

  public toStatus(): Status {
    const causes: StatusCause[] = [...(this.details?.causes ?? [])];
    if (this.remedy) causes.push({ reason: 'Remedy', message: this.remedy });
    const details = { ...this.details, ...(causes.length > 0 ? { causes } : {}) };
    return {
      apiVersion: 'v1',
      kind: 'Status',
      metadata: {},
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      ...(Object.keys(details).length > 0 ? { details } : {}),
      code: this.code,
    };
  }
}

const nameOf = ({ group = KUBEVIRT_GROUP, kind }: Subject): string => (group ? `${kind}.${group}` : kind);
const detailsOf = ({ group = KUBEVIRT_GROUP, kind, name }: Subject): Status['details'] => ({ name, group, kind });

/** 409: the object's state does not allow it. The wording is apimachinery's, which clients match on. */
export const conflict = (subject: Subject, why: string, remedy?: string): Refusal =>
  new Refusal(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${nameOf(subject)} "${subject.name}": ${why}`,
    detailsOf(subject),
    remedy,
  );

/** 403: not with this object, or not by this user. */
export const forbidden = (subject: Subject, why: string, remedy?: string): Refusal =>
  new Refusal(
    403,
    'Forbidden',
    `${nameOf(subject)} "${subject.name}" is forbidden: ${why}`,
    detailsOf(subject),
    remedy,
  );

/** 404: no such object. */
export const notFound = (subject: Subject): Refusal =>
  new Refusal(404, 'NotFound', `${nameOf(subject)} "${subject.name}" not found`, detailsOf(subject));

/** 400: the request itself is wrong. */
export const badRequest = (message: string, remedy?: string): Refusal =>
  new Refusal(400, 'BadRequest', message, {}, remedy);

/** 500: our own fault, or that of what stands behind us. */
export const internalError = (message: string, remedy?: string): Refusal =>
  new Refusal(500, 'InternalError', `Internal error occurred: ${message}`, {}, remedy);

/** 501: the API has it, we do not (yet). */
export const notImplemented = (what: string): Refusal =>
  new Refusal(501, 'NotImplemented', `${what} is part of the API but not served by this version of virt-api`);
