/** Connections of each of the two pools: several processes on a machine share them. */
export function poolSize(processes: number | null): number {
  return Math.max(8, 20 - 4 * (processes ?? 1))
}

/** Connections of the pools for long work. It is rarely so much that both are full. */
export const longRunningSize = 10

export const jobsSize = 3

// One listens, and up to two try a commit and see what it waits for.
const single = 3

/** The connections that PostgreSQL must have for each process of a server. */
export function connectionsPerProcess(processes: number | null): number {
  return 2 * poolSize(processes) + longRunningSize + jobsSize + single
}
