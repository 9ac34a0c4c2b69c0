import { ServiceAccountTokens } from '../authentication/tokens';
import { errors } from '../errors';
import { sendJson } from '../http/responder';
import { readObject, Subresource, writer } from '../http/resources';
import { define } from '../kinds/define';
import { isMap } from '../json/values';
import { Kind, subjectOf } from '../registry/kind';
import { Fields } from '../validation/fields';
import { AnyObject, timestamp } from '../types';
import { attributes, Core, optionsObject, read } from '../verbs/core';
import { ensureNamespace } from '../verbs/create';
import { manage } from '../verbs/update';

const GROUP = 'authentication.k8s.io';
const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

const shape = define({
  group: GROUP,
  version: 'v1',
  kind: 'TokenRequest',
  plural: 'serviceaccounts',
  namespaced: true,
});
const TOKEN_REQUEST: Kind = {
  ...shape,
  decode(object) {
    object.spec ??= {};
    // kubectl sends null for the default.
    if (isMap(object.spec)) object.spec.expirationSeconds ??= DEFAULT_SECONDS;
    const unknown = shape.decode(object);
    // A missing reference decodes to an empty one.
    if (object.spec?.boundObjectRef && !Object.keys(object.spec.boundObjectRef as object).length) {
      delete object.spec.boundObjectRef;
    }
    return unknown;
  },
};

/** `serviceaccounts/token`: a JWT for a ServiceAccount, bound to a Pod or Secret if requested. */
export function serviceAccountToken(core: Core, tokens: ServiceAccountTokens): Subresource {
  return {
    verbs: ['create'],
    async serve(context, target) {
      const { kind, namespace, name } = target;
      const { caller } = writer(context, 'CreateOptions');
      const given = await readObject(context, TOKEN_REQUEST, caller);
      ensureNamespace(given, kind, namespace);
      checkName(given, name);
      const account = read(core, kind, namespace, name);
      if (!account) throw errors.notFound(subjectOf(kind), name);
      const uid = account.metadata.uid!;
      if (given.metadata.uid && given.metadata.uid !== uid) {
        throw errors.conflict(
          { group: GROUP, resource: 'TokenRequest' },
          name,
          `the UID in the token request (${given.metadata.uid}) does not match the UID of the service account (${uid})`,
        );
      }
      const managed = manage(TOKEN_REQUEST, 'token', TOKEN_REQUEST.empty(), given, caller);
      const attempt = {
        ...attributes('CREATE', target, caller, managed, undefined, optionsObject('CreateOptions', caller)),
        objectKind: { group: GROUP, version: 'v1', kind: 'TokenRequest' },
      };
      await core.admission.mutate(attempt);
      const { metadata, spec } = attempt.object!;
      const audiences: string[] = spec?.audiences?.length ? spec.audiences : [...tokens.audiences];
      const expirationSeconds: number = spec?.expirationSeconds ?? DEFAULT_SECONDS;
      validateExpiration(expirationSeconds);
      await core.admission.validate(attempt);
      const bound = boundObject(core, namespace, name, spec?.boundObjectRef);
      const issued = tokens.issue({
        namespace,
        serviceAccount: { name, uid },
        audiences,
        expirationSeconds,
        ...bound,
      });
      sendJson(context.response, 201, {
        kind: 'TokenRequest',
        apiVersion: `${GROUP}/v1`,
        metadata: { ...metadata, name, namespace, uid, creationTimestamp: timestamp() },
        spec: { audiences, expirationSeconds, boundObjectRef: spec?.boundObjectRef ?? null },
        status: { token: issued.token, expirationTimestamp: timestamp(issued.expires.getTime()) },
      });
    },
  };
}

/** The name in the body is that of the URL. @throws StatusError 422 */
function checkName({ metadata }: AnyObject, name: string): void {
  if (!metadata.name || metadata.name === name) return;
  const fields = Fields.root('metadata.name');
  fields.invalid(metadata.name, 'must match the service account name if specified');
  throw errors.invalid(GROUP, 'TokenRequest', name, fields.causes);
}

/** @throws StatusError 422 */
function validateExpiration(seconds: number): void {
  const fields = Fields.root('spec.expirationSeconds');
  if (seconds < MIN_SECONDS) fields.invalid(seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > MAX_SECONDS) fields.invalid(seconds, 'may not specify a duration larger than 2^32 seconds');
  if (fields.causes.length) throw errors.invalid(GROUP, 'TokenRequest', '', fields.causes);
}

interface Reference {
  kind: string;
  apiVersion?: string;
  name: string;
  uid?: string;
}

const BOUND: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' };

function boundObject(core: Core, namespace: string, account: string, ref: Reference | undefined | null) {
  if (!ref) return {};
  const [version = '', group = ''] = (ref.apiVersion ?? '').split('/').reverse();
  if (group || !Object.hasOwn(BOUND, ref.kind)) {
    throw errors.badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${ref.kind}`);
  }
  const resource = BOUND[ref.kind];
  const home = ref.kind === 'Node' ? '' : namespace;
  const object = core.store.get({ resource: `/${resource}`, namespace: home, name: ref.name });
  if (!object) throw errors.notFound({ group: '', resource }, ref.name);
  if (ref.kind === 'Pod' && object.spec?.serviceAccountName !== account) {
    throw errors.badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
    );
  }
  if (ref.uid && ref.uid !== object.metadata.uid) {
    throw errors.conflict(
      { group: '', resource: ref.kind },
      ref.name,
      `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  const boundTo = { kind: ref.kind, name: ref.name, uid: object.metadata.uid! };
  if (ref.kind !== 'Pod' || !object.spec?.nodeName) return { boundTo };
  const node = core.store.get({ resource: '/nodes', namespace: '', name: object.spec.nodeName });
  return { boundTo, node: { name: object.spec.nodeName as string, uid: node?.metadata.uid } };
}
