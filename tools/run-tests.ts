import { loadavg } from 'node:os'
import { relative } from 'node:path'
import { startVitest, type Reporter, type TestModule } from 'vitest/node'
import { root } from './steps.ts'

export type FileResult = {
  path: string
  seconds: number
  passed: number
  /** The names of failed tests; of the file itself if it could not run. */
  failed: readonly string[]
  /** The load average at the end of the file. */
  load: number
}

/** Runs these test files with these variables, and returns their results, the slowest first. */
export async function runTests(paths: readonly string[], env: Record<string, string>): Promise<FileResult[]> {
  const results = new Map<string, FileResult>()
  const reporter: Reporter = {
    onTestModuleEnd: (module) => keep(resultOf(module)),
    onTestRunEnd: (_, errors) => {
      for (const { VITEST_TEST_PATH: at, message } of errors)
        fail(typeof at === 'string' ? relative(root, at) : 'outside of all files', message)
    },
  }
  const vitest = await startVitest([...paths], { watch: false, root, env, reporters: ['minimal', reporter], passWithNoTests: true })
  await vitest.close()
  for (const path of paths) if (!results.has(path)) fail(path, 'it was not run')
  return [...results.values()].toSorted((one, other) => other.seconds - one.seconds)

  function keep(result: FileResult): void {
    results.set(result.path, result)
    if (results.size % 40 === 0) console.log(`${results.size} of ${paths.length} files`)
  }

  function fail(path: string, why: string): void {
    const result = results.get(path) ?? { path, seconds: 0, passed: 0, failed: [], load: currentLoad() }
    keep({ ...result, failed: [...result.failed, why] })
  }
}

function resultOf(module: TestModule): FileResult {
  const tests = [...module.children.allTests()]
  const failed = tests.filter((test) => test.result().state === 'failed').map(({ fullName }) => fullName)
  const { duration, collectDuration } = module.diagnostic()
  return {
    path: relative(root, module.moduleId),
    seconds: (duration + collectDuration) / 1000,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failed: failed.length === 0 && !module.ok() ? ['the file itself'] : failed,
    load: currentLoad(),
  }
}

function currentLoad(): number {
  return Math.round(loadavg()[0] ?? 0)
}
