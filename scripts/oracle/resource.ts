import { JsonSchema } from '../../src/local/api-server/schema';
import { Operation } from './model';
import { Answer, Oracle } from './server';

export const GROUP = 'oracle.virt8s.io';
export const API_VERSION = `${GROUP}/v1`;

/** A CRD with one version and this schema. */
export function crdOf(name: string, schema: JsonSchema, status = false): object {
  const plural = `${name}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { plural, singular: name, kind: kindOf(name) },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(status ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  };
}

export const kindOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Installs the CRD and waits until its resource is served. */
export async function install(oracle: Oracle, name: string, schema: JsonSchema, status = false): Promise<void> {
  const answer = await oracle.send(
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    crdOf(name, schema, status),
  );
  if (answer.code !== 201) throw new Error(`CRD ${name}: ${JSON.stringify(answer.body.message)}`);
  for (let i = 0; i < 100; i++) {
    const list = await oracle.send('GET', `/apis/${API_VERSION}/${name}s`);
    if (list.code === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`CRD ${name} was not served within 10 s`);
}

/** Sends one operation on one object to the real server. */
export function sendTo(oracle: Oracle, resource: string, name: string, op: Operation): Promise<Answer> {
  const list = `/apis/${API_VERSION}/${resource}s`;
  const path = `${list}/${name}`;
  const query = `?fieldManager=${encodeURIComponent(op.manager ?? 'oracle')}`;
  const force = 'force' in op && op.force ? '&force=true' : '';
  switch (op.do) {
    case 'create':
      return oracle.send('POST', list + query, op.object);
    case 'update':
      return update(oracle, path, path + query, op.object);
    case 'apply':
      return oracle.send('PATCH', path + query + force, op.object, 'application/apply-patch+yaml');
    case 'merge':
      return oracle.send('PATCH', path + query, op.patch, 'application/merge-patch+json');
    case 'json':
      return oracle.send('PATCH', path + query, op.patch, 'application/json-patch+json');
    case 'updateStatus':
      return update(oracle, path, `${path}/status${query}`, op.object);
    case 'applyStatus':
      return oracle.send('PATCH', `${path}/status${query}${force}`, op.object, 'application/apply-patch+yaml');
  }
}

/** Replaces the object with PUT, which requires the stored resourceVersion. */
async function update(oracle: Oracle, path: string, target: string, object: object): Promise<Answer> {
  const { body } = await oracle.send('GET', path);
  const { resourceVersion } = body.metadata as { resourceVersion: string };
  const sent = structuredClone(object) as { metadata: Record<string, unknown> };
  sent.metadata = { ...sent.metadata, resourceVersion };
  return oracle.send('PUT', target, sent);
}
