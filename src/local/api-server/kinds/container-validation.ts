import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isPortName, isPortNumber } from '../validation/names';

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

const MAX_ID = 2_147_483_647;

/** Validates a handler of a probe or hook: exactly one action with a valid port. */
export function validateHandler(handler: Spec, at: Fields): void {
  const given = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'].filter((name) => handler[name]);
  if (!given.length) at.required('must specify a handler type');
  given.slice(1).forEach((name) => at.child(name).forbidden('may not specify more than 1 handler type'));
  if (handler.exec && !handler.exec.command?.length) at.child('exec', 'command').required();
  for (const name of ['httpGet', 'tcpSocket', 'grpc']) {
    if (!handler[name]) continue;
    const { port } = handler[name];
    at.child(name, 'port').invalidEach(port, typeof port === 'string' ? isPortName(port) : isPortNumber(port ?? 0));
  }
}

/** `postStart` and `preStop`. */
export function validateLifecycle(lifecycle: Spec, at: Fields): void {
  for (const hook of ['postStart', 'preStop']) if (lifecycle?.[hook]) validateHandler(lifecycle[hook], at.child(hook));
}

export function validateEnvFrom(list: Spec[], at: Fields): void {
  list.forEach(({ configMapRef, secretRef }, i) => {
    const here = at.index(i);
    if (configMapRef && !configMapRef.name) here.child('configMapRef', 'name').required();
    if (secretRef && !secretRef.name) here.child('secretRef', 'name').required();
    if (!configMapRef && !secretRef) here.invalid('', 'must specify one of: `configMapRef` or `secretRef`');
    if (configMapRef && secretRef) here.invalid('', 'may not have more than one field specified at a time');
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
  if (configMapKeyRef && !configMapKeyRef.key) at.child('configMapKeyRef', 'key').required();
  if (secretKeyRef && !secretKeyRef.key) at.child('secretKeyRef', 'key').required();
  if (resourceFieldRef && !resourceFieldRef.resource) at.child('resourceFieldRef', 'resource').required();
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
  if (!types.includes(profile.type)) at.child('type').notSupported(profile.type ?? '', types);
  else if (profile.type === 'Localhost' && !profile.localhostProfile) {
    at.child('localhostProfile').required('must be set when seccomp type is Localhost');
  } else if (profile.type !== 'Localhost' && profile.localhostProfile) {
    at.child('localhostProfile').invalid(profile.localhostProfile, 'can only be set when seccomp type is Localhost');
  }
}

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
      context[name] ?? null,
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
  validateSeccomp(context.seccompProfile, at.child('seccompProfile'));
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
}

/** Rejects node affinity without terms, which would match no node. */
export function validateAffinity(affinity: Spec, at: Fields): void {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required && !required.nodeSelectorTerms?.length) {
    at.child('nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms').required(
      'must have at least one node selector term',
    );
  }
}
