import { createHash } from 'node:crypto';

/** The Pod's nftables table: its text, and the comparison with the kernel's. Pure. */

const TABLE = 'virt8s';

/** Prints the table as JSON; fails if it does not exist. */
export const LIST_TABLE = `nft -j list table inet ${TABLE}`;

/** A base chain with its rules, in nft(8)'s syntax. */
export interface Chain {
  readonly name: string;
  readonly type: string;
  readonly hook: string;
  readonly priority: number;
  readonly rules: readonly string[];
}

/**
 * Each rule has its source text as a comment: nft prints rules in a different form than it reads them, which changes between
 * versions, but prints comments unchanged.
 */
const commentOf = (rule: string): string => createHash('sha256').update(rule).digest('hex').slice(0, 16);

/** Replaces the table's chains in one transaction: no packet passes in between, and connections are kept. */
export function replaceTable(chains: readonly Chain[]): string {
  return [
    // declared before it is deleted, so that the deletion succeeds the first time
    `table inet ${TABLE}`,
    `delete table inet ${TABLE}`,
    `table inet ${TABLE} {`,
    ...chains.flatMap(({ name, type, hook, priority, rules }) => [
      `  chain ${name} {`,
      `    type ${type} hook ${hook} priority ${priority};`,
      ...rules.map((rule) => `    ${rule} comment "${commentOf(rule)}"`),
      '  }',
    ]),
    '}',
  ].join('\n');
}

/** Output of `LIST_TABLE`. */
export interface ListedTable {
  readonly nftables: readonly {
    readonly chain?: { name: string; type?: string; hook?: string; prio?: number };
    readonly rule?: { chain: string; comment?: string };
  }[];
}

/** Whether the kernel has exactly these chains with exactly these rules in this order. */
export function hasTable(chains: readonly Chain[], listed: ListedTable | undefined): boolean {
  const items = listed?.nftables ?? [];
  const there = items.flatMap(({ chain }) => (chain ? [chain] : []));
  return (
    there.length === chains.length &&
    chains.every(({ name, type, hook, priority, rules }) => {
      const chain = there.find((candidate) => candidate.name === name);
      if (chain?.type !== type || chain.hook !== hook || chain.prio !== priority) return false;
      const comments = items.flatMap(({ rule }) => (rule?.chain === name ? [rule.comment] : []));
      return comments.length === rules.length && rules.every((rule, i) => comments[i] === commentOf(rule));
    })
  );
}
