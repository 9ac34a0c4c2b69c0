import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { featureGates } from '../../src/api/feature-gates';
import { type Exports, setupOf } from './code-blocks';

/** An `@example` of a docstring. */
export interface DocExample {
  /** `Disk.blank`, or `VirtualMachine` for that of a class. */
  readonly name: string;
  readonly text: string;
}

/** The examples of all exported classes of a folder of sources. */
export function docExamples(folder: string): DocExample[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      if (!text.includes('@example')) return [];
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
      return source.statements.filter(ts.isClassDeclaration).flatMap((type) => {
        const members = type.members.filter(ts.isMethodDeclaration);
        const className = type.name!.text;
        return [
          ...examplesOf(type, className),
          ...members.flatMap((member) => examplesOf(member, `${className}.${member.name.getText(source)}`)),
        ];
      });
    });
}

function examplesOf(node: ts.Node, name: string): DocExample[] {
  return ts
    .getJSDocTags(node)
    .filter((tag) => tag.tagName.text === 'example')
    .map((tag) => ({ name, text: ts.getTextOfJSDocComment(tag.comment) ?? '' }));
}

/** Settings of the platform that examples require and that are off by default. */
const configuration = JSON.stringify({
  developerConfiguration: { featureGates },
  network: { binding: { macvtap: {}, passt: {} }, permitSlirpInterface: true },
  persistentReservationConfiguration: { enabled: true },
  virtTemplateDeployment: { enabled: true },
});

/** One program of all examples: a function of each by its name, which returns the app. */
export function programOfExamples(examples: readonly DocExample[], modules: Exports): string {
  const bodies = examples.map(({ name, text }) => {
    const app = 'const app = new App();\n';
    const setup = setupOf(text).replace(app, '');
    const body = `${app}app.node.setContext('virt8s.io/configuration', ${configuration});\n${setup}${text}\nreturn app;`;
    return `  ${JSON.stringify(name)}: () => {\n${body}\n  },\n`;
  });
  const named = new Set(bodies.join('').match(/\b[A-Za-z]\w*\b/g));
  const taken = new Set<string>();
  const imports = Object.entries(modules).map(([module, exported]) => {
    const wanted = exported.filter((each) => named.has(each) && !taken.has(each));
    wanted.forEach((each) => taken.add(each));
    return `import { ${wanted.join(', ')} } from '${module}';\n`;
  });
  return `${imports.join('')}\nexport const examples: Record<string, () => App> = {\n${bodies.join('')}};\n`;
}
