import { JsonSchema } from '../schema/json-schema';

/** One served resource, as the OpenAPI documents describe it. */
export interface OpenApiResource {
  group: string;
  version: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  /** `status`, `scale` ... */
  subresources?: readonly string[];
  /** For custom resources: the version's `openAPIV3Schema`. Built-in kinds are known by group, version and kind. */
  crdSchema?: JsonSchema;
}

export interface GroupVersion {
  group: string;
  version: string;
}

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
export function openapiV3(_group: string, _version: string, _resources: readonly OpenApiResource[]): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.0' },
    paths: {},
    components: { schemas: {} },
  };
}

/** `/openapi/v2` as JSON. */
export function openapiV2(_resources: readonly OpenApiResource[]): object {
  return { swagger: '2.0', info: { title: 'Kubernetes', version: 'v1.36.0' }, paths: {}, definitions: {} };
}

/** `/openapi/v2` as `application/com.github.proto-openapi.spec.v2@v1.0+protobuf`. */
export function openapiV2Protobuf(_resources: readonly OpenApiResource[]): Uint8Array {
  return new Uint8Array();
}
