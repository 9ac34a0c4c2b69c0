import { age } from '../table/format';
import { AnyObject } from '../types';
import { validateDomainPrefixedPath } from '../validation/domain-prefixed-path';
import { Fields } from '../validation/fields';
import { isDns1123Label, isDns1123Subdomain, isPathSegment } from '../validation/names';
import { define } from './define';

interface Parameters {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  scope?: string;
  readonly namespace?: string;
}

const MAX_CONTROLLER = 250;
const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';

/** Whether Ingresses without a class get this one. */
export const isDefaultIngressClass = ({ metadata }: AnyObject): boolean =>
  metadata.annotations?.[DEFAULT_CLASS] === 'true';

function validateParameters({ apiGroup, kind, name, scope, namespace }: Parameters, at: Fields): void {
  if (apiGroup !== undefined) at.child('apiGroup').invalidEach(apiGroup, isDns1123Subdomain(apiGroup));
  for (const [field, value] of Object.entries({ kind, name })) {
    if (value) at.child(field).invalidEach(value, isPathSegment(value));
    else at.child(field).required();
  }
  const here = at.child('namespace');
  if (scope === 'Namespace') {
    if (namespace === undefined) here.required("`parameters.scope` is set to 'Namespace'");
    else here.invalidEach(namespace, isDns1123Label(namespace));
  } else if (scope === 'Cluster') {
    if (namespace !== undefined) here.forbidden("`parameters.scope` is set to 'Cluster'");
  } else at.child('scope').notSupported(scope, ['Cluster', 'Namespace']);
}

function parametersText({ apiGroup, kind = '', name = '' }: Parameters): string {
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
}

export const ingressClass = define({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  namespaced: false,
  generation: true,
  printer: {
    columns: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Controller', type: 'string' },
      { name: 'Parameters', type: 'string' },
      { name: 'Age', type: 'string' },
    ],
    row: (object, now) => [
      object.metadata.name! + (isDefaultIngressClass(object) ? ' (default)' : ''),
      object.spec?.controller ?? '',
      object.spec?.parameters ? parametersText(object.spec.parameters as Parameters) : '<none>',
      age(object.metadata.creationTimestamp, now),
    ],
  },
  defaults({ spec }) {
    if (spec?.parameters) (spec.parameters as Parameters).scope ??= 'Cluster';
  },
  validate({ spec = {} }, fields) {
    const controller: string = spec.controller ?? '';
    const at = fields.child('spec');
    if (Buffer.byteLength(controller) > MAX_CONTROLLER) at.child('controller').tooLong(MAX_CONTROLLER);
    validateDomainPrefixedPath(controller, at.child('controller'));
    if (spec.parameters) validateParameters(spec.parameters as Parameters, at.child('parameters'));
  },
  validateUpdate(next, old, fields) {
    const [now, before] = [next, old].map(({ spec }) => (spec?.controller ?? '') as string);
    if (now !== before) fields.child('spec', 'controller').invalid(now, 'field is immutable');
    this.validate!(next, fields);
  },
});
