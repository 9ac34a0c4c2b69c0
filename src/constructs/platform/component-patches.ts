import type { JsonPatch } from 'cdk8s';
import type { CustomizeComponents, CustomizeComponentsPatch } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined } from '../defined';

/** Kind of an object that virt-operator installs, and that patches can change. */
export class ComponentKind extends Choice {
  public static readonly API_SERVICE = ComponentKind.of('APIService');
  public static readonly CLUSTER_ROLE = ComponentKind.of('ClusterRole');
  public static readonly CLUSTER_ROLE_BINDING = ComponentKind.of('ClusterRoleBinding');
  public static readonly CONFIG_MAP = ComponentKind.of('ConfigMap');
  public static readonly CUSTOM_RESOURCE_DEFINITION = ComponentKind.of('CustomResourceDefinition');
  public static readonly DAEMON_SET = ComponentKind.of('DaemonSet');
  public static readonly DEPLOYMENT = ComponentKind.of('Deployment');
  public static readonly MUTATING_WEBHOOK_CONFIGURATION = ComponentKind.of('MutatingWebhookConfiguration');
  public static readonly POD_DISRUPTION_BUDGET = ComponentKind.of('PodDisruptionBudget');
  public static readonly ROLE = ComponentKind.of('Role');
  public static readonly ROLE_BINDING = ComponentKind.of('RoleBinding');
  public static readonly SERVICE = ComponentKind.of('Service');
  public static readonly SERVICE_ACCOUNT = ComponentKind.of('ServiceAccount');
  public static readonly VALIDATING_ADMISSION_POLICY = ComponentKind.of('ValidatingAdmissionPolicy');
  public static readonly VALIDATING_ADMISSION_POLICY_BINDING = ComponentKind.of('ValidatingAdmissionPolicyBinding');
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
