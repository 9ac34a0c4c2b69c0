import { brief } from '../../api/findings';
import type { Status, StatusCause } from '../../api/meta';
import { UNFIT } from '../../api/plain-text';

/** Group of the kinds that our errors refer to. */
const KUBEVIRT_GROUP = 'kubevirt.io';

/** The object that a refusal is about; `kind` is the resource's singular, as in Kubernetes' own errors. */
export interface Subject {
  readonly group?: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Makes text that may repeat user input safe for a terminal: characters that move the cursor, set colours or hide the
 * following text are replaced by their code points.
 */
export const printable = (text: string): string =>
  text.replace(UNFIT, (character) => {
    if (character === '\n') return character;
    const number = character.codePointAt(0)!.toString(16).padStart(4, '0');
    return number.length > 4 ? `\\u{${number}}` : `\\u${number}`;
  });

/** Error answer. Thrown anywhere below a request and written as a `Status` by the server. */
export class Refusal extends Error {
  public override readonly name = 'Refusal';

  public constructor(
    public readonly code: number,
    public readonly reason: string,
    message: string,
    public readonly details: Status['details'] = {},
    /** Steps that fix the error. */
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

/** Answers of other servers may be long and contain any characters. */
const MAX_CAUSES = 50;

const boundedCause = ({ message, field, ...cause }: StatusCause): StatusCause => ({
  ...cause,
  ...(message === undefined ? {} : { message: printable(brief(message)) }),
  ...(field === undefined ? {} : { field: printable(brief(field)) }),
});

const nameOf = ({ group = KUBEVIRT_GROUP, kind }: Subject): string => (group ? `${kind}.${group}` : kind);
const detailsOf = ({ group = KUBEVIRT_GROUP, kind, name }: Subject): Status['details'] => ({ name, group, kind });

/** 409: the object's state does not allow the action. The wording is apimachinery's, which clients match on. */
export const conflict = (subject: Subject, why: string, remedy?: string): Refusal =>
  new Refusal(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${nameOf(subject)} "${subject.name}": ${why}`,
    detailsOf(subject),
    remedy,
  );

/** 403: the action is not allowed on this object, or for this user. */
export const forbidden = (subject: Subject, why: string, remedy?: string): Refusal =>
  new Refusal(
    403,
    'Forbidden',
    `${nameOf(subject)} "${subject.name}" is forbidden: ${why}`,
    detailsOf(subject),
    remedy,
  );

/** 404: the object does not exist. */
export const notFound = (subject: Subject): Refusal =>
  new Refusal(404, 'NotFound', `${nameOf(subject)} "${subject.name}" not found`, detailsOf(subject));

/** 400: the request is invalid. */
export const badRequest = (message: string, remedy?: string): Refusal =>
  new Refusal(400, 'BadRequest', message, {}, remedy);

/** 500: a defect of ours or of a server behind us. */
export const internalError = (message: string, remedy?: string): Refusal =>
  new Refusal(500, 'InternalError', `Internal error occurred: ${message}`, {}, remedy);

/** 501: part of the API, but not implemented here. */
export const notImplemented = (what: string, remedy: string): Refusal =>
  new Refusal(
    501,
    'NotImplemented',
    `${what} is part of the API but not served by this version of virt-api`,
    {},
    remedy,
  );
