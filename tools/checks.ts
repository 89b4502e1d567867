import { runStep, type Step } from './steps.ts'

export const vitest = 'node_modules/vitest/vitest.mjs'

const ofTheCode: Step[] = [
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '--project', '.', '--pretty', 'false'] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--format', 'unix'] },
  { name: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--list-different'] },
]
const ofTheHouse: Step = { name: 'house rules', args: [vitest, 'run', '--reporter', 'dot', 'tools/'] }

/** Types, lint and format, side by side; answers how each went. */
export function checkCode(): Promise<boolean[]> {
  return Promise.all(ofTheCode.map(runStep))
}

/** The same with the rules of the house that tests hold. */
export function checkAll(): Promise<boolean[]> {
  return Promise.all([...ofTheCode, ofTheHouse].map(runStep))
}
