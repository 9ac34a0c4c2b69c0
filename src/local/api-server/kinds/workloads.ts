import { Kind } from '../registry/kind';
import { matchLabelSelector } from '../registry/label-selector';
import { labels, selector } from '../table/format';
import { AnyObject, deepEqual } from '../types';
import { Fields } from '../validation/fields';
import { define } from './define';
import { defaultPodSpec } from './pod-defaults';
import { validatePodSpec } from './pod-validation';
import { textPrinter } from './printers';

interface Workload {
  replicas?: number;
  template?: { spec?: { containers?: { name: string; image: string }[] } };
  selector?: Parameters<typeof selector>[0];
}

const containerNames = ({ spec }: AnyObject) =>
  ((spec as Workload)?.template?.spec?.containers ?? []).map((item) => item.name).join(',');
const images = ({ spec }: AnyObject) =>
  ((spec as Workload)?.template?.spec?.containers ?? []).map((item) => item.image).join(',');
const wide = {
  Containers: containerNames,
  Images: images,
  Selector: ({ spec }: AnyObject) => selector(spec?.selector),
};
const APPS = {
  group: 'apps',
  version: 'v1',
  namespaced: true,
  categories: ['all'],
  status: true,
  generation: true,
} as const;
const REPLICAS = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

const DEFAULT_HISTORY = 10;
const DEFAULT_DEADLINE = 600;

function defaultTemplate(spec: AnyObject['spec']): void {
  const template = (spec.template ??= {});
  template.metadata ??= {};
  defaultPodSpec((template.spec ??= {}), false);
}

function defaultDeployment({ spec }: AnyObject): void {
  if (!spec) return;
  defaultTemplate(spec);
  spec.replicas ??= 1;
  const strategy = (spec.strategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%', ...strategy.rollingUpdate };
  }
  spec.revisionHistoryLimit ??= DEFAULT_HISTORY;
  spec.progressDeadlineSeconds ??= DEFAULT_DEADLINE;
}

function defaultDaemonSet({ spec }: AnyObject): void {
  if (!spec) return;
  defaultTemplate(spec);
  const strategy = (spec.updateStrategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate = { maxUnavailable: 1, maxSurge: 0, ...strategy.rollingUpdate };
  }
  spec.revisionHistoryLimit ??= DEFAULT_HISTORY;
}

/** Validates that a workload selects its own Pods. */
function validateWorkload({ kind, spec = {} }: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  if (spec.replicas < 0) at.child('replicas').invalid(spec.replicas, 'must be greater than or equal to 0');
  const empty = !Object.keys(spec.selector?.matchLabels ?? {}).length && !spec.selector?.matchExpressions?.length;
  if (!spec.selector) at.child('selector').required();
  else if (empty) {
    at.child('selector').invalid(spec.selector, `empty selector is invalid for ${String(kind).toLowerCase()}`);
  }
  const template = at.child('template');
  const own = spec.template?.metadata?.labels;
  if (!spec.selector || (!empty && !matchLabelSelector(spec.selector)(own))) {
    template.child('metadata', 'labels').invalid(own ?? null, '`selector` does not match template `labels`');
  }
  validatePodSpec(spec.template?.spec, template.child('spec'));
  const policy: string = spec.template?.spec?.restartPolicy ?? 'Always';
  if (policy !== 'Always') template.child('spec', 'restartPolicy').notSupported(policy, ['Always']);
}

const WORKLOAD = {
  validate: validateWorkload,
  validateUpdate(next: AnyObject, old: AnyObject, fields: Fields): void {
    validateWorkload(next, fields);
    if (deepEqual(next.spec?.selector, old.spec?.selector)) return;
    fields.child('spec', 'selector').invalid(next.spec?.selector ?? null, 'field is immutable');
  },
};

/** Kinds that are only stored: the engine has no controllers for them. */
export const workloadKinds: Kind[] = [
  define({
    ...APPS,
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    scale: REPLICAS,
    defaults: defaultDeployment,
    ...WORKLOAD,
    printer: textPrinter(
      {
        Ready: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
        'Up-to-date': ({ status }) => String(status?.updatedReplicas ?? 0),
        Available: ({ status }) => String(status?.availableReplicas ?? 0),
      },
      wide,
    ),
  }),
  define({
    ...APPS,
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    scale: REPLICAS,
    defaults({ spec }) {
      if (!spec) return;
      defaultTemplate(spec);
      spec.replicas ??= 1;
    },
    ...WORKLOAD,
    printer: textPrinter(
      {
        Desired: ({ spec }) => spec?.replicas ?? 0,
        Current: ({ status }) => status?.replicas ?? 0,
        Ready: ({ status }) => status?.readyReplicas ?? 0,
      },
      wide,
      { Desired: 'integer', Current: 'integer', Ready: 'integer' },
    ),
  }),
  define({
    ...APPS,
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    defaults: defaultDaemonSet,
    ...WORKLOAD,
    printer: textPrinter(
      {
        Desired: ({ status }) => status?.desiredNumberScheduled ?? 0,
        Current: ({ status }) => status?.currentNumberScheduled ?? 0,
        Ready: ({ status }) => status?.numberReady ?? 0,
        'Up-to-date': ({ status }) => status?.updatedNumberScheduled ?? 0,
        Available: ({ status }) => status?.numberAvailable ?? 0,
        'Node Selector': ({ spec }) => labels(spec?.template?.spec?.nodeSelector),
      },
      wide,
      { Desired: 'integer', Current: 'integer', Ready: 'integer', 'Up-to-date': 'integer', Available: 'integer' },
    ),
  }),
  define({
    group: 'apps',
    version: 'v1',
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    namespaced: true,
    printer: textPrinter(
      {
        Controller: ({ metadata }) => {
          const owner = metadata.ownerReferences?.find((reference) => reference.controller);
          if (!owner) return '<none>';
          const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
          return `${owner.kind.toLowerCase()}${group ? `.${group}` : ''}/${owner.name}`;
        },
        Revision: ({ revision }) => revision ?? 0,
      },
      {},
      { Revision: 'integer' },
    ),
    validateUpdate(next, old, fields) {
      if (!deepEqual(next.data, old.data)) fields.child('data').invalid(next.data, 'field is immutable');
    },
  }),
];
