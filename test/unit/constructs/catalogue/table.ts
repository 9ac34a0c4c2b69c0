import type { Mistake } from './mistakes';

const here: Record<Mistake['tier'], string> = {
  compiler: 'compiler',
  construction: 'where it is written',
  synth: 'synth',
};
const there: Record<Mistake['kubevirt'], string> = { apply: 'when applied', run: 'when it runs', never: 'never' };

/** The catalogue as a table in Markdown. */
export function tableOfMistakes(mistakes: readonly Mistake[]): string {
  const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\n\s*/g, ' ');
  const rows = mistakes.map((mistake) => {
    const { title, tier, kubevirt, says } = mistake;
    const rule = /\[([a-z0-9-]+)\]$/.exec(says)?.[1];
    const told = rule === undefined ? here[tier] : `${here[tier]}: \`${rule}\``;
    return `| ${cell(title)} | ${told} | ${there[kubevirt]}: ${cell(mistake.there)} |\n`;
  });
  return `| mistake | told here by | told with KubeVirt's own tools |\n|---|---|---|\n${rows.join('')}`;
}
