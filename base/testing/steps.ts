import { Session } from 'node:inspector/promises'

/**
 * Counts the code blocks a function executes in this thread, loop iterations included: its cost, independent of the machine and its load.
 */
export async function countingSteps<T>(work: (stepsOf: (action: () => unknown) => Promise<number>) => Promise<T>): Promise<T> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  try {
    return await work(async (action) => {
      await session.post('Profiler.takePreciseCoverage')
      await action()
      const { result } = await session.post('Profiler.takePreciseCoverage')
      return result.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges)).reduce((sum, { count }) => sum + count, 0)
    })
  } finally {
    session.disconnect()
  }
}

const minSteps = 10_000

/** Whether a fourfold input costs about four times the CPU time in the same run; costs below the noise pass. */
export function isLinear(prepare: (length: number) => () => unknown): boolean {
  const [less, more] = [prepare(minSteps), prepare(4 * minSteps)]
  return [1, 2, 3].some(() => {
    const cost = costOf(less)
    return costOf(more) < 9 * cost + noise
  })
}

// In milliseconds; quadratic costs are in the hundreds.
const noise = 20

function costOf(action: () => unknown): number {
  const began = process.cpuUsage()
  action()
  return process.cpuUsage(began).user / 1000
}
