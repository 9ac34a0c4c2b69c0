import { ServiceAccountTokens } from '../authentication/tokens';
import { Subresource, SubresourceLookup } from '../http/resources';
import { Core } from '../verbs/core';
import { podBinding } from './binding';
import { podEviction } from './eviction';
import { namespaceFinalize } from './finalize';
import { KubeletAccess, podLog, podStream } from './pod-streams';
import { scale } from './scale';
import { serviceAccountToken } from './token';

/** Every subresource other than `status`. */
export function subresources(core: Core, tokens: ServiceAccountTokens, kubelet: KubeletAccess): SubresourceLookup {
  const scaled = scale(core);
  const own: Record<string, Subresource> = {
    '/namespaces/finalize': namespaceFinalize(core),
    '/pods/attach': podStream,
    '/pods/binding': podBinding(core),
    '/pods/eviction': podEviction(core),
    '/pods/exec': podStream,
    '/pods/log': podLog(kubelet),
    '/pods/portforward': podStream,
    '/serviceaccounts/token': serviceAccountToken(core, tokens),
  };
  return (kind, name) => (name === 'scale' && kind.scale ? scaled : own[`${kind.group}/${kind.plural}/${name}`]);
}
