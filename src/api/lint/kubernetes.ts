/** Objects of Kubernetes and its network plugins: mistakes that the API server would reject, or that nothing reports. */
import { isIP } from 'node:net';
import { duplicates, mistake } from '../admission/rule';
import { isSchedule, scheduleRemedy } from '../cdi/cron';
import { parseDuration } from '../duration';
import { type Finding, kubernetesAccepts, root, unreported } from '../findings';
import { readCidr } from '../cidr';
import type { KubeObject } from '../meta';
import { isDnsLabel, isDnsSubdomain, isPortName } from '../names';
import { attachmentConfig } from './attachments';
import { zoneExists } from '../time-zone';
import { hasShape, kubernetesShape } from './kubernetes-schemas';
import { answerFiles, claimValues, encodedValues, scaledKind } from './kubernetes-values';
import { networkPolicy } from './network-policies';
import { keyOf, listAt, read, textAt, shown } from './read';
import { serviceValues } from './service-values';

const ports = root.at('spec', 'ports');

/** Rules by group and kind. */
const rules: Readonly<Record<string, (object: KubeObject) => Finding[]>> = {
  Service: (object) => [
    ...serviceName(object),
    ...servicePorts(object),
    ...sourceRanges(object),
    ...serviceValues(object),
  ],
  'Ingress.networking.k8s.io': ingressRules,
  'CronJob.batch': schedule,
  'PodDisruptionBudget.policy': budget,
  'HorizontalPodAutoscaler.autoscaling': (object) => [...autoscaler(object), ...scaledKind(object)],
  'NetworkAttachmentDefinition.k8s.cni.cncf.io': attachmentConfig,
  PersistentVolumeClaim: claimValues,
  Secret: (object) => [...encodedValues(object), ...answerFiles(object)],
  ConfigMap: (object) => [...encodedValues(object), ...answerFiles(object)],
  'NetworkPolicy.networking.k8s.io': networkPolicy,
};

