import { compareQuantities, tryParseQuantity } from '../../../api/quantity';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import {
  isDns1123Label,
  isDns1123Subdomain,
  isEnvVarName,
  isPortName,
  isPortNumber,
  isQualifiedName,
} from '../validation/names';
import { validateVolumes } from './pod-volumes';
import {
  validateAffinity,
  validateEnvFrom,
  validateEnvSource,
  validateHandler,
  validateLifecycle,
  validatePodSecurityContext,
  validateSecurityContext,
} from './container-validation';

type Spec = AnyObject['spec'];

/** Checks one of a closed set; empty counts as missing when `required`. */
function oneOf(value: string | undefined, allowed: readonly string[], at: Fields, required = true): void {
  if (!value) {
    if (required) at.required();
  } else if (!allowed.includes(value)) at.notSupported(value, allowed);
}

/** Rules for a Pod's spec. As Kubernetes: all mistakes at once. */
export function validatePodSpec(spec: Spec = {}, fields: Fields): void {
  const volumes = validateVolumes(spec.volumes ?? [], fields.child('volumes'));
  const names = new Set<string>();
  const containers: Spec[] = spec.containers ?? [];
  if (!containers.length) fields.child('containers').required();
  containers.forEach((container, i) => {
    const at = fields.child('containers').index(i);
    validateContainer(container, names, volumes, at);
    if (container.restartPolicy !== undefined && container.restartPolicy !== null) {
      const rules = ['Always', 'Never', 'OnFailure'];
      if (!rules.includes(container.restartPolicy))
        at.child('restartPolicy').notSupported(container.restartPolicy, rules);
    }
  });
  ((spec.initContainers ?? []) as Spec[]).forEach((container, i) => {
    const at = fields.child('initContainers').index(i);
    validateContainer(container, names, volumes, at);
    if (container.restartPolicy === 'Always') return;
    for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
      if (container[probe])
        at.child(probe).forbidden('may not be set for init containers without restartPolicy=Always');
    }
    if (container.lifecycle)
      at.child('lifecycle').forbidden('may not be set for init containers without restartPolicy=Always');
  });
  validateHostPorts(containers, fields.child('containers'));
  oneOf(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], fields.child('restartPolicy'));
  oneOf(spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], fields.child('dnsPolicy'));
  if (spec.dnsPolicy === 'None' && !spec.dnsConfig?.nameservers?.length) {
    fields.child('dnsConfig').required('must provide `dnsConfig` when `dnsPolicy` is None');
  }
  validateReferences(spec, fields);
  validateDeadlines(spec, fields);
  validateTolerations(spec.tolerations ?? [], fields.child('tolerations'));
}

function validateReferences(spec: Spec, fields: Fields): void {
  validatePodSecurityContext(spec, fields.child('securityContext'));
  validateAffinity(spec.affinity, fields.child('affinity'));
  if (spec.serviceAccountName) {
    fields
      .child('serviceAccountName')
      .invalidEach(spec.serviceAccountName, isDns1123Subdomain(spec.serviceAccountName));
  }
  if (spec.nodeName) fields.child('nodeName').invalidEach(spec.nodeName, isDns1123Subdomain(spec.nodeName));
  if (spec.hostname) fields.child('hostname').invalidEach(spec.hostname, isDns1123Label(spec.hostname));
  if (spec.subdomain) fields.child('subdomain').invalidEach(spec.subdomain, isDns1123Label(spec.subdomain));
  if (spec.priorityClassName) {
    fields.child('priorityClassName').invalidEach(spec.priorityClassName, isDns1123Subdomain(spec.priorityClassName));
  }
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    fields.child('nodeSelector').invalidEach(key, isQualifiedName(key));
  }
  ((spec.readinessGates ?? []) as { conditionType: string }[]).forEach(({ conditionType }, i) => {
    fields
      .child('readinessGates')
      .index(i)
      .child('conditionType')
      .invalidEach(conditionType, isQualifiedName(conditionType ?? ''));
  });
}

