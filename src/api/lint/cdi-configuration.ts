/** Values of the CDI object that the importer ignores. */
import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import { kindOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { closest } from '../names';
import { read, shown } from './read';

const at = root.at('spec', 'config');
const GATES = ['HonorWaitForFirstConsumer', 'DataVolumeClaimAdoption', 'WebhookPvcRendering'];

const itemsAt = (object: KubeObject, field: string): readonly unknown[] => {
  const list = read(object, 'spec', 'config', field);
  return Array.isArray(list) ? (list as unknown[]) : [];
};

/** Reports misspelt feature gates, and registries that are not hosts. */
export function cdiRules(object: KubeObject): Finding[] {
  if (kindOf(object) !== 'CDI') return [];
  return [
    ...itemsAt(object, 'featureGates').flatMap((got, i) => {
      const meant = GATES.includes(got as string) ? undefined : closest(shown(got), GATES);
      if (meant === undefined) return [];
      const cause = `no feature gate of CDI is called "${shown(got)}"`;
      return mistake('gate-known', at.at('featureGates', i), cause, `did you mean "${meant}"?`, { value: got });
    }),
    ...itemsAt(object, 'insecureRegistries').flatMap((got, i) => {
      const text = shown(got);
      if (!/^[a-z]+:\/\/|\//i.test(text)) return [];
      const host = text.replace(/^[a-z]+:\/\//i, '').split('/')[0];
      const cause = `"${text}" is not a host, so it matches no registry`;
      return mistake('cdi-registry', at.at('insecureRegistries', i), cause, `write ${host}`, { value: got });
    }),
  ];
}
