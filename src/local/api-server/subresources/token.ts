import { ServiceAccountTokens } from '../authentication/tokens';
import { errors } from '../errors';
import { contentType, decodeBody, readBody } from '../http/body';
import { sendJson } from '../http/responder';
import { Subresource } from '../http/resources';
import { subjectOf } from '../registry/kind';
import { Fields } from '../validation/fields';
import { AnyObject, timestamp } from '../types';
import { Core, read } from '../verbs/core';

const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

/** `serviceaccounts/token`: a JWT for a ServiceAccount, bound to a Pod or Secret if requested. */
export function serviceAccountToken(core: Core, tokens: ServiceAccountTokens): Subresource {
  return {
    verbs: ['create'],
    async serve(context, { kind, namespace, name }) {
      const body = await readBody(context.request);
      const request = (body.length ? decodeBody(body, contentType(context.request), 'TokenRequest') : {}) as AnyObject;
      const account = read(core, kind, namespace, name);
      if (!account) throw errors.notFound(subjectOf(kind), name);
      const spec = request.spec ?? {};
      const expirationSeconds: number = spec.expirationSeconds ?? 3600;
      const fields = Fields.root('spec.expirationSeconds');
      if (expirationSeconds < MIN_SECONDS) {
        fields.invalid(expirationSeconds, 'may not specify a duration less than 10 minutes');
      } else if (expirationSeconds > MAX_SECONDS) {
        fields.invalid(expirationSeconds, 'may not specify a duration larger than 2^32 seconds');
      }
      if (fields.causes.length) throw errors.invalid('authentication.k8s.io', 'TokenRequest', '', fields.causes);
      const audiences: string[] = spec.audiences?.length ? spec.audiences : [...tokens.audiences];
      const bound = boundObject(core, namespace, name, spec.boundObjectRef);
      const issued = tokens.issue({
        namespace,
        serviceAccount: { name, uid: account.metadata.uid! },
        audiences,
        expirationSeconds,
        ...bound,
      });
      sendJson(context.response, 201, {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { name, namespace, creationTimestamp: timestamp() },
        spec: { audiences, expirationSeconds, boundObjectRef: spec.boundObjectRef ?? null },
        status: { token: issued.token, expirationTimestamp: timestamp(issued.expires.getTime()) },
      });
    },
  };
}

interface Reference {
  kind: string;
  apiVersion?: string;
  name: string;
  uid?: string;
}

function boundObject(core: Core, namespace: string, account: string, ref: Reference | undefined | null) {
  if (!ref) return {};
  const resource = { Pod: 'pods', Secret: 'secrets' }[ref.kind];
  if (!resource) {
    throw errors.badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to object type ${ref.apiVersion}, Kind=${ref.kind}`,
    );
  }
  const object = core.store.get({ resource: `/${resource}`, namespace, name: ref.name });
  if (!object) throw errors.notFound({ group: '', resource }, ref.name);
  if (ref.uid && ref.uid !== object.metadata.uid) {
    throw errors.conflict(
      { group: '', resource },
      ref.name,
      `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (ref.kind === 'Pod' && object.spec?.serviceAccountName !== account) {
    throw errors.badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
    );
  }
  const boundTo = { kind: ref.kind, name: ref.name, uid: object.metadata.uid! };
  if (ref.kind !== 'Pod' || !object.spec?.nodeName) return { boundTo };
  const node = core.store.get({ resource: '/nodes', namespace: '', name: object.spec.nodeName });
  return { boundTo, node: { name: object.spec.nodeName as string, uid: node?.metadata.uid } };
}
