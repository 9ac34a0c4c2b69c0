import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isConfigMapKey, isDns1123Subdomain, isEnvVarName, isPortName, isPortNumber } from '../validation/names';

type Spec = AnyObject['spec'];

const ENV_PATHS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** Field paths that variables must not use. */
const OTHER_PATHS = [
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
];

const RESOURCE_NAMES = ['limits', 'requests'].flatMap((list) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${list}.${name}`),
);
const RESOURCES = /^(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.+)$/;

/** Validates the restarts that a change of resources may need. Kubernetes reports the mistakes at the whole list. */
export function validateResizePolicy(list: Spec[], at: Fields, podPolicy = 'Always'): void {
  const oneOf = (value: string, allowed: readonly string[]): void => {
    if (!value) at.required();
    else if (!allowed.includes(value)) at.notSupported(value, allowed);
  };
  list.forEach(({ resourceName = '', restartPolicy = '' }, i) => {
    if (list.findIndex((item) => (item.resourceName ?? '') === resourceName) < i) at.index(i).duplicate(resourceName);
    oneOf(resourceName, ['cpu', 'memory']);
    oneOf(restartPolicy, ['NotRequired', 'RestartContainer']);
    if (podPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      at.invalid(restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  });
}

const MAX_ID = 2_147_483_647;

/** Validates a handler of a probe or hook: exactly one action with a valid port. */
export function validateHandler(handler: Spec, at: Fields): void {
  const given = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'].filter((name) => handler[name]);
  if (!given.length) at.required('must specify a handler type');
  const [first = ''] = given;
  if (first === 'exec' && !handler.exec.command?.length) at.child('exec', 'command').required();
  if (['httpGet', 'tcpSocket', 'grpc'].includes(first)) {
    const { port = 0 } = handler[first];
    at.child(first, 'port').invalidEach(port, typeof port === 'string' ? isPortName(port) : isPortNumber(port));
  }
  if (first === 'httpGet') validateHttpGet(handler.httpGet, at.child('httpGet'));
  given.slice(1).forEach((name) => at.child(name).forbidden('may not specify more than 1 handler type'));
}

function validateHttpGet({ path, scheme, httpHeaders = [] }: Spec, at: Fields): void {
  if (!path) at.child('path').required();
  if (!['HTTP', 'HTTPS'].includes(scheme)) at.child('scheme').notSupported(scheme ?? '', ['HTTP', 'HTTPS']);
  for (const { name = '' } of httpHeaders as { name?: string }[]) {
    if (/^[-A-Za-z0-9]+$/.test(name)) continue;
    at.child('httpHeaders').invalid(
      name,
      "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
    );
  }
}

/** `postStart` and `preStop`. */
export function validateLifecycle(lifecycle: Spec, at: Fields, graceSeconds = 30): void {
  for (const hook of ['postStart', 'preStop']) {
    if (!lifecycle?.[hook]) continue;
    validateHandler(lifecycle[hook], at.child(hook));
    const seconds: number | undefined = lifecycle[hook].sleep?.seconds;
    if (seconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) continue;
    const why = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
    at.child(hook, 'sleep').invalid(seconds, why);
  }
}

export function validateEnvFrom(list: Spec[], at: Fields): void {
  list.forEach(({ prefix, configMapRef, secretRef }, i) => {
    const here = at.index(i);
    if (prefix) here.child('prefix').invalidEach(prefix, isEnvVarName(prefix));
    for (const [field, reference] of Object.entries({ configMapRef, secretRef } as Record<string, Spec>)) {
      if (!reference) continue;
      if (!reference.name) here.child(field, 'name').required();
      else here.child(field, 'name').invalidEach(reference.name, isDns1123Subdomain(reference.name));
    }
    if (!configMapRef && !secretRef) at.invalid('', 'must specify one of: `configMapRef` or `secretRef`');
    if (configMapRef && secretRef) at.invalid('', 'may not have more than one field specified at a time');
  });
}

/** `valueFrom` of a variable. */
export function validateEnvSource(
  { fieldRef, configMapKeyRef, secretKeyRef, resourceFieldRef }: Spec,
  at: Fields,
): void {
  if (fieldRef) {
    const path = at.child('fieldRef', 'fieldPath');
    const text: string = fieldRef.fieldPath ?? '';
    if (!text) path.required();
    else if (OTHER_PATHS.includes(text)) path.notSupported(text, ENV_PATHS);
    else if (!ENV_PATHS.includes(text) && !/^metadata\.(labels|annotations)\['.+'\]$/.test(text)) {
      path.invalid(text, `error converting fieldPath: field label not supported: ${text}`);
    }
  }
  for (const [field, reference] of Object.entries({ configMapKeyRef, secretKeyRef } as Record<string, Spec>)) {
    if (!reference) continue;
    const { name = '', key = '' } = reference;
    at.child(field, 'name').invalidEach(name, isDns1123Subdomain(name));
    if (!key) at.child(field, 'key').required();
    else at.child(field, 'key').invalidEach(key, isConfigMapKey(key));
  }
  if (!resourceFieldRef) return;
  const resource = at.child('resourceFieldRef', 'resource');
  if (!resourceFieldRef.resource) resource.required();
  else if (!RESOURCES.test(resourceFieldRef.resource)) resource.notSupported(resourceFieldRef.resource, RESOURCE_NAMES);
}

function validateIds(context: Spec, names: readonly string[], at: Fields): void {
  for (const name of names) {
    const id: number | undefined = context[name];
    if (id !== undefined && (id < 0 || id > MAX_ID)) {
      at.child(name).invalid(id, `must be between 0 and ${MAX_ID}, inclusive`);
    }
  }
}

function validateSeccomp(profile: Spec, at: Fields): void {
  if (!profile) return;
  const types = ['Localhost', 'RuntimeDefault', 'Unconfined'];
  if (!profile.type) at.child('type').required('type is required when seccompProfile is set');
  else if (!types.includes(profile.type)) at.child('type').notSupported(profile.type, types);
  const here = at.child('localhostProfile');
  if (profile.type === 'Localhost' && !profile.localhostProfile) {
    here.required('must be set when seccomp type is Localhost');
  } else if (profile.type !== 'Localhost' && profile.localhostProfile !== undefined) {
    here.invalid(GO_FORMS.seccompProfile(profile), 'can only be set when seccomp type is Localhost');
  }
}

function validateAppArmor(profile: Spec, at: Fields): void {
  if (!profile) return;
  const types = ['Localhost', 'RuntimeDefault', 'Unconfined'];
  if (!profile.type) at.child('type').required('type is required when appArmorProfile is set');
  else if (!types.includes(profile.type)) at.child('type').notSupported(profile.type, types);
  else if (profile.type === 'Localhost' && !profile.localhostProfile) {
    at.child('localhostProfile').required('must be set when AppArmor type is Localhost');
  } else if (profile.type !== 'Localhost' && profile.localhostProfile !== undefined) {
    at.child('localhostProfile').invalid(profile.localhostProfile, 'can only be set when AppArmor type is Localhost');
  }
}

/** Nested objects of a security context as Go prints them. */
const GO_FORMS: Readonly<Record<string, (value: Spec) => unknown>> = {
  capabilities: ({ add = null, drop = null }) => ({ Add: add, Drop: drop }),
  seccompProfile: ({ type = '', localhostProfile = null }) => ({ Type: type, LocalhostProfile: localhostProfile }),
  appArmorProfile: ({ type, localhostProfile = null }) => ({ Type: type, LocalhostProfile: localhostProfile }),
};

/** Text of an object as Go prints its internal type: every field, by its Go name. */
const goSecurityContext = (context: Spec) =>
  Object.fromEntries(
    [
      'capabilities',
      'privileged',
      'seLinuxOptions',
      'windowsOptions',
      'runAsUser',
      'runAsGroup',
      'runAsNonRoot',
      'readOnlyRootFilesystem',
      'allowPrivilegeEscalation',
      'procMount',
      'seccompProfile',
      'appArmorProfile',
    ].map((name) => [
      name === 'seLinuxOptions' ? 'SELinuxOptions' : name[0].toUpperCase() + name.slice(1),
      context[name] === undefined ? null : (GO_FORMS[name]?.(context[name]) ?? context[name]),
    ]),
  );

/** A container's `securityContext`. */
export function validateSecurityContext(context: Spec, at: Fields): void {
  if (!context) return;
  validateIds(context, ['runAsUser', 'runAsGroup'], at);
  if (context.allowPrivilegeEscalation === false && context.privileged) {
    at.invalid(goSecurityContext(context), 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
  }
  if (context.allowPrivilegeEscalation === false && context.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
    const why = 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';
    at.invalid(goSecurityContext(context), why);
  }
  const mounts = ['Default', 'Unmasked'];
  if (context.procMount !== undefined && !mounts.includes(context.procMount)) {
    at.child('procMount').notSupported(context.procMount, mounts);
  }
  validateSeccomp(context.seccompProfile, at.child('seccompProfile'));
  validateAppArmor(context.appArmorProfile, at.child('appArmorProfile'));
}

const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

function validateSysctls(sysctls: { name?: string }[], at: Fields): void {
  const seen = new Set<string>();
  sysctls.forEach(({ name = '' }, i) => {
    const here = at.index(i).child('name');
    if (!name) here.required();
    else if (name.length > 253 || !SYSCTL.test(name)) {
      const pattern = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
      here.invalid(name, `must have at most 253 characters and match regex ${pattern}`);
    } else if (seen.has(name)) here.duplicate(name);
    seen.add(name);
  });
}

/** The Pod's own `securityContext`. */
export function validatePodSecurityContext(spec: Spec, at: Fields): void {
  const context = spec.securityContext ?? {};
  validateIds(context, ['fsGroup', 'runAsUser', 'runAsGroup'], at);
  ((context.supplementalGroups ?? []) as number[]).forEach((id, i) => {
    if (id < 0 || id > MAX_ID) {
      at.child('supplementalGroups').index(i).invalid(id, `must be between 0 and ${MAX_ID}, inclusive`);
    }
  });
  if (spec.shareProcessNamespace && spec.hostPID) {
    at.child('shareProcessNamespace').invalid(true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  }
  const policies = ['Always', 'OnRootMismatch'];
  if (context.fsGroupChangePolicy !== undefined && !policies.includes(context.fsGroupChangePolicy)) {
    at.child('fsGroupChangePolicy').notSupported(context.fsGroupChangePolicy, policies);
  }
  validateSeccomp(context.seccompProfile, at.child('seccompProfile'));
  const groups = ['Merge', 'Strict'];
  if (context.supplementalGroupsPolicy !== undefined && !groups.includes(context.supplementalGroupsPolicy)) {
    at.child('supplementalGroupsPolicy').notSupported(context.supplementalGroupsPolicy, groups);
  }
  validateSysctls(context.sysctls ?? [], at.child('sysctls'));
  validateAppArmor(context.appArmorProfile, at.child('appArmorProfile'));
}
