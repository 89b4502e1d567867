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
export async function isLinear(prepare: (length: number) => () => unknown): Promise<boolean> {
  const [less, more] = [prepare(minSteps), prepare(4 * minSteps)]
  for (let tries = 0; tries < 3; tries++) {
    const cost = await costOf(less)
    if ((await costOf(more)) < 9 * cost + noise) return true
  }
  return false
}

// In milliseconds; quadratic costs are in the hundreds.
const noise = 20

async function costOf(action: () => unknown): Promise<number> {
  const began = process.cpuUsage()
  await action()
  return process.cpuUsage(began).user / 1000
}
