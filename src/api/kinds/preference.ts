import { root } from '../findings';
import type { Finding } from '../findings';
import { preferenceWarnings, validatePreferenceSpec } from '../instancetype/rules';
import type { Preference } from '../instancetype/types';
import type { KindAdmission } from './kind';
import { shaped } from './shape';

/** Rules of preferences, namespaced and cluster-wide. */
export const preferenceAdmission: KindAdmission<Preference> = shaped({
  create: rules,
  update: rules,
  warnings: ({ spec }) => preferenceWarnings(spec),
});

function rules({ spec }: Preference): Finding[] {
  return validatePreferenceSpec(spec, root.at('spec'));
}
