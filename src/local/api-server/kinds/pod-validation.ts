import { compareQuantities, tryParseQuantity } from '../../../api/quantity';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import {
  isDns1123Label,
  isDns1123Subdomain,
  isEnvVarName,
  isLabelValue,
  isPortName,
  isPortNumber,
  isQualifiedName,
} from '../validation/names';
import { validateContainerResourceName } from './resource-names';
import { validateAffinity, validatePlacement } from './pod-placement';
import { validateDevices, validateVolumes } from './pod-volumes';
import {
  validateEnvFrom,
  validateEnvSource,
  validateHandler,
  validateLifecycle,
  validatePodSecurityContext,
  validateResizePolicy,
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
    validateContainer(container, names, volumes, at, spec.terminationGracePeriodSeconds);
    validateDevices(container, spec.volumes ?? [], volumes, at.child('volumeDevices'));
    validateResizePolicy(container.resizePolicy ?? [], at.child('resizePolicy'), spec.restartPolicy);
    if (container.restartPolicy !== undefined && container.restartPolicy !== null) {
      const rules = ['Always', 'Never', 'OnFailure'];
      if (!rules.includes(container.restartPolicy))
        at.child('restartPolicy').notSupported(container.restartPolicy, rules);
    }
  });
  ((spec.initContainers ?? []) as Spec[]).forEach((container, i) => {
    const at = fields.child('initContainers').index(i);
    validateContainer(container, names, volumes, at, spec.terminationGracePeriodSeconds);
    if (container.restartPolicy === 'Always') return;
    for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
      if (container[probe])
        at.child(probe).forbidden('may not be set for init containers without restartPolicy=Always');
    }
    if (container.lifecycle)
      at.child('lifecycle').forbidden('may not be set for init containers without restartPolicy=Always');
  });
  validateEphemeralContainers(spec, names, volumes, fields.child('ephemeralContainers'));
  validateHostPorts(containers, fields.child('containers'));
  if (spec.hostNetwork) validateHostNetworkPorts(containers, fields.child('containers'));
  oneOf(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], fields.child('restartPolicy'));
  oneOf(spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], fields.child('dnsPolicy'));
  if (spec.dnsPolicy === 'None' && !spec.dnsConfig) {
    fields.child('dnsConfig').required('must provide `dnsConfig` when `dnsPolicy` is None');
  } else if (spec.dnsPolicy === 'None' && !spec.dnsConfig.nameservers?.length) {
    const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    fields.child('dnsConfig', 'nameservers').required(why);
  }
  validateReferences(spec, fields);
  validatePlacement(spec, fields);
  validateDeadlines(spec, fields);
  validateTolerations(spec.tolerations ?? [], fields.child('tolerations'));
}

/** Fields that an ephemeral container must not have, in Kubernetes' order. */
const NOT_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];

function validateEphemeralContainers(spec: Spec, names: Set<string>, volumes: ReadonlySet<string>, at: Fields): void {
  const targets = new Set(names);
  ((spec.ephemeralContainers ?? []) as Spec[]).forEach((container, i) => {
    const here = at.index(i);
    validateContainer(container, names, volumes, here);
    const target: string = container.targetContainerName ?? '';
    if (target && !targets.has(target)) here.child('targetContainerName').notFound(target);
    for (const name of NOT_EPHEMERAL) {
      if (isSet(container[name])) here.child(name).forbidden('cannot be set for an Ephemeral Container');
    }
    ((container.volumeMounts ?? []) as Spec[]).forEach((mount, j) => {
      for (const name of ['subPath', 'subPathExpr']) {
        if (mount[name])
          here.child('volumeMounts').index(j).child(name).forbidden('cannot be set for an Ephemeral Container');
      }
    });
  });
}

const isSet = (value: unknown): boolean =>
  Boolean(value) && (typeof value !== 'object' || Object.keys(value as object).length > 0);

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
  for (const [key, value] of Object.entries((spec.nodeSelector ?? {}) as Record<string, string>)) {
    fields.child('nodeSelector').invalidEach(key, isQualifiedName(key)).invalidEach(value, isLabelValue(value));
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

function validateContainer(
  container: Spec,
  names: Set<string>,
  volumes: ReadonlySet<string>,
  at: Fields,
  graceSeconds?: number,
): void {
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
  validateMounts(container, volumes, at.child('volumeMounts'));
  validateResources(container.resources ?? {}, at.child('resources'));
  oneOf(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], at.child('imagePullPolicy'));
  oneOf(container.terminationMessagePolicy, ['File', 'FallbackToLogsOnError'], at.child('terminationMessagePolicy'));
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (container[probe]) validateProbe(container[probe], probe !== 'readinessProbe', at.child(probe));
  }
  validateLifecycle(container.lifecycle, at.child('lifecycle'), graceSeconds);
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
  const grace: number | undefined = probe.terminationGracePeriodSeconds;
  const graceAt = at.child('terminationGracePeriodSeconds');
  if (grace !== undefined && !onlyOnce) graceAt.invalid(grace, 'must not be set for readinessProbes');
  else if (grace !== undefined && grace <= 0) graceAt.invalid(grace, 'must be greater than 0');
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