/** Whether there are rules for this kind. */
export const hasRules = (object: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean =>
  Object.hasOwn(rules, keyOf(object)) || hasShape(object);

/** Whether the API server rejects an object with this finding of `lintKubernetes`. It does not read a plugin's `config`. */
export const isRejected = ({ rule, path }: Finding): boolean => !kubernetesAccepts(rule) && path.parts[1] !== 'config';

/** Kinds of which an app has as many as guests. Their constructs have types, so synth does not validate the shape. */
const MANY: ReadonlySet<string> = new Set(['Service', 'Secret']);

/**
 * Returns every mistake of an object whose kind is not KubeVirt's or CDI's.
 *
 * @param isTyped whether a compiler has validated the shape
 */
export function lintKubernetes(object: KubeObject, isTyped = MANY.has(object.kind)): Finding[] {
  const key = keyOf(object);
  const shape = isTyped ? [] : kubernetesShape(object);
  if (shape.some(({ rule }) => rule === 'kubernetes-version')) return shape;
  const own = Object.hasOwn(rules, key) ? rules[key](object) : [];
  if (shape.length === 0) return own;
  // a value of another type is not a number out of range; otherwise the rule about a field says more than its shape
  const wrong = new Set(shape.flatMap(({ rule, path }) => (rule === 'schema-type' ? [`${path}`] : [])));
  const values = own.filter(
    ({ rule, path, value }) => typeof value === 'number' || !OF_NUMBERS.has(rule) || !wrong.has(`${path}`),
  );
  return [...unreported(values, shape), ...values];
}

/** Rules that read a value of the wrong type as a missing number, or as no list. */
const OF_NUMBERS: ReadonlySet<string> = new Set(['port-range', 'service-ports']);

function servicePorts(object: KubeObject): Finding[] {
  if (textAt(object, 'spec', 'type') === 'ExternalName') return [];
  const list = listAt(object, 'spec', 'ports');
  if (list.length === 0) {
    // a headless Service leads to every port that its Pods open
    if (read(object, 'spec', 'clusterIP') === 'None') return [];
    const remedy = 'name a port, for example VmPort.SSH';
    return mistake('service-ports', ports, 'a Service needs at least one port', remedy, { type: 'FieldValueRequired' });
  }
  const names = list.map(({ name }) => (typeof name === 'string' ? name : undefined));
  return [
    ...list.flatMap(({ port, targetPort, nodePort }, i) => [
      ...portName(names[i], i, list.length),
      ...portNumber(port, i, 'port'),
      ...(typeof targetPort === 'string' ? [] : portNumber(targetPort ?? port, i, 'targetPort')),
      ...(nodePort === undefined ? [] : [...nodePortNumber(nodePort, i), ...nodePortType(object, i)]),
    ]),
    ...duplicates(names, (name) => name).flatMap(({ key, index }) =>
      mistake('port-name-unique', ports.at(index, 'name'), `Duplicate name of the port: ${key}`, 'rename one of them', {
        value: key,
        type: 'FieldValueDuplicate',
      }),
    ),
    ...duplicates(list, (each) => `${shown(each.protocol ?? 'TCP')} ${shown(each.port)}`).flatMap(({ key, index }) =>
      mistake('service-port-unique', ports.at(index, 'port'), `the Service has ${key} already`, 'keep one', {
        value: list[index].port,
        type: 'FieldValueDuplicate',
      }),
    ),
  ];
}

function portName(name: string | undefined, i: number, count: number): Finding[] {
  const at = ports.at(i, 'name');
  if (name === undefined) {
    if (count === 1) return [];
    const message = 'each port needs a name when there are several';
    return mistake('service-port-name', at, message, 'name the port', { type: 'FieldValueRequired' });
  }
  if (isPortName(name)) return [];
  // Kubernetes accepts any DNS label as the name of a Service's port; the name of a Pod's port is shorter
  const rule = isDnsLabel(name) ? 'port-name' : 'service-port-name';
  const remedy = 'use up to 15 lower case letters, digits and dashes, with a letter';
  return mistake(rule, at, `"${name}" is not a valid port name`, remedy, { value: name });
}

function portNumber(got: unknown, i: number, field: string): Finding[] {
  if (typeof got === 'number' && Number.isInteger(got) && got > 0 && got < 65536) return [];
  return mistake('port-range', ports.at(i, field), `${shown(got)} is not a valid port`, 'use 1 to 65535', {
    value: got,
  });
}

/** Range of kube-apiserver, unless it was started with another --service-node-port-range. */
const NODE_PORTS = { low: 30000, high: 32767 };

function nodePortNumber(got: unknown, i: number): Finding[] {
  const wrong = portNumber(got, i, 'nodePort');
  const { low, high } = NODE_PORTS;
  // with zero, Kubernetes chooses
  if (got === 0) return [];
  if (wrong.length > 0 || (Number(got) >= low && Number(got) <= high)) return wrong;
  const cause = `${shown(got)} is outside the range of node ports`;
  const remedy = `use ${low} to ${high}, or leave it out`;
  return mistake('node-port-range', ports.at(i, 'nodePort'), cause, remedy, { value: got });
}

function nodePortType(object: KubeObject, i: number): Finding[] {
  const type = textAt(object, 'spec', 'type') ?? 'ClusterIP';
  if (type !== 'ClusterIP') return [];
  const cause = 'a Service of type ClusterIP has no port on the nodes';
  const remedy = 'choose type NodePort or LoadBalancer (VmServiceType), or leave the node port out';
  return mistake('node-port-type', ports.at(i, 'nodePort'), cause, remedy, { type: 'FieldValueForbidden' });
}

/** Kubernetes accepts fewer names for a Service than for other objects. */
function serviceName({ metadata: { name } }: KubeObject): Finding[] {
  if (name === undefined || /^[a-z]([-a-z\d]{0,61}[a-z\d])?$/.test(name)) return [];
  const cause = `"${name}" cannot be the name of a Service`;
  const remedy = 'begin with a letter, and use up to 63 lower case letters, digits and dashes';
  return mistake('service-name', root.at('metadata', 'name'), cause, remedy, { value: name });
}

function sourceRanges(object: KubeObject): Finding[] {
  const ranges = read(object, 'spec', 'loadBalancerSourceRanges');
  return (Array.isArray(ranges) ? ranges : []).flatMap((range: unknown, i) => {
    if (typeof range !== 'string' || readCidr(range.trim())) return [];
    const path = root.at('spec', 'loadBalancerSourceRanges', i);
    return mistake('network-cidr', path, `"${range}" is not a CIDR`, 'write one like 192.0.2.0/24', { value: range });
  });
}

function ingressRules(object: KubeObject): Finding[] {
  const at = root.at('spec', 'rules');
  const list = listAt(object, 'spec', 'rules');
  if (list.length === 0 && read(object, 'spec', 'defaultBackend') === undefined) {
    const remedy = 'add a target, for example ingress.addTarget(vm)';
    return mistake('ingress-rules', at, 'an Ingress needs a rule or a default', remedy, { type: 'FieldValueRequired' });
  }
  return list.flatMap((rule, i) => {
    const host = textAt(rule, 'host');
    const paths = listAt(rule, 'http', 'paths');
    const twice = duplicates(paths, ({ path, pathType }) => `${shown(pathType)} ${shown(path)}`);
    return [
      ...(host === undefined || (isDnsSubdomain(host.replace(/^\*\./, '')) && isIP(host) === 0)
        ? []
        : mistake(
            'ingress-host',
            at.at(i, 'host'),
            `"${host}" is not a valid host name`,
            'write it like shop.example',
            {
              value: host,
            },
          )),
      ...paths.flatMap(({ path, pathType }, j) =>
        pathType === 'ImplementationSpecific' || (typeof path === 'string' && path.startsWith('/'))
          ? []
          : mistake(
              'ingress-path',
              at.at(i, 'http', 'paths', j, 'path'),
              `${JSON.stringify(path)} is not a path`,
              'begin it with /',
              {
                value: path,
              },
            ),
      ),
      ...twice.flatMap(({ index, first }) =>
        mistake(
          'ingress-path-unique',
          at.at(i, 'http', 'paths', index, 'path'),
          `${at.at(i, 'http', 'paths', first)} has this path already, so this backend gets no requests`,
          'give each its own path or host',
          { value: paths[index].path, type: 'FieldValueDuplicate' },
        ),
      ),
    ];
  });
}

const never = (): boolean => false;
const isInterval = (text: string): boolean => parseDuration(text) !== undefined;
/** Matches 30 February and the 31st of shorter months, on any day of the week. */
const NEVER = /^\s*\S+\s+\S+\s+(?:(?:30|31)\s+(?:2|feb)|31\s+(?:4|6|9|11|apr|jun|sep|nov))\s+[*?]\s*$/i;
const MOST_CRON_NAME = 52;

function schedule(object: KubeObject): Finding[] {
  const at = root.at('spec', 'schedule');
  const got = read(object, 'spec', 'schedule');
  const zone = textAt(object, 'spec', 'timeZone');
  const { name = '' } = object.metadata;
  const isWord = typeof got === 'string' && isSchedule(got, isInterval, never);
  return [
    ...(name.length <= MOST_CRON_NAME
      ? []
      : mistake(
          'cron-name-length',
          root.at('metadata', 'name'),
          `the name of a CronJob must be no more than ${MOST_CRON_NAME} characters: the names of its Jobs begin with it`,
          'shorten the name',
          { value: name, type: 'FieldValueTooLong' },
        )),
    ...(isWord
      ? []
      : mistake('cron-schedule', at, `${JSON.stringify(got)} is not a valid schedule`, scheduleRemedy(String(got)), {
          value: got,
        })),
    ...(isWord && NEVER.test(got)
      ? mistake('cron-schedule', at, `"${got}" never runs: the month has no such day`, 'choose another day', {
          value: got,
        })
      : []),
    ...(zone === undefined || zoneExists(zone)
      ? []
      : mistake(
          'cron-time-zone',
          root.at('spec', 'timeZone'),
          `"${zone}" is not a time zone`,
          'write one like Europe/Berlin',
          { value: zone },
        )),
  ];
}

function budget(object: KubeObject): Finding[] {
  const spec = root.at('spec');
  const given = ['minAvailable', 'maxUnavailable'].filter((field) => read(object, 'spec', field) !== undefined);
  if (given.length > 1) {
    const message = 'minAvailable and maxUnavailable contradict each other';
    return mistake('budget-one', spec.at('maxUnavailable'), message, 'keep one');
  }
  return given.flatMap((field) => {
    const got = read(object, 'spec', field);
    const isCount = typeof got === 'number' && Number.isInteger(got) && got >= 0;
    if (isCount || (typeof got === 'string' && /^\d+%$/.test(got))) return [];
    const message = `${JSON.stringify(got)} is not a number of Pods`;
    return mistake('budget-amount', spec.at(field), message, 'use 0 or more', { value: got });
  });
}

const MOST_STABILIZATION_SECONDS = 3600;

function autoscaler(object: KubeObject): Finding[] {
  const spec = root.at('spec');
  const min = read(object, 'spec', 'minReplicas') ?? 1;
  const max = read(object, 'spec', 'maxReplicas');
  const isCount = (got: unknown): got is number => typeof got === 'number' && Number.isInteger(got) && got >= 1;
  const count = (field: string, got: unknown): Finding[] =>
    isCount(got)
      ? []
      : mistake('autoscaler-range', spec.at(field), `${shown(got)} is not a number of guests`, 'use 1 or more', {
          value: got,
        });
  const range = [...count('minReplicas', min), ...count('maxReplicas', max)];
  if (range.length === 0 && (max as number) < (min as number)) {
    const cause = `the maximum ${shown(max)} is less than the minimum ${shown(min)}`;
    range.push(
      ...mistake('autoscaler-range', spec.at('maxReplicas'), cause, `use ${shown(min)} or more`, { value: max }),
    );
  }
  return [...range, ...metrics(object), ...stabilization(object)];
}

/** Without metrics, Kubernetes scales at 80 percent of the requested CPU, which a guest exceeds almost at once. */
function metrics(object: KubeObject): Finding[] {
  const at = root.at('spec', 'metrics');
  const isGuests = /kubevirt\.io\//.test(textAt(object, 'spec', 'scaleTargetRef', 'apiVersion') ?? '');
  const list = listAt(object, 'spec', 'metrics');
  if (list.length === 0 && isGuests) {
    const cause = 'no metric shows when guests are busy';
    const remedy = 'add a metric, for example cpuUsage: 0.7 of a construct, or an AverageValue of cpu';
    return mistake('autoscaler-metric', at, cause, remedy, { type: 'FieldValueRequired' });
  }
  return list.flatMap((metric, i) => {
    const target = at.at(i, 'resource', 'target');
    const share = read(metric, 'resource', 'target', 'averageUtilization');
    const amount = textAt(metric, 'resource', 'target', 'averageValue');
    const isShare = share === undefined || (typeof share === 'number' && Number.isInteger(share) && share >= 1);
    const isAmount = amount === undefined || parseFloat(amount) > 0;
    if (isShare && isAmount) return [];
    const [field, value, remedy] = isShare
      ? ['averageValue', amount, 'use an amount greater than 0']
      : ['averageUtilization', share, 'use whole percent, such as 70'];
    return mistake(
      'autoscaler-load',
      target.at(field as string),
      `${shown(value)} is not a valid load`,
      remedy as string,
      {
        value,
      },
    );
  });
}

function stabilization(object: KubeObject): Finding[] {
  return ['scaleUp', 'scaleDown'].flatMap((direction) => {
    const got = read(object, 'spec', 'behavior', direction, 'stabilizationWindowSeconds');
    if (typeof got !== 'number' || (got >= 0 && got <= MOST_STABILIZATION_SECONDS)) return [];
    const at = root.at('spec', 'behavior', direction, 'stabilizationWindowSeconds');
    const remedy = `use at most ${MOST_STABILIZATION_SECONDS} seconds`;
    return mistake('autoscaler-stabilization', at, `${got} seconds is too long`, remedy, { value: got });
  });
}
