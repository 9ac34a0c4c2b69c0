import { App, YamlOutputType } from 'cdk8s';
import { environments } from './environments';
import { Shop } from './shop';

// a folder for each environment, a file for each object: dist/dev, dist/staging, dist/production
const app = new App({ yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });
for (const [name, environment] of Object.entries(environments)) new Shop(app, name, environment);
app.synth();
