import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const oxlint = fileURLToPath(new URL('../node_modules/oxlint/bin/oxlint', import.meta.url))
const plugin = fileURLToPath(new URL('lint.js', import.meta.url))

// As in our own configuration: globals of browsers and Node are defined.
const env = { builtin: true, node: true, browser: true }

type Diagnostics = { diagnostics: { message: string; filename: string }[] }

/** The messages of the real linter under one of our rules, for each source as if it were that file. */
export function complaintsOf(rule: string, sources: readonly (readonly [file: string, source: string, ...rest: string[]])[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-lint-'))
  try {
    return sources.length > 0 ? lintInTrees(folder, rule, sources) : []
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// Several sources may have the same path, so they are spread over several trees; the rules go by the path from the linter's working
// directory.
function lintInTrees(folder: string, rule: string, sources: readonly (readonly [string, string, ...string[]])[]): string[][] {
  const complaints = sources.map((): string[] => [])
  let left = [...sources.entries()]
  while (left.length > 0) {
    const tree = mkdtempSync(join(folder, 'tree-'))
    const chosen = new Map<string, number>()
    for (const [number, [file]] of left) if (!chosen.has(file)) chosen.set(file, number)
    for (const [file, number] of chosen) write(join(tree, file), sources[number]?.[1] ?? '')
    for (const { message, filename } of lint(tree, rule)) complaints[chosen.get(filename) ?? -1]?.push(message)
    left = left.filter(([number]) => ![...chosen.values()].includes(number))
  }
  return complaints
}

function write(file: string, source: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${source}\n`)
}

function lint(tree: string, rule: string): Diagnostics['diagnostics'] {
  const config = { plugins: [], jsPlugins: [plugin], categories: { correctness: 'off' }, rules: { [rule]: 'error' }, env }
  write(join(tree, '.oxlintrc.json'), JSON.stringify(config))
  const { stdout, stderr } = spawnSync(process.execPath, [oxlint, '--format', 'json', '--disable-nested-config'], {
    cwd: tree,
    encoding: 'utf8',
  })
  if (!stdout.startsWith('{')) throw new Error(`The linter did not run: ${stdout}${stderr}`)
  return (JSON.parse(stdout) as Diagnostics).diagnostics
}
