import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A command of a transcript: comments and empty lines before it, then the command itself. */
export interface Step {
  readonly before: readonly string[];
  readonly command: string;
}

/** The blocks of a transcript: a command with the comments before it and its output. */
export const blocksOf = (transcript: string): string[] => transcript.trimEnd().split(/\n\n(?=[#$] )/);

/** The commands of a transcript. A block has comments (`# …`), a command (`$ …`), and its output. */
export function stepsOf(transcript: string): Step[] {
  return blocksOf(transcript).map((block) => {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => line.startsWith('$ '));
    if (at < 0) throw new Error(`a block of the transcript has no command: ${block}`);
    const next = lines.find((line, i) => i > at && line.startsWith('$ '));
    if (next) throw new Error(`the transcript has no empty line before a command: ${next}`);
    return { before: lines.slice(0, at), command: lines[at]!.slice(2) };
  });
}

export interface TranscriptOptions {
  /** An administrator's kubeconfig; the commands use a copy. */
  readonly kubeconfig: string;
  /** Folder whose files the commands read; they use a copy. */
  readonly files: string;
}

/** Runs the commands of a transcript one after the other in a shell, and returns it with their normalized output. */
export async function replay(transcript: string, { kubeconfig, files }: TranscriptOptions): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'virt8s-transcript-'));
  try {
    await cp(files, directory, { recursive: true });
    await cp(kubeconfig, join(directory, 'kubeconfig'));
    await writeFile(join(directory, 'functions.sh'), FUNCTIONS);
    const blocks: string[] = [];
    for (const { before, command } of stepsOf(transcript)) {
      const { code, output } = await shell(command, directory);
      const lines = [...before, `$ ${command}`, normalizeOutput(output).trimEnd()].filter((line) => line !== '');
      blocks.push([...lines, ...(code ? [`[exit ${code}]`] : [])].join('\n'));
    }
    return `${blocks.join('\n\n')}\n`;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * `until_line PATTERN COMMAND…` prints the output of a command that does not end, up to the first line that matches, and
 * then ends the command. `react LINE`, if the command of the transcript defines it, runs after each earlier line.
 */
const FUNCTIONS = `
until_line() {
  pattern=$1; shift
  mkfifo fifo; "$@" >fifo & pid=$!
  while IFS= read -r line; do
    printf '%s\\n' "$line"
    if printf '%s' "$line" | grep -q "$pattern"; then break; fi
    react "$line"
  done <fifo
  kill $pid; rm fifo
}
react() { :; }
`;

function shell(command: string, directory: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      'sh',
      ['-c', `. ./functions.sh; exec 2>&1; ${command}`],
      {
        cwd: directory,
        env: {
          ...process.env,
          KUBECONFIG: join(directory, 'kubeconfig'),
          KUBECTL_DIFF: '',
          HOME: directory,
          TZ: 'UTC',
        },
        timeout: 60_000,
        maxBuffer: 16 * 1024 * 1024,
      },
      (error, output) => resolve({ code: error ? Number(error.code ?? 1) : 0, output }),
    );
  });
}

const RANDOM = '[bcdfghjklmnpqrstvwxz2456789]';

/** Replacements of what differs between two runs: identities, names with random ends, times, ages, addresses. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/https:\/\/(127\.0\.0\.1|localhost):\d+/g, 'https://SERVER'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| \+0000( UTC)?)/g, 'TIME'],
  [/\/tmp\/(LIVE|MERGED)-\d+/g, '$1'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, 'TIME'],
  [/(resourceVersion"?: )"\d+"/g, '$1"VERSION"'],
  [new RegExp(`-${RANDOM}{8,10}-${RANDOM}{5}\\b`, 'g'), '-HASH-ID'],
  [new RegExp(`-${RANDOM}{8,10}\\b`, 'g'), '-HASH'],
  [new RegExp(`(pod-template-hash=)${RANDOM}{8,10}\\b`, 'g'), '$1HASH'],
  [new RegExp(`-${RANDOM}{5}\\b`, 'g'), '-ID'],
  [/(Resource Version: +)\d+/g, '$1VERSION'],
  [/\b10\.\d+\.\d+\.\d+\b/g, 'IP'],
  [/\b3[0-2]\d{3}\b/g, 'NODEPORT'],
  [/(?<=^|\s{2,}|\()(\d+m)?\d+s(?=\s{2,}|$| \(x|\))/gm, 'AGE'],
  [/AGE \(x\d+ over \w+\)/g, 'AGE'],
  // of a Pod that is older than two minutes, which it is on a slow machine
  [/Metrics not available for pod \S+, age: \S+/g, 'metrics not available yet'],
  // not the indentation, also of a difference
  [/(?<!^[-+])(?<=\S)[^\S\n]{2,}(?=\S)/gm, '   '],
  [/[^\S\n]+$/gm, ''],
];

/** Output without what differs between two runs. The width of columns depends on it, so that it is replaced as well. */
export function normalizeOutput(output: string): string {
  return REPLACEMENTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), output);
}
