import type { JsonPatch } from 'cdk8s';
import type { CustomizeComponents, CustomizeComponentsPatch } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined } from '../defined';

/** Kind of an object that virt-operator installs, and that patches can change. */
export class ComponentKind extends Choice {
  /** Registration of an API that virt-api serves. */
  public static readonly API_SERVICE = ComponentKind.of('APIService');
  /** Permissions in all namespaces. */
  public static readonly CLUSTER_ROLE = ComponentKind.of('ClusterRole');
  /** Grant of a ClusterRole. */
  public static readonly CLUSTER_ROLE_BINDING = ComponentKind.of('ClusterRoleBinding');
  /** Configuration, and certificates of the authorities. */
  public static readonly CONFIG_MAP = ComponentKind.of('ConfigMap');
  /** Definition of a kind. */
  public static readonly CUSTOM_RESOURCE_DEFINITION = ComponentKind.of('CustomResourceDefinition');
  /** virt-handler. */
  public static readonly DAEMON_SET = ComponentKind.of('DaemonSet');
  /** virt-api, virt-controller or the upload proxy. */
  public static readonly DEPLOYMENT = ComponentKind.of('Deployment');
  /** Webhooks that set defaults. */
  public static readonly MUTATING_WEBHOOK_CONFIGURATION = ComponentKind.of('MutatingWebhookConfiguration');
  /** Replicas of a program that a drain must leave. */
  public static readonly POD_DISRUPTION_BUDGET = ComponentKind.of('PodDisruptionBudget');
  /** Permissions in the namespace of the installation. */
  public static readonly ROLE = ComponentKind.of('Role');
  /** Grant of a Role. */
  public static readonly ROLE_BINDING = ComponentKind.of('RoleBinding');
  /** Address of a program in the cluster. */
  public static readonly SERVICE = ComponentKind.of('Service');
  /** Account of a program. */
  public static readonly SERVICE_ACCOUNT = ComponentKind.of('ServiceAccount');
  /** Rule that the API server checks for requests of virt-handler. */
  public static readonly VALIDATING_ADMISSION_POLICY = ComponentKind.of('ValidatingAdmissionPolicy');
  /** Objects to which a rule applies. */
  public static readonly VALIDATING_ADMISSION_POLICY_BINDING = ComponentKind.of('ValidatingAdmissionPolicyBinding');
  /** Webhooks that reject invalid objects. */
  public static readonly VALIDATING_WEBHOOK_CONFIGURATION = ComponentKind.of('ValidatingWebhookConfiguration');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): ComponentKind {
    return new ComponentKind(value);
  }
}

/** Installed object that a patch changes. */
export interface ComponentTarget {
  /** Kind of the object. */
  readonly kind: ComponentKind;
  /** Name of the object, such as `virt-api`; `*` for all objects of the kind. */
  readonly name: string;
}

/**
 * Patch of an object that virt-operator installs. virt-operator applies the patches in their order whenever it writes the
 * object, also after an upgrade. A patch that does not fit leaves its object as it is, and the condition `Synchronized` of
 * the KubeVirt object reports it.
 */
export class ComponentPatch {
  /**
   * Changes an object with a list of operations (RFC 6902).
   *
   * @param target object to change
   * @param operations operations, which are applied in their order
   * @example
   * new KubeVirt(chart, 'kubevirt', {
   *   customizeComponents: {
   *     patches: [
   *       ComponentPatch.json({ kind: ComponentKind.DEPLOYMENT, name: 'virt-controller' }, [
   *         JsonPatch.add('/spec/template/spec/containers/0/resources/limits', { memory: '1Gi' }),
   *       ]),
   *     ],
   *   },
   * });
   */
  public static json(target: ComponentTarget, operations: JsonPatch[]): ComponentPatch {
    const patch = operations.map((operation): unknown => operation._toJson());
    return new ComponentPatch({ target, type: 'json', patch });
  }

  /**
   * Merges fields into an object (RFC 7386). `null` removes a field, and a list replaces the whole list.
   *
   * @param target object to change
   * @param patch fields to merge
   * @example
   * new KubeVirt(chart, 'kubevirt', {
   *   customizeComponents: {
   *     patches: [
   *       ComponentPatch.merge(
   *         { kind: ComponentKind.SERVICE, name: 'cdi-uploadproxy' },
   *         { metadata: { annotations: { 'dns.example/name': 'uploads.example' } } },
   *       ),
   *     ],
   *   },
   * });
   */
  public static merge(target: ComponentTarget, patch: { readonly [field: string]: unknown }): ComponentPatch {
    return new ComponentPatch({ target, type: 'merge', patch });
  }

  /**
   * Merges fields into an object as `kubectl patch` does: lists of containers, variables, volumes and ports are merged by
   * the name of the element.
   *
   * @param target object to change
   * @param patch fields to merge
   * @example
   * new KubeVirt(chart, 'kubevirt', {
   *   customizeComponents: {
   *     patches: [
   *       ComponentPatch.strategic(
   *         { kind: ComponentKind.DAEMON_SET, name: 'virt-handler' },
   *         { spec: { template: { spec: { priorityClassName: 'system-node-critical' } } } },
   *       ),
   *     ],
   *   },
   * });
   */
  public static strategic(target: ComponentTarget, patch: { readonly [field: string]: unknown }): ComponentPatch {
    return new ComponentPatch({ target, type: 'strategic', patch });
  }

  private constructor(
    private readonly parts: {
      readonly target: ComponentTarget;
      readonly type: CustomizeComponentsPatch['type'];
      readonly patch: unknown;
    },
  ) {}

  /** @internal */
  public _render(): CustomizeComponentsPatch {
    const { target, type, patch } = this.parts;
    return {
      resourceType: target.kind.value,
      resourceName: target.name,
      type,
      patch: JSON.stringify(patch),
    };
  }
}

/**
 * Command line flags of the platform's programs, such as `{ 'vmi-controller-threads': '20' }`. They replace flags of the same
 * name. A program does not start with a flag that it does not know; KubeVirt's programs have other flags.
 */
export interface ComponentFlags {
  /**
   * Flags of virt-api.
   * @default - none
   */
  readonly virtApi?: { readonly [flag: string]: string };
  /**
   * Flags of virt-controller.
   * @default - none
   */
  readonly virtController?: { readonly [flag: string]: string };
  /**
   * Flags of virt-handler.
   * @default - none
   */
  readonly virtHandler?: { readonly [flag: string]: string };
}

/** Changes to the objects that virt-operator installs. */
export interface ComponentCustomization {
  /**
   * Patches, which are applied in their order.
   * @default - none
   */
  readonly patches?: ComponentPatch[];
  /**
   * Command line flags of the programs.
   * @default - none
   */
  readonly flags?: ComponentFlags;
}

/** Renders the changes as the KubeVirt object has them. */
export function renderCustomization(given: ComponentCustomization | undefined): CustomizeComponents | undefined {
  if (!given) return undefined;
  const { patches, flags } = given;
  return defined({
    patches: patches?.map((patch) => patch._render()),
    flags: flags && defined({ api: flags.virtApi, controller: flags.virtController, handler: flags.virtHandler }),
  });
}
