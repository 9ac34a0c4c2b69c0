import { Kind } from '../registry/kind';
import { labels, selector } from '../table/format';
import { AnyObject, deepEqual } from '../types';
import { define } from './define';
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

/** Stored and shown; no controller of this engine acts on them. */
export const workloadKinds: Kind[] = [
  define({
    ...APPS,
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    scale: REPLICAS,
    defaults({ spec }) {
      if (spec) spec.replicas ??= 1;
    },
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
      if (spec) spec.replicas ??= 1;
    },
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
