import * as core from '../constructs';
import { component } from './component';

/** Additional network that Multus attaches (`k8s.cni.cncf.io` NetworkAttachmentDefinition). */
export class NetworkAttachment extends component(core.NetworkAttachment, 'virt8s:network:NetworkAttachment') {}

/** Ingress that routes external HTTP requests to guests (`networking.k8s.io` Ingress). */
export class VmIngress extends component(core.VmIngress, 'virt8s:network:VmIngress') {}

/** Service for guests, on whichever node they run (`v1` Service). */
export class VmService extends component(core.VmService, 'virt8s:network:VmService') {}
