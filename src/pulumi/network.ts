import * as core from '../constructs';
import { component } from './component';

/** A network that Multus attaches (`k8s.cni.cncf.io` NetworkAttachmentDefinition). */
export class NetworkAttachment extends component(core.NetworkAttachment, 'virt8s:network:NetworkAttachment') {}

/** Leads HTTP from outside the cluster to guests (`networking.k8s.io` Ingress). */
export class VmIngress extends component(core.VmIngress, 'virt8s:network:VmIngress') {}

/** Leads to guests, wherever they run (`v1` Service). */
export class VmService extends component(core.VmService, 'virt8s:network:VmService') {}
