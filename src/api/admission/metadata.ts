import { keys } from '../keys';
import type { ClusterConfig } from '../cluster-config';
import { HOOK_SIDECARS_ANNOTATION, IGNITION_ANNOTATION } from '../constants';
import { Finding, Path, root, text } from '../findings';
import type { ObjectMeta } from '../meta';
import { isDnsSubdomain, isLabelValue, isQualifiedName } from '../names';
import { gateOff, mistake } from './rule';
import { mistakesOf } from '../mistakes';

/** Labels of the platform, which only its components may set. */
export const reservedLabels = [
  keys.createdBy,
  keys.migrationJobUid,
  keys.nodeName,
  keys.migrationTargetNodeName,
  keys.schedulable,
  keys.installStrategy,
] as const;

/** Validates labels and annotations of a VMI, or of the template of a VM. */
export function validateInstanceMetadata(
  metadata: ObjectMeta,
  at: Path,
  config: ClusterConfig,
  trusted: boolean,
): Finding[] {
  const { labels = {}, annotations = {} } = metadata;
  const errors: Finding[] = [];
  const reserved = reservedLabels.filter((label) => label in labels);
  if (reserved.length > 0 && !trusted) {
    const message = 'creation of the following reserved kubevirt.io/ labels on a VMI object is prohibited';
    const extra = { value: reserved, type: 'FieldValueNotSupported' } as const;
    errors.push(...mistake('reserved-label', at.at('labels'), message, `remove ${reserved.join(', ')}`, extra));
  }
  for (const [annotation, gate, name, rule] of [
    [
      IGNITION_ANNOTATION,
      'ExperimentalIgnitionSupport',
      'ExperimentalIgnitionSupport',
      'gate-experimentalignitionsupport',
    ],
    [HOOK_SIDECARS_ANNOTATION, 'Sidecar', 'sidecar', 'gate-sidecar'],
  ] as const) {
    if (!annotations[annotation] || config.hasGate(gate)) continue;
    const path = at.at('annotations');
    const entry = path.at(annotation);
    const message = text`${name} feature gate is not enabled in kubevirt-config, invalid entry ${entry}`;
    errors.push(...gateOff(rule, entry, message, gate, { field: `${path}` }));
  }
  return errors;
}

/** Reports labels that Kubernetes would reject. */
export function labelsFit({ labels }: ObjectMeta, at: Path): Finding[] {
  return mistakesOf(Object.entries(labels ?? {}), ([key, value]) => {
    if (isQualifiedName(key) && typeof value === 'string' && isLabelValue(value)) return [];
    const remedy = 'values have up to 63 letters, digits, dots, dashes, underscores';
    return mistake('label', at.at('labels', key), `"${key}=${value}" is not a valid label`, remedy, { value: value });
  });
}

/** Validates a name by Kubernetes' rule for most objects. */
export function validateObjectName({ name }: ObjectMeta): Finding[] {
  if (!name || isDnsSubdomain(name)) return [];
  const message = `"${name}" is not a DNS subdomain (RFC 1123)`;
  const remedy = 'use lower case letters, digits, dashes and dots';
  return mistake('name', root.at('metadata', 'name'), message, remedy, { value: name });
}

/** Reports a namespace whose name Kubernetes would reject. */
export function namespaceFits(namespace: string): Finding[] {
  const message = `"${namespace}" is not a DNS label (RFC 1123), as the name of a namespace must be`;
  const remedy = 'use up to 63 lower case letters, digits and dashes';
  return mistake('name', root.at('metadata', 'namespace'), message, remedy, { value: namespace });
}
