/** `virt8s validate`: every mistake of every file, with its place. */
import { type AdmissionContext, clusterConfig, type KubeObject, type KubeVirt } from '../../api';
import { readManifest, manifestFiles, readObjects } from '../manifests/read';
import { supportOf } from '../render/support';
import { check, type Checked } from './check';
import { formatFinding } from './print';

export interface ValidateFlags {
  readonly config?: string;
  readonly with?: string[];
  readonly output?: 'json';
  readonly quiet?: boolean;
}

/** Exit codes: 1 when something was refused, 2 when a file or document could not be read. */
export async function runValidate(names: readonly string[], flags: ValidateFlags): Promise<number> {
  const files = await Promise.all((await manifestFiles(names)).map((file) => readManifest(file)));
  const beside = (await Promise.all((flags.with ?? []).map((file) => readObjects(file)))).flat();
  const [kubeVirt] = flags.config ? await readObjects(flags.config) : [];
  // what is applied together may name each other
  const given = files.flatMap(({ documents }) =>
    documents.flatMap(({ object }) => (object ? [object as unknown as KubeObject] : [])),
  );
  const context: AdmissionContext = {
    config: clusterConfig(kubeVirt as KubeVirt | undefined),
    by: { trusted: false },
    ...supportOf([...given, ...beside]),
  };
  const results = files.map(({ file, documents, unreadable, text }) => ({
    file,
    unreadable,
    lines: text?.split('\n') ?? [],
    checked: documents.map((document) => check(document, context)),
  }));
  const all = results.flatMap(({ checked }) => checked);
  const broken = results.some(({ unreadable }) => unreadable) || all.some(({ state }) => state === 'broken');
  if (flags.output === 'json')
    console.log(
      JSON.stringify(
        results.map(({ file, unreadable, checked }) => ({ file, unreadable, objects: checked })),
        null,
        2,
      ),
    );
  else {
    for (const { file, unreadable, lines, checked } of results) {
      if (unreadable) console.error(`${file}: ${unreadable}`);
      for (const { findings } of checked)
        for (const found of findings) console.error(formatFinding(file, found, lines));
    }
    if (!flags.quiet) console.log(summary(results.length, all));
  }
  return broken ? 2 : all.some(({ state }) => state === 'refused') ? 1 : 0;
}

/** `2 files: 3 valid, 1 refused, 1 of other kinds` */
function summary(files: number, checked: readonly Checked[]): string {
  const count = (state: Checked['state']): number => checked.filter((each) => each.state === state).length;
  const parts = [
    [count('valid'), 'valid'],
    [count('refused'), 'refused'],
    [count('broken'), 'broken'],
    [count('other'), 'of other kinds (not checked)'],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return `${files} ${files === 1 ? 'file' : 'files'}: ${told.join(', ') || 'nothing in it'}`;
}
