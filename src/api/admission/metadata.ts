import type { ClusterConfig } from '../cluster-config';
import { HOOK_SIDECARS_ANNOTATION, IGNITION_ANNOTATION } from '../constants';
import { FieldError, Path, root } from '../field-error';
import type { ObjectMeta } from '../meta';
import { isDnsSubdomain, isLabelValue, isQualifiedName } from '../names';
import { gateOff, mistake } from './rule';

/** Labels by which the platform finds its own: only its components may set them. */
export const reservedLabels = [
  'kubevirt.io/created-by',
  'kubevirt.io/migrationJobUID',
  'kubevirt.io/nodeName',
  'kubevirt.io/migrationTargetNodeName',
  'kubevirt.io/schedulable',
  'kubevirt.io/install-strategy-version',
] as const;

/** Labels and annotations of a VMI, or of the template of a VM. */
export function validateInstanceMetadata(
  metadata: ObjectMeta,
  at: Path,
  config: ClusterConfig,
  trusted: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const labels = metadata.labels ?? {};
  const reserved = reservedLabels.filter((label) => label in labels);
  if (reserved.length > 0 && !trusted) {
    errors.push(
      ...mistake(
        'reserved-label',
        at.at('labels'),
        'creation of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
        `remove ${reserved.join(', ')}`,
        { got: reserved },
      ),
    );
  }
  for (const [key, value] of Object.entries(labels)) {
    if (isQualifiedName(key) && typeof value === 'string' && isLabelValue(value)) continue;
    errors.push(
      ...mistake(
        'label',
        at.at('labels', key),
        `"${key}=${value}" is no label`,
        'values have up to 63 letters, digits, dots, dashes, underscores',
        { got: value },
      ),
    );
  }
  const annotations = metadata.annotations ?? {};
  for (const [annotation, gate, name] of [
    [HOOK_SIDECARS_ANNOTATION, 'Sidecar', 'sidecar'],
    [IGNITION_ANNOTATION, 'ExperimentalIgnitionSupport', 'ExperimentalIgnitionSupport'],
  ] as const) {
    if (!annotations[annotation] || config.hasGate(gate)) continue;
    const path = at.at('annotations');
    errors.push(
      ...gateOff(
        `gate-${name.toLowerCase()}`,
        path,
        `${name} feature gate is not enabled in kubevirt-config, invalid entry ${path.at(annotation)}`,
        gate,
      ),
    );
  }
  return errors;
}

/** The name becomes a Pod's label, so it is shorter than Kubernetes itself asks. */
export function validateObjectName(metadata: ObjectMeta): FieldError[] {
  const { name } = metadata;
  if (name === undefined) return [];
  const at = root.at('metadata', 'name');
  if (!isDnsSubdomain(name)) {
    return mistake(
      'name',
      at,
      `"${name}" is not a DNS subdomain (RFC 1123)`,
      'use lower case letters, digits, dashes and dots',
      { got: name },
    );
  }
  if (name.length <= 63) return [];
  return mistake('name-length', at, 'name must be no more than 63 characters', 'shorten it', {
    got: name,
    type: 'FieldValueTooLong',
  });
}
