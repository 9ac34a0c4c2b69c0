import { deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { define, fieldLabelNotSupported } from './define';
import { defaultPodSpec } from './pod-defaults';
import { ephemeralContainers, forbidEphemeralContainers } from './pod-ephemeral';
import { podPrinter } from './pod-printer';
import { isTerminal, podQosClass } from './pod-status';
import { validatePodSpec } from './pod-validation';
import { validatePodUpdate } from './pod-update';
import { podWarnings } from './pod-warnings';

const phase = ({ status }: AnyObject): string => status?.phase ?? '';

export const pod = define({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
  shortNames: ['po'],
  categories: ['all'],
  status: true,
  generation: true,
  returnsDeleted: true,
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  unsupportedField: fieldLabelNotSupported,
  fields: ({ spec, status }) => ({
    'spec.nodeName': spec?.nodeName ?? '',
    'spec.restartPolicy': spec?.restartPolicy ?? '',
    'spec.schedulerName': spec?.schedulerName ?? '',
    'spec.serviceAccountName': spec?.serviceAccountName ?? '',
    'spec.hostNetwork': String(spec?.hostNetwork ?? false),
    'status.phase': status?.phase ?? '',
    'status.podIP': status?.podIP ?? '',
    'status.nominatedNodeName': status?.nominatedNodeName ?? '',
  }),
  printer: podPrinter,
  defaults(object) {
    const spec = (object.spec ??= {});
    defaultPodSpec(spec);
    const { status } = object;
    // The single address is that of older kubelets, which do not know the list.
    if (status?.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
    if (status?.podIPs?.length) status.podIP = status.podIPs[0].ip ?? '';
    // Negative periods were once allowed.
    if (spec.terminationGracePeriodSeconds < 0) spec.terminationGracePeriodSeconds = 1;
  },
  prepareForCreate(object, context) {
    podWarnings(object).forEach((warning) => context.warn(warning));
    object.status = { phase: 'Pending', qosClass: podQosClass(object.spec) };
    const gates = object.spec?.schedulingGates ?? [];
    if (gates.length) {
      object.status.conditions = [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'SchedulingGated',
          message: 'Scheduling is blocked due to non-empty scheduling gates',
          lastProbeTime: null,
          lastTransitionTime: context.now,
        },
      ];
    }
  },
  prepareStatus(object, old) {
    // Status updates must not change ownership or deletion of the Pod.
    object.metadata.ownerReferences = old.metadata.ownerReferences;
    if (!object.metadata.ownerReferences) delete object.metadata.ownerReferences;
    if (object.status && !object.status.qosClass && old.status?.qosClass) object.status.qosClass = old.status.qosClass;
  },
  validate(object, fields) {
    validatePodSpec(object.spec, fields.child('spec'));
    forbidEphemeralContainers(object, fields);
  },
  parts: { ephemeralcontainers: ephemeralContainers },
  validateUpdate: validatePodUpdate,
  validateStatus(object, old, fields) {
    const before = old.spec?.nodeName;
    if (before && !deepEqual(before, object.spec?.nodeName)) {
      fields.child('status', 'nodeName').forbidden('may not be changed directly');
    }
  },
  gracePeriod(object, requested) {
    // No kubelet would complete the deletion, because nothing runs on a node.
    if (!object.spec?.nodeName || isTerminal(phase(object))) return 0;
    const own: number = object.spec.terminationGracePeriodSeconds ?? 30;
    return requested ?? (own < 0 ? 1 : own);
  },
});