function validateDeadlines(spec: Spec, fields: Fields): void {
  const { activeDeadlineSeconds: deadline } = spec;
  if (deadline !== undefined && (deadline < 1 || deadline > 2147483647)) {
    fields.child('activeDeadlineSeconds').invalid(deadline, 'must be between 1 and 2147483647, inclusive');
  }
}

function validateContainer(container: Spec, names: Set<string>, volumes: ReadonlySet<string>, at: Fields): void {
  const { name, image } = container;
  if (!name) at.child('name').required();
  else {
    const wrong = isDns1123Label(name);
    at.child('name').invalidEach(name, wrong);
    if (!wrong.length && names.has(name)) at.child('name').duplicate(name);
    names.add(name);
  }
  if (!image) at.child('image').required();
  else if (image !== image.trim()) at.child('image').invalid(image, 'must not have leading or trailing whitespace');
  validatePorts(container.ports ?? [], at.child('ports'));
  validateEnv(container.env ?? [], at.child('env'));
  validateEnvFrom(container.envFrom ?? [], at.child('envFrom'));
  validateMounts(container.volumeMounts ?? [], volumes, at.child('volumeMounts'));
  validateResources(container.resources ?? {}, at.child('resources'));
  oneOf(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], at.child('imagePullPolicy'));
  oneOf(container.terminationMessagePolicy, ['File', 'FallbackToLogsOnError'], at.child('terminationMessagePolicy'));
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (container[probe]) validateProbe(container[probe], probe !== 'readinessProbe', at.child(probe));
  }
  validateLifecycle(container.lifecycle, at.child('lifecycle'));
  validateSecurityContext(container.securityContext, at.child('securityContext'));
}

function validateProbe(probe: Spec, onlyOnce: boolean, at: Fields): void {
  validateHandler(probe, at);
  for (const name of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ]) {
    if (probe[name] < 0) at.child(name).invalid(probe[name], 'must be greater than or equal to 0');
  }
  if (onlyOnce && probe.successThreshold !== undefined && probe.successThreshold !== 1) {
    at.child('successThreshold').invalid(probe.successThreshold, 'must be 1');
  }
}

function validatePorts(ports: Spec[], at: Fields): void {
  const names = new Set<string>();
  ports.forEach((port, i) => {
    const here = at.index(i);
    if (port.name) {
      const wrong = isPortName(port.name);
      here.child('name').invalidEach(port.name, wrong);
      if (!wrong.length && names.has(port.name)) here.child('name').duplicate(port.name);
      names.add(port.name);
    }
    if (!port.containerPort) here.child('containerPort').required();
    else here.child('containerPort').invalidEach(port.containerPort, isPortNumber(port.containerPort));
    if (port.hostPort) here.child('hostPort').invalidEach(port.hostPort, isPortNumber(port.hostPort));
    oneOf(port.protocol, ['SCTP', 'TCP', 'UDP'], here.child('protocol'));
  });
}

function validateHostPorts(containers: Spec[], at: Fields): void {
  const used = new Set<string>();
  containers.forEach((container, i) => {
    ((container.ports ?? []) as Spec[]).forEach((port, j) => {
      if (!port.hostPort) return;
      const text = `${port.protocol}/${port.hostIP ?? ''}/${port.hostPort}`;
      if (used.has(text)) at.index(i).child('ports').index(j).child('hostPort').duplicate(text);
      used.add(text);
    });
  });
}

