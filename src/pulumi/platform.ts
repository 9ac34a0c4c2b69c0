import * as core from '../constructs';
import { component } from './component';

/** The whole platform: definitions, roles, controllers, node agents, webhooks and certificates. */
export class VirtPlatform extends component(core.VirtPlatform, 'virt8s:platform:VirtPlatform') {}

/** Configuration of the platform (`kubevirt.io/v1` KubeVirt). */
export class KubeVirt extends component(core.KubeVirt, 'virt8s:platform:KubeVirt') {}

/** Grafana dashboard of VMs, guests and the platform. */
export class PlatformDashboard extends component(core.PlatformDashboard, 'virt8s:platform:PlatformDashboard') {}

/** CustomResourceDefinitions of all kinds. */
export class PlatformDefinitions extends component(core.PlatformDefinitions, 'virt8s:platform:PlatformDefinitions') {}
