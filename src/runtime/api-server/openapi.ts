import { STATUS_CODES } from 'node:http';
import { kinds } from '../../api/kinds/registry';
import { EXPAND_GIVEN, KIND_OF, SUBRESOURCE_GROUP, SUBRESOURCE_VERSIONS, SUBRESOURCES } from './registry';
import type { Subresource } from './registry';
import { optionFields } from './subresources/options';
import type { FieldType } from './subresources/options';
import { TOKEN_REQUESTS, UPLOAD_GROUP, UPLOAD_VERSIONS } from './uploads/routes';

type Json = Readonly<Record<string, unknown>>;

/** One HTTP method of one path, before it is written for a version of OpenAPI. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly id: string;
  readonly pathParams: readonly string[];
  /** Names of schemas. */
  readonly body?: string;
  readonly answer?: string;
  /** HTTP code of success. */
  readonly code: number;
}

const INFO = { title: 'virt-api', version: 'v1' };
const JSON_TYPE = 'application/json';
const NAMES: Readonly<Record<string, string>> = {
  namespace: 'Namespace of the object.',
  name: 'Name of the object.',
  port: 'Port of the guest.',
  protocol: 'tcp or udp.',
};

/** Schemas are named like those that Kubernetes derives from CustomResourceDefinitions. */
const schemaName = (type: string): string => `io.kubevirt.v1.${type}`;
/** Objects whose fields are described where they are stored, or that the guest agent fills. */
const anyObject = (description: string): Json => ({
  type: 'object',
  description,
  'x-kubernetes-preserve-unknown-fields': true,
});

const FIELD: Record<FieldType, Json> = {
  boolean: { type: 'boolean' },
  integer: { type: 'integer', format: 'int64' },
  strings: { type: 'array', items: { type: 'string' } },
  string: { type: 'string' },
  object: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  duration: { type: 'string', description: 'A duration such as "5m".' },
};

const TOKEN_REQUEST = kinds.UploadTokenRequest.kind;

function schemas(): Record<string, Json> {
  const options = Object.entries(optionFields).map(([type, fields]) => {
    const properties = Object.entries({ apiVersion: 'string', kind: 'string', ...fields } as Record<string, FieldType>);
    const schema = { type: 'object', properties: Object.fromEntries(properties.map(([key, is]) => [key, FIELD[is]])) };
    return [schemaName(type), schema] as const;
  });
  const answers = SUBRESOURCES.flatMap(({ returns }) => (returns ? [returns] : []));
  const objects = [...new Set([...answers, TOKEN_REQUEST])].map(
    (type) => [schemaName(type), anyObject(`An object of kind ${type}.`)] as const,
  );
  return Object.fromEntries([...options, ...objects]);
}

/** The paths of a subresource: one for each number of its optional parameters. */
function operationsOf(subresource: Subresource, version: string): Operation[] {
  const { owner, name, method, params = [], summary, body, returns, accepted, stream } = subresource;
  const isOfNamespace = owner === EXPAND_GIVEN.owner;
  const base = `/apis/${SUBRESOURCE_GROUP}/${version}/namespaces/{namespace}/${owner}`;
  const required = params.filter((param) => !param.endsWith('?')).length;
  const counts = Array.from({ length: params.length - required + 1 }, (_, more) => required + more);
  const subject = isOfNamespace ? '' : KIND_OF[owner];
  return counts.map((count) => {
    const given = params.slice(0, count).map((param) => param.replace('?', ''));
    return {
      method: method.toLowerCase(),
      path: [isOfNamespace ? base : `${base}/{name}/${name}`, ...given.map((param) => `{${param}}`)].join('/'),
      summary,
      // unique among all APIs of a cluster, as clients that are generated from the document need
      id: [version, subject, ...(isOfNamespace ? owner : `${name}/${given.join('/')}`).split(/[/-]/)]
        .map(capital)
        .join(''),
      pathParams: ['namespace', ...(isOfNamespace ? [] : ['name']), ...given],
      ...(body && { body: schemaName(body) }),
      ...(returns && { answer: schemaName(returns) }),
      code: stream ? 101 : accepted ? 202 : 200,
    };
  });
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const subresources = (version: string): Operation[] =>
  SUBRESOURCES.flatMap((subresource) => operationsOf(subresource, version));

const tokenRequest = (version: string): Operation => ({
  method: 'post',
  path: `/apis/${UPLOAD_GROUP}/${version}/namespaces/{namespace}/${TOKEN_REQUESTS}`,
  summary: 'Returns a token for the upload of an image to a claim.',
  id: `create${capital(version)}${TOKEN_REQUEST}`,
  pathParams: ['namespace'],
  body: schemaName(TOKEN_REQUEST),
  answer: schemaName(TOKEN_REQUEST),
  code: 200,
});

const pathParam = (name: string): Json => ({ name, in: 'path', required: true, description: NAMES[name] });

function asV2({ id, summary, pathParams, body, answer, code }: Operation): Json {
  const ref = (schema: string): Json => ({ $ref: `#/definitions/${schema}` });
  return {
    description: summary,
    operationId: id,
    ...(body && { consumes: [JSON_TYPE] }),
    ...(answer && { produces: [JSON_TYPE] }),
    parameters: [
      ...pathParams.map((name) => ({ ...pathParam(name), type: 'string' })),
      ...(body ? [{ name: 'body', in: 'body', schema: ref(body) }] : []),
    ],
    responses: { [code]: { description: STATUS_CODES[code], ...(answer && { schema: ref(answer) }) } },
  };
}

function asV3({ id, summary, pathParams, body, answer, code }: Operation): Json {
  const content = (schema: string): Json => ({ [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${schema}` } } });
  return {
    description: summary,
    operationId: id,
    parameters: pathParams.map((name) => ({ ...pathParam(name), schema: { type: 'string' } })),
    ...(body && { requestBody: { content: content(body) } }),
    responses: { [code]: { description: STATUS_CODES[code], ...(answer && { content: content(answer) }) } },
  };
}

const pathsOf = (all: readonly Operation[], write: (operation: Operation) => Json): Json =>
  Object.fromEntries(all.map((operation) => [operation.path, { [operation.method]: write(operation) }]));

/** `/openapi/v2`: the actions of both groups. The aggregator merges it with the documents of other servers. Pure. */
export const openApiV2 = (): Json => ({
  swagger: '2.0',
  info: INFO,
  paths: pathsOf([...SUBRESOURCE_VERSIONS.flatMap(subresources), ...UPLOAD_VERSIONS.map(tokenRequest)], asV2),
  definitions: schemas(),
});

/**
 * `/openapi/v3`: where the document of each version is. Pure.
 *
 * Without token requests: where a document describes a kind that cannot be patched, kubectl reads all
 * CustomResourceDefinitions before it creates an object, which most users may not.
 */
export const openApiV3Index = (): Json => ({
  paths: Object.fromEntries(
    SUBRESOURCE_VERSIONS.map((version) => [
      `apis/${SUBRESOURCE_GROUP}/${version}`,
      { serverRelativeURL: `/openapi/v3/apis/${SUBRESOURCE_GROUP}/${version}` },
    ]),
  ),
});

/** `/openapi/v3/apis/subresources.kubevirt.io/{version}`. Pure. */
export const openApiV3 = (version: string): Json => ({
  openapi: '3.0.0',
  info: INFO,
  paths: pathsOf(subresources(version), asV3),
  components: { schemas: schemas() },
});
