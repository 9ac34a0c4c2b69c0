import { ServiceAccountTokens } from '../authentication/tokens';
import { Subresource, SubresourceLookup } from '../http/resources';
import { Core } from '../verbs/core';
import { podBinding } from './binding';
import { podEviction } from './eviction';
import { namespaceFinalize } from './finalize';
import { KubeletAccess, podLog, podStream } from './pod-streams';
import { Proxies } from './proxy';
import { scale } from './scale';
import { serviceAccountToken } from './token';

/** Every subresource other than `status`. */
export function subresources(
  core: Core,
  tokens: ServiceAccountTokens,
  kubelet: KubeletAccess,
  proxies: Proxies,
): SubresourceLookup {
  const scaled = scale(core);
  const stream = podStream(kubelet);
  const own: Record<string, Subresource> = {
    '/namespaces/finalize': namespaceFinalize(core),
    '/nodes/proxy': proxies,
    '/pods/attach': stream,
    '/pods/binding': podBinding(core),
    '/pods/eviction': podEviction(core),
    '/pods/exec': stream,
    '/pods/log': podLog(kubelet),
    '/pods/portforward': stream,
    '/pods/proxy': proxies,
    '/serviceaccounts/token': serviceAccountToken(core, tokens),
    '/services/proxy': proxies,
  };
  return (kind, name) => (name === 'scale' && kind.scale ? scaled : own[`${kind.group}/${kind.plural}/${name}`]);
}
