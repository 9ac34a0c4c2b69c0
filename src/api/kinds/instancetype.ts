import { root } from '../findings';
import type { Finding } from '../findings';
import { instancetypeWarnings, validateInstancetypeSpec } from '../instancetype/rules';
import type { Instancetype } from '../instancetype/types';
import type { KindAdmission } from './kind';
import { shaped } from './shape';

/** Rules of instance types, namespaced and cluster-wide. */
export const instancetypeAdmission: KindAdmission<Instancetype> = shaped({
  create: rules,
  update: rules,
  warnings: ({ spec }) => instancetypeWarnings(spec),
});

function rules({ spec }: Instancetype): Finding[] {
  return validateInstancetypeSpec(spec, root.at('spec'));
}
