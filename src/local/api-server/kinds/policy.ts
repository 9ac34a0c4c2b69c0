import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { validateLabelSelector } from '../validation/label-selector';
import { atMost100Percent, validateIntOrPercent } from './apps/shared';
import { define } from './define';
import { textPrinter } from './printers';

const EVICTION_POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];

function validate({ spec = {} }: AnyObject, fields: Fields): void {
  const at = fields.child('spec');
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: spec.minAvailable,
      Selector: spec.selector ?? null,
      MaxUnavailable: spec.maxUnavailable,
      UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
    };
    at.invalid(shown, 'minAvailable and maxUnavailable cannot be both set');
  }
  for (const name of ['minAvailable', 'maxUnavailable']) {
    if (spec[name] === undefined) continue;
    validateIntOrPercent(spec[name], at.child(name));
    atMost100Percent(spec[name], at.child(name));
  }
  validateLabelSelector(spec.selector, at.child('selector'));
  const policy: unknown = spec.unhealthyPodEvictionPolicy;
  if (policy !== undefined && !EVICTION_POLICIES.includes(policy as string)) {
    at.child('unhealthyPodEvictionPolicy').notSupported(policy, EVICTION_POLICIES);
  }
}

export const podDisruptionBudget = define({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
  shortNames: ['pdb'],
  status: true,
  generation: true,
  unconditionalUpdate: false,
  // Kubernetes does not validate the names of budgets.
  nameRule: () => [],
  validate,
  validateStatus({ status = {} }, _old, fields) {
    for (const name of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']) {
      if (status[name] < 0) {
        fields.child('status', name).invalid(status[name], 'must be greater than or equal to 0');
      }
    }
  },
  printer: textPrinter(
    {
      'Min Available': ({ spec }) => String(spec?.minAvailable ?? 'N/A'),
      'Max Unavailable': ({ spec }) => String(spec?.maxUnavailable ?? 'N/A'),
      'Allowed Disruptions': ({ status }) => status?.disruptionsAllowed ?? 0,
    },
    {},
    { 'Allowed Disruptions': 'integer' },
  ),
});
