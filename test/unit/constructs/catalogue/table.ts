import type { Mistake } from './mistakes';

const here: Record<Mistake['tier'], string> = {
  compiler: 'compiler',
  construction: 'construction',
  synth: 'synth',
};
const there: Record<Mistake['kubevirt'], string> = { apply: 'when applied', run: 'when it runs', never: 'never' };

/** Formats the catalogue as a Markdown table. */
export function tableOfMistakes(mistakes: readonly Mistake[]): string {
  const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\n\s*/g, ' ');
  const rows = mistakes.map((mistake) => {
    const { title, tier, kubevirt, says } = mistake;
    const rule = /\[([a-z0-9-]+)\]$/.exec(says)?.[1];
    const check = rule === undefined ? here[tier] : `${here[tier]}: \`${rule}\``;
    return `| ${cell(title)} | ${check} | ${there[kubevirt]}: ${cell(mistake.there)} |\n`;
  });
  return `| Mistake | Reported here by | Reported by KubeVirt's own tools |\n|---|---|---|\n${rows.join('')}`;
}
