import { timestamp } from '../types';
import { isDns1035Label, isDns1123Subdomain, pathSegmentName } from '../validation/names';
import { define } from './define';
import { textPrinter } from './printers';

/** Reason of APIServices that this server serves itself. */
export const LOCAL = { reason: 'Local', message: 'Local APIServices are always available' };

export const apiService = define({
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  singular: 'apiservice',
  namespaced: false,
  categories: ['api-extensions'],
  status: true,
  createsStatus: true,
  unconditionalUpdate: false,
  empty: () => ({ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: {}, spec: {}, status: {} }),
  nameRule: (name, isPrefix) => pathSegmentName(name, isPrefix),
  printer: textPrinter({
    Service: ({ spec }) => (spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local'),
    Available: ({ status }) => {
      const conditions: { type: string; status: string; reason: string }[] = status?.conditions ?? [];
      const found = conditions.find((condition) => condition.type === 'Available');
      if (!found) return 'Unknown';
      return found.status === 'True' ? 'True' : `${found.status} (${found.reason})`;
    },
  }),
  defaults(object) {
    const { spec } = object;
    if (spec?.service) spec.service.port ??= 443;
    object.status ??= {};
  },
  prepareForCreate(object) {
    const local = { type: 'Available', status: 'True', lastTransitionTime: timestamp(), ...LOCAL };
    object.status = object.spec?.service ? {} : { conditions: [local] };
  },
  validate({ metadata, spec }, fields) {
    const { version = '', group = '' } = spec ?? {};
    const expected = JSON.stringify(`${version}.${group}`);
    const at = fields.child('spec');
    const wrongName = `must be \`spec.version+"."+spec.group\`: ${expected}`;
    if (metadata.generateName) fields.child('metadata', 'generateName').invalid(metadata.generateName, wrongName);
    if (metadata.name && JSON.stringify(metadata.name) !== expected) {
      fields.child('metadata', 'name').invalid(metadata.name, wrongName);
    }
    if (group) at.child('group').invalidJoined(group, isDns1123Subdomain(group));
    else if (version !== 'v1') {
      at.child('group').required('only v1 may have an empty group and it better be legacy kube');
    }
    at.child('version').invalidJoined(version, isDns1035Label(version));
    if (!(spec?.groupPriorityMinimum > 0 && spec.groupPriorityMinimum <= 20_000)) {
      at.child('groupPriorityMinimum').invalid(spec?.groupPriorityMinimum ?? 0, 'must be positive and less than 20000');
    }
    if (!(spec?.versionPriority > 0 && spec.versionPriority <= 1000)) {
      at.child('versionPriority').invalid(spec?.versionPriority ?? 0, 'must be positive and less than 1000');
    }
    if (!spec?.service) {
      if (spec?.caBundle)
        at.child('caBundle').invalid(`${spec.caBundle.length} bytes`, 'local APIServices may not have a caBundle');
      if (spec?.insecureSkipTLSVerify) {
        at.child('insecureSkipTLSVerify').invalid(true, 'local APIServices may not have insecureSkipTLSVerify');
      }
      return;
    }
    if (!spec.service.namespace) at.child('service', 'namespace').required();
    if (!spec.service.name) at.child('service', 'name').required();
    const { port } = spec.service;
    if (!(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
      at.child('service', 'port').invalid(port, 'port is not valid: must be between 1 and 65535, inclusive');
    }
    if (spec.insecureSkipTLSVerify && spec.caBundle) {
      at.child('insecureSkipTLSVerify').invalid(true, 'may not be true if caBundle is present');
    }
  },
});
