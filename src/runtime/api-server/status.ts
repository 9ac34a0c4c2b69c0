import { brief } from '../../api/findings';
import type { Status, StatusCause } from '../../api/meta';
import { UNFIT } from '../../api/plain-text';

/** The group of the kinds that our refusals speak of. */
const KUBEVIRT_GROUP = 'kubevirt.io';

/** Which object a refusal is about; `kind` is the resource's singular, as Kubernetes' own errors name it. */
export interface Subject {
  readonly group?: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Text that may repeat what somebody wrote, for a terminal: characters that move the cursor, colour or hide what follows
 * are shown by their number.
 */
export const printable = (text: string): string =>
  text.replace(UNFIT, (character) => {
    if (character === '\n') return character;
    const number = character.codePointAt(0)!.toString(16).padStart(4, '0');
    return number.length > 4 ? `\\u{${number}}` : `\\u${number}`;
  });

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
    const given = (this.details?.causes ?? []).slice(0, MAX_CAUSES);
    const remedy = this.remedy ? [{ reason: 'Remedy', message: this.remedy }] : [];
    const causes: StatusCause[] = [...given, ...remedy].map(boundedCause);
    const details = { ...this.details, ...(causes.length > 0 ? { causes } : {}) };
    return {
      apiVersion: 'v1',
      kind: 'Status',
      metadata: {},
      status: 'Failure',
      message: printable(brief(this.message)),
      reason: this.reason,
      ...(Object.keys(details).length > 0 ? { details } : {}),
      code: this.code,
    };
  }
}

/** What others answered may be long, and hold anything. */
const MAX_CAUSES = 50;

const boundedCause = ({ message, field, ...cause }: StatusCause): StatusCause => ({
  ...cause,
  ...(message === undefined ? {} : { message: printable(brief(message)) }),
  ...(field === undefined ? {} : { field: printable(brief(field)) }),
});

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
export const notImplemented = (what: string, remedy: string): Refusal =>
  new Refusal(
    501,
    'NotImplemented',
    `${what} is part of the API but not served by this version of virt-api`,
    {},
    remedy,
  );
