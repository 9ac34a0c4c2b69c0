import { isIP } from 'node:net';
import type { FieldError, Path } from '../field-error';
import type { Probe } from '../generated/kubevirt-v1';
import { isDnsLabel, isDnsSubdomain, isLabelValue, isQualifiedName } from '../names';
import { duplicates, InstanceRule, mistake, notOneOf } from './rule';

export const hostNames: InstanceRule = (spec, at) => {
  const errors: FieldError[] = [];
  const rule = 'use lower case letters, digits and dashes';
  if (spec.hostname && !isDnsLabel(spec.hostname)) {
    errors.push(
      ...mistake(
        'hostname',
        at.at('hostname'),
        'hostname does not conform to the kubernetes DNS_LABEL rules',
        `${rule}, at most 63 characters`,
        { got: spec.hostname },
      ),
    );
  }
  if (spec.subdomain && !isDnsSubdomain(spec.subdomain)) {
    errors.push(
      ...mistake(
        'subdomain',
        at.at('subdomain'),
        'subdomain does not conform to the kubernetes DNS_SUBDOMAIN rules',
        rule,
        { got: spec.subdomain },
      ),
    );
  }
  return errors;
};

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

export const dns: InstanceRule = (spec, at) => {
  const { dnsPolicy, dnsConfig } = spec;
  const errors = notOneOf(
    'dns-policy',
    at.at('dnsPolicy'),
    dnsPolicy,
    dnsPolicies,
    `DNSPolicy: ${dnsPolicy} is not supported, valid values: [${dnsPolicies.join(' ')}]`,
  );
  if (dnsPolicy === 'None' && !dnsConfig?.nameservers?.length) {
    errors.push(
      ...mistake(
        'dns-nameserver',
        at.at('dnsConfig', 'nameservers'),
        'must provide at least one DNS nameserver when `dnsPolicy` is None',
        'add a name server',
        { type: 'FieldValueRequired' },
      ),
    );
  }
  (dnsConfig?.nameservers ?? []).forEach((server, i) => {
    if (!isIP(server))
      errors.push(
        ...mistake(
          'dns-nameserver',
          at.at('dnsConfig', 'nameservers', i),
          `must be valid IP address: ${server}`,
          'use an IPv4 or IPv6 address',
          { got: server },
        ),
      );
  });
  return errors;
};

const evictionStrategies = ['None', 'LiveMigrate', 'LiveMigrateIfPossible', 'External'];

export const strategies: InstanceRule = (spec, at) => {
  const { evictionStrategy, startStrategy, livenessProbe } = spec;
  const errors = [
    ...notOneOf(
      'eviction-strategy',
      at.at('evictionStrategy'),
      evictionStrategy,
      evictionStrategies,
      `${at.at('evictionStrategy')} is set with an unrecognized option: ${evictionStrategy}`,
      { type: 'FieldValueInvalid' },
    ),
    ...notOneOf(
      'start-strategy',
      at.at('startStrategy'),
      startStrategy,
      ['Paused'],
      `${at.at('startStrategy')} is set with an unrecognized option: ${startStrategy}`,
      { type: 'FieldValueInvalid' },
    ),
  ];
  if (startStrategy === 'Paused' && livenessProbe) {
    const message = `either ${at.at('startStrategy')} or ${at.at('livenessProbe')} should be provided. Pausing VMI with LivenessProbe is not supported`;
    errors.push(...mistake('start-paused-probe', at.at('startStrategy'), message, 'remove one of them'));
  }
  const grace = spec.terminationGracePeriodSeconds;
  if (grace !== undefined && grace < 0) {
    errors.push(
      ...mistake(
        'grace-period',
        at.at('terminationGracePeriodSeconds'),
        'must be greater than or equal to 0',
        'use seconds, 0 to kill at once',
        { got: grace },
      ),
    );
  }
  return errors;
};

/** A probe asks one thing; over the network only where the Pod has one. */
export const probes: InstanceRule = (spec, at) => {
  const podNetwork = (spec.networks ?? []).some(({ pod }) => pod) || isNetworkDefaulted(spec);
  return [
    ...probe(spec.readinessProbe, at.at('readinessProbe'), podNetwork),
    ...probe(spec.livenessProbe, at.at('livenessProbe'), podNetwork),
  ];
};

function isNetworkDefaulted(spec: Parameters<InstanceRule>[0]): boolean {
  const { autoattachPodInterface, interfaces } = spec.domain.devices;
  return autoattachPodInterface !== false && !interfaces?.length && !spec.networks?.length;
}

const handlers = ['httpGet', 'tcpSocket', 'exec', 'guestAgentPing'] as const;

function probe(given: Probe | undefined, at: Path, podNetwork: boolean): FieldError[] {
  if (!given) return [];
  const used = handlers.filter((handler) => given[handler]);
  if (used.length === 0) {
    return mistake(
      'probe-handler',
      at,
      `either ${at.at('tcpSocket')}, ${at.at('exec')} or ${at.at('httpGet')} must be set if a ${at} is specified`,
      'add one',
      {
        type: 'FieldValueRequired',
        allowed: [...handlers],
      },
    );
  }
  if (used.length > 1)
    return mistake('probe-handler', at, `${at} must have exactly one probe type set`, `keep one of ${used.join(', ')}`);
  if ((given.httpGet || given.tcpSocket) && !podNetwork) {
    return mistake(
      'probe-network',
      at.at(used[0]),
      `${at.at(used[0])} is only allowed if the Pod Network is attached`,
      'use exec or guestAgentPing, or attach the Pod network',
    );
  }
  return [];
}