function validateEnv(env: Spec[], at: Fields): void {
  env.forEach((variable, i) => {
    const here = at.index(i);
    if (!variable.name) here.child('name').required();
    else here.child('name').invalidEach(variable.name, isEnvVarName(variable.name));
    if (!variable.valueFrom) return;
    validateEnvSource(variable.valueFrom, here.child('valueFrom'));
    const sources = Object.keys(variable.valueFrom);
    if (!sources.length) {
      here
        .child('valueFrom')
        .invalid('', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`');
    } else if (variable.value) {
      here.child('valueFrom').invalid('', 'may not be specified when `value` is not empty');
    } else if (sources.length > 1) {
      here.child('valueFrom').invalid('', 'may not have more than one field specified at a time');
    }
  });
}

function validateMounts(mounts: Spec[], volumes: ReadonlySet<string>, at: Fields): void {
  const paths = new Set<string>();
  mounts.forEach((mount, i) => {
    const here = at.index(i);
    if (!mount.name) here.child('name').required();
    else if (!volumes.has(mount.name)) here.child('name').notFound(mount.name);
    if (!mount.mountPath) here.child('mountPath').required();
    else if (paths.has(mount.mountPath)) here.child('mountPath').invalid(mount.mountPath, 'must be unique');
    paths.add(mount.mountPath);
    if (mount.mountPropagation) {
      oneOf(mount.mountPropagation, ['Bidirectional', 'HostToContainer', 'None'], here.child('mountPropagation'));
    }
    if (mount.subPath?.startsWith('/')) here.child('subPath').invalid(mount.subPath, 'must be a relative path');
    else if (mount.subPath?.split('/').includes('..'))
      here.child('subPath').invalid(mount.subPath, "must not contain '..'");
  });
}

const STANDARD = ['cpu', 'memory', 'ephemeral-storage', 'storage'];

/** Resources that Kubernetes knows by a bare name, and `domain/name` for others. */
function validateResourceName(name: string, at: Fields): void {
  at.invalidEach(name, isQualifiedName(name));
  if (!name.includes('/') && !STANDARD.includes(name) && !name.startsWith('hugepages-')) {
    at.invalid(name, 'must be a standard resource type or fully qualified');
  }
}

function validateResources(resources: Spec, at: Fields): void {
  for (const list of ['limits', 'requests']) {
    for (const [name, value] of Object.entries((resources[list] ?? {}) as Record<string, string>)) {
      const here = at.child(list).key(name);
      validateResourceName(name, here);
      const parsed = tryParseQuantity(value);
      if (parsed && parsed.nanos < 0n) here.invalid(value, 'must be greater than or equal to 0');
      else if (parsed && name.includes('/') && parsed.nanos % 1_000_000_000n !== 0n)
        here.invalid(value, 'must be an integer');
    }
  }
  for (const [name, request] of Object.entries((resources.requests ?? {}) as Record<string, string>)) {
    const limit: string | undefined = resources.limits?.[name];
    const extended = name.includes('/') || name.startsWith('hugepages-');
    if (limit === undefined) {
      if (extended) at.child('limits').required(`Limit must be set for non overcommitable resources`);
    } else if (extended && compareQuantities(request, limit) !== 0) {
      at.child('requests').invalid(request, `must be equal to ${name} limit of ${limit}`);
    } else if (compareQuantities(request, limit) > 0) {
      at.child('requests').invalid(request, `must be less than or equal to ${name} limit of ${limit}`);
    }
  }
}

/** Text of an object as Go prints its internal type. */
const goToleration = ({ key = '', operator = '', value = '', effect = '', tolerationSeconds = null }: Spec) => ({
  Key: key,
  Operator: operator,
  Value: value,
  Effect: effect,
  TolerationSeconds: tolerationSeconds,
});

function validateTolerations(tolerations: Spec[], at: Fields): void {
  tolerations.forEach((toleration, i) => {
    const here = at.index(i);
    const { key, operator = 'Equal', value, effect, tolerationSeconds } = toleration;
    if (key) here.child('key').invalidEach(key, isQualifiedName(key));
    else if (operator !== 'Exists') {
      here
        .child('operator')
        .invalid(operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"');
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      here.child('effect').invalid(effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    if (operator === 'Exists' && value)
      here.child('operator').invalid(goToleration(toleration), "value must be empty when `operator` is 'Exists'");
    if (operator !== 'Exists' && operator !== 'Equal') oneOf(operator, ['Equal', 'Exists'], here.child('operator'));
    if (effect) oneOf(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], here.child('effect'));
  });
}
