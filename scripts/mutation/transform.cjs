// eslint-disable-next-line @typescript-eslint/no-require-imports -- jest loads transformers as CommonJS
const { createTransformer } = require('@swc/jest');

/** The transformer of the unit tests, which changes one place of one source file: the mutant under test. */
module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    const mutated = (text, file) => {
      const mutant = globalThis.virt8sMutant;
      if (!mutant || file !== mutant.file) return text;
      return text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end);
    };
    return {
      ...swc,
      process: (text, file, rest) => swc.process(mutated(text, file), file, rest),
      getCacheKey: (text, file, rest) => swc.getCacheKey(mutated(text, file), file, rest),
    };
  },
};