/** Labels that Kubernetes would refuse on the Pod later, when the VM starts. */
export const placement: InstanceRule = (spec, at) => {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) {
    if (isQualifiedName(key) && isLabelValue(value)) continue;
    errors.push(
      ...mistake(
        'node-selector',
        at.at('nodeSelector', key),
        `"${key}=${value}" is no label`,
        'use a label that a node has',
        { got: value },
      ),
    );
  }
  (spec.tolerations ?? []).forEach(({ operator, key, value, effect }, i) => {
    const path = at.at('tolerations', i);
    errors.push(
      ...notOneOf(
        'toleration-operator',
        path.at('operator'),
        operator,
        ['Equal', 'Exists', 'Lt', 'Gt'],
        `"${operator}" is no operator`,
      ),
    );
    errors.push(
      ...notOneOf(
        'toleration-effect',
        path.at('effect'),
        effect,
        ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
        `"${effect}" is no effect`,
      ),
    );
    if (operator === 'Exists' && value)
      errors.push(
        ...mistake('toleration-value', path.at('value'), 'value must be empty when `operator` is Exists', 'remove it', {
          got: value,
        }),
      );
    if (!key && operator !== 'Exists')
      errors.push(
        ...mistake(
          'toleration-key',
          path.at('operator'),
          'operator must be Exists when `key` is empty',
          'add a key, or use operator: Exists',
        ),
      );
  });
  (spec.topologySpreadConstraints ?? []).forEach(({ maxSkew, whenUnsatisfiable }, i) => {
    const path = at.at('topologySpreadConstraints', i);
    if (!(maxSkew > 0))
      errors.push(
        ...mistake('spread-skew', path.at('maxSkew'), 'must be greater than zero', 'use 1 or more', { got: maxSkew }),
      );
    errors.push(
      ...notOneOf(
        'spread-unsatisfiable',
        path.at('whenUnsatisfiable'),
        whenUnsatisfiable,
        ['DoNotSchedule', 'ScheduleAnyway'],
        `"${whenUnsatisfiable}" is no choice`,
      ),
    );
  });
  return errors;
};

/** Keys and passwords come from Secrets and reach the guest in one way. */
export const accessCredentials: InstanceRule = (spec, at) => {
  const volumes = spec.volumes ?? [];
  return (spec.accessCredentials ?? []).flatMap(({ sshPublicKey, userPassword }, i) => {
    const path = at.at('accessCredentials', i);
    if (Boolean(sshPublicKey) === Boolean(userPassword)) {
      return mistake(
        'credential-kind',
        path,
        `${path} must have exactly one access credential type set`,
        'set sshPublicKey or userPassword',
      );
    }
    const kind = sshPublicKey ? 'sshPublicKey' : 'userPassword';
    const errors: FieldError[] = [];
    const { source, propagationMethod } = (sshPublicKey ?? userPassword)!;
    if (!source?.secret?.secretName) {
      errors.push(
        ...mistake(
          'credential-source',
          path.at(kind, 'source', 'secret', 'secretName'),
          `${path.at(kind, 'source')} must have exactly one source type set`,
          'name the Secret',
          { type: 'FieldValueRequired' },
        ),
      );
    }
    const methods = Object.values(propagationMethod ?? {}).filter(Boolean).length;
    if (methods !== 1) {
      errors.push(
        ...mistake(
          'credential-method',
          path.at(kind, 'propagationMethod'),
          `${path.at(kind, 'propagationMethod')} must have exactly one propagation method set`,
          'keep one',
        ),
      );
    }
    const ssh = sshPublicKey?.propagationMethod;
    if (ssh?.noCloud && !volumes.some(({ cloudInitNoCloud }) => cloudInitNoCloud)) {
      errors.push(
        ...mistake(
          'credential-volume',
          path.at(kind, 'propagationMethod'),
          'requires a noCloud volume to exist when the noCloud propagationMethod is in use.',
          'add a cloudInitNoCloud volume',
        ),
      );
    }
    if (ssh?.configDrive && !volumes.some(({ cloudInitConfigDrive }) => cloudInitConfigDrive)) {
      errors.push(
        ...mistake(
          'credential-volume',
          path.at(kind, 'propagationMethod'),
          'requires a configDrive volume to exist when the configDrive propagationMethod is in use.',
          'add a cloudInitConfigDrive volume',
        ),
      );
    }
    if (ssh?.qemuGuestAgent && !ssh.qemuGuestAgent.users?.length) {
      errors.push(
        ...mistake(
          'credential-users',
          path.at(kind, 'propagationMethod', 'qemuGuestAgent', 'users'),
          'requires at least one user to be present in the users list',
          'name the users',
          { type: 'FieldValueRequired' },
        ),
      );
    }
    return errors;
  });
};

export const resourceClaims: InstanceRule = (spec, at) =>
  duplicates(spec.resourceClaims ?? [], ({ name }) => name).flatMap(({ key, index }) =>
    mistake(
      'resource-claim-unique',
      at.at('resourceClaims', index, 'name'),
      `resource claim "${key}" is named twice`,
      'rename one of them',
      { got: key, type: 'FieldValueDuplicate' },
    ),
  );
