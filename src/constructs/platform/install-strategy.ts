import { ApiObject, App, Chart, Lazy, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { isInstalledKind, type InstalledObject } from '../../api/install/kinds';
import { installStrategy, strategyHash } from '../../api/install/strategy';
import { objectOf, PLATFORM_LABELS } from './objects';

/**
 * Objects that virt-operator installs and maintains, in a ConfigMap: it applies them in the right order when the platform
 * is installed, upgraded or rolled back, and restores them if they are changed or deleted.
 */
export class PlatformInstallStrategy extends Construct {
  /** @internal */
  public static _make(
    scope: Construct,
    id: string,
    installation: { namespace: string; version: string },
  ): PlatformInstallStrategy {
    return new PlatformInstallStrategy(scope, id, installation);
  }

  /** ConfigMap with the objects, as YAML documents. */
  public readonly configMap: ApiObject;
  /** Chart of the objects. It is not part of the app, so that it does not become a file of manifests. */
  public readonly chart: Chart;

  private readonly version: string;
  /** Text that `render` returned last, and the JSON of its objects. Synth, validation and the hash each call `render`. */
  private rendered = { json: '', text: '' };

  private constructor(scope: Construct, id: string, { namespace, version }: { namespace: string; version: string }) {
    super(scope, id);
    this.version = version;
    const { labels } = Chart.of(this);
    this.chart = new Chart(new App(), 'strategy', { labels, disableResourceNameHashes: true });
    this.configMap = objectOf(this, 'Resource', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: installStrategy.configMap, namespace, labels: { ...PLATFORM_LABELS } },
      data: {
        [installStrategy.version]: version,
        [installStrategy.objects]: Lazy.any({ produce: () => this.render() }),
      },
    });
  }

  /** @internal */
  public _hash(): string {
    return strategyHash(this.version, this.render());
  }

  /** @internal */
  public _objects(): InstalledObject[] {
    return this.chart.node.findAll().flatMap((each) => {
      if (!ApiObject.isApiObject(each) || !isInstalledKind(each.kind)) return [];
      return [{ kind: each.kind, name: each.name }];
    });
  }

  private render(): string {
    const objects = this.chart.toJson() as object[];
    const json = JSON.stringify(objects);
    if (json !== this.rendered.json) this.rendered = { json, text: Yaml.stringify(...objects) };
    return this.rendered.text;
  }
}
