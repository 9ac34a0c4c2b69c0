import * as pulumi from '@pulumi/pulumi';
import { App, ApiObject, Chart } from 'cdk8s';
import { prerequisites } from './order';
import { forComponent, registerAll, type ComponentOptions, reportedOf } from './registration';
import { rejectStringifiedOutputs } from './stringified';
import { plainFields, type Manifest } from './manifests';
import { validateApp } from './invalid-app';
import { applyTarget } from './target';

/** Objects of a cdk8s app as a Pulumi component. */
export class AppComponent extends pulumi.ComponentResource {
  readonly #name: string;
  readonly #app: App;
  readonly #options: ComponentOptions;

  public constructor(name: string, app: App, opts: ComponentOptions = {}) {
    super('virt8s:index:App', name, {}, forComponent(opts));
    this.#name = name;
    this.#app = app;
    this.#options = opts;
  }

  protected override async initialize(): Promise<void> {
    // the program may still add constructs in this turn
    await new Promise((resolve) => setImmediate(resolve));
    try {
      applyTarget(this.#app);
      const constructs = this.#app.node.findAll();
      const chart = constructs.find((it): it is Chart => Chart.isChart(it));
      if (chart) validateApp(chart);
      const made = new Map(
        constructs
          .filter((it): it is ApiObject => ApiObject.isApiObject(it))
          .map((construct) => {
            const path = construct.node.path.replace(/\/Resource$/, '');
            return [path, { construct, manifest: construct.toJson() as Manifest }];
          }),
      );
      for (const [path, { manifest }] of made) rejectStringifiedOutputs(path, manifest);
      const first = prerequisites(made);
      const objects = [...made].map(([path, { manifest }]) => {
        return { path, manifest, fields: plainFields(manifest), after: first.get(path) ?? [] };
      });
      registerAll(this, this.#name, objects, this.#options, []);
    } catch (error) {
      throw reportedOf(error, this);
    }
  }
}

/**
 * Creates a component from a whole cdk8s app. It registers every object of the app's charts as `cdk8s synth` would
 * write it.
 *
 * @param name - logical name; the logical name of an object is this name and the path of its construct: `shop/web/vm`
 * @param app - app; `app.synth()` need not be called
 */
export function fromApp(name: string, app: App, opts?: ComponentOptions): pulumi.ComponentResource {
  return new AppComponent(name, app, opts);
}
