import * as core from '../constructs';
import { component } from './component';

/** The platform: definitions, roles, controllers, node agents, webhooks, certificates. */
export class VirtPlatform extends component(core.VirtPlatform, 'virt8s:platform:VirtPlatform') {}

/** What the platform does in this cluster (`kubevirt.io/v1` KubeVirt). */
export class KubeVirt extends component(core.KubeVirt, 'virt8s:platform:KubeVirt') {}

/** The definitions of all kinds. */
export class PlatformDefinitions extends component(core.PlatformDefinitions, 'virt8s:platform:PlatformDefinitions') {}
