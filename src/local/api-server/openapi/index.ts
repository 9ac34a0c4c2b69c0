import { builtinSchema, TypeSchema } from '../schema';
import { Definitions } from './builtin-definitions';
import { customDefinition, customName } from './custom-definitions';
import { encodeV2 } from './gnostic';
import { pathsOf } from './paths';
import { GroupVersion, Node, OpenApiResource, Spec } from './types';

export type { OpenApiResource } from './types';

const INFO = { title: 'Kubernetes', version: 'v1.36.0' };

/** Path of a group-version below `/openapi/v3`: `api/v1`, `apis/apps/v1`. */
export const openapiV3Path = ({ group, version }: GroupVersion): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

/** `/openapi/v3`. `hash` lets clients cache a document; give a new one when the group-version's CRDs change. */
export function openapiV3Index(groupVersions: readonly (GroupVersion & { hash?: string })[]): object {
  const entry = (gv: GroupVersion & { hash?: string }) => ({
    serverRelativeURL: `/openapi/v3/${openapiV3Path(gv)}${gv.hash ? `?hash=${gv.hash}` : ''}`,
  });
  return { paths: Object.fromEntries(groupVersions.map((gv) => [openapiV3Path(gv), entry(gv)])) };
}

/** `/openapi/v3/apis/<group>/<version>`. */
export function openapiV3(group: string, version: string, resources: readonly OpenApiResource[]): object {
  const served = resources.filter((r) => r.group === group && r.version === version);
  const { paths, schemas } = describe(served, 'v3');
  return { openapi: '3.0.0', info: INFO, paths, components: { schemas } };
}

/** `/openapi/v2` as JSON. */
export function openapiV2(resources: readonly OpenApiResource[]): object {
  const { paths, schemas } = describe(resources, 'v2');
  return { swagger: '2.0', info: INFO, paths, definitions: schemas };
}

/** `/openapi/v2` as `application/com.github.proto-openapi.spec.v2@v1.0+protobuf`. */
export const openapiV2Protobuf = (resources: readonly OpenApiResource[]): Uint8Array =>
  encodeV2(openapiV2(resources) as Node);

function describe(resources: readonly OpenApiResource[], spec: Spec): { paths: Node; schemas: Node } {
  const definitions = new Definitions(spec);
  const paths: Node = {};
  for (const resource of resources) {
    const ref = define(resource, definitions, spec);
    if (ref) Object.assign(paths, pathsOf(resource, ref, spec));
  }
  const sorted = Object.entries(definitions.all).sort(([a], [b]) => (a < b ? -1 : 1));
  return { paths, schemas: Object.fromEntries(sorted) };
}

/** Adds the resource's definition; undefined when its kind is not known. */
function define(resource: OpenApiResource, definitions: Definitions, spec: Spec): Node | undefined {
  const { group, version, kind, crdSchema } = resource;
  const gvk = { group, version, kind };
  if (crdSchema) {
    const name = customName(resource);
    definitions.all[name] = customDefinition(crdSchema, definitions, spec);
    definitions.markKind(name, gvk);
    return { $ref: `${spec === 'v2' ? '#/definitions/' : '#/components/schemas/'}${name}` };
  }
  const type: TypeSchema | undefined = builtinSchema(group, version, kind);
  if (!type?.name) return undefined;
  const ref = definitions.refTo(type);
  definitions.markKind(type.name, gvk);
  return ref;
}