function validateHostNetworkPorts(containers: Spec[], at: Fields): void {
  containers.forEach((container, i) => {
    ((container.ports ?? []) as Spec[]).forEach(({ hostPort, containerPort }, j) => {
      if (!hostPort || hostPort === containerPort) return;
      const here = at.index(i).child('ports').index(j).child('hostPort');
      here.invalid(hostPort, 'must match `containerPort` when `hostNetwork` is true');
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
        .invalid(
          '',
          'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
        );
    } else if (variable.value) {
      here.child('valueFrom').invalid('', 'may not be specified when `value` is not empty');
    } else if (sources.length > 1) {
      here.child('valueFrom').invalid('', 'may not have more than one field specified at a time');
    }
  });
}

function validateMounts(
  { volumeMounts = [], volumeDevices = [] }: Spec,
  volumes: ReadonlySet<string>,
  at: Fields,
): void {
  const paths = new Set<string>();
  (volumeMounts as Spec[]).forEach((mount, i) => {
    const here = at.index(i);
    if (!mount.name) here.child('name').required();
    if (!volumes.has(mount.name ?? '')) here.child('name').notFound(mount.name ?? '');
    for (const device of volumeDevices as Spec[]) {
      if (mount.name && device.name === mount.name) {
        here.child('name').invalid(mount.name, 'must not already exist in volumeDevices');
      }
      if (mount.mountPath && device.devicePath === mount.mountPath) {
        here.child('mountPath').invalid(mount.mountPath, 'must not already exist as a path in volumeDevices');
      }
    }
    if (!mount.mountPath) here.child('mountPath').required();
    else if (paths.has(mount.mountPath)) here.child('mountPath').invalid(mount.mountPath, 'must be unique');
    paths.add(mount.mountPath);
    // Kubernetes reports these without the index.
    for (const field of ['subPath', 'subPathExpr']) {
      const path: string = mount[field] ?? '';
      if (path.startsWith('/')) at.child(field).invalid(path, 'must be a relative path');
      else if (path.split('/').includes('..')) at.child(field).invalid(path, "must not contain '..'");
    }
    if (mount.subPath && mount.subPathExpr) {
      here.child('subPathExpr').invalid(mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive');
    }
    if (mount.mountPropagation !== undefined) {
      oneOf(mount.mountPropagation, ['Bidirectional', 'HostToContainer', 'None'], at.child('mountPropagation'));
    }
    if (mount.recursiveReadOnly !== undefined) validateRecursive(mount, at.child('recursiveReadOnly'));
  });
}

function validateRecursive({ recursiveReadOnly, readOnly, mountPropagation = 'None' }: Spec, at: Fields): void {
  oneOf(recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible'], at);
  if (recursiveReadOnly !== 'Enabled' && recursiveReadOnly !== 'IfPossible') return;
  if (!readOnly) at.forbidden('may only be specified when readOnly is true');
  if (mountPropagation !== 'None') {
    at.forbidden('may only be specified when mountPropagation is None or not specified');
  }
}

function validateResources(resources: Spec, at: Fields): void {
  for (const list of ['limits', 'requests']) {
    for (const [name, value] of Object.entries((resources[list] ?? {}) as Record<string, string>)) {
      const here = at.child(list).key(name);
      validateContainerResourceName(name, here);
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

export function validateTolerations(tolerations: Spec[], at: Fields): void {
  tolerations.forEach((toleration, i) => {
    const here = at.index(i);
    const { key, value, effect, tolerationSeconds } = toleration;
    const operator: string = toleration.operator || 'Equal';
    if (key) here.child('key').invalidEach(key, isQualifiedName(key));
    else if (operator !== 'Exists') {
      here
        .child('operator')
        .invalid(
          toleration.operator ?? '',
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        );
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      here.child('effect').invalid(effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    if (operator === 'Exists' && value)
      here.child('operator').invalid(value, "value must be empty when `operator` is 'Exists'");
    if (operator === 'Equal' && value) here.child('operator').invalidEach(value, isLabelValue(value));
    if (operator !== 'Exists' && operator !== 'Equal') oneOf(operator, ['Equal', 'Exists'], here.child('operator'));
    if (effect) oneOf(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], here.child('effect'));
  });
}
