import { Worker } from 'node:worker_threads'

export type ImportedComparison = { hashed: string; typed: string }
export type ImportedComparisonResult = { fits: boolean } | { error: unknown }
type Pending = { done: (fits: boolean) => void; failed: (error: unknown) => void }
type Comparer = { worker: Worker; pending: Pending | null }

const idle: Comparer[] = []

/**
 * Compares in a worker, because bcrypt computes on the thread that calls it. There are as many workers as comparisons at once; each loads
 * the packages for hashes of other programs, and is kept for the next comparison.
 */
export function fitsImportedInWorker(hashed: string, typed: string): Promise<boolean> {
  const comparer = idle.pop() ?? startWorker()
  return new Promise((done, failed) => {
    comparer.pending = { done, failed }
    comparer.worker.ref()
    comparer.worker.postMessage({ hashed, typed } satisfies ImportedComparison, [])
  })
}

function startWorker(): Comparer {
  const worker = new Worker(new URL('./worker.ts', import.meta.url))
  const comparer: Comparer = { worker, pending: null }
  worker.on('message', (result: ImportedComparisonResult) => {
    const { pending } = comparer
    comparer.pending = null
    // An idle worker must not keep the program running.
    worker.unref()
    idle.push(comparer)
    if ('fits' in result) pending?.done(result.fits)
    else pending?.failed(result.error)
  })
  let why = new Error('Imported passwords can no longer be compared.')
  worker.once('error', (error: Error) => void (why = error))
  worker.once('exit', () => {
    if (idle.includes(comparer)) idle.splice(idle.indexOf(comparer), 1)
    comparer.pending?.failed(why)
  })
  return comparer
}
