import { validateConditions } from './admission-policy';
import { Kind, Printer } from '../registry/kind';
import { age } from '../table/format';
import { deepEqual } from '../json/values';
import { Fields } from '../validation/fields';
import { LabelSelector, validateLabelSelector } from '../validation/label-selector';
import { isDns1035Label, isDns1123Subdomain, isPortNumber } from '../validation/names';
import { define } from './define';

const printer: Printer = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Webhooks', type: 'integer' },
    { name: 'Age', type: 'string' },
  ],
  row: ({ metadata, webhooks }, now) => [metadata.name!, webhooks?.length ?? 0, age(metadata.creationTimestamp, now)],
};

interface Rule {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
}

interface Service {
  name?: string;
  namespace?: string;
  path?: string;
  port?: number;
}

interface Webhook {
  name?: string;
  clientConfig?: { url?: string; service?: Service };
  rules?: Rule[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  matchConditions?: { name?: string; expression?: string }[];
  timeoutSeconds?: number;
  reinvocationPolicy?: string;
  sideEffects?: string;
  admissionReviewVersions?: string[];
}

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const VERSIONS = ['v1', 'v1beta1'];

function defaultWebhook(webhook: Webhook, mutating: boolean): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (mutating) webhook.reinvocationPolicy ??= 'Never';
  if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ??= '*';
}

/** Reports a value that is not allowed. */
export function oneOf(value: string | undefined, allowed: readonly string[], at: Fields): void {
  if (value !== undefined && !allowed.includes(value)) at.notSupported(value, allowed);
}

function validateName(name: string | undefined, at: Fields): void {
  if (!name) {
    at.required();
    return;
  }
  const wrong = isDns1123Subdomain(name);
  if (wrong.length) at.invalid(name, wrong.join(','));
  else if (name.split('.').length < 3) {
    at.invalid(name, 'should be a domain with at least three segments separated by dots');
  }
}

/** A list of `what`, in which `*` must be alone. */
function validateList(list: readonly string[] = [], what: string, at: Fields, mayBeEmpty: boolean): void {
  if (!list.length) at.required();
  if (list.length > 1 && list.includes('*')) {
    at.invalid(list, `if '*' is present, must not specify other ${what}`);
  }
  if (!mayBeEmpty) list.forEach((item, i) => item === '' && at.index(i).required());
}

