import { Finding, Path, root, type RuleId } from '../findings';
import type { NodeSelectorTerm } from '../generated/core-v1';
import type {
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceSpec,
  VirtualMachineSpec,
} from '../generated/kubevirt-v1';
import { MOST_SCHEMA_ERRORS, schemaMore, validateSchema } from '../schema';
import { nearest } from './rule';
import { MOST_MISTAKES, mistakesOf } from '../mistakes';

/**
 * Validates the shape of what users write. The status belongs to the platform, and the API server's schema validates it.
 * Clients know these mistakes only by their message.
 */
export function shapeErrors(object: VirtualMachine | VirtualMachineInstance): Finding[] {
  const { metadata, spec } = object;
  if (!isObject(metadata)) return [untyped(root.at('metadata'), metadata)];
  const { status: _platforms, ...given } = object;
  const errors = validateSchema(given, ({ path, rule, value: got }) =>
    rule === 'schema-required' ? isMissed(path) : !isFraction(rule, got),
  ).map(asAnswered);
  errors.push(...numbersAndNulls(spec, root.at('spec')));
  if (errors.some(breaksRules)) return errors;
  const template = 'template' in spec ? spec.template : undefined;
  if (!template) return [...errors, ...vocabulary(spec as VirtualMachineInstanceSpec, root.at('spec'))];
  if (template.spec) errors.push(...vocabulary(template.spec, root.at('spec', 'template', 'spec')));
  return [...errors, ...storageVocabulary(spec as VirtualMachineSpec, root.at('spec', 'dataVolumeTemplates'))];
}

/** An amount may be any number: it is stored as a string. */
const isFraction = (rule: RuleId, got: unknown): boolean => rule === 'schema-quantity' && Number.isFinite(got);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

function untyped(path: Path, got: unknown): Finding {
  const message = `${path} in body must be of type object: "${got === null ? 'null' : typeof got}"`;
  return {
    rule: 'schema-type',
    type: '',
    field: '',
    path,
    value: got,
    cause: message,
    remedy: 'add metadata with a name',
  };
}

/** Whether the finding keeps other rules from running: a wrong shape does, a value out of bounds does not. */
export function breaksRules({ rule }: Finding): boolean {
  return rule !== 'schema-enum' && rule !== 'schema-limit';
}

const always: readonly (string | number | undefined)[] = [
  'devices',
  'domain',
  'nodeSelectorTerms',
  'podAffinityTerm',
  'propagationMethod',
  'template',
  'users',
  'virtiofs',
];

/** Whether a missing required field is a mistake. Other required fields count as empty. */
function isMissed({ parts }: Path): boolean {
  const field = parts.at(-1);
  const owner = parts.at(-2);
  switch (field) {
    case 'spec':
      return parts.length === 1 || typeof owner === 'number';
    case 'preference':
      return typeof owner === 'number';
    case 'source':
      return owner === 'sshPublicKey' || owner === 'userPassword';
    case 'capacity':
      return owner === 'emptyDisk';
    case 'port':
      return owner === 'httpGet' || owner === 'tcpSocket';
    default:
      return always.includes(field);
  }
}

/** Counts that KubeVirt stores in 32 bits, with and without a sign. */
const unsigned = new Set(['cores', 'sockets', 'threads', 'maxSockets', 'spinlocks', 'supplementalPoolThreadCount']);
const signed = new Set(['port', 'start', 'end', 'weight', 'maxSkew', 'minDomains', 'initialDelaySeconds']);
/** Fields that may be null: the API server sets the first, and nothing reads the second. */
const nullable = new Set(['creationTimestamp', 'status']);

/** Fast path: whether there is nothing to report. */
function isSound(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => item !== null && isSound(item));
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === 'object' && inner !== null) {
      if (!isSound(inner)) return false;
    } else if ((inner === null || typeof inner === 'number') && problemOf(key, inner)) {
      return false;
    }
  }
  return true;
}

/** Reports null fields and numbers out of the range of their type; as many mistakes as the schema does. */
export function numbersAndNulls(value: unknown, at: Path): Finding[] {
  if (isSound(value)) return [];
  const errors: Finding[] = [];
  collectNumbersAndNulls(value, at, errors);
  return errors.length > MOST_SCHEMA_ERRORS
    ? [...errors.slice(0, MOST_SCHEMA_ERRORS), schemaMore(errors[MOST_SCHEMA_ERRORS].path)]
    : errors;
}

function collectNumbersAndNulls(value: unknown, at: Path, errors: Finding[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (errors.length > MOST_SCHEMA_ERRORS) return;
    const problem = problemOf(key, inner);
    const path = (): Path => at.at(Array.isArray(value) ? Number(key) : key);
    if (problem) errors.push(asAnswered({ ...problem, path: path(), value: inner }));
    else collectNumbersAndNulls(inner, path(), errors);
  }
}

