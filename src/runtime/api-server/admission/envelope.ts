import { isObject as isRecord } from '../../../api/lint/read';
import type { AdmissionRequest } from './review';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isName: Check = (value) => typeof value === 'string' && value !== '';
const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const isList =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const has =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([field, check]) => check(value[field]));

const isMap =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);

const metadata = has({
  name: isOptional(isText),
  generateName: isOptional(isText),
  namespace: isOptional(isText),
  uid: isOptional(isText),
  labels: isOptional(isMap(isText)),
  annotations: isOptional(isMap(isText)),
  finalizers: isOptional(isList(isText)),
  ownerReferences: isOptional(isList(isRecord)),
});
/** The API server has checked these fields of every object; the rules check the others. */
const isObject: Check = (value) =>
  value === null || has({ apiVersion: isOptional(isText), kind: isOptional(isText), metadata })(value);

/** Fields of a request, as `admission.k8s.io/v1` describes them. */
const FIELDS = {
  uid: isName,
  kind: has({ group: isText, version: isText, kind: isName }),
  resource: has({ group: isText, version: isText, resource: isName }),
  subResource: isOptional(isText),
  name: isOptional(isText),
  namespace: isOptional(isText),
  operation: (value) => ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'].includes(value as string),
  userInfo: isOptional(
    has({
      username: isOptional(isText),
      uid: isOptional(isText),
      groups: isOptional(isList(isText)),
      extra: isOptional(isMap(isList(isText))),
    }),
  ),
  object: isObject,
  oldObject: isOptional(isObject),
  dryRun: isOptional((value) => typeof value === 'boolean'),
} satisfies Readonly<Partial<Record<keyof AdmissionRequest, Check>>>;

/** Returns the name of the first field of a request that is absent or of another type; undefined if it is whole. */
export function malformedField(request: unknown): string | undefined {
  if (!isRecord(request)) return 'request';
  return Object.entries(FIELDS).find(([field, check]) => !check(request[field]))?.[0];
}