function validateResources(resources: readonly string[] = [], at: Fields): void {
  if (!resources.length) at.required();
  const wildSubresources = new Set<string>();
  const wildResources = new Set<string>();
  resources.forEach((text, i) => {
    if (!text) {
      at.index(i).required();
      return;
    }
    const slash = text.indexOf('/');
    if (slash < 0) return;
    const [resource, sub] = [text.slice(0, slash), text.slice(slash + 1)];
    if (wildSubresources.has(resource)) {
      at.index(i).invalid(text, `if '${resource}/*' is present, must not specify ${text}`);
    }
    if (wildResources.has(sub)) at.index(i).invalid(text, `if '*/${sub}' is present, must not specify ${text}`);
    if (sub === '*') wildSubresources.add(resource);
    if (resource === '*') wildResources.add(sub);
  });
  if (resources.length > 1 && resources.includes('*/*')) {
    at.invalid(resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && resources.some((text) => text && text !== '*' && !text.includes('/'))) {
    at.invalid(resources, "if '*' is present, must not specify other resources without subresources");
  }
}

/** Validates a rule of a webhook or policy. */
export function validateRule({ operations = [], apiGroups, apiVersions, resources, scope }: Rule, at: Fields): void {
  validateList(operations, 'operations', at.child('operations'), true);
  operations.forEach((operation, i) => oneOf(operation, OPERATIONS, at.child('operations').index(i)));
  validateList(apiGroups, 'API groups', at.child('apiGroups'), true);
  validateList(apiVersions, 'API versions', at.child('apiVersions'), false);
  validateResources(resources, at.child('resources'));
  oneOf(scope, ['*', 'Cluster', 'Namespaced'], at.child('scope'));
}

function validateUrl(text: string, at: Fields): void {
  const form = '; desired format: https://host[/path]';
  // By the grammar of URIs: the URL class of JavaScript corrects what Kubernetes rejects.
  const [, scheme = '', authority = '', query, fragment] =
    /^(?:([a-z][a-z\d+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/i.exec(text) ?? [];
  const user = /^(.*)@/.exec(authority)?.[1];
  if (scheme !== 'https') at.invalid(scheme, `'https' is the only allowed URL scheme${form}`);
  if (!authority) at.invalid('', `host must be specified${form}`);
  if (user !== undefined) at.invalid(user, 'user information is not permitted in the URL');
  if (fragment) at.invalid(fragment, 'fragments are not permitted in the URL');
  if (query) at.invalid(query, 'query parameters are not permitted in the URL');
}

function validateService({ name, namespace, path, port = 0 }: Service, at: Fields): void {
  if (!name) at.child('name').required();
  if (!namespace) at.child('namespace').required();
  const wrong = isPortNumber(port);
  if (wrong.length) at.child('port').invalid(port, `port is not valid: ${wrong.join(', ')}`);
  if (!path || path === '/') return;
  const here = at.child('path');
  if (path === '//') {
    here.invalid(path, 'segment[0] may not be empty');
    return;
  }
  if (!path.startsWith('/')) here.invalid(path, "must start with a '/'");
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  segments.forEach((segment, i) => {
    if (!segment) here.invalid(path, `segment[${i}] may not be empty`);
    else
      here.invalidEach(
        path,
        isDns1123Subdomain(segment).map((why) => `segment[${i}]: ${why}`),
      );
  });
}

function validateVersions(versions: readonly string[], at: Fields): void {
  if (!versions.length) {
    at.required(`must specify one of ${VERSIONS.join(', ')}`);
    return;
  }
  versions.forEach((version, i) => {
    if (versions.indexOf(version) < i) at.index(i).invalid(version, 'duplicate version');
    else at.index(i).invalidEach(version, isDns1035Label(version));
  });
  if (!versions.some((version) => VERSIONS.includes(version))) {
    at.invalid(versions, `must include at least one of ${VERSIONS.join(', ')}`);
  }
}

function validateWebhook(webhook: Webhook, at: Fields): void {
  const { sideEffects, timeoutSeconds = 10, clientConfig: { url, service } = {} } = webhook;
  validateName(webhook.name, at.child('name'));
  (webhook.rules ?? []).forEach((rule, i) => validateRule(rule, at.child('rules').index(i)));
  oneOf(webhook.failurePolicy, ['Fail', 'Ignore'], at.child('failurePolicy'));
  oneOf(webhook.matchPolicy, ['Equivalent', 'Exact'], at.child('matchPolicy'));
  if (!sideEffects) at.child('sideEffects').required(`must specify one of ${SIDE_EFFECTS.join(', ')}`);
  oneOf(sideEffects || undefined, SIDE_EFFECTS, at.child('sideEffects'));
  if (timeoutSeconds > 30 || timeoutSeconds < 1) {
    at.child('timeoutSeconds').invalid(timeoutSeconds, 'the timeout value must be between 1 and 30 seconds');
  }
  validateLabelSelector(webhook.namespaceSelector, at.child('namespaceSelector'));
  validateLabelSelector(webhook.objectSelector, at.child('objectSelector'));
  oneOf(webhook.reinvocationPolicy, ['IfNeeded', 'Never'], at.child('reinvocationPolicy'));
  if ((url === undefined) === (service === undefined)) {
    at.child('clientConfig').required('exactly one of url or service is required');
  } else if (url !== undefined) validateUrl(url, at.child('clientConfig', 'url'));
  else validateService(service!, at.child('clientConfig', 'service'));
  validateConditions(webhook.matchConditions ?? [], false, at.child('matchConditions'));
  validateVersions(webhook.admissionReviewVersions ?? [], at.child('admissionReviewVersions'));
}

function webhookConfiguration(kind: string, plural: string, mutating: boolean): Kind {
  return define({
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind,
    plural,
    namespaced: false,
    categories: ['api-extensions'],
    unconditionalUpdate: false,
    printer,
    defaults(object) {
      for (const webhook of (object.webhooks ?? []) as Webhook[]) defaultWebhook(webhook, mutating);
    },
    prepareForCreate(object) {
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old) {
      if (!deepEqual(object.webhooks, old.webhooks)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate({ webhooks }, fields) {
      const names = new Set<string>();
      ((webhooks ?? []) as Webhook[]).forEach((webhook, i) => {
        const at = fields.child('webhooks').index(i);
        validateWebhook(webhook, at);
        const { name = '' } = webhook;
        if (name && names.has(name)) at.child('name').duplicate(name);
        names.add(name);
      });
    },
  });
}

export const webhookKinds: Kind[] = [
  webhookConfiguration('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', false),
  webhookConfiguration('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', true),
];