function problemOf(key: string, value: unknown): Pick<Finding, 'rule' | 'cause' | 'remedy'> | undefined {
  if (value === null && !nullable.has(key)) {
    return { rule: 'schema-null', cause: 'must not be null', remedy: 'give it a value, or leave it out' };
  }
  if (typeof value !== 'number') return undefined;
  const [least, most] = unsigned.has(key) ? [0, 2 ** 32 - 1] : [-(2 ** 31), 2 ** 31 - 1];
  if ((!unsigned.has(key) && !signed.has(key)) || (value >= least && value <= most)) return undefined;
  return { rule: 'schema-range', cause: `must be ${least} to ${most}`, remedy: 'use another number' };
}

const wordings: Record<string, (error: Finding) => string> = {
  'schema-unknown-field': ({ cause: message }) => `is a forbidden property: ${message}`,
  'schema-required': () => 'is required',
};

function asAnswered(error: Finding): Finding {
  // the API server's schema reports these with their field
  if (!breaksRules(error)) return error;
  const wording = wordings[error.rule]?.(error) ?? error.cause;
  return { ...error, type: '', field: '', cause: `${error.path} in body ${wording}` };
}

/** Validates the values of fields that have Kubernetes' types. */
function vocabulary(spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const errors: Finding[] = [];
  const check = (got: string | null | undefined, allowed: readonly string[], ...below: (string | number)[]): void => {
    if (got === undefined || got === null || allowed.includes(got) || errors.length >= MOST_MISTAKES) return;
    errors.push(notAWord(at.at(...below), got, allowed));
  };
  check(spec.dnsPolicy, ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'], 'dnsPolicy');
  (spec.volumes ?? []).forEach(({ containerDisk }, i) =>
    check(containerDisk?.imagePullPolicy, pullPolicies, 'volumes', i, 'containerDisk', 'imagePullPolicy'),
  );
  const kernel = ['domain', 'firmware', 'kernelBoot', 'container', 'imagePullPolicy'];
  check(spec.domain?.firmware?.kernelBoot?.container?.imagePullPolicy, pullPolicies, ...kernel);
  for (const probe of ['readinessProbe', 'livenessProbe'] as const) {
    check(spec[probe]?.httpGet?.scheme, ['HTTP', 'HTTPS'], probe, 'httpGet', 'scheme');
  }
  (spec.tolerations ?? []).forEach(({ operator, effect }, i) => {
    check(operator, ['Equal', 'Exists'], 'tolerations', i, 'operator');
    check(effect, ['NoExecute', 'NoSchedule', 'PreferNoSchedule'], 'tolerations', i, 'effect');
  });
  (spec.topologySpreadConstraints ?? []).forEach((constraint, i) => {
    const { whenUnsatisfiable, nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
    const path = ['topologySpreadConstraints', i];
    check(whenUnsatisfiable ?? '', ['DoNotSchedule', 'ScheduleAnyway'], ...path, 'whenUnsatisfiable');
    check(nodeAffinityPolicy, ['Honor', 'Ignore'], ...path, 'nodeAffinityPolicy');
    check(nodeTaintsPolicy, ['Honor', 'Ignore'], ...path, 'nodeTaintsPolicy');
  });
  const node = spec.affinity?.nodeAffinity;
  const checkTerm = (term: NodeSelectorTerm | undefined, ...below: (string | number)[]): void => {
    for (const list of ['matchExpressions', 'matchFields'] as const) {
      term?.[list]?.forEach(({ operator }, i) => check(operator ?? '', operators, ...below, list, i, 'operator'));
    }
  };
  node?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.forEach((term, i) =>
    checkTerm(term, ...NODE, 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms', i),
  );
  node?.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ preference }, i) =>
    checkTerm(preference, ...NODE, 'preferredDuringSchedulingIgnoredDuringExecution', i, 'preference'),
  );
  return errors;
}

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const volumeModes = ['Block', 'Filesystem', 'FromStorageProfile'];

/** Validates the same of the DataVolumes of a VM. */
function storageVocabulary({ dataVolumeTemplates }: VirtualMachineSpec, at: Path): Finding[] {
  return mistakesOf(dataVolumeTemplates ?? [], (template, i) =>
    (['pvc', 'storage'] as const).flatMap((kind) => {
      const wanted = template?.spec?.[kind];
      const path = at.at(i, 'spec', kind);
      const mode = wanted?.volumeMode as string | undefined;
      return [
        ...mistakesOf(wanted?.accessModes ?? [], (got, j) =>
          accessModes.includes(got) ? [] : [notAWord(path.at('accessModes', j), got, accessModes)],
        ),
        ...(mode === undefined || volumeModes.includes(mode)
          ? []
          : [notAWord(path.at('volumeMode'), mode, volumeModes)]),
      ];
    }),
  );
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
const NODE = ['affinity', 'nodeAffinity'];
const operators = ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'];

function notAWord(path: Path, got: string, allowed: readonly string[]): Finding {
  return {
    rule: 'vocabulary',
    type: '',
    field: '',
    path,
    value: got,
    allowed,
    cause: `${path} in body should be one of [${allowed.join(' ')}]`,
    remedy: nearest(got, allowed),
  };
}
