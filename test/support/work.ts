import { Session } from 'node:inspector';

/**
 * Counts the calls of JavaScript functions, which is the same on every machine; time is not. Calls inside V8 (regular
 * expressions, sorting, JSON) are not counted.
 */
export class WorkCounter {
  private readonly session = new Session();

  public constructor() {
    this.session.connect();
    this.post('Profiler.enable');
    this.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** Number of calls since the last call of this method. */
  public take(): number {
    const { result } = this.post('Profiler.takePreciseCoverage') as {
      result: readonly { functions: readonly { ranges: readonly { count: number }[] }[] }[];
    };
    let calls = 0;
    for (const { functions } of result) for (const { ranges } of functions) calls += ranges[0]!.count;
    return calls;
  }

  public [Symbol.dispose](): void {
    this.post('Profiler.stopPreciseCoverage');
    this.session.disconnect();
  }

  /** Commands are answered before `post` returns. */
  private post(method: string, parameters: object = {}): unknown {
    let answer: unknown;
    this.session.post(method, parameters, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  }
}
